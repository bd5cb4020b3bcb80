/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stop.c - ends the native program at the mark that COUNTERS_STOP names. What
 * a tool counts up to munmap_end less what it counts up to munmap_begin is
 * what the unmapping takes.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void __real_hw_mark(const char *name, unsigned index);
void __wrap_hw_mark(const char *name, unsigned index);
void __wrap_hw_mark(const char *name, unsigned index)
{
	const char *stop = getenv("COUNTERS_STOP");

	if (stop && !strcmp(name, stop))
		_exit(0);
	__real_hw_mark(name, index);
}
