/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observer.h - functions that are not part of the simulated software.
 *
 * What lies between hw_mute() and hw_unmute() is paid as a work item, so its
 * loads, stores and branches need not be reported one by one. An __observer
 * function is compiled without the machine's instrumentation: it is as fast as
 * the host can run it. It must only be called while muted (or in a test), and
 * what it calls must be __observer too.
 */
#ifndef ZRAM_OBSERVER_H
#define ZRAM_OBSERVER_H

#include "model/kernel/types.h"

#if defined(__clang__)
#define __observer __attribute__((__noinline__, disable_sanitizer_instrumentation, \
				  no_sanitize("thread", "coverage")))
#define __observer_inline static inline __attribute__((always_inline, \
				  disable_sanitizer_instrumentation, no_sanitize("thread", "coverage")))
#else
#define __observer __attribute__((__noinline__, no_sanitize("thread"), no_sanitize_coverage))
#define __observer_inline static inline __attribute__((always_inline, no_sanitize("thread"), \
						       no_sanitize_coverage))
#endif

struct model_contents;
struct zram_observer;

/*
 * zram_observer.c: compression outside the machine's view, checksums of what
 * is stored. All of these run muted.
 */
struct zram_observer *zram_observer_create(u32 nr_slots);
/* Compressed form of @page (from a memory of pages seen, or made now) and its length. */
const u8 *zram_observer_compress(struct zram_observer *o, const void *page, size_t *len);
/* From now on pages of @contents (not NULL; it stays) are compressed as it says, instead of with lzo-rle. */
void zram_observer_use(struct zram_observer *o, const struct model_contents *contents);
/* The page that became the @len bytes at @data of slot @index, which is checked before, into @page. A fault if it does not. */
void zram_observer_decompress(struct zram_observer *o, u32 index, const void *data, size_t len, void *page);
/* @better has the same pages, compressed by a better algorithm. */
void zram_observer_use_better(struct zram_observer *o, const struct model_contents *better);
/* What the page of slot @index becomes by it, and the length; NULL: it is no page of the contents. */
const u8 *zram_observer_better(struct zram_observer *o, u32 index, size_t *len);
/* As zram_observer_stored() below, when the same page was compressed anew. */
void zram_observer_stored_better(struct zram_observer *o, u32 index, const void *data, size_t len);
/* What observer_create() made. */
void zram_observer_destroy(struct zram_observer *o);
/* Slot @index now holds the @len bytes at @data: keep their checksum, or compare with it. */
void zram_observer_stored(struct zram_observer *o, u32 index, const void *data, size_t len);
void zram_observer_check(struct zram_observer *o, u32 index, const void *data, size_t len);

#endif
