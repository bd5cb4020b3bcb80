/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tlb.h - finding the physical page of an address: a small first buffer, a
 * larger second one, and the page table in memory.
 *
 * Only accesses that miss the first-level cache look here; what hits it pays
 * nothing (a first-level buffer of 16 to 48 pages covers less than the cache
 * may hold lines of, so this is a little in the CPU's favour). The upper
 * levels of the table are taken to be in the walker's own cache: a walk is one
 * load, of the entry of the page, through the caches like any other.
 */
#ifndef ZSMSIM_TLB_H
#define ZSMSIM_TLB_H

#include "sim/machine.h"

void tlb_create(struct cpu *c);
void tlb_destroy(struct cpu *c);
/* Forget what software said about its mappings. */
void tlb_reset(void);

/* The translation of @line, wanted from time @t on, is known: when (ps). */
uint64_t tlb_translate(struct cpu *c, uint32_t line, uint64_t t);

#endif
