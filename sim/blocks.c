/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocks.c - instruction counts of basic blocks, and the hook that pays them.
 *
 * What is counted is what the compiler would have made of the block without
 * the instrumentation, as nearly as the machine code tells: the calls of the
 * hooks are left out, with the instruction that puts the address into the
 * argument register, and so are moves between registers and stack slots,
 * which are spills that those calls force. Calls of atomic hooks count as one
 * instruction, the atomic itself. Calls of observers, and what stands between
 * hw_mute() and hw_unmute(), are not there at all.
 */
#include "sim/blocks.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	uint32_t args;			/* argument registers written since the last call, a bit each */
	bool muted;			/* behind a call that stops the machine from looking */
	enum block_call (*call_kind)(uint64_t target);
};

enum insn_kind { INSN_PLAIN, INSN_ARG, INSN_SPILL, INSN_NOP, INSN_CALL, INSN_BRANCH, INSN_JUMP };

#if defined(__x86_64__)
/* Where a stub of the procedure linkage table leads (clang calls the hooks through it), else @target itself. */
static uint64_t through_stub(uint64_t target)
{
	static const uint8_t jump[] = { 0xff, 0x25 }, endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const uint8_t *code = (const uint8_t *)target;
	int32_t disp;

	if (target - text_base >= text_bytes)
		return target;
	if (!memcmp(code, endbr, sizeof(endbr)))
		code += sizeof(endbr);
	if (*code == 0xf2)
		code++;
	if (memcmp(code, jump, sizeof(jump)))
		return target;
	memcpy(&disp, code + 2, sizeof(disp));
	return *(const uint64_t *)(code + 6 + disp);
}
#endif

/* Direct target of a call or jump, 0 if indirect. */
static uint64_t insn_target(const cs_insn *insn)
{
#if defined(__x86_64__)
	const cs_x86_op *op = &insn->detail->x86.operands[0];

	if (op->type == X86_OP_IMM)
		return through_stub((uint64_t)op->imm);
	/* call *name(%rip): through the global offset table, resolved when loaded */
	if (op->type == X86_OP_MEM && op->mem.base == X86_REG_RIP)
		return *(const uint64_t *)(insn->address + insn->size + (uint64_t)op->mem.disp);
	return 0;
#else
	const cs_arm64_op *op = &insn->detail->arm64.operands[0];

	return op->type == ARM64_OP_IMM ? (uint64_t)op->imm : 0;
#endif
}

#if defined(__x86_64__)
static bool is_stack_slot(const cs_x86_op *op)
{
	return op->type == X86_OP_MEM && (op->mem.base == X86_REG_RSP || op->mem.base == X86_REG_RBP) &&
	       op->mem.index == X86_REG_INVALID;
}

/* Bit of the argument register that @insn writes, 0 if none. */
static uint32_t insn_argument(const cs_insn *insn)
{
	const cs_x86_op *op = &insn->detail->x86.operands[0];

	if (!insn->detail->x86.op_count || op->type != X86_OP_REG)
		return 0;
	switch (op->reg) {
	case X86_REG_RDI:
	case X86_REG_EDI:
		return 1;
	case X86_REG_RSI:
	case X86_REG_ESI:
		return 2;
	case X86_REG_RDX:
	case X86_REG_EDX:
		return 4;
	case X86_REG_RCX:
	case X86_REG_ECX:
		return 8;
	case X86_REG_R8D:
		return 16;
	default:
		return 0;
	}
}

static enum insn_kind insn_kind(csh handle, const cs_insn *insn)
{
	const cs_x86 *x = &insn->detail->x86;

	if (insn->id == X86_INS_CALL)
		return INSN_CALL;
	if (cs_insn_group(handle, insn, X86_GRP_JUMP))
		return insn->id == X86_INS_JMP && x->operands[0].type == X86_OP_IMM ? INSN_JUMP : INSN_BRANCH;
	if (cs_insn_group(handle, insn, X86_GRP_RET))
		return INSN_JUMP;
	if ((insn->id == X86_INS_MOV || insn->id == X86_INS_MOVZX) && x->op_count == 2 &&
	    (is_stack_slot(&x->operands[0]) || is_stack_slot(&x->operands[1])) &&
	    (x->operands[0].type == X86_OP_REG || x->operands[1].type == X86_OP_REG))
		return INSN_SPILL;
	if (insn->id == X86_INS_NOP)
		return INSN_NOP;
	if (insn->id == X86_INS_LEA || insn->id == X86_INS_MOV || insn->id == X86_INS_XOR)
		return insn_argument(insn) ? INSN_ARG : INSN_PLAIN;
	return INSN_PLAIN;
}

static int open_disassembler(csh *handle)
{
	return cs_open(CS_ARCH_X86, CS_MODE_64, handle) != CS_ERR_OK;
}
#else
static uint32_t insn_argument(const cs_insn *insn)
{
	arm64_reg r = insn->detail->arm64.operands[0].reg;

	if (!insn->detail->arm64.op_count || insn->detail->arm64.operands[0].type != ARM64_OP_REG)
		return 0;
	return r == ARM64_REG_X0 ? 1 : r == ARM64_REG_X1 || r == ARM64_REG_W1 ? 2 :
	       r == ARM64_REG_X2 || r == ARM64_REG_W2 ? 4 : 0;
}

