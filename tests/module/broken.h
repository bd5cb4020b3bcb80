/* SPDX-License-Identifier: GPL-3.0-or-later */
/* broken.h - what broken.c can do wrong. */
#ifndef TESTS_MODULE_BROKEN_H
#define TESTS_MODULE_BROKEN_H

#include "tests/module/program.h"

enum broken_fault {
	BROKEN_LOAD_FREED,		/* load from a freed page */
	BROKEN_STORE_FREED,		/* store to a freed slab object */
	BROKEN_ATOMIC_FREED,		/* atomic on freed memory */
	BROKEN_COPY_FREED,		/* copy out of a freed page */
	BROKEN_RELEASE_TWICE,		/* a lock is released twice */
	BROKEN_RELEASE_OTHER,		/* CPU 1 releases what CPU 0 holds */
	BROKEN_READ_RELEASE,		/* a reader releases that has not taken it */
	BROKEN_ORDER,			/* two locks nested both ways */
	BROKEN_ORDER_OF_THREE,		/* three locks nested in a ring */
	BROKEN_SELF,			/* a CPU takes a lock that it holds */
	BROKEN_ALL_PARKED,		/* a lock is never released: the rest spin for ever */
	BROKEN_SPIN_MUTED,		/* a spin loop before the run */
	BROKEN_IDLE_MUTED,		/* idling before the run */
	BROKEN_LEFT_LOCKED,		/* a lock is held when the run ends */
	BROKEN_BUG_ON,			/* the software's own assertion */
	BROKEN_WORK,			/* work for which the profile has no figure */
	NR_BROKEN
};

#endif
