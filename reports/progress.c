/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - see progress.h. */
#include "reports/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_CHARS 24

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

void progress_begin(struct progress *p, bool wanted, size_t runs, uint64_t work)
{
	*p = (struct progress){
		.shown = wanted && isatty(STDERR_FILENO),
		.runs = runs, .work = work, .began_ms = now_ms(),
	};
	progress_draw(p);
}

void progress_step(struct progress *p, uint64_t work)
{
	p->runs_done++;
	p->work_done += work;
	progress_draw(p);
}

static void print_bar(const struct progress *p)
{
	char bar[BAR_CHARS + 1];
	size_t filled = p->work ? BAR_CHARS * p->work_done / p->work : 0;

	memset(bar, '.', BAR_CHARS);
	memset(bar, '#', filled);
	bar[BAR_CHARS] = '\0';
	fprintf(stderr, "\r[%s] %zu of %zu %s", bar, p->runs_done, p->runs, p->things ? p->things : "runs");
}

static void print_ms(const char *before, uint64_t ms)
{
	uint64_t s = (ms + 500) / 1000;

	if (s < 60)
		fprintf(stderr, "%s%" PRIu64 " s", before, s);
	else
		fprintf(stderr, "%s%" PRIu64 " min %02" PRIu64 " s", before, s / 60, s % 60);
}

void progress_draw(const struct progress *p)
{
	uint64_t elapsed_ms = now_ms() - p->began_ms;

	if (!p->shown)
		return;
	print_bar(p);
	print_ms(", ", elapsed_ms);
	/* Before anything is done there is nothing to estimate by. */
	if (p->work_done && p->work_done < p->work)
		print_ms(", about ",
			 (uint64_t)((double)elapsed_ms * (double)(p->work - p->work_done) / (double)p->work_done));
	if (p->work_done && p->work_done < p->work)
		fputs(" left", stderr);
	/* Erase what a longer line has left behind. */
	fputs("\033[K", stderr);
	fflush(stderr);
}

void progress_clear(const struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}
