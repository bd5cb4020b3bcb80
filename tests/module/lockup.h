/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lockup.h - names of the locks and events of lockup.c. */
#ifndef TESTS_MODULE_LOCKUP_H
#define TESTS_MODULE_LOCKUP_H

#include "tests/module/program.h"

enum lockup_lock {
	LOCKUP_SPIN,			/* queued spinlock */
	LOCKUP_WRITE,			/* queued rwlock, writers only */
	LOCKUP_READ,			/* readers only */
	LOCKUP_MIXED,			/* each fourth CPU writes */
	LOCKUP_ONE_WRITER,		/* CPU 1 writes, the others read */
	LOCKUP_BIT,			/* bit spinlock */
	NR_LOCKUP_LOCKS
};

enum lockup_event { LOCKUP_ASKS = 1, LOCKUP_GOT, LOCKUP_LEAVES };

#endif
