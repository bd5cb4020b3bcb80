/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bug.h - assertions: each is an oracle that ends the run with a report. */
#ifndef KERNEL_BUG_H
#define KERNEL_BUG_H

#include "sim/hw.h"
#include "model/kernel/types.h"

#define BUG_ON(cond) do {							\
	if (unlikely(cond))							\
		hw_fault("BUG_ON(%s) at %s:%d", #cond, __FILE__, __LINE__);	\
} while (0)

#define WARN_ON(cond) ({							\
	bool _warn = (cond);							\
	if (unlikely(_warn))							\
		hw_fault("WARN_ON(%s) at %s:%d", #cond, __FILE__, __LINE__);	\
	_warn;									\
})
#define VM_BUG_ON(cond)	BUG_ON(cond)

#endif
