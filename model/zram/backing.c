/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backing.c - the blocks of the device behind a zram. Block 0 stands for none and is never used. */
#include "model/zram/backing.h"

#include "model/kernel/kernel.h"
#include "model/zram/zram_internal.h"

struct zram_backing {
	const struct zram_backing_ops *ops;
	void *device;
	u32 nr_blocks;
	u32 *bitmap;			/* set: in use */
	atomic64_t count, reads, writes;
};

int zram_set_backing(struct zram *zram, u32 blocks, const struct zram_backing_ops *ops, void *device)
{
	struct zram_backing *b;

	if (zram->backing)
		return -EBUSY;
	b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	b->bitmap = vzalloc(blocks / 8 + 8);
	if (!b->bitmap) {
		kfree(b);
		return -ENOMEM;
	}
	b->ops = ops;
	b->device = device;
	b->nr_blocks = blocks;
	zram->backing = b;
	return 0;
}

void zram_backing_destroy(struct zram *zram)
{
	struct zram_backing *b = zram->backing;

	if (!b)
		return;
	if (atomic64_read(&b->count))
		hw_fault("%ld blocks of the device behind zram are still in use", (long)atomic64_read(&b->count));
	vfree(b->bitmap);
	kfree(b);
	zram->backing = NULL;
}

/* As the kernel does: look for a clear bit, and again if somebody was faster. */
u32 zram_backing_take(struct zram *zram)
{
	struct zram_backing *b = zram->backing;

	for (u32 block = 1; block <= b->nr_blocks; block++) {
		if (test_bit32((int)(block % 32), &b->bitmap[block / 32]))
			continue;
		if (test_and_set_bit32_lock((int)(block % 32), &b->bitmap[block / 32])) {
			block = 0;
			continue;
		}
		atomic64_inc(&b->count);
		return block;
	}
	return 0;
}

void zram_backing_release(struct zram *zram, u32 block)
{
	clear_bit32_unlock((int)(block % 32), &zram->backing->bitmap[block / 32]);
	atomic64_add(-1, &zram->backing->count);
}

void zram_backing_write(struct zram *zram, u32 block, const void *page)
{
	zram->backing->ops->write(zram->backing->device, block, page);
	atomic64_inc(&zram->backing->writes);
}

void zram_backing_read(struct zram *zram, u32 block, void *page)
{
	zram->backing->ops->read(zram->backing->device, block, page);
	atomic64_inc(&zram->backing->reads);
}

size_t zram_bd_stat(struct zram *zram, char *buf, size_t bytes)
{
	struct zram_backing *b = zram->backing;
	unsigned blocks = (unsigned)(PAGE_SIZE >> 12);

	return scnprintf(buf, bytes, "%8llu %8llu %8llu\n",
			 b ? (unsigned long long)atomic64_read(&b->count) * blocks : 0ull,
			 b ? (unsigned long long)atomic64_read(&b->reads) * blocks : 0ull,
			 b ? (unsigned long long)atomic64_read(&b->writes) * blocks : 0ull);
}
