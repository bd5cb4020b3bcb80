/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocks.h - the basic blocks of the software's module: how many
 * instructions each has. The compiler marks the start of a block with a call
 * of __sanitizer_cov_trace_pc(); the machine code between two marks is
 * disassembled once, when the module is loaded.
 */
#ifndef ZSMSIM_BLOCKS_H
#define ZSMSIM_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* What a call in the module reaches. */
enum block_call {
	CALL_PLAIN,			/* a function of the software or a service of the hardware: one instruction */
	CALL_ACCESS,			/* hook of a load or store: nothing, with its argument */
	CALL_BLOCK,			/* the mark of a block */
	CALL_ATOMIC,			/* hook of an atomic: the atomic itself */
	CALL_OBSERVER,			/* nothing, with its arguments */
	CALL_MUTE,			/* from here on nothing counts, to the end of the block or an unmute */
	CALL_UNMUTE,
	CALL_COMPARE,			/* hook of an atomic that compares: it also sets the flags */
	CALL_NO_RETURN,			/* a function of the hardware that ends the run */
};

/*
 * Read the code at [text, text + bytes); @call_kind tells what an address that
 * is called is. Returns 0, or -1 when the disassembler cannot be had. What was
 * read before is forgotten.
 */
int blocks_create(const void *text, size_t bytes, enum block_call (*call_kind)(uint64_t target));
void blocks_destroy(void);

/* Blocks found, and the instructions in all of them. */
size_t blocks_count(void);
uint64_t blocks_instructions(void);

#endif
