/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - everything of model/kernel/ that a subsystem may use. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "sim/hw.h"
#include "model/kernel/types.h"
#include "model/kernel/bug.h"
#include "model/kernel/err.h"
#include "model/kernel/string.h"
#include "model/kernel/atomic.h"
#include "model/kernel/list.h"
#include "model/kernel/llist.h"
#include "model/kernel/percpu.h"
#include "model/kernel/preempt.h"
#include "model/kernel/spinlock.h"
#include "model/kernel/bit_lock.h"
#include "model/kernel/page.h"
#include "model/kernel/slab.h"
#include "model/kernel/sched.h"
#include "model/kernel/workqueue.h"
#include "model/kernel/xarray.h"
#include "model/kernel/printf.h"

#endif
