/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idr.h - small numbers for pointers: a short table, since few devices are made. */
#ifndef KSHIM_LINUX_IDR_H
#define KSHIM_LINUX_IDR_H

#include <linux/errno.h>
#include <linux/kernel.h>

#define KSHIM_IDR_ENTRIES 16

struct idr {
	void *entry[KSHIM_IDR_ENTRIES];
};

#define DEFINE_IDR(name)	struct idr name
#define idr_destroy(idr)	do { (void)(idr); } while (0)

/* The lowest free number from @start, below @end unless that is 0; -ENOSPC when there is none. */
static inline int idr_alloc(struct idr *idr, void *ptr, int start, int end, gfp_t gfp)
{
	(void)gfp;
	if (!end || end > KSHIM_IDR_ENTRIES)
		end = KSHIM_IDR_ENTRIES;
	for (int id = start; id < end; id++) {
		if (idr->entry[id])
			continue;
		idr->entry[id] = ptr;
		return id;
	}
	return -ENOSPC;
}

static inline void *idr_find(struct idr *idr, int id)
{
	return id >= 0 && id < KSHIM_IDR_ENTRIES ? idr->entry[id] : NULL;
}

static inline void idr_remove(struct idr *idr, int id)
{
	idr->entry[id] = NULL;
}

/* Calls fn(id, ptr, data) for each number in use until one returns something else than 0; returns that. */
static inline int idr_for_each(struct idr *idr, int (*fn)(int id, void *ptr, void *data), void *data)
{
	int error = 0;

	for (int id = 0; id < KSHIM_IDR_ENTRIES && !error; id++)
		if (idr->entry[id])
			error = fn(id, idr->entry[id], data);
	return error;
}

#endif
