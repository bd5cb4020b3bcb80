/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.h - the physical figures of one kind of CPU, as integers.
 *
 * Read from data/profiles/NAME.json, where each figure has value, unit, low,
 * high, kind and source. Times become picoseconds here, once; no floating
 * point is used after loading. Nothing in a profile depends on what runs.
 */
#ifndef ZSMSIM_PROFILE_H
#define ZSMSIM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE_MAX_WORK 64

struct profile_cache {
	uint32_t lines;			/* capacity in 64-byte lines */
	uint32_t ways;
	uint32_t latency_ps;		/* load-to-use on a hit */
};

struct profile_work {			/* cost of one unit of a named work item */
	char *name;
	uint64_t ps;
};

struct profile {
	char *name;
	char *text;			/* the JSON as read, for the run's row */

	uint32_t cycle_ps;
	uint32_t issue_width;		/* instructions per cycle at best */
	uint32_t ipc_milli;		/* sustained instructions per 1000 cycles without misses */
	uint32_t window;		/* reorder buffer entries; 0: in order */
	uint32_t load_ports;		/* loads per cycle */
	uint32_t store_buffer;		/* entries */
	uint32_t miss_buffers;		/* private-cache misses in flight at most */
	uint32_t mispredict_ps;
	bool lse;			/* single-instruction atomics */
	bool atomic_is_fence;		/* x86: each atomic waits for the store buffer and orders later loads */
	bool atomic_runs_ahead;		/* loads and stores behind a waiting atomic ask for their lines meanwhile */

	struct profile_cache l1, l2, llc;	/* llc.lines == 0: none; llc is per cluster */
	uint32_t dtlb_entries;		/* first buffer of translations; 0: translation costs nothing */
	uint32_t tlb_entries, tlb_ways;	/* second buffer */
	uint32_t tlb_ps;		/* a miss in the first that hits the second */
	uint32_t dram_ps;		/* load-to-use from memory */
	uint32_t dram_occupancy_ps;	/* how soon memory can serve the next line */

	uint32_t transfer_ps;		/* line modified in a core of the same cluster, requested exclusive: latency */
	uint32_t transfer_shared_ps;	/* the same requested for reading */
	uint32_t upgrade_ps;		/* shared line becomes exclusive: others are told to drop it */
	uint32_t transfer_far_ps;	/* as transfer_ps, other cluster */
	uint32_t transfer_shared_far_ps;
	uint32_t upgrade_far_ps;
	uint32_t transfer_occupancy_ps;	/* how soon a line can go on to the next requester */

	uint32_t atomic_ps;		/* uncontended read-modify-write on a line held exclusively */
	uint32_t fence_ps;		/* full fence, store buffer empty */
	uint32_t relax_ps;		/* spin hint (PAUSE, YIELD) */
	uint32_t kick_ps;		/* sender's cost of an inter-processor interrupt */
	uint32_t kick_latency_ps;	/* until the idle receiver runs */
	uint32_t prefetch_streams;	/* sequential streams followed, 0: none */
	uint32_t prefetch_ahead;	/* lines */

	uint64_t copy_ps_per_kib;	/* streaming copy out of cache */
	uint64_t zero_ps_per_kib;	/* streaming clear */

	struct profile_work work[PROFILE_MAX_WORK];
	unsigned nr_work;
};

/*
 * Load profile @name from the first directory of the data path that has it
 * (see datapath.h); one that ends in ".json" is the name of a file, and the
 * profile's name is that without directory and ending. Returns NULL and
 * writes one line in the form
 * "FILE: $.path.key: what is wrong; what would be right" to @error if the
 * profile is unknown or damaged.
 */
struct profile *profile_load(const char *name, char *error, size_t error_bytes);
void profile_free(struct profile *p);

/* Is @name the name of a file, as profile_load() understands it? */
bool profile_is_file(const char *name);
/* The name of the profile that profile_load() would load for @name, newly allocated; NULL without memory. */
char *profile_short_name(const char *name);

/* Units of the named work item, or NULL. */
const struct profile_work *profile_work(const struct profile *p, const char *name);

/* Names of all profiles found, sorted; NULL-terminated, to be freed with profile_names_free(). */
char **profile_names(void);
void profile_names_free(char **names);

#endif
