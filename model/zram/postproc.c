/* SPDX-License-Identifier: GPL-3.0-or-later */
/* postproc.c - idle marks, writeback, compressing anew; see postproc.h. */
#include "model/zram/postproc.h"

#include "model/zram/backing.h"
#include "model/zram/zram_slot.h"

#define BUCKET_BYTES	64u
#define NR_BUCKETS	(PAGE_SIZE / BUCKET_BYTES + 1)

/* Slots that were chosen, by size: each bucket a chain through next, in order of their numbers. */
struct chosen {
	u32 first[NR_BUCKETS], last[NR_BUCKETS];	/* slot + 1, 0: none */
	u32 *next;			/* by slot, + 1 */
};

/* A page, with its slot locked: is it stored here, as an object of its own? */
static bool holds_object(struct zram *zram, u32 index)
{
	return zram->table[index].handle && !slot_flag(zram, index, ZRAM_SAME) && !slot_flag(zram, index, ZRAM_WB);
}

void zram_mark_idle(struct zram *zram)
{
	for (u32 i = 0; i < zram->nr_slots; i++) {
		slot_lock(zram, i);
		if (holds_object(zram, i))
			slot_set_flag(zram, i, ZRAM_IDLE);
		else
			slot_clear_flag(zram, i, ZRAM_IDLE);
		slot_unlock(zram, i);
		cond_resched();
	}
}

/* ---- choosing ---- */

static struct chosen *create_chosen(struct zram *zram)
{
	struct chosen *c = vzalloc(sizeof(*c));

	if (!c)
		return NULL;
	c->next = vzalloc(zram->nr_slots * sizeof(*c->next));
	if (c->next)
		return c;
	vfree(c);
	return NULL;
}

static void destroy_chosen(struct chosen *c)
{
	vfree(c->next);
	vfree(c);
}

static void add_chosen(struct chosen *c, u32 index, size_t bytes)
{
	size_t bucket = bytes / BUCKET_BYTES;

	if (c->last[bucket])
		c->next[c->last[bucket] - 1] = index + 1;
	else
		c->first[bucket] = index + 1;
	c->last[bucket] = index + 1;
}

static bool is_of_kind(struct zram *zram, u32 index, u32 which)
{
	return (which & ZRAM_PP_HUGE && slot_flag(zram, index, ZRAM_HUGE)) ||
	       (which & ZRAM_PP_IDLE && slot_flag(zram, index, ZRAM_IDLE));
}

typedef bool (*wanted_fn)(struct zram *zram, u32 index, u32 which, size_t threshold);

/* Mark what is wanted, so that its use in the meantime can be seen. */
static void choose(struct zram *zram, struct chosen *c, wanted_fn wanted, u32 which, size_t threshold)
{
	for (u32 i = 0; i < zram->nr_slots; i++) {
		slot_lock(zram, i);
		if (holds_object(zram, i) && wanted(zram, i, which, threshold)) {
			slot_set_flag(zram, i, ZRAM_PP_SLOT);
			add_chosen(c, i, slot_size(zram, i));
		}
		slot_unlock(zram, i);
		cond_resched();
	}
}

/* The largest that is left; false if none is. */
static bool take_chosen(struct chosen *c, u32 *index)
{
	for (size_t bucket = NR_BUCKETS; bucket-- > 0;) {
		if (!c->first[bucket])
			continue;
		*index = c->first[bucket] - 1;
		c->first[bucket] = c->next[*index];
		return true;
	}
	return false;
}

/* Those that nobody came to are chosen no longer. */
static void release_rest(struct zram *zram, struct chosen *c)
{
	u32 index;

	while (take_chosen(c, &index)) {
		slot_lock(zram, index);
		slot_clear_flag(zram, index, ZRAM_PP_SLOT);
		slot_unlock(zram, index);
	}
}

/*
 * Do @one to each chosen slot, the largest first, with a page of memory. Its
 * answers: 1 done, 0 left alone, an error ends it. Returns how many were done, or -ENOMEM.
 */
static long for_chosen(struct zram *zram, wanted_fn wanted, u32 which, size_t threshold,
		       int (*one)(struct zram *zram, u32 index, void *page))
{
	struct chosen *c = create_chosen(zram);
	struct page *page = c ? alloc_page(GFP_KERNEL) : NULL;
	long done = 0;
	int status = 0;
	u32 index;

	if (!page) {
		if (c)
			destroy_chosen(c);
		return -ENOMEM;
	}
	choose(zram, c, wanted, which, threshold);
	while (status >= 0 && take_chosen(c, &index)) {
		status = one(zram, index, page_address(page));
		done += status > 0;
		cond_resched();
	}
	release_rest(zram, c);
	put_page(page);
	destroy_chosen(c);
	return done;
}

/* ---- writeback ---- */

static bool wanted_back(struct zram *zram, u32 index, u32 which, size_t threshold)
{
	(void)threshold;
	return is_of_kind(zram, index, which);
}

/* Still the page that was chosen: it is in the block now, and its object goes. The slot is locked. */
static void move_to_block(struct zram *zram, u32 index, u32 block)
{
	bool huge = slot_flag(zram, index, ZRAM_HUGE);
	struct zram_delta d = { .pages_stored = 1 };

	slot_free(zram, index);
	slot_set_flag(zram, index, ZRAM_WB);
	if (huge)
		slot_set_flag(zram, index, ZRAM_HUGE);
	zram->table[index].handle = block;
	zram_stats_add(zram, d);
}

