/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exercise.c - a random user of a zsmalloc pool who remembers everything. */
#include <string.h>

#include "tests/host_kernel/host.h"
#include "tests/host_kernel/exercise.h"

#undef memcpy

#define MAX_OBJECTS	3000u

struct object {
	unsigned long handle;
	unsigned size;			/* bytes */
	unsigned tag;			/* decides its bytes */
};

struct user {
	struct zs_pool *pool;
	struct exercise_counts *counts;
	unsigned long long random;
	struct object objects[MAX_OBJECTS + 1];	/* the pinned one comes back */
	unsigned nr_objects, next_tag;
	bool growing, may_fail;
	struct page *held_page;		/* locked, with a reference */
	bool pin;
	struct object pinned;
	void *pinned_bytes;
	char pin_copy[PAGE_SIZE];
};

/* Below @limit. */
static unsigned draw(struct user *user, unsigned limit)
{
	user->random = user->random * 6364136223846793005ull + 1442695040888963407ull;
	return (user->random >> 33) % limit;
}

static unsigned char byte_of(unsigned tag, unsigned at)
{
	return (tag * 131 + at * 7 + at / 256) & 0xff;
}

static void fill(void *bytes, unsigned tag, unsigned size)
{
	for (unsigned at = 0; at < size; at++)
		((unsigned char *)bytes)[at] = byte_of(tag, at);
}

static void verify(const void *bytes, const struct object *object, unsigned size)
{
	for (unsigned at = 0; at < size; at++) {
		if (((const unsigned char *)bytes)[at] != byte_of(object->tag, at))
			hw_fault("object of %u bytes: byte %u is wrong", object->size, at);
	}
}

/* Small, middling, large and incompressible; few sizes, so that classes fill. */
static unsigned draw_size(struct user *user)
{
	switch (draw(user, 8)) {
	case 0:
		return 1 + draw(user, PAGE_SIZE);
	case 1:
		return PAGE_SIZE;
	case 2:
	case 3:
		return 40 + 100 * draw(user, 4);
	default:
		return PAGE_SIZE / 16 * (3 + draw(user, 10)) - 9;
	}
}

static void do_malloc(struct user *user)
{
	char bytes[PAGE_SIZE];
	struct object object = { .size = draw_size(user), .tag = user->next_tag++ };

	if (user->nr_objects >= MAX_OBJECTS)
		return;
	if (user->may_fail && !draw(user, 20))
		host_fail_alloc(draw(user, 10));
	object.handle = zs_malloc(user->pool, object.size, GFP_NOIO | __GFP_HIGHMEM | __GFP_MOVABLE);
	host_fail_alloc(-1);
	if (IS_ERR_VALUE(object.handle)) {
		if (object.handle != (unsigned long)-ENOMEM)
			hw_fault("zs_malloc() failed with %ld", (long)object.handle);
		user->counts->failed_mallocs++;
		return;
	}
	fill(bytes, object.tag, object.size);
	zs_obj_write(user->pool, object.handle, bytes, object.size);
	user->objects[user->nr_objects++] = object;
	user->counts->mallocs++;
	user->counts->most_objects = max(user->counts->most_objects, user->nr_objects);
}

static struct object *any_object(struct user *user)
{
	return user->nr_objects ? &user->objects[draw(user, user->nr_objects)] : NULL;
}

/* With the batch's memory failing now and then: the free must then be immediate. */
static void do_free(struct user *user)
{
	struct object *object = any_object(user);

	if (!object)
		return;
	if (user->may_fail && !draw(user, 10))
		host_fail_alloc(0);
	zs_free(user->pool, object->handle);
	host_fail_alloc(-1);
	*object = user->objects[--user->nr_objects];
	user->counts->frees++;
}

static void do_read(struct user *user)
{
	struct object *object = any_object(user);
	char local[PAGE_SIZE];
	unsigned len;
	char *bytes;

	if (!object)
		return;
	len = 1 + draw(user, object->size);
	bytes = zs_obj_read_begin(user->pool, object->handle, len, local);
	verify(bytes, object, len);
	if (bytes >= local && bytes < local + sizeof(local))
		user->counts->spanning_reads++;
	zs_obj_read_end(user->pool, object->handle, len, bytes);
}

/* A read-write mapping keeps what it does not touch; a write-only one is filled whole. */
static void do_map(struct user *user)
{
	struct object *object = any_object(user);
	enum zs_mapmode mode = (enum zs_mapmode)draw(user, 3);
	char *bytes;

	if (!object)
		return;
	bytes = zs_map_object(user->pool, object->handle, mode);
	if (mode != ZS_MM_WO)
		verify(bytes, object, object->size);
	if (mode == ZS_MM_WO)
		object->tag = user->next_tag++;
	if (mode != ZS_MM_RO)
		fill(bytes, object->tag, object->size);
	zs_unmap_object(user->pool, object->handle);
}

