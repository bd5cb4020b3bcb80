/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocks.c - instruction counts of basic blocks, and the hook that pays them.
 *
 * What is counted is what the compiler would have made of the block without
 * the instrumentation, as nearly as the machine code tells (flow.c): the
 * hooks are left out with all that is there only for them. Calls of atomic
 * hooks count as one instruction, the atomic itself. Calls of observers, and
 * what stands between hw_mute() and hw_unmute(), are not there at all.
 */
#include "sim/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/code.h"
#include "sim/machine.h"

#define BLOCK_BRANCH	0x8000u		/* ends in a conditional or an indirect branch */
#define BLOCK_INSNS	0x7fffu

/*
 * By offset, in units of 4 bytes, of the byte after the mark's call. Calls are
 * longer than that, so no two marks meet in one entry.
 */
static uint16_t *blocks;
static uint8_t *jumped_to;		/* by offset: some jump leads here; only while the code is read */
static uint64_t text_base, text_bytes;
static size_t nr_blocks;
static uint64_t total_insns;

/* What the counter knows while it walks the code. */
struct walk {
	uint32_t block;			/* offset whose block is being counted, or UINT32_MAX */
	uint32_t before;		/* the block before, if it falls through to where we are, or UINT32_MAX */
	uint32_t insns;			/* so far in the block; before the mark: of the code that leads to it */
};

static void add_to_block(uint32_t at, uint32_t insns)
{
	uint32_t sum = (blocks[at / 4] & BLOCK_INSNS) + insns;

	blocks[at / 4] = (uint16_t)((blocks[at / 4] & BLOCK_BRANCH) | (sum < BLOCK_INSNS ? sum : BLOCK_INSNS));
	total_insns += insns;
}

/*
 * The block is over. Between here and the next mark there may be code of
 * neither: a function's prologue stands before the mark of its first block,
 * and what prepares a loop behind the branch that enters it.
 */
static void block_end(struct walk *w, bool branch)
{
	if (w->block == UINT32_MAX && w->before != UINT32_MAX)
		add_to_block(w->before, w->insns);
	if (w->block != UINT32_MAX) {
		blocks[w->block / 4] = branch ? BLOCK_BRANCH : 0;
		add_to_block(w->block, w->insns);
		nr_blocks++;
	}
	w->before = branch ? w->block : UINT32_MAX;
	w->block = UINT32_MAX;
	w->insns = 0;
}

/* Code in between is paid with the block that falls through to it, else with the one that it leads to. */
static void block_begin(struct walk *w, uint32_t at)
{
	uint32_t between = w->block == UINT32_MAX && w->before == UINT32_MAX ? w->insns : 0;

	block_end(w, false);
	w->block = at;
	w->insns = between;
}

/* Code between a branch and a mark that is jumped to is the beginning of what the mark stands for. */
static void walk_target(struct walk *w, const struct insn *i)
{
	if (w->block != UINT32_MAX || w->before == UINT32_MAX || !jumped_to[i->at])
		return;
	add_to_block(w->before, w->insns);
	w->insns = 0;
	w->before = UINT32_MAX;
}

static void walk_insn(struct walk *w, const struct insn *i)
{
	walk_target(w, i);
	w->insns += i->cost;
	if (i->kind == INSN_CALL && i->call == CALL_BLOCK)
		block_begin(w, i->next);
	else if (i->kind == INSN_BRANCH || i->kind == INSN_JUMP || i->kind == INSN_RETURN)
		block_end(w, i->kind == INSN_BRANCH);
}

static void walk_code(const struct code *code)
{
	struct walk w = { .block = UINT32_MAX, .before = UINT32_MAX };

	for (size_t k = 0; k < code->nr; k++)
		if (code->insn[k].target != NO_TARGET)
			jumped_to[code->insn[code->insn[k].target].at] = 1;
	for (size_t k = 0; k < code->nr; k++)
		walk_insn(&w, &code->insn[k]);
	block_end(&w, false);
}

int blocks_create(const void *text, size_t bytes, enum block_call (*call_kind)(uint64_t target))
{
	struct code code = { 0 };
	int err = -1;

	blocks_destroy();
	text_base = (uint64_t)text;
	text_bytes = bytes;
	blocks = calloc(bytes / 4 + 1, sizeof(*blocks));
	jumped_to = calloc(bytes + 1, 1);
	if (blocks && jumped_to && !code_read(&code, text, bytes, call_kind)) {
		code_count(&code);
		walk_code(&code);
		err = 0;
	}
	code_free(&code);
	free(jumped_to);
	jumped_to = NULL;
	return err;
}

void blocks_destroy(void)
{
	free(blocks);
	blocks = NULL;
	text_bytes = 0;
	nr_blocks = 0;
	total_insns = 0;
}

size_t blocks_count(void)
{
	return nr_blocks;
}

uint64_t blocks_instructions(void)
{
	return total_insns;
}

/* The branch that led here was foreseen wrongly; it was known to be wrong only when what it tested had been loaded. */
static __attribute__((noinline)) void mispredicted(struct cpu *c)
{
	c->mispredicts++;
	if (c->nr_flight && c->last_load_done > c->clock)
		book_until(c, c->flight_cause, c->last_load_done);
	book(c, CAUSE_MISPREDICT, c->profile->mispredict_ps);
	c->entered = 0;			/* what was fetched was the wrong path */
	c->refetched = c->clock;
}

/*
 * Which block comes after one that ends in a branch: what came after it the
 * last time, unless the recent path through the code is known to lead
 * elsewhere. Paths are remembered, with a tag, only where the first guess
 * failed, so they do not crowd each other out.
 */
static inline void predict(struct cpu *c, uint32_t off)
{
	uint32_t hash = c->history * 0x9e3779b1u;
	struct predictor_entry *path = &c->predictor[hash >> 21];
	uint16_t *base = &c->predictor_base[c->last_block / 4 % PREDICTOR_BASE];
	uint16_t tag = (uint16_t)(hash >> 3 | 1), next = (uint16_t)off;
	bool known = path->tag == tag;

	_Static_assert(PREDICTOR_SIZE == 1u << 11, "the index has 11 bits");
	c->branches++;
	if (likely((known ? path->next : *base) == next)) {
		*base = next;
		return;
	}
	if (known || *base != next)
		*path = (struct predictor_entry){ tag, next };
	*base = next;
	mispredicted(c);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	struct cpu *c = cur;
	uint64_t off = (uint64_t)__builtin_return_address(0) - text_base;
	uint64_t ps;
	uint32_t block;

	if (unlikely(c->muted) || unlikely(off >= text_bytes))
		return;
	if (c->prev_branch)
		predict(c, (uint32_t)off);
	block = blocks[off / 4];
	c->history = c->history << 3 ^ (uint32_t)off;
	c->last_block = (uint32_t)off;
	c->prev_branch = block & BLOCK_BRANCH;
	block &= BLOCK_INSNS;
	c->insns += block;
	ps = (uint64_t)block * c->insn_fp;
	if (c->entered) {
		uint64_t before = c->entered < block ? c->entered : block;

		c->entered -= before;
		ps -= before * c->issue_fp;
	}
	ps >>= 8;
	c->booked[CAUSE_INSTRUCTIONS] += ps;
	c->clock += ps;
}
