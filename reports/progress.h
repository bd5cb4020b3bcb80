/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.h - the bar on the terminal while runs are made. It goes to
 * standard error, and nowhere if that is no terminal.
 */
#ifndef ZSMSIM_REPORTS_PROGRESS_H
#define ZSMSIM_REPORTS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool shown;
	const char *things;		/* what is counted; NULL: "runs" */
	size_t runs, runs_done;
	uint64_t work, work_done;	/* runs differ in size; the estimate goes by work */
	uint64_t began_ms;
};

/* @work is the sum of what progress_step() will be told. */
void progress_begin(struct progress *p, bool wanted, size_t runs, uint64_t work);
void progress_step(struct progress *p, uint64_t work);

/* Draw anew; call now and then, so that the clock moves. */
void progress_draw(const struct progress *p);

/* Wipe the line, before something else is printed and at the end. */
void progress_clear(const struct progress *p);

#endif