static enum insn_kind insn_kind(csh handle, const cs_insn *insn)
{
	if (insn->id == ARM64_INS_RET)
		return INSN_JUMP;
	if (insn->id == ARM64_INS_NOP)
		return INSN_NOP;
	if (insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR)
		return INSN_CALL;
	if (insn->id == ARM64_INS_B && insn->detail->arm64.cc <= ARM64_CC_INVALID)
		return INSN_JUMP;
	if (cs_insn_group(handle, insn, ARM64_GRP_JUMP))
		return INSN_BRANCH;
	if ((insn->id == ARM64_INS_ADD || insn->id == ARM64_INS_MOV) && insn_argument(insn))
		return INSN_ARG;
	return INSN_PLAIN;
}

static int open_disassembler(csh *handle)
{
	return cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, handle) != CS_ERR_OK;
}
#endif

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
	if (w->block != UINT32_MAX) {
		blocks[w->block / 4] = branch ? BLOCK_BRANCH : 0;
		add_to_block(w->block, w->insns);
		nr_blocks++;
	}
	w->before = branch ? w->block : UINT32_MAX;
	w->block = UINT32_MAX;
	w->insns = 0;
	w->args = 0;
	w->muted = false;
}

/* Code in between is paid with the block that falls through to it, else with the one that it leads to. */
static void block_begin(struct walk *w, uint32_t at)
{
	uint32_t between = w->block == UINT32_MAX ? w->insns : 0, before = w->before;

	block_end(w, false);
	if (between && before != UINT32_MAX) {
		add_to_block(before, between);
		between = 0;
	}
	w->block = at;
	w->insns = between;
}

/* Take the argument moves of a call that would not be there out of the count. */
static void drop_arguments(struct walk *w, uint32_t which)
{
	uint32_t n = (uint32_t)__builtin_popcount(w->args & which);

	w->insns -= n < w->insns ? n : w->insns;
}

static void walk_call(struct walk *w, const cs_insn *insn, uint32_t next)
{
	enum block_call kind = w->call_kind(insn_target(insn));

	if (kind == CALL_BLOCK) {
		block_begin(w, next);
		return;
	}
	if (w->muted) {
		w->muted = kind != CALL_UNMUTE;
		return;
	}
	switch (kind) {
	case CALL_ACCESS:
		drop_arguments(w, 1);
		break;
	case CALL_ATOMIC:
		drop_arguments(w, ~0u);
		w->insns++;
		break;
	case CALL_MUTE:
		w->muted = true;
		break;
	case CALL_OBSERVER:
	case CALL_UNMUTE:
		drop_arguments(w, ~0u);
		break;
	default:
		w->insns++;
	}
	w->args = 0;
}

/* Code between a branch and a mark that is jumped to is the beginning of what the mark stands for. */
static void walk_target(struct walk *w, const cs_insn *insn)
{
	if (w->block != UINT32_MAX || w->before == UINT32_MAX || !jumped_to[insn->address - text_base])
		return;
	add_to_block(w->before, w->insns);
	w->insns = 0;
	w->before = UINT32_MAX;
}

static void note_jump(struct walk *w, csh handle, const cs_insn *insn)
{
	enum insn_kind kind = insn_kind(handle, insn);
	uint64_t off = 0;

	(void)w;
	if (kind == INSN_BRANCH || kind == INSN_JUMP)
		off = insn_target(insn) - text_base;
	if (off && off < text_bytes)
		jumped_to[off] = 1;
}

static void walk_insn(struct walk *w, csh handle, const cs_insn *insn)
{
	enum insn_kind kind = insn_kind(handle, insn);

	walk_target(w, insn);

	if (kind == INSN_CALL) {
		walk_call(w, insn, (uint32_t)(insn->address + insn->size - text_base));
		return;
	}
	if (!w->muted && kind != INSN_SPILL && kind != INSN_NOP)
		w->insns++;
	if (kind == INSN_ARG)
		w->args |= insn_argument(insn);
	if (kind == INSN_BRANCH || kind == INSN_JUMP)
		block_end(w, kind == INSN_BRANCH);
}

/* Call @each for every instruction of the text. */
static void disassemble(csh handle, struct walk *w, void (*each)(struct walk *, csh, const cs_insn *))
{
	const uint8_t *code = (const uint8_t *)text_base;
	uint64_t address = text_base;
	size_t left = text_bytes;
	cs_insn *insn = cs_malloc(handle);

	while (left) {
		if (cs_disasm_iter(handle, &code, &left, &address, insn)) {
			each(w, handle, insn);
			continue;
		}
		code++;			/* padding that is no instruction */
		address++;
		left--;
	}
	cs_free(insn, 1);
}

int blocks_create(const void *text, size_t bytes, enum block_call (*call_kind)(uint64_t target))
{
	struct walk w = { .block = UINT32_MAX, .before = UINT32_MAX, .call_kind = call_kind };
	csh handle;

	blocks_destroy();
	text_base = (uint64_t)text;
	text_bytes = bytes;
	blocks = calloc(bytes / 4 + 1, sizeof(*blocks));
	jumped_to = calloc(bytes + 1, 1);
	if (!blocks || !jumped_to || open_disassembler(&handle))
		return -1;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	disassemble(handle, &w, note_jump);
	disassemble(handle, &w, walk_insn);
	block_end(&w, false);
	cs_close(&handle);
	free(jumped_to);
	jumped_to = NULL;
	return 0;
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
