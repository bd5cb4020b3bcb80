/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mmdebug.h - assertions of the tree. Those that a production kernel compiles
 * are paid; those of CONFIG_DEBUG_VM are made as well, but out of the machine's
 * sight, since the reference kernel does not have them. Each that fails ends
 * the run with the tree's file and line.
 */
#ifndef KSHIM_LINUX_MMDEBUG_H
#define KSHIM_LINUX_MMDEBUG_H

#include "model/kernel/bug.h"

#define BUG()			hw_fault("BUG() at %s:%d", __FILE__, __LINE__)
#define WARN(cond, fmt, ...)	WARN_ON(cond)
#define WARN_ON_ONCE(cond)	WARN_ON(cond)
#define WARN_ONCE(cond, fmt, ...) WARN_ON(cond)
#define BUILD_BUG_ON(cond)	_Static_assert(!(cond), "BUILD_BUG_ON(" #cond ")")

#define kshim_debug_check(what, cond) do {					\
	hw_mute();								\
	if (unlikely(cond))							\
		hw_fault(what "(%s) at %s:%d", #cond, __FILE__, __LINE__);	\
	hw_unmute();								\
} while (0)

#undef VM_BUG_ON
#define VM_BUG_ON(cond)			kshim_debug_check("VM_BUG_ON", cond)
#define VM_BUG_ON_PAGE(cond, page)	kshim_debug_check("VM_BUG_ON_PAGE", cond)
#define VM_BUG_ON_FOLIO(cond, folio)	kshim_debug_check("VM_BUG_ON_FOLIO", cond)
#define VM_WARN_ON(cond)		kshim_debug_check("VM_WARN_ON", cond)
#define VM_WARN_ON_ONCE(cond)		kshim_debug_check("VM_WARN_ON_ONCE", cond)
#define VM_WARN_ON_PAGE(cond, page)	kshim_debug_check("VM_WARN_ON_PAGE", cond)
#define VM_WARN_ON_ONCE_PAGE(cond, page) kshim_debug_check("VM_WARN_ON_ONCE_PAGE", cond)

#endif
