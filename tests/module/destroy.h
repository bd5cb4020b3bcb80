/* SPDX-License-Identifier: GPL-3.0-or-later */
/* destroy.h - arguments of the program in destroy.c. Its result: objects that waited when the end began. */
#ifndef TESTS_MODULE_DESTROY_H
#define TESTS_MODULE_DESTROY_H

enum destroy_arg {
	DESTROY_FREE,			/* enum axis_free */
	DESTROY_SLOTS,			/* swapped out, then freed */
	DESTROY_WAIT,			/* units of work between the last free and the end of the device */
	DESTROY_REUSE,			/* slots freed, written and freed again before that */
	DESTROY_BATCH,			/* defer_batch */
};

#endif
