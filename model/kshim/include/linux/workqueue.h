/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workqueue.h - deferred calls; every queue is the unbound one. */
#ifndef KSHIM_LINUX_WORKQUEUE_H
#define KSHIM_LINUX_WORKQUEUE_H

#include <linux/kernel.h>

#define system_wq		system_dfl_wq
#define system_percpu_wq	system_dfl_wq
#define system_unbound_wq	system_dfl_wq

#endif
