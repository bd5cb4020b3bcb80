/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fill.h - what the test program of the deferred-free thread writes into its
 * memory, and the first page of a swap area: the bytes that the simulated
 * workload stores, so that the compressed sizes of both can be equal.
 */
#ifndef ZSMSIM_REALKERNEL_FILL_H
#define ZSMSIM_REALKERNEL_FILL_H

#include <stddef.h>
#include <stdint.h>

/* The pattern goes in steps of so many bytes whatever the size of a page, and repeats after 16 of them. */
#define FILL_STEP_BYTES		4096u
#define FILL_PERIOD		16u

/* Fill @bytes, a multiple of FILL_STEP_BYTES, at @region, which holds zeros, from the pattern's beginning. */
void fill_region(void *region, size_t bytes);

/* Slots that swap areas are given out in, per CPU; see fill_swap_slots(). */
#define SWAP_CLUSTER_SLOTS	512u

/*
 * Slots of a swap area for @pages of @procs processes: as many whole clusters
 * as hold them and the header, and one more for each process, whose CPU may
 * leave one unfinished. The simulated device has the same size.
 */
uint32_t fill_swap_slots(uint64_t pages, unsigned procs);

/* Make the first page of a swap area of @slots slots, header included, in the @page_bytes at @page. */
void fill_swap_header(void *page, size_t page_bytes, uint32_t slots);

#endif
