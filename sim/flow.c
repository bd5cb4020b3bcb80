/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow.c - which instructions the compiler would have made without the hooks.
 *
 * The hooks need their arguments computed, and being calls, they make a
 * function keep its values in registers that calls preserve, save those
 * first, and fetch again from memory what no register is left for. So:
 *
 *  - what is computed only for hooks is dead once they are taken away: the
 *    liveness of registers and stack slots says what that is;
 *  - a preserved register is needed only if a value lives in it across a call
 *    that the software itself makes. Saving and restoring others, and moving
 *    values to and from them, is not counted; nor are moves to and from the
 *    stack. A call behind which nothing is left but the return is a jump;
 *  - a function's frame is paid where it first becomes certain that it needs
 *    one: compilers move it behind the branches that decide so;
 *  - a word that is loaded, changed once and stored again was changed in
 *    memory, where the machine can do that.
 */
#include "sim/code.h"

#define FRAME_INSNS	3u		/* the frame pointer: saved, set, restored */
#define MOST_TAIL	64		/* instructions between a call and the return behind it */
#define MOST_BETWEEN	16		/* between the load and the store of a word that changes */
#define MOST_WALK	256		/* from a function's entry to its frame */
#define MOST_BRANCHES	2		/* behind which compilers move a frame */

static bool is_real_call(const struct insn *i)
{
	return i->kind == INSN_CALL && i->call == CALL_PLAIN && !(i->flags & INSN_MUTED);
}

static bool is_atomic(const struct insn *i)
{
	return i->kind == INSN_CALL && (i->call == CALL_ATOMIC || i->call == CALL_COMPARE) &&
	       !(i->flags & INSN_MUTED);
}

static bool ends_block(const struct insn *i)
{
	return i->kind == INSN_BRANCH || i->kind == INSN_JUMP || i->kind == INSN_RETURN ||
	       (i->kind == INSN_CALL && i->call == CALL_BLOCK);
}

/* ---- jumps, muted code, calls ---- */

static uint32_t index_of(const struct code *code, uint32_t at)
{
	size_t low = 0, high = code->nr;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (code->insn[mid].at < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low < code->nr && code->insn[low].at == at ? (uint32_t)low : NO_TARGET;
}

static void resolve_jumps(struct code *code)
{
	for (size_t k = 0; k < code->nr; k++)
		if (code->insn[k].target != NO_TARGET)
			code->insn[k].target = index_of(code, code->insn[k].target);
}

static void mark_muted(struct code *code)
{
	bool muted = false;

	for (size_t k = 0; k < code->nr; k++) {
		struct insn *i = &code->insn[k];

		if (ends_block(i))
			muted = false;
		if (muted)
			i->flags |= INSN_MUTED;
		if (i->kind == INSN_CALL && i->call == CALL_MUTE)
			muted = true;
		else if (i->kind == INSN_CALL && i->call == CALL_UNMUTE)
			muted = false;
	}
}

/* Index behind the last instruction of the function that begins at @from. */
static size_t function_end(const struct code *code, size_t from)
{
	size_t k = from + 1;

	while (k < code->nr && !(code->insn[k].flags & INSN_ENTRY))
		k++;
	return k;
}

static void set_call(const struct code *code, struct insn *i, bool escapes)
{
	i->def = code->scratch;
	if (is_real_call(i))
		i->use = code->arguments | (escapes ? code->slots : 0);
	else if (is_atomic(i))
		i->use = code->arguments | (escapes ? code->slots : 0);
}

/* Slots whose addresses are known elsewhere are not followed: writing them has an effect. */
static void set_uses(struct code *code, size_t from, size_t to)
{
	bool escapes = false;

	for (size_t k = from; k < to; k++)
		escapes |= code->insn[k].flags & INSN_ESCAPE && !(code->insn[k].flags & INSN_MUTED);
	for (size_t k = from; k < to; k++) {
		struct insn *i = &code->insn[k];

		if (i->kind == INSN_CALL)
			set_call(code, i, escapes);
		else if (i->kind == INSN_RETURN)
			i->use = code->result;
	}
}

/* ---- liveness ---- */

static bool is_dead(const struct insn *i)
{
	if (i->flags & INSN_EFFECT)
		return false;
	return (i->kind == INSN_PLAIN || i->kind == INSN_COPY || i->kind == INSN_SPILL) && !(i->def & i->live);
}

static uint64_t live_before(const struct insn *i)
{
	return is_dead(i) ? i->live : (i->live & ~i->def) | i->use;
}

static uint64_t live_behind(const struct code *code, size_t k)
{
	const struct insn *i = &code->insn[k];
	uint64_t live = 0;

	if (i->kind == INSN_RETURN || (i->kind == INSN_CALL && i->call == CALL_NO_RETURN))
		return 0;
	if (i->kind == INSN_BRANCH || i->kind == INSN_JUMP) {
		if (i->target == NO_TARGET)
			return ~0ull;
		live = live_before(&code->insn[i->target]);
		if (i->kind == INSN_JUMP)
			return live;
	}
	return k + 1 < code->nr ? live | live_before(&code->insn[k + 1]) : live;
}

static void find_live(struct code *code)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t k = code->nr; k-- > 0;) {
			uint64_t live = live_behind(code, k);

			changed |= live != code->insn[k].live;
			code->insn[k].live = live;
		}
	}
}

