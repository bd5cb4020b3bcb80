/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps.h - one pool, driven step by step in functional mode by a sequence of
 * operations that depends on nothing but the seed and what the allocator
 * answers. Each step says what was done, what came back and how the memory is
 * laid out now, without an address in it: two allocators that are the same
 * say the same, and two that are not differ at the first step that shows it.
 *
 * Included by model/ and by its host; plain data. The machine has one CPU:
 * nothing would run what is queued for another.
 */
#ifndef WORKLOAD_STEPS_H
#define WORKLOAD_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* What to do wrong on purpose, so that it can be seen that the comparison notices. */
enum steps_break {
	STEPS_BREAK_NOTHING,
	STEPS_BREAK_EXTRA_FREE,		/* free one object more, and say nothing */
	STEPS_BREAK_SWAP_FREES,		/* where two objects are freed, in the other order */
	STEPS_BREAK_CONTENT,		/* change a byte of an object behind the driver's back: a fault */
};

struct steps_config {
	uint64_t memory_bytes;		/* simulated physical memory, at least 64 MiB */
	unsigned chain_size;		/* most pages in a zspage; a tree's allocator has its own */
	struct model_variant variant;	/* a tree's allocator has its own */
	uint64_t seed;
	enum steps_break break_what;
	uint64_t break_at;		/* in the first step from this one on in which it can be done */
};

/* What the module exports as `zsmsim_steps`. All run on CPU 0 in functional mode. */
struct steps_ops {
	/* Boot the kernel and create the pool. Once in a process. */
	void (*begin)(const struct steps_config *config);
	/*
	 * Do one step and describe it in @line, without a line end. Returns the
	 * length, less than @bytes; 256 are enough. An object that does not hold
	 * what was written is a fault.
	 */
	size_t (*step)(char *line, size_t bytes);
	/*
	 * Check the whole pool and the contents of all objects (a contradiction
	 * is a fault) and describe every zspage of every class. Returns the length,
	 * less than @bytes; a text that does not fit is a fault.
	 */
	size_t (*text)(char *buf, size_t bytes);
	/* Free everything; a page that is not given back is a fault. */
	void (*end)(void);
};

#endif
