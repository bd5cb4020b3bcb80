/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code.h - machine code of the software as a table of instructions, and which
 * of them would be there without the instrumentation. Offsets are from the
 * beginning of the text, in bytes.
 */
#ifndef ZSMSIM_CODE_H
#define ZSMSIM_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/blocks.h"

enum insn_kind {
	INSN_PLAIN,
	INSN_COPY,			/* from register to register */
	INSN_SPILL,			/* between a register and a slot of the stack */
	INSN_FRAME,			/* of a function's prologue or epilogue */
	INSN_NOP,
	INSN_CALL,
	INSN_BRANCH,			/* conditional, or indirect: then without a target */
	INSN_JUMP,
	INSN_RETURN,
};

#define NO_TARGET	UINT32_MAX

/* What else the analysis asks about an instruction. */
#define INSN_LOAD	0x01		/* moves a word from memory to a register */
#define INSN_STORE	0x02		/* moves a register to memory */
#define INSN_ALU	0x04		/* computes in registers; some machines can do it in memory */
#define INSN_EFFECT	0x08		/* does more than to define registers */
#define INSN_ENTRY	0x10		/* first of a function */
#define INSN_FLAG_TEST	0x20		/* only sets the flags from a register */
#define INSN_MUTED	0x40		/* between hw_mute() and hw_unmute() */
#define INSN_ESCAPE	0x80		/* takes an address on the stack */
#define INSN_CONSTANT	0x100		/* loads a constant */

struct insn {
	uint32_t at, next;		/* offsets */
	uint32_t target;		/* of a jump; later its index in the table */
	uint8_t kind, call;		/* enum insn_kind; enum block_call of a call */
	uint16_t flags;
	uint8_t cost;			/* instructions that it stands for */
	uint64_t use, def;		/* registers, flags and stack slots: a bit each, see code.c */
	uint64_t live;			/* what is still needed behind it */
	uint64_t memory;		/* which memory operand, 0: none; equal ones are equal */
};

struct code {
	struct insn *insn;
	size_t nr;
	/* roles of the bits in struct insn */
	uint64_t arguments;		/* registers in which a call finds its arguments */
	uint64_t address;		/* the first of them */
	uint64_t scratch;		/* what a call may change, flags included */
	uint64_t result;
	uint64_t preserved;		/* what a function saves before it uses it */
	uint64_t slots;
	bool memory_operands;		/* one instruction can change memory */
};

/*
 * Read the code at [text, text + bytes); @call_kind tells what an address that
 * is called is. Returns 0, or -1 when memory or the disassembler cannot be had.
 */
int code_read(struct code *code, const void *text, size_t bytes, enum block_call (*call_kind)(uint64_t target));
void code_free(struct code *code);

/* flow.c: set the cost of each instruction. */
void code_count(struct code *code);

#endif
