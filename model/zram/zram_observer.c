/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_observer.c - the compressor's work and the contents oracle, outside
 * the machine's view.
 *
 * A page that was compressed before need not be compressed again by the host:
 * a small memory of pages, compared byte by byte, returns the same stream.
 */
#include "model/zram/lzorle.h"
#include "model/zram/observer.h"
#include "model/zram/zram_internal.h"

#define SEEN_PAGES 32

struct seen_page {
	u64 page[PAGE_SIZE / 8];
	u8 data[LZO_WORST(PAGE_SIZE)];
	u32 len;			/* 0: unused */
};

struct zram_observer {
	struct lzo_workspace ws;
	u32 last, next;
	const struct model_contents *contents, *better;
	u64 compressed;			/* page of contents that was compressed last, + 1; 0: another page */
	u64 *page_of;			/* by slot: the same of what it holds */
	u32 nr_slots;
	struct seen_page seen[SEEN_PAGES];
	u64 sum[];			/* by slot */
};

struct zram_observer *zram_observer_create(u32 nr_slots)
{
	struct zram_observer *o = vzalloc(sizeof(struct zram_observer) + nr_slots * sizeof(u64));

	if (o)
		o->nr_slots = nr_slots;
	return o;
}

void zram_observer_destroy(struct zram_observer *o)
{
	if (o->page_of)
		vfree(o->page_of);
	vfree(o);
}

void zram_observer_use(struct zram_observer *o, const struct model_contents *contents)
{
	o->contents = contents;
	o->page_of = vzalloc(o->nr_slots * sizeof(u64));
	BUG_ON(!o->page_of);
}

void zram_observer_use_better(struct zram_observer *o, const struct model_contents *better)
{
	o->better = better;
}

__observer const u8 *zram_observer_better(struct zram_observer *o, u32 index, size_t *len)
{
	u64 page = o->contents ? o->page_of[index] : 0;

	if (!page || !o->better || page > o->better->nr)
		return NULL;
	*len = o->better->len[page - 1];
	return o->better->data[page - 1];
}

/* Which page of the contents @page is, + 1; 0: none. */
static __observer u64 page_of_contents(const struct zram_observer *o, const void *page)
{
	u64 offset = o->contents ? (u64)((const u8 *)page - o->contents->pages) : 0;

	return o->contents && offset < o->contents->nr * PAGE_SIZE ? offset / PAGE_SIZE + 1 : 0;
}

typedef u64 page_words __attribute__((vector_size(64), aligned(8), may_alias));

static __observer bool same_page(const struct seen_page *s, const u64 *page)
{
	const page_words *a = (const page_words *)s->page, *b = (const page_words *)page;
	page_words differ = { 0 };

	if (!s->len)
		return false;
	for (size_t i = 0; i < PAGE_SIZE / sizeof(*a); i++) {
		differ |= a[i] ^ b[i];
		/* another page of the program differs early: look before going on */
		if (i % 16 == 15 && (differ[0] | differ[1] | differ[2] | differ[3] | differ[4] | differ[5] | differ[6] | differ[7]))
			return false;
	}
	return true;
}

static __observer struct seen_page *find_seen(struct zram_observer *o, const u64 *page)
{
	for (u32 i = 1; i <= SEEN_PAGES; i++) {
		u32 at = (o->last + i) % SEEN_PAGES;

		if (same_page(&o->seen[at], page)) {
			o->last = at;
			return &o->seen[at];
		}
	}
	return NULL;
}

__observer const u8 *zram_observer_compress(struct zram_observer *o, const void *page, size_t *len)
{
	struct seen_page *s;

	o->compressed = page_of_contents(o, page);
	if (o->compressed) {
		*len = o->contents->len[o->compressed - 1];
		return o->contents->data[o->compressed - 1];
	}
	s = find_seen(o, page);
	if (!s) {
		const u64 *from = page;

		s = &o->seen[o->next];
		o->last = o->next;
		o->next = (o->next + 1) % SEEN_PAGES;
		for (size_t i = 0; i < PAGE_SIZE / 8; i++)
			s->page[i] = from[i];
		s->len = (u32)lzo_compress(LZO_RLE, page, PAGE_SIZE, s->data, &o->ws);
	}
	*len = s->len;
	return s->data;
}

__observer_inline u64 mix(u64 sum, u64 word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
	return sum ^ sum >> 32;
}

/* Four sums side by side: a chain of multiplications would be slow. */
static __observer u64 checksum(const u8 *data, size_t len)
{
	u64 sum[4] = { len, 1, 2, 3 }, word[4];
	size_t i;

	for (i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
		__builtin_memcpy(word, data + i, sizeof(word));
		for (size_t k = 0; k < 4; k++)
			sum[k] = mix(sum[k], word[k]);
	}
	for (; i < len; i++)
		sum[i % 4] = mix(sum[i % 4], data[i]);
	return mix(mix(sum[0], sum[1]), mix(sum[2], sum[3]));
}

__observer void zram_observer_stored(struct zram_observer *o, u32 index, const void *data, size_t len)
{
	o->sum[index] = checksum(data, len);
	if (o->contents)
		o->page_of[index] = o->compressed;
}

__observer void zram_observer_check(struct zram_observer *o, u32 index, const void *data, size_t len)
{
	if (o->sum[index] != checksum(data, len))
		hw_fault("slot %u does not hold what was written: a byte of its object changed", index);
}

__observer void zram_observer_decompress(struct zram_observer *o, u32 index, const void *data, size_t len, void *page)
{
	zram_observer_check(o, index, data, len);
	if (o->contents && o->page_of[index])
		__builtin_memcpy(page, o->contents->pages + (o->page_of[index] - 1) * PAGE_SIZE, PAGE_SIZE);
	else if (lzo_decompress(data, len, page, PAGE_SIZE) != (long)PAGE_SIZE)
		hw_fault("slot %u does not decompress to a page", index);
}

__observer void zram_observer_stored_better(struct zram_observer *o, u32 index, const void *data, size_t len)
{
	o->sum[index] = checksum(data, len);
}