static void do_compact(struct user *user)
{
	unsigned long before = zs_pages_compacted(user->pool);
	unsigned long freed;

	host_set_contended(draw(user, 2));
	if (draw(user, 2)) {
		freed = zs_compact(user->pool);
	} else {
		freed = zs_shrinker_scan(user->pool, 128);
		freed = freed == SHRINK_STOP ? 0 : freed;
	}
	host_set_contended(false);
	if (zs_pages_compacted(user->pool) != before + freed)
		hw_fault("pages compacted are not those freed");
	user->counts->compacted_pages += freed;
}

/* A page of some object: that in which it starts. */
static struct page *any_page(struct user *user)
{
	struct object *object = any_object(user);

	if (!object)
		return NULL;
	return pfn_to_page(*(unsigned long *)object->handle >>
			   (BITS_PER_LONG - (52 - PAGE_SHIFT)));
}

/* What the MM core does: isolate, lock, a new page, unlock, drop its references. */
static void do_migrate(struct user *user)
{
	struct page *page = any_page(user), *newpage;
	int error;

	if (!page || !trylock_page(page))
		return;
	get_page(page);
	newpage = alloc_page(GFP_KERNEL);
	if (newpage) {
		trylock_page(newpage);
		error = zs_page_migrate(newpage, page);
		unlock_page(newpage);
		put_page(newpage);
		if (error)
			user->counts->refused_migrations++;
		else
			user->counts->migrated_pages++;
	}
	unlock_page(page);
	put_page(page);
}

static void drop_page(struct user *user)
{
	struct page *page = user->held_page;

	user->held_page = NULL;
	if (!page)
		return;
	/* A worker that waited for it has unlocked it for us. */
	if (PageLocked(page))
		unlock_page(page);
	put_page(page);
}

static void do_hold_page(struct user *user)
{
	struct page *page = any_page(user);

	drop_page(user);
	if (!page || !trylock_page(page))
		return;
	get_page(page);
	user->held_page = page;
}

static void unpin(struct user *user)
{
	if (!user->pin)
		return;
	user->pin = false;
	verify(user->pinned_bytes, &user->pinned, user->pinned.size);
	zs_obj_read_end(user->pool, user->pinned.handle, user->pinned.size, user->pinned_bytes);
	user->objects[user->nr_objects++] = user->pinned;
}

/* A pinned object leaves the table, so that nothing else happens to it meanwhile. */
static void do_pin(struct user *user)
{
	struct object *object = any_object(user);

	unpin(user);
	object = any_object(user);
	if (!object)
		return;
	user->pin = true;
	user->pinned = *object;
	*object = user->objects[--user->nr_objects];
	user->pinned_bytes = zs_obj_read_begin(user->pool, user->pinned.handle, user->pinned.size,
					       user->pin_copy);
}

static void do_check(struct user *user)
{
	drop_page(user);
	unpin(user);
	if (host_locks_held() || host_pages_locked())
		hw_fault("%ld locks and %ld pages locked between calls", host_locks_held(),
			 host_pages_locked());
	if (host_mute_depth())
		hw_fault("the machine was left muted");
	zs_check_pool(user->pool);
	user->counts->checks++;
}

/* Phases of growing and of shrinking, so that zspages both fill and empty. */
static void take_step(struct user *user)
{
	unsigned what = draw(user, 1000);

	if (!draw(user, 2000))
		user->growing = !user->growing;
	if (what < 400)
		user->growing ? do_malloc(user) : do_free(user);
	else if (what < 600)
		user->growing ? do_free(user) : do_malloc(user);
	else if (what < 700)
		do_read(user);
	else if (what < 800)
		do_map(user);
	else if (what < 900)
		do_migrate(user);
	else if (what < 930)
		do_hold_page(user);
	else if (what < 950)
		do_pin(user);
	else if (what < 954)
		do_compact(user);
	else if (what < 980)
		host_set_cpu(draw(user, hw_nr_cpus()));
	else if (what < 990)
		host_run_work();
	else
		do_check(user);
	if (host_gauge(GAUGE_PINNED_PAGES))
		user->counts->pinned_seen++;
}

static void free_all(struct user *user)
{
	do_check(user);
	while (user->nr_objects)
		do_free(user);
	host_run_work();
	do_check(user);
}

void exercise_pool(struct zs_pool *pool, unsigned steps, unsigned seed, bool may_fail,
		   struct exercise_counts *counts)
{
	static struct user user;

	memset(&user, 0, sizeof(user));
	memset(counts, 0, sizeof(*counts));
	user.pool = pool;
	user.counts = counts;
	user.random = seed;
	user.growing = true;
	user.may_fail = may_fail;
	while (steps--)
		take_step(&user);
	free_all(&user);
	host_set_cpu(0);
}
