/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coherence.c - the directory.
 *
 * A request reaches the line's home, waits until the line is not in transit,
 * and is served. Latency is what the requester waits; occupancy is the part
 * of it for which the line cannot serve another. A queue on one line so moves
 * at the occupancy and a pair of CPUs at the latency. While a line is on its
 * way to the next owner, the present one can still use it until the snoop
 * reaches it, half-way through the occupancy.
 */
#include "sim/coherence.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sim/cache.h"
#include "sim/l1.h"
#include "sim/names.h"
#include "sim/order.h"

struct line *lines;
struct machine_stats machine_stats;

static struct cache llc[HW_MAX_CPUS];	/* by cluster */
static unsigned nr_clusters;
static uint64_t dram_free;		/* ps: memory can start the next line */
static size_t lines_bytes;
static uint64_t cpus_per_bit;		/* of struct line.sharers */

static inline uint64_t sharer_bit(unsigned cpu)
{
	return 1ull << (cpu / cpus_per_bit);
}

const struct line_extra line_plain;
static struct line_extra *extras;	/* open addressing by line */
static uint32_t extras_size, extras_used;

static uint32_t extra_slot(uint32_t line)
{
	return line * 0x9e3779b1u & (extras_size - 1);
}

static void extras_grow(void)
{
	struct line_extra *old = extras;
	uint32_t old_size = extras_size;

	extras_size = old_size ? old_size * 2 : 1024;
	extras = calloc(extras_size, sizeof(*extras));
	if (!extras) {
		fprintf(stderr, "zsmsim: out of memory for the line directory\n");
		exit(1);
	}
	for (uint32_t i = 0; i < old_size; i++) {
		uint32_t s;

		if (!old[i].line)
			continue;
		for (s = extra_slot(old[i].line - 1); extras[s].line; s = (s + 1) & (extras_size - 1))
			;
		extras[s] = old[i];
	}
	free(old);
}

struct line_extra *line_extra(uint32_t line)
{
	uint32_t s;

	if (extras_used * 2 >= extras_size)
		extras_grow();
	for (s = extra_slot(line); extras[s].line; s = (s + 1) & (extras_size - 1))
		if (extras[s].line == line + 1)
			return &extras[s];
	extras[s].line = line + 1;
	extras_used++;
	lines[line].has_extra = 1;
	return &extras[s];
}

/* Is @line, which is on its way to another CPU, still in the hands of @c at time @t? */
static inline bool still_kept(const struct cpu *c, uint32_t line, uint64_t t)
{
	const struct line_extra *x = line_extra_of(line);

	return x->previous == c->id + 1u && t < x->kept_until;
}

static void create_shared(const struct machine_config *config)
{
	for (unsigned i = 0; i < nr_cpus; i++) {
		const struct profile *p = config->profile[i];
		unsigned cluster = config->cluster[i];

		if (cluster >= nr_clusters)
			nr_clusters = cluster + 1;
		if (!llc[cluster].tags)
			cache_create(&llc[cluster], p->llc.lines, p->llc.ways);
	}
}

static void destroy_shared(void)
{
	for (unsigned i = 0; i < nr_clusters; i++)
		cache_destroy(&llc[i]);
	nr_clusters = 0;
}

