/* SPDX-License-Identifier: GPL-3.0-or-later */
/* code.c - see code.h: what the disassembler says, in the terms of the analysis. */
#include "sim/code.h"

#include <capstone/capstone.h>
#include <stdlib.h>
#include <string.h>

/* Bits: 16 general registers (31 on arm64), the flags, vector registers, slots of the stack. */
static uint64_t text_base, text_bytes;

#if defined(__x86_64__)
#define BIT_FLAGS	16
#define BIT_VECTOR	17
#define BIT_SLOT	33
#define NR_SLOTS	31
#define ARGUMENTS	0x3fcfull

/* rax rbx rcx rdx rsi rdi rbp rsp r8 ..: the order of this table */
static const x86_reg general[16][4] = {
	{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL }, { X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL },
	{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL }, { X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL },
	{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL }, { X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
	{ X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL }, { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
	{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B }, { X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
	{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
	{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
	{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
	{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
	{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
	{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
};

static void set_roles(struct code *code)
{
	code->arguments = 1u << 5 | 1u << 4 | 1u << 3 | 1u << 2 | 1u << 8 | 1u << 9;
	code->address = 1u << 5;
	code->result = 1u << 0 | 1u << 3;
	code->preserved = 1u << 1 | 0xf000u;
	code->slots = ~0ull << BIT_SLOT;
	code->scratch = ~(code->preserved | 1u << 6 | 1u << 7 | code->slots);
	code->memory_operands = true;
}

/* Bit of a register; *partial if writing it leaves the rest of it. 0: none that matters. */
static uint64_t register_bit(unsigned reg, bool *partial)
{
	static uint8_t place[X86_REG_ENDING];	/* 1 + 4 * bit + width */

	*partial = false;
	if (!place[X86_REG_RAX])
		for (unsigned i = 0; i < 64; i++)
			place[general[i / 4][i % 4]] = (uint8_t)(1 + i);
	if (reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH) {
		*partial = true;
		return reg == X86_REG_AH ? 1 : reg == X86_REG_BH ? 2 : reg == X86_REG_CH ? 4 : 8;
	}
	if (reg == X86_REG_EFLAGS)
		return 1ull << BIT_FLAGS;
	if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM15)
		return 1ull << (BIT_VECTOR + (reg - X86_REG_XMM0));
	if (reg >= X86_REG_ENDING || !place[reg])
		return 0;
	*partial = (place[reg] - 1) % 4 >= 2;
	return 1ull << (place[reg] - 1) / 4;
}

/* Bit of the stack slot that an operand names, 0 if none. */
static uint64_t slot_bit(const cs_x86_op *op)
{
	int64_t slot = -op->mem.disp / 8 - 1;

	if (op->type != X86_OP_MEM || op->mem.base != X86_REG_RBP || op->mem.index != X86_REG_INVALID ||
	    op->mem.disp % 8 || slot < 0 || slot >= NR_SLOTS)
		return 0;
	return 1ull << (BIT_SLOT + slot);
}

static bool on_stack(const cs_x86_op *op)
{
	return op->type == X86_OP_MEM && (op->mem.base == X86_REG_RSP || op->mem.base == X86_REG_RBP) &&
	       op->mem.index == X86_REG_INVALID;
}

static bool is_register(const cs_x86_op *op, x86_reg reg)
{
	return op->type == X86_OP_REG && op->reg == reg;
}

static bool is_frame(const cs_insn *insn)
{
	const cs_x86_op *op = insn->detail->x86.operands;

	switch (insn->id) {
	case X86_INS_PUSH:
	case X86_INS_POP:
		return op->type == X86_OP_REG;
	case X86_INS_LEAVE:
		return true;
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_LEA:
		return is_register(op, X86_REG_RSP);
	case X86_INS_MOV:
		return is_register(op, X86_REG_RBP) && is_register(op + 1, X86_REG_RSP);
	default:
		return false;
	}
}

static enum insn_kind move_kind(const cs_x86 *x)
{
	const cs_x86_op *to = &x->operands[0], *from = &x->operands[1];

	if (to->type == X86_OP_REG && from->type == X86_OP_REG)
		return INSN_COPY;
	if ((on_stack(to) && from->type == X86_OP_REG) || (on_stack(from) && to->type == X86_OP_REG))
		return INSN_SPILL;
	return INSN_PLAIN;
}

static enum insn_kind insn_kind(csh handle, const cs_insn *insn)
{
	const cs_x86 *x = &insn->detail->x86;

	if (insn->id == X86_INS_CALL)
		return INSN_CALL;
	if (cs_insn_group(handle, insn, X86_GRP_JUMP))
		return insn->id == X86_INS_JMP && x->operands[0].type == X86_OP_IMM ? INSN_JUMP : INSN_BRANCH;
	if (cs_insn_group(handle, insn, X86_GRP_RET))
		return INSN_RETURN;
	if (insn->id == X86_INS_NOP || (insn->id == X86_INS_XCHG && is_register(&x->operands[1], X86_REG_AX) &&
					is_register(&x->operands[0], X86_REG_AX)))
		return INSN_NOP;
	if (is_frame(insn))
		return INSN_FRAME;
	if (insn->id == X86_INS_MOV)
		return move_kind(x);
	if (insn->id == X86_INS_MOVZX && on_stack(&x->operands[1]))
		return INSN_SPILL;
	return INSN_PLAIN;
}

static uint16_t insn_flags(const cs_insn *insn)
{
	const cs_x86_op *to = &insn->detail->x86.operands[0], *from = &insn->detail->x86.operands[1];

	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVZX:
		if (from->type == X86_OP_IMM)
			return to->type == X86_OP_REG ? INSN_CONSTANT : 0;
		return from->type == X86_OP_MEM ? INSN_LOAD : to->type == X86_OP_MEM ? INSN_STORE : 0;
	case X86_INS_LEA:
		return on_stack(from) ? INSN_ALU | INSN_ESCAPE : INSN_ALU;
	case X86_INS_XOR:
		if (to->type == X86_OP_REG && from->type == X86_OP_REG && to->reg == from->reg)
			return INSN_CONSTANT;
		return to->type == X86_OP_REG && from->type != X86_OP_MEM ? INSN_ALU : 0;
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_AND:
	case X86_INS_OR:
	case X86_INS_INC:
	case X86_INS_DEC:
	case X86_INS_SHR:
	case X86_INS_SHL:
		return to->type == X86_OP_REG && from->type != X86_OP_MEM ? INSN_ALU : 0;
	case X86_INS_TEST:
		return from->type == X86_OP_REG ? INSN_FLAG_TEST : 0;
	default:
		return 0;
	}
}

/* Memory operands: their slot of the stack, if they are one, what they are called, and whether they change. */
static void read_memory(struct insn *i, const cs_insn *insn)
{
	const cs_x86 *x = &insn->detail->x86;

	for (unsigned k = 0; k < x->op_count; k++) {
		const cs_x86_op *op = &x->operands[k];
		uint64_t slot = slot_bit(op);

		if (op->type != X86_OP_MEM || insn->id == X86_INS_LEA || insn->id == X86_INS_NOP)
			continue;
		i->memory = (uint64_t)op->mem.disp * 0x9e3779b97f4a7c15ull ^ (uint64_t)op->mem.base << 32 ^
			    (uint64_t)op->mem.index << 16 ^ (uint64_t)op->mem.segment << 8 ^
			    (uint64_t)op->mem.scale ^ 1ull << 63;
		if (op->access & CS_AC_READ || i->kind == INSN_PLAIN)
			i->use |= slot;
		if (k)
			continue;
		if (i->kind == INSN_SPILL && slot)
			i->def |= slot;
		else if (insn->id != X86_INS_CMP && insn->id != X86_INS_TEST)
			i->flags |= INSN_EFFECT;
	}
}

/* With frame pointers, saving the old one is the first thing that a function does. */
static bool begins_function(const cs_insn *insn)
{
	return insn->id == X86_INS_PUSH && is_register(&insn->detail->x86.operands[0], X86_REG_RBP);
}

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

/* Direct target of a call or jump, 0 if indirect. */
static uint64_t insn_target(const cs_insn *insn)
{
	const cs_x86_op *op = &insn->detail->x86.operands[0];

	if (op->type == X86_OP_IMM)
		return through_stub((uint64_t)op->imm);
	/* call *name(%rip): through the global offset table, resolved when loaded */
	if (op->type == X86_OP_MEM && op->mem.base == X86_REG_RIP)
		return *(const uint64_t *)(insn->address + insn->size + (uint64_t)op->mem.disp);
	return 0;
}

static int open_disassembler(csh *handle)
{
	return cs_open(CS_ARCH_X86, CS_MODE_64, handle) != CS_ERR_OK;
}
#else
#define BIT_FLAGS	31
#define BIT_VECTOR	32

static void set_roles(struct code *code)
{
	code->arguments = 0xff;
	code->address = 1;
	code->result = 3;
	code->preserved = 0x1ff80000;
	code->scratch = 0x7ffff | ~0ull << BIT_FLAGS;
}

static uint64_t register_bit(unsigned reg, bool *partial)
{
	*partial = false;
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return 1ull << (reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W28)
		return 1ull << (reg - ARM64_REG_W0);
	if (reg == ARM64_REG_NZCV)
		return 1ull << BIT_FLAGS;
	if (reg >= ARM64_REG_Q0 && reg <= ARM64_REG_Q31)
		return 1ull << (BIT_VECTOR + (reg - ARM64_REG_Q0));
	return 0;
}

static bool uses_stack(const cs_insn *insn)
{
	const cs_arm64 *a = &insn->detail->arm64;

	for (unsigned k = 0; k < a->op_count; k++)
		if ((a->operands[k].type == ARM64_OP_MEM && (a->operands[k].mem.base == ARM64_REG_SP)) ||
		    (a->operands[k].type == ARM64_OP_REG && a->operands[k].reg == ARM64_REG_SP))
			return true;
	return false;
}

static bool is_pair(const cs_insn *insn)
{
	return insn->id == ARM64_INS_STP || insn->id == ARM64_INS_LDP;
}

static enum insn_kind insn_kind(csh handle, const cs_insn *insn)
{
	const cs_arm64 *a = &insn->detail->arm64;

	if (insn->id == ARM64_INS_RET)
		return INSN_RETURN;
	if (insn->id == ARM64_INS_NOP)
		return INSN_NOP;
	if (insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR)
		return INSN_CALL;
	if (insn->id == ARM64_INS_B && a->cc <= ARM64_CC_INVALID)
		return INSN_JUMP;
	if (cs_insn_group(handle, insn, ARM64_GRP_JUMP))
		return INSN_BRANCH;
	if (uses_stack(insn) && (is_pair(insn) || insn->id == ARM64_INS_MOV || insn->id == ARM64_INS_SUB))
		return INSN_FRAME;
	if (uses_stack(insn) && (insn->id == ARM64_INS_LDR || insn->id == ARM64_INS_STR))
		return INSN_SPILL;
	if (insn->id == ARM64_INS_MOV && a->operands[1].type == ARM64_OP_REG)
		return INSN_COPY;
	return INSN_PLAIN;
}

static uint16_t insn_flags(const cs_insn *insn)
{
	return insn->id == ARM64_INS_ADD && uses_stack(insn) ? INSN_ESCAPE : 0;
}

static void read_memory(struct insn *i, const cs_insn *insn)
{
	const cs_arm64 *a = &insn->detail->arm64;

	for (unsigned k = 0; k < a->op_count; k++)
		if (a->operands[k].type == ARM64_OP_MEM && a->operands[k].access != CS_AC_READ)
			i->flags |= INSN_EFFECT;
}

static bool begins_function(const cs_insn *insn)
{
	return insn->id == ARM64_INS_STP && insn->detail->arm64.operands[0].reg == ARM64_REG_X29;
}

static uint64_t insn_target(const cs_insn *insn)
{
	const cs_arm64_op *op = &insn->detail->arm64.operands[insn->detail->arm64.op_count - 1];

	return op->type == ARM64_OP_IMM ? (uint64_t)op->imm : 0;
}

static int open_disassembler(csh *handle)
{
	return cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, handle) != CS_ERR_OK;
}
#endif

static void read_registers(struct insn *i, csh handle, const cs_insn *insn)
{
	cs_regs read, written;
	uint8_t nr_read, nr_written;
	bool partial;

	if (cs_regs_access(handle, insn, read, &nr_read, written, &nr_written)) {
		i->flags |= INSN_EFFECT;
		return;
	}
	for (unsigned k = 0; k < nr_read; k++)
		i->use |= register_bit(read[k], &partial);
	for (unsigned k = 0; k < nr_written; k++) {
		uint64_t bit = register_bit(written[k], &partial);

		i->def |= bit;
		if (partial)
			i->use |= bit;
	}
}

static void read_insn(struct insn *i, csh handle, const cs_insn *insn, enum block_call (*call_kind)(uint64_t))
{
	uint64_t target;

	*i = (struct insn){
		.at = (uint32_t)(insn->address - text_base),
		.next = (uint32_t)(insn->address + insn->size - text_base),
		.target = NO_TARGET,
		.kind = (uint8_t)insn_kind(handle, insn),
		.flags = insn_flags(insn),
	};
	if (begins_function(insn))
		i->flags |= INSN_ENTRY;
	if (i->kind == INSN_CALL) {
		i->call = (uint8_t)call_kind(insn_target(insn));
		return;
	}
	if (i->kind == INSN_FRAME || i->kind == INSN_NOP || i->kind == INSN_RETURN)
		return;
	read_registers(i, handle, insn);
	if (i->kind == INSN_BRANCH || i->kind == INSN_JUMP) {
		target = insn_target(insn) - text_base;
		i->target = target < text_bytes ? (uint32_t)target : NO_TARGET;
		i->flags |= INSN_EFFECT;
		return;
	}
	read_memory(i, insn);
	if (i->flags & INSN_CONSTANT)
		i->use = 0;
	if (!i->def)
		i->flags |= INSN_EFFECT;
}

static void disassemble(struct code *code, csh handle, enum block_call (*call_kind)(uint64_t))
{
	const uint8_t *at = (const uint8_t *)text_base;
	uint64_t address = text_base;
	size_t left = text_bytes;
	cs_insn *insn = cs_malloc(handle);

	while (left) {
		if (cs_disasm_iter(handle, &at, &left, &address, insn)) {
			read_insn(&code->insn[code->nr++], handle, insn, call_kind);
			continue;
		}
		at++;			/* padding that is no instruction */
		address++;
		left--;
	}
	cs_free(insn, 1);
}

int code_read(struct code *code, const void *text, size_t bytes, enum block_call (*call_kind)(uint64_t target))
{
	csh handle;

	text_base = (uint64_t)text;
	text_bytes = bytes;
	*code = (struct code){ .insn = malloc((bytes + 1) * sizeof(*code->insn)) };
	if (!code->insn || open_disassembler(&handle))
		return -1;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	set_roles(code);
	disassemble(code, handle, call_kind);
	cs_close(&handle);
	return 0;
}

void code_free(struct code *code)
{
	free(code->insn);
	*code = (struct code){ 0 };
}