/* ---- what each instruction stands for ---- */

static const struct insn *next_call(const struct code *code, size_t k)
{
	while (++k < code->nr && code->insn[k].kind != INSN_CALL)
		if (ends_block(&code->insn[k]))
			return NULL;
	return k < code->nr ? &code->insn[k] : NULL;
}

/* The atomic instruction itself has the register, the constant, or the offset of its address. */
static bool in_atomic(const struct code *code, size_t k)
{
	const struct insn *i = &code->insn[k], *call;

	if (!(i->def & code->arguments) || (i->kind != INSN_COPY && !(i->flags & (INSN_CONSTANT | INSN_ALU))))
		return false;
	if (i->flags & INSN_ALU && i->def & ~code->address)
		return false;
	call = next_call(code, k);
	return call && is_atomic(call);
}

/* Before the mark of a function's first block its parameters are where the caller put them. */
static bool in_prologue(const struct code *code, size_t k)
{
	for (; !(code->insn[k].flags & INSN_ENTRY); k--)
		if (!k || code->insn[k].kind == INSN_CALL)
			return false;
	return true;
}

/* A copy of something that is not needed where it was: does the calling convention want it elsewhere? */
static bool is_wanted_elsewhere(const struct code *code, size_t k)
{
	const struct insn *copy = &code->insn[k], *call;

	if ((copy->use | copy->def) & code->result & ~code->arguments)
		return true;
	if (in_prologue(code, k))
		return true;
	call = copy->def & code->arguments ? next_call(code, k) : NULL;
	return call && is_real_call(call);
}

static uint8_t plain_cost(const struct code *code, size_t k)
{
	const struct insn *i = &code->insn[k];

	if (i->flags & INSN_MUTED || is_dead(i))
		return 0;
	switch (i->kind) {
	case INSN_CALL:
		return is_atomic(i) || i->call == CALL_PLAIN || i->call == CALL_NO_RETURN;
	case INSN_COPY:
		if (in_atomic(code, k))
			return 0;
		return i->use & i->live || (!((i->use | i->def) & code->preserved) && is_wanted_elsewhere(code, k));
	case INSN_PLAIN:
		return !in_atomic(code, k);
	case INSN_BRANCH:
	case INSN_JUMP:
	case INSN_RETURN:
		return 1;
	default:
		return 0;
	}
}

/* An atomic that compares says in the flags what its hook says in a register. */
static void drop_flag_tests(struct code *code)
{
	bool compared = false;

	for (size_t k = 0; k < code->nr; k++) {
		struct insn *i = &code->insn[k];

		if (i->kind == INSN_CALL && i->call == CALL_COMPARE) {
			compared = true;
		} else if (compared && i->cost) {
			if (i->flags & INSN_FLAG_TEST)
				i->cost = 0;
			compared = false;
		}
	}
}

/* ---- words that change in memory ---- */

static size_t next_counted(const struct code *code, size_t k)
{
	for (size_t end = k + MOST_BETWEEN; ++k < end && k < code->nr;)
		if (code->insn[k].cost || ends_block(&code->insn[k]))
			return k;
	return 0;
}

/* Is what @load fetched needed behind @store? What comes between may have changed the register. */
static bool still_needed(const struct insn *load, const struct insn *store)
{
	for (const struct insn *i = load + 1; i < store; i++)
		if (i->def & load->def && !(i->use & load->def))
			return false;
	return load->def & store->live;
}

static void join_changes(struct code *code)
{
	for (size_t k = 0; k < code->nr; k++) {
		struct insn *load = &code->insn[k], *store;
		size_t change, end;

		if (!load->cost || !(load->flags & INSN_LOAD))
			continue;
		change = next_counted(code, k);
		if (!change || !(code->insn[change].flags & INSN_ALU))
			continue;
		end = next_counted(code, change);
		store = &code->insn[end];
		if (!end || !(store->flags & INSN_STORE) || store->memory != load->memory ||
		    still_needed(load, store))
			continue;
		load->cost = code->insn[change].cost = 0;
	}
}

/* ---- frames ---- */

/* Nothing that counts is left between the call and the return. */
static bool is_tail(const struct code *code, size_t k)
{
	for (unsigned n = 0; n < MOST_TAIL && ++k < code->nr; n++) {
		const struct insn *i = &code->insn[k];

		if (i->kind == INSN_RETURN)
			return true;
		if (i->kind == INSN_JUMP && i->target != NO_TARGET)
			k = i->target - 1;
		else if (i->cost)
			return false;
	}
	return false;
}