static int write_back_one(struct zram *zram, u32 index, void *page)
{
	u32 block = zram_backing_take(zram);
	bool chosen;

	slot_lock(zram, index);
	chosen = slot_flag(zram, index, ZRAM_PP_SLOT);
	if (chosen && block)
		zram_read_object(zram, index, page);
	else
		slot_clear_flag(zram, index, ZRAM_PP_SLOT);
	slot_unlock(zram, index);
	if (!block)
		return -ENOSPC;
	if (chosen) {
		zram_backing_write(zram, block, page);
		slot_lock(zram, index);
		chosen = slot_flag(zram, index, ZRAM_PP_SLOT);
		if (chosen)
			move_to_block(zram, index, block);
		slot_unlock(zram, index);
	}
	if (!chosen)
		zram_backing_release(zram, block);
	return chosen;
}

long zram_writeback(struct zram *zram, u32 which)
{
	if (!zram->backing)
		return -ENODEV;
	return for_chosen(zram, wanted_back, which, 0, write_back_one);
}

/* ---- compressing anew ---- */

static bool wanted_anew(struct zram *zram, u32 index, u32 which, size_t threshold)
{
	return (!which || is_of_kind(zram, index, which)) && slot_size(zram, index) >= threshold &&
	       !slot_flag(zram, index, ZRAM_INCOMPRESSIBLE) && !slot_flag(zram, index, ZRAM_COMP_PRIORITY_BIT1);
}

/* The object takes the place of the old one. The slot is locked. */
static void replace_object(struct zram *zram, u32 index, unsigned long handle, const u8 *data, size_t len)
{
	struct zram_delta d = { .pages_stored = 1, .compr_data_size = (int)len };

	slot_free(zram, index);
	zram->table[index].handle = handle;
	slot_set_size(zram, index, (u32)len);
	slot_set_flag(zram, index, ZRAM_COMP_PRIORITY_BIT1);
	zram_stats_add(zram, d);
	hw_mute();
	zram_observer_stored_better(zram->observer, index, data, len);
	hw_unmute();
}

/* Worth it only in a smaller size class. The slot is locked throughout, as the kernel has it. */
static int recompress_locked(struct zram *zram, u32 index, void *page)
{
	unsigned long handle;
	const u8 *data;
	size_t len;

	if (!slot_flag(zram, index, ZRAM_PP_SLOT))
		return 0;
	slot_clear_flag(zram, index, ZRAM_PP_SLOT);
	zram_read_object(zram, index, page);
	hw_mute();
	data = zram_observer_better(zram->observer, index, &len);
	hw_unmute();
	hw_work(zram->work_compress, 1);
	if (!data || len >= zram->huge_class_size || zs_lookup_class_index(zram->mem_pool, (u32)len) >=
						     zs_lookup_class_index(zram->mem_pool, slot_size(zram, index))) {
		slot_set_flag(zram, index, ZRAM_INCOMPRESSIBLE);
		return 0;
	}
	handle = zs_malloc(zram->mem_pool, len, GFP_NOIO | __GFP_NOWARN | __GFP_HIGHMEM | __GFP_MOVABLE);
	if (IS_ERR_VALUE(handle))
		return (int)handle;
	zram_raise_max_used(zram);
	zs_obj_write(zram->mem_pool, handle, data, len);
	replace_object(zram, index, handle, data, len);
	return 1;
}

static int recompress_one(struct zram *zram, u32 index, void *page)
{
	int status;

	slot_lock(zram, index);
	status = recompress_locked(zram, index, page);
	slot_unlock(zram, index);
	return status;
}

long zram_recompress(struct zram *zram, u32 which, size_t threshold)
{
	if (!zram->better)
		return -EINVAL;
	return for_chosen(zram, wanted_anew, which, threshold, recompress_one);
}

void zram_use_better(struct zram *zram, const struct model_contents *better)
{
	zram->better = true;
	zram_observer_use_better(zram->observer, better);
}

/* ---- what is where ---- */

static bool is_allocated(struct zram *zram, u32 index)
{
	return zram->table[index].handle || slot_flag(zram, index, ZRAM_SAME);
}

static size_t state_line(struct zram *zram, u32 index, char *buf, size_t bytes)
{
	return scnprintf(buf, bytes, "%12lu %12lu.%06lu %c%c%c%c%c%c\n", (unsigned long)index, 0ul, 0ul,
			 slot_flag(zram, index, ZRAM_SAME) ? 's' : '.', slot_flag(zram, index, ZRAM_WB) ? 'w' : '.',
			 slot_flag(zram, index, ZRAM_HUGE) ? 'h' : '.', slot_flag(zram, index, ZRAM_IDLE) ? 'i' : '.',
			 slot_flag(zram, index, ZRAM_COMP_PRIORITY_BIT1) ? 'r' : '.',
			 slot_flag(zram, index, ZRAM_INCOMPRESSIBLE) ? 'n' : '.');
}

size_t zram_block_state(struct zram *zram, u32 *index, char *buf, size_t bytes)
{
	char line[64];
	size_t used = 0, len;

	for (; *index < zram->nr_slots; (*index)++) {
		len = 0;
		slot_lock(zram, *index);
		if (is_allocated(zram, *index))
			len = state_line(zram, *index, line, sizeof(line));
		slot_unlock(zram, *index);
		if (used + len >= bytes)
			break;
		for (size_t i = 0; i < len; i++)
			buf[used + i] = line[i];
		used += len;
	}
	if (bytes)
		buf[used] = 0;
	return used;
}
