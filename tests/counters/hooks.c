/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hooks.c - the machine's counter of basic blocks, in a copy of its own that
 * also remembers how often each block was executed. The hook of the simulator
 * itself is short and stays so.
 */
static inline __attribute__((always_inline)) void machine_counts_block(void);

#define __sanitizer_cov_trace_pc machine_counts_block
#include "sim/blocks.c"
#undef __sanitizer_cov_trace_pc

#include "tests/counters/hooks.h"

static uint32_t *executed;		/* like blocks[] */

void counters_begin(void)
{
	executed = calloc(text_bytes / 4 + 1, sizeof(*executed));
}

void counters_each_block(void (*each)(const struct counted_block *b))
{
	for (uint64_t i = 0; i < text_bytes / 4; i++) {
		struct counted_block b = {
			.mark = (const void *)(text_base + i * 4),
			.insns = (uint64_t)executed[i] * (blocks[i] & BLOCK_INSNS),
			.branches = blocks[i] & BLOCK_BRANCH ? executed[i] : 0,
			.executed = executed[i],
		};

		if (executed[i])
			each(&b);
	}
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	uint64_t off = (uint64_t)__builtin_return_address(0) - text_base;

	if (executed && !cur->muted && off < text_bytes)
		executed[off / 4]++;
	machine_counts_block();
}