/* Preserved registers that hold something across a call in [from, to); *framed if there is a call. */
static uint64_t find_needed(struct code *code, size_t from, size_t to, bool *framed)
{
	uint64_t needed = 0;

	*framed = false;
	for (size_t k = from; k < to; k++) {
		struct insn *i = &code->insn[k];

		if (!is_real_call(i))
			continue;
		if (is_tail(code, k)) {
			i->cost = 0;	/* the return is the jump */
			continue;
		}
		*framed = true;
		needed |= i->live & code->preserved;
	}
	return needed;
}

static void count_copies(struct code *code, size_t from, size_t to, uint64_t needed)
{
	for (size_t k = from; k < to; k++) {
		struct insn *i = &code->insn[k];
		uint64_t held = (i->use | i->def) & code->preserved;

		if (i->kind == INSN_COPY && held && !(held & ~needed) && !is_dead(i) && !in_atomic(code, k) &&
		    !(i->flags & INSN_MUTED) && is_wanted_elsewhere(code, k))
			i->cost = 1;
	}
}

/* Does a way from @k lead to a call that needs the frame? @seen: a byte for each instruction of the function. */
static bool leads_to_call(const struct code *code, size_t from, size_t to, size_t k, uint8_t *seen)
{
	for (; k >= from && k < to && !seen[k - from]; k++) {
		const struct insn *i = &code->insn[k];

		seen[k - from] = 1;
		if (is_real_call(i) && i->cost)
			return true;
		if (i->kind == INSN_RETURN || (i->kind == INSN_CALL && i->call == CALL_NO_RETURN))
			return false;
		if (i->kind == INSN_BRANCH && i->target == NO_TARGET)
			return true;
		if (i->kind == INSN_BRANCH && leads_to_call(code, from, to, i->target, seen))
			return true;
		if (i->kind == INSN_JUMP)
			k = i->target == NO_TARGET ? to : (size_t)i->target - 1;
	}
	return false;
}

static bool needs_frame(const struct code *code, size_t from, size_t to, size_t k)
{
	uint8_t seen[to - from];

	for (size_t n = 0; n < to - from; n++)
		seen[n] = 0;
	return leads_to_call(code, from, to, k, seen);
}

/*
 * Where the frame is made: at the first call, the first use of a register
 * that has to be saved, or the first branch of which both ways lead to a call.
 */
static size_t frame_place(const struct code *code, size_t from, size_t to, uint64_t needed)
{
	unsigned branches = 0;
	size_t k = from;

	for (unsigned n = 0; n < MOST_WALK && k < to; n++) {
		const struct insn *i = &code->insn[k];

		if ((is_real_call(i) && i->cost) || (i->kind == INSN_PLAIN && i->cost && i->def & needed))
			return k;
		if (i->kind == INSN_JUMP || i->kind == INSN_BRANCH) {
			bool there, here;

			if (branches++ == MOST_BRANCHES)
				return from;
			if (i->target == NO_TARGET || i->target < from || i->target >= to)
				return k;
			there = needs_frame(code, from, to, i->target);
			here = i->kind == INSN_BRANCH && needs_frame(code, from, to, k + 1);
			if (there == here)
				return k;
			k = there ? i->target : k + 1;
			continue;
		}
		k++;
	}
	return from;
}

/* What is moved to saved registers before the frame is made is moved there with it. */
static uint8_t take_copies(struct code *code, size_t from, size_t to)
{
	uint8_t sum = 0;

	for (size_t k = from; k < to && !(code->insn[k].kind == INSN_CALL); k++)
		if (code->insn[k].kind == INSN_COPY && code->insn[k].def & code->preserved) {
			sum += code->insn[k].cost;
			code->insn[k].cost = 0;
		}
	return sum;
}

static void count_frame(struct code *code, size_t from, size_t to)
{
	bool framed;
	uint64_t needed = find_needed(code, from, to, &framed);
	unsigned saved = (unsigned)__builtin_popcountll(needed);
	struct insn *at;

	count_copies(code, from, to, needed);
	if (!framed)
		return;
	at = &code->insn[frame_place(code, from, to, needed)];
	at->cost += take_copies(code, from, to);
	/* the stack stays aligned to two registers: with the return address and the frame pointer it is */
	at->cost += (uint8_t)(FRAME_INSNS + 2 * saved + (saved & 1 ? 2 : 0));
}

/* ---- all together ---- */

static void each_function(struct code *code, void (*each)(struct code *, size_t, size_t))
{
	for (size_t from = 0, to; from < code->nr; from = to) {
		to = function_end(code, from);
		each(code, from, to);
	}
}

void code_count(struct code *code)
{
	resolve_jumps(code);
	mark_muted(code);
	each_function(code, set_uses);
	find_live(code);
	for (size_t k = 0; k < code->nr; k++)
		code->insn[k].cost = plain_cost(code, k);
	drop_flag_tests(code);
	if (code->memory_operands)
		join_changes(code);
	each_function(code, count_frame);
}
