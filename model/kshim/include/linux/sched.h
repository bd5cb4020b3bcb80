/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sched.h - cond_resched() and the running task are in model/kernel/sched.h. */
#include <linux/kernel.h>