void coherence_create(const struct machine_config *config)
{
	uint64_t nr = (config->memory_bytes + module_bytes) / HW_LINE_SIZE + 1;

	lines_bytes = nr * sizeof(*lines);
	lines = mmap(NULL, lines_bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (lines == MAP_FAILED) {
		perror("zsmsim: line directory");
		exit(1);
	}
	cpus_per_bit = (nr_cpus + 63) / 64;
	create_shared(config);
}

void coherence_set_profiles(const struct machine_config *config)
{
	destroy_shared();
	create_shared(config);
}

void coherence_destroy(void)
{
	munmap(lines, lines_bytes);
	destroy_shared();
	free(extras);
	extras = NULL;
	extras_size = extras_used = 0;
	dram_free = 0;
	memset(&machine_stats, 0, sizeof(machine_stats));
}

/* Directory entries start out as zero bytes, so "no owner" is stored as 0. */
static inline int line_owner(const struct line *l)
{
	return (int)l->owner - 1;
}

static inline void line_set_owner(struct line *l, int cpu)
{
	l->owner = (uint16_t)(cpu + 1);
}

/* ---- private caches of one CPU ---- */

static void private_drop(struct cpu *c, uint32_t line)
{
	l1_remove(c, line);
	tags_remove(cache_set(&c->l2, line), c->l2.ways, line);
}

static void private_permission(struct cpu *c, uint32_t line, enum permission perm)
{
	l1_set_permission(c, line, perm);
	tags_set_permission(cache_set(&c->l2, line), c->l2.ways, line, perm);
}

static void llc_insert(unsigned cluster, uint32_t line)
{
	struct cache *cache = &llc[cluster];
	uint32_t *tags;
	int way;

	if (!cache->tags)
		return;
	tags = cache_set(cache, line);
	way = tags_find(tags, cache->ways, line);
	if (way >= 0)
		tags_to_front(tags, (uint32_t)way);
	else
		tags_insert(tags, cache->ways, TAG(line, PERM_SHARED));
}

static bool llc_lookup(unsigned cluster, uint32_t line)
{
	struct cache *cache = &llc[cluster];
	uint32_t *tags;
	int way;

	if (!cache->tags)
		return false;
	tags = cache_set(cache, line);
	way = tags_find(tags, cache->ways, line);
	if (way < 0)
		return false;
	tags_to_front(tags, (uint32_t)way);
	return true;
}

/* Make room in L2; L2 includes L1, and what leaves L2 goes to the shared cache. */
static void l2_insert(struct cpu *c, uint32_t line, enum permission perm)
{
	uint32_t out = tags_insert(cache_set(&c->l2, line), c->l2.ways, TAG(line, perm));
	struct line *l;

	if (!TAG_PERM(out))
		return;
	l1_remove(c, TAG_LINE(out));
	l = &lines[TAG_LINE(out)];
	if (line_owner(l) == (int)c->id)
		l->owner = 0;
	if (cpus_per_bit == 1)
		l->sharers &= ~sharer_bit(c->id);
	llc_insert(c->cluster, TAG_LINE(out));
}

static void private_fill(struct cpu *c, uint32_t line, enum permission perm)
{
	private_drop(c, line);
	l2_insert(c, line, perm);
	l1_insert(c, line, perm);
}

/* ---- parked CPUs ---- */

void coherence_park(struct cpu *c, uint32_t line)
{
	struct line_extra *x = line_extra(line);

	c->parked = true;
	c->parked_on = line;
	c->park_next = x->parked;
	x->parked = (uint16_t)(c->id + 1);
	order_block(c);
}

/*
 * The first load of @c's loop that comes after @by took the line finds it
 * gone: go on at the start of that round. Its load comes park_delta later, so
 * the round itself may begin before the present moment.
 */
static void unpark(struct cpu *c, const struct cpu *by)
{
	uint64_t load = c->clock + c->park_delta;
	uint64_t rounds = 0;

	if (load < by->clock)
		rounds = (by->clock - load + c->park_period - 1) / c->park_period;
	if (load + rounds * c->park_period == by->clock && c->id < by->id)
		rounds++;
	for (unsigned i = 0; i < NR_FIXED_CAUSES; i++)
		if (c->park_cause[i])
			book(c, i, rounds * c->park_cause[i]);
	c->insns += rounds * c->park_insns;
	c->branches += rounds * c->park_branches;
	c->loads += rounds;
	/* a round ends in a spin hint, before which nothing behind it can have begun */
	c->stall_end = c->clock;
	c->refetched = c->clock;
	c->parked = false;
	order_insert(c);
}

static void unpark_all(uint32_t line, const struct cpu *by)
{
	struct line_extra *x;
	uint16_t i;

	if (!lines[line].has_extra)
		return;
	x = line_extra(line);
	i = x->parked;
	x->parked = 0;
	while (i) {
		struct cpu *c = &cpus[i - 1];

		i = c->park_next;
		unpark(c, by);
	}
}

/* ---- the directory ---- */

/* Take @line from every sharer but @c; returns how long it takes to tell them, 0 if there is none. */
static uint64_t drop_sharers(struct cpu *c, struct line *l, uint32_t line)
{
	const struct profile *p = c->profile;
	uint64_t bits = l->sharers, longest = 0;

	while (bits) {
		unsigned first = (unsigned)__builtin_ctzll(bits) * (unsigned)cpus_per_bit;

		bits &= bits - 1;
		for (unsigned i = first; i < first + cpus_per_bit && i < nr_cpus; i++) {
			uint64_t upgrade;

			if (i == c->id)
				continue;
			if (tags_find(cache_set(&cpus[i].l2, line), cpus[i].l2.ways, line) < 0)
				continue;
			private_drop(&cpus[i], line);
			upgrade = cpus[i].cluster == c->cluster ? p->upgrade_ps : p->upgrade_far_ps;
			longest = upgrade > longest ? upgrade : longest;
		}
	}
	l->sharers = 0;
	return longest;
}

static uint64_t from_owner(struct cpu *c, struct line *l, uint32_t line, bool exclusive, uint64_t t)
{
	const struct profile *p = c->profile;
	struct cpu *o = &cpus[line_owner(l)];
	bool far = o->cluster != c->cluster;
	uint64_t latency = exclusive ? (far ? p->transfer_far_ps : p->transfer_ps)
				     : (far ? p->transfer_shared_far_ps : p->transfer_shared_ps);
	uint64_t occupancy = p->transfer_occupancy_ps < latency ? p->transfer_occupancy_ps : latency;
	uint64_t start = t + latency - occupancy, done;
	struct line_extra *x;

	if (start < l->busy_until)
		start = l->busy_until;
	done = start + occupancy;
	l->busy_until = done;
	machine_stats.transfers++;
	names_count_transfer(line, done - t);
	if (exclusive) {
		private_drop(o, line);
		x = line_extra(line);
		x->previous = (uint16_t)(o->id + 1);
		x->kept_until = start + occupancy / 2;
		line_set_owner(l, (int)c->id);
		unpark_all(line, c);
	} else {
		private_permission(o, line, PERM_SHARED);
		l->owner = 0;
		l->sharers = sharer_bit(o->id) | sharer_bit(c->id);
		llc_insert(o->cluster, line);
	}
	return done;
}

/* Nobody owns it: from the shared cache or from memory. *cause says which. */
static uint64_t from_below(struct cpu *c, struct line *l, uint32_t line, uint64_t t, uint32_t *cause)
{
	const struct profile *p = c->profile;
	uint64_t start = t > l->busy_until ? t : l->busy_until;

	names_count_miss(line);
	if (llc_lookup(c->cluster, line)) {
		machine_stats.llc_hits++;
		*cause = CAUSE_LLC;
		return start + p->llc.latency_ps;
	}
	if (start < dram_free)
		start = dram_free;
	dram_free = start + p->dram_occupancy_ps;
	machine_stats.dram_reads++;
	llc_insert(c->cluster, line);
	*cause = CAUSE_DRAM;
	return start + p->dram_ps;
}

static uint64_t request_shared(struct cpu *c, struct line *l, uint32_t line, uint64_t t, uint32_t *cause)
{
	uint64_t done;
	int owner = line_owner(l);

	if (owner >= 0 && owner != (int)c->id) {
		*cause = CAUSE_TRANSFER;
		done = from_owner(c, l, line, false, t);
		private_fill(c, line, PERM_SHARED);
		return done;
	}
	done = from_below(c, l, line, t, cause);
	if (l->sharers) {
		l->sharers |= sharer_bit(c->id);
		private_fill(c, line, PERM_SHARED);
	} else {
		l->busy_until = done;
		line_set_owner(l, (int)c->id);
		private_fill(c, line, PERM_EXCLUSIVE);
	}
	return done;
}

static uint64_t request_exclusive(struct cpu *c, struct line *l, uint32_t line, bool held, uint64_t t,
				  uint32_t *cause)
{
	const struct profile *p = c->profile;
	int owner = line_owner(l);
	uint64_t done;

	if (owner >= 0 && owner != (int)c->id) {
		*cause = CAUSE_TRANSFER;
		done = from_owner(c, l, line, true, t);
	} else if (l->sharers) {
		uint64_t upgrade = drop_sharers(c, l, line), wait;

		done = t > l->busy_until ? t : l->busy_until;
		wait = held ? 0 : p->llc.latency_ps ? p->llc.latency_ps : p->transfer_shared_ps;
		if (upgrade)
			wait = wait > upgrade ? wait : upgrade;
		else if (!wait)
			wait = p->llc.latency_ps;
		done += wait;
		machine_stats.upgrades++;
		*cause = CAUSE_TRANSFER;
		names_count_transfer(line, done - t);
		l->busy_until = done;
		line_set_owner(l, (int)c->id);
		unpark_all(line, c);
	} else {
		done = from_below(c, l, line, t, cause);
		l->busy_until = done;
		line_set_owner(l, (int)c->id);
	}
	private_fill(c, line, PERM_EXCLUSIVE);
	return done;
}

/* ---- prefetch ---- */

static void prefetch_line(struct cpu *c, uint32_t line, uint64_t t)
{
	struct line *l = &lines[line];
	uint32_t cause;
	uint64_t done;

	if ((uint64_t)line * HW_LINE_SIZE >= memory_bytes)
		return;
	if (tags_find(cache_set(&c->l2, line), c->l2.ways, line) >= 0)
		return;
	/* a line that another core writes is left alone */
	if (l->owner || still_kept(c, line, t))
		return;
	done = from_below(c, l, line, t, &cause);
	if (l->sharers) {
		l->sharers |= sharer_bit(c->id);
		l2_insert(c, line, PERM_SHARED);
	} else {
		l->busy_until = done;
		line_set_owner(l, (int)c->id);
		l2_insert(c, line, PERM_EXCLUSIVE);
	}
	c->prefetched[c->prefetched_at] = (struct prefetched){ line, done };
	c->prefetched_at = (c->prefetched_at + 1) % MAX_PREFETCHED;
}

/* Time at which a line that L2 already counts as its own has really arrived. */
static uint64_t prefetch_ready(const struct cpu *c, uint32_t line, uint64_t t)
{
	for (unsigned i = 0; i < MAX_PREFETCHED; i++)
		if (c->prefetched[i].line == line && c->prefetched[i].ready > t)
			return c->prefetched[i].ready;
	return t;
}

/* The stream of @page among the few entries where it may be, or the one to give up for it. */
static struct stream *stream_of(struct cpu *c, uint32_t page)
{
	uint32_t most = c->profile->prefetch_streams < MAX_STREAMS ? c->profile->prefetch_streams : MAX_STREAMS;
	uint32_t sets = most / 4 ? most / 4 : 1, ways = most < 4 ? most : 4;
	struct stream *set = &c->streams[page % sets * ways], *oldest = set;

	for (uint32_t i = 0; i < ways; i++) {
		if (set[i].page == page + 1)
			return &set[i];
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	*oldest = (struct stream){ .page = page + 1, .last = UINT32_MAX };
	return oldest;
}

/* Follow sequences of neighbouring lines; once a direction is confirmed, fetch ahead inside the page. */
static void prefetch_train(struct cpu *c, uint32_t line, uint64_t t)
{
	const struct profile *p = c->profile;
	struct stream *s;
	int32_t step;

	if (!p->prefetch_streams)
		return;
	s = stream_of(c, line >> 6);
	step = (int32_t)(line - s->last);
	s->used = ++c->stream_tick;
	if (s->last == UINT32_MAX || (step != 1 && step != -1)) {
		s->last = line;
		s->confirmed = 0;
		return;
	}
	s->confirmed = step == s->step ? s->confirmed + 1 : 1;
	s->step = step;
	s->last = line;
	if (s->confirmed < 2)
		return;
	for (uint32_t k = 1; k <= p->prefetch_ahead; k++) {
		uint32_t ahead = line + (uint32_t)(step * (int32_t)k);

		if (ahead >> 6 != line >> 6)
			break;
		prefetch_line(c, ahead, t);
	}
}

/* ---- requests ---- */

uint64_t coherence_request(struct cpu *c, uint32_t line, bool exclusive, uint64_t t, uint64_t use_at,
			   uint32_t *cause)
{
	uint32_t *set = cache_set(&c->l2, line);
	int way = tags_find(set, c->l2.ways, line);
	struct line *l = &lines[line];
	bool held = way >= 0;
	uint64_t done;

	/* a line can be asked for ahead, but what is read or written counts now at the earliest */
	if (use_at < c->clock)
		use_at = c->clock;
	c->l1_misses++;
	trace(c->clock ^ (uint64_t)line << 24 ^ c->id);
	if (held) {
		enum permission perm = TAG_PERM(set[way]);

		tags_to_front(set, (uint32_t)way);
		if (!exclusive || perm == PERM_EXCLUSIVE) {
			done = prefetch_ready(c, line, t) + c->profile->l2.latency_ps;
			l1_remove(c, line);
			l1_insert(c, line, perm);
			*cause = CAUSE_L2;
			prefetch_train(c, line, t);
			return done;
		}
	} else if (still_kept(c, line, use_at)) {
		*cause = CAUSE_L1;
		return t + c->profile->l1.latency_ps;
	}
	done = exclusive ? request_exclusive(c, l, line, held, t, cause) : request_shared(c, l, line, t, cause);
	prefetch_train(c, line, t);
	return done;
}

void coherence_stream(struct cpu *c, uint32_t line, bool exclusive)
{
	struct line *l = &lines[line];
	uint32_t *set = cache_set(&c->l2, line);
	int way = tags_find(set, c->l2.ways, line);
	uint64_t busy = l->busy_until, memory = dram_free;
	uint32_t cause;

	if (way >= 0 && (!exclusive || TAG_PERM(set[way]) == PERM_EXCLUSIVE))
		return;
	if (exclusive)
		request_exclusive(c, l, line, way >= 0, c->clock, &cause);
	else
		request_shared(c, l, line, c->clock, &cause);
	l->busy_until = busy;
	dram_free = memory;
}

/* ---- the check ---- */

static void check_tag(const struct cpu *c, uint32_t tag)
{
	const struct line *l = &lines[TAG_LINE(tag)];

	if (TAG_PERM(tag) == PERM_EXCLUSIVE && line_owner(l) != (int)c->id)
		hw_fault("cache of CPU %u holds line %u exclusively, but its owner is %d", c->id, TAG_LINE(tag),
			 line_owner(l));
	if (TAG_PERM(tag) == PERM_SHARED && (l->owner || !(l->sharers & sharer_bit(c->id))))
		hw_fault("cache of CPU %u shares line %u unknown to the directory", c->id, TAG_LINE(tag));
}

void coherence_check(void)
{
	for (unsigned i = 0; i < nr_cpus; i++) {
		const struct cpu *c = &cpus[i];

		for (uint32_t k = 0; k < c->l2.sets * c->l2.ways; k++)
			if (TAG_PERM(c->l2.tags[k]))
				check_tag(c, c->l2.tags[k]);
		for (uint32_t k = 0; k < (c->l1_mask + 1) * c->l1_ways; k++) {
			uint32_t tag = c->l1_tags[k];

			if (TAG_PERM(tag) &&
			    tags_find(cache_set(&c->l2, TAG_LINE(tag)), c->l2.ways, TAG_LINE(tag)) < 0)
				hw_fault("L1 of CPU %u holds line %u that its L2 lacks", c->id, TAG_LINE(tag));
			if (TAG_PERM(tag))
				check_tag(c, tag);
		}
	}
}
