/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * swap_user.h - what processes are paged out to: the user of the allocator,
 * and the swap device that it is or that is behind it.
 */
#ifndef WORKLOAD_SWAP_USER_H
#define WORKLOAD_SWAP_USER_H

#include "model/model.h"

struct mm;
struct zram;
struct zs_pool;

/* One at a time. All but what unmapping does to it runs in functional mode. */
struct swap_user {
	/* With @slots slots, the first for the swap header, and swapping to it turned on. */
	void (*create)(const struct model_config *config, u32 slots);
	/* The pages of process @number are paged out from here on; NULL: it does not matter whose they are. */
	void (*owner)(unsigned number);
	/* The page at @page goes to slot @slot; 0, or an error. May sleep. */
	int (*swap_out)(u32 slot, const void *page);
	/* Unmap all of @mm; as munmap() does, or as a scheme that defers frees has it. */
	void (*unmap)(struct mm *mm);
	/* Free what waits above the pool, after the last task ended; NULL where nothing can. */
	void (*flush)(void);
	/* What is stored is what was written; a difference is a fault. */
	void (*check)(void);
	struct zs_pool *(*pool)(void);
	/* The device, for its mm_stat; NULL where it is none. */
	struct zram *(*zram)(void);
	/* Swapping is off, no slot is in use: all goes, and what is left is a fault. */
	void (*destroy)(void);
};

extern const struct swap_user zram_user;	/* user_zram.c */
extern const struct swap_user zswap_user;	/* user_zswap.c */

#endif
