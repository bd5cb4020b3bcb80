/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_tree.c - a kernel tree's drivers/block/zram/zram_drv.c, as it is, in
 * place of the project's own zram: model/zram/zram.h made from its functions.
 *
 * The device is used as a kernel uses it: its init function and zram_add()
 * make it, the file "disksize" sets it up, requests go through its block
 * device operations, and swap tells it of free slots in the same way. So what
 * differs between versions stays inside the tree's file. Everybody else's
 * struct zram is the struct block_device here: that is what swap has in hand
 * when it calls, and not a load more.
 */
#include "model/kshim/tree_names.h"

#include <linux/blkdev.h>
#include <linux/hlist.h>
#include <linux/rwsem.h>
#include <linux/wait_bit.h>
#include <linux/zsmalloc.h>
#include "model/kshim/tree.h"

/* The allocator has to be initialised first; who is charged for the memory is nobody's business here. */
#undef zs_create_pool
#define zs_create_pool(name, ...) kshim_create_pool(name)

/* The tree's file says what its messages begin with. */
#undef pr_fmt

/* The only spinlocks of the file are those of slots; reports call them so whatever their form. */
#define SLOT_LOCK_NAME		"zram slot"
#undef spin_lock_init
#define spin_lock_init(lock)	spin_lock_init_named(lock, SLOT_LOCK_NAME)

#ifndef CONFIG_ZRAM_DEF_COMP
#define CONFIG_ZRAM_DEF_COMP	"lzo-rle"
#endif

/* Where the text begins is an argument of later versions; the declaration must be seen before the macro. */
#include "zcomp.h"
static ssize_t comp_available_show(const char *name, char *buf, ssize_t at);
#define __comp_first(first, ...) first
#define zcomp_available_show(name, buf, ...) \
	comp_available_show(name, buf, __comp_first(__VA_ARGS__ __VA_OPT__(,) 0))

#define zram_slot_free_notify	tree_slot_free_notify

#include TREE_ZRAM_DRV_C

#undef zram_slot_free_notify

#include "model/kshim/zram_comp.h"
#include "model/kshim/zram_oracle.h"
#include "model/zram/zram.h"

static struct block_device *bdev_of(struct zram *device)
{
	return (struct block_device *)device;
}

static struct zram *tree_of(struct zram *device)
{
	return bdev_of(device)->bd_disk->private_data;
}

/* ---- files of the device ---- */

static struct device_attribute *find_file(struct gendisk *disk, const char *name)
{
	struct attribute *attr = kshim_attr_find(disk->dev.groups, name);

	if (!attr)
		hw_fault("the tree's zram has no file %s", name);
	return container_of(attr, struct device_attribute, attr);
}

static void store_number(struct gendisk *disk, const char *name, u64 value)
{
	struct device_attribute *file = find_file(disk, name);
	char text[24];
	size_t len = hw_format(text, sizeof(text), "%llu", (unsigned long long)value);

	if (file->store(&disk->dev, file, text, len) != (ssize_t)len)
		hw_fault("the tree's zram does not take %s for %s", text, name);
}

/* A file may write up to a page, whatever the caller has room for. */
static size_t show_file(struct zram *device, const char *name, char *buf, size_t bytes)
{
	static char text[PAGE_SIZE];
	struct gendisk *disk = bdev_of(device)->bd_disk;
	struct device_attribute *file = find_file(disk, name);

	if (file->show(&disk->dev, file, text) < 0)
		hw_fault("the tree's zram does not show %s", name);
	return hw_format(buf, bytes, "%s", text);
}

size_t zram_mm_stat(struct zram *device, char *buf, size_t bytes)
{
	return show_file(device, "mm_stat", buf, bytes);
}

size_t zram_io_stat(struct zram *device, char *buf, size_t bytes)
{
	return show_file(device, "io_stat", buf, bytes);
}

/* ---- the device ---- */

/* As a module that is loaded with num_devices=0: devices are added when they are wanted. */
static void init_driver_once(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	kshim_bit_lock_class = hw_lock_class(SLOT_LOCK_NAME);
	num_devices = 0;
	if (kshim_module_init())
		hw_fault("the init function of the tree's zram failed");
}

static struct zram *add_device(void)
{
	int id;

	mutex_lock(&zram_index_mutex);
	id = zram_add();
	mutex_unlock(&zram_index_mutex);
	if (id < 0)
		hw_fault("zram_add() of the tree failed: %d", id);
	return idr_find(&zram_index_idr, id);
}

static void *line_of(void *field)
{
	return (void *)((unsigned long)field & ~(HW_LINE_SIZE - 1ul));
}

static void name_lines(struct zram *zram)
{
	size_t table_bytes = (zram->disksize >> PAGE_SHIFT) * sizeof(*zram->table);

	hw_name_lines(zram->table, PAGE_ALIGN(table_bytes), "zram table");
#if defined(ZRAM_FIELD_zram_stats_compr_data_size) && defined(ZRAM_FIELD_zram_stats_pages_stored)
	hw_name_lines(line_of(&zram->stats.compr_data_size), HW_LINE_SIZE, "zram stats A");
	hw_name_lines(line_of(&zram->stats.pages_stored), HW_LINE_SIZE, "zram stats B");
#endif
}

/* Chain size and the form of the statistics are what the tree was compiled to have. */
struct zram *zram_create(u64 disksize, const struct model_variant *variant, unsigned chain_size)
{
	struct zram *zram;

	(void)chain_size;
	if (variant->zram_stats != ZRAM_STATS_SHARED_ATOMIC)
		hw_fault("this module has the tree's zram: it counts as the tree does, not as the variant says");
	init_driver_once();
	zram = add_device();
	store_number(zram->disk, "disksize", disksize);
	kshim_oracle_create((u32)(disksize >> PAGE_SHIFT), zram->mem_pool);
	name_lines(zram);
	return (struct zram *)zram->disk->part0;
}

void zram_destroy(struct zram *device)
{
	struct zram *zram = tree_of(device);
	int id = zram->disk->first_minor;

	mutex_lock(&zram_index_mutex);
	if (zram_remove(zram))
		hw_fault("zram_remove() of the tree failed");
	idr_remove(&zram_index_idr, id);
	mutex_unlock(&zram_index_mutex);
	kshim_oracle_destroy();
}

struct zs_pool *zram_pool(struct zram *device)
{
	return tree_of(device)->mem_pool;
}

/* ---- requests ---- */

/* One page, from or to @page unless it is NULL. Returns 0 or -EIO. */
static int submit(struct zram *device, enum req_op op, u32 index, const void *page)
{
	struct block_device *bdev = bdev_of(device);
	struct bio_vec bv = { .bv_len = PAGE_SIZE };
	struct bio bio = {
		.bi_bdev = bdev, .bi_opf = op, .bi_io_vec = &bv,
		.bi_iter = { .bi_sector = (sector_t)index << SECTORS_PER_PAGE_SHIFT, .bi_size = PAGE_SIZE },
	};

	if (page) {
		BUG_ON(offset_in_page(page));
		bv.bv_page = virt_to_page(page);
	}
	bdev->bd_disk->fops->submit_bio(&bio);
	BUG_ON(!bio.bi_ended);
	return bio.bi_status ? -EIO : 0;
}

int zram_write(struct zram *device, u32 index, const void *page)
{
	if (submit(device, REQ_OP_WRITE, index, page))
		return -ENOMEM;
	hw_mute();
	kshim_oracle_written(index, page);
	hw_unmute();
	return 0;
}

/* Flags and size of a slot; later the word that holds them has the lock's bit too, and a name for each use. */
#ifdef ZRAM_FIELD_zram_table_entry___lock
#define SLOT_WORD attr.flags
#else
#define SLOT_WORD flags
#endif

static bool has_flag(struct zram *zram, u32 index, enum zram_pageflags flag)
{
	return zram->table[index].SLOT_WORD & BIT(flag);
}

static bool slot_in_use(struct zram *zram, u32 index)
{
	return zram->table[index].handle || has_flag(zram, index, ZRAM_SAME);
}

int zram_read(struct zram *device, u32 index, void *page)
{
	int error = submit(device, REQ_OP_READ, index, page);

	BUG_ON(error);
	hw_mute();
	if (slot_in_use(tree_of(device), index))
		kshim_oracle_read(index, page);
	hw_unmute();
	return 0;
}

void zram_discard(struct zram *device, u32 index)
{
	submit(device, REQ_OP_DISCARD, index, NULL);
}

void zram_slot_free_notify(void *device, u32 index)
{
	tree_slot_free_notify(device, index);
}

/* A tree's zram compresses by itself. Scenarios that ask for this are refused before. */
void zram_use_contents(struct zram *device, const struct model_contents *contents)
{
	(void)device;
	(void)contents;
	hw_fault("a tree's zram cannot be told what pages become");
}

unsigned long zram_slot_handle(struct zram *device, u32 index)
{
	return tree_of(device)->table[index].handle;
}

/* ---- contents and counters ---- */

/* What the slots hold, in the order of mm_stat. */
struct slot_sums {
	u64 pages, bytes, same, huge;
};

static void check_slot(struct zram *zram, u32 index, struct slot_sums *sums)
{
	unsigned long handle = zram->table[index].handle;
	size_t len = zram->table[index].SLOT_WORD & (BIT(ZRAM_FLAG_SHIFT) - 1);

	if (!slot_in_use(zram, index))
		return;
	sums->pages++;
	if (has_flag(zram, index, ZRAM_SAME)) {
		kshim_oracle_check_same(index, handle);
		sums->same++;
		return;
	}
	kshim_oracle_check_object(index, handle, len);
	sums->bytes += len;
	sums->huge += has_flag(zram, index, ZRAM_HUGE);
}

/* The numbers of mm_stat: whatever form the counters have, this is what they are for. */
static void read_mm_stat(struct zram *device, struct slot_sums *sums)
{
	char text[192], *at = text;
	u64 column[8];

	zram_mm_stat(device, text, sizeof(text));
	for (unsigned i = 0; i < ARRAY_SIZE(column); i++) {
		while (*at == ' ')
			at++;
		column[i] = memparse(at, &at);
	}
	*sums = (struct slot_sums){ column[0] >> PAGE_SHIFT, column[1], column[5], column[7] };
}

void zram_check_contents(struct zram *device)
{
	struct slot_sums held = { 0 }, counted;
	struct zram *zram = tree_of(device);

	for (u32 i = 0; i < zram->disksize >> PAGE_SHIFT; i++)
		check_slot(zram, i, &held);
	read_mm_stat(device, &counted);
	if (held.pages != counted.pages || held.bytes != counted.bytes || held.same != counted.same ||
	    held.huge != counted.huge)
		hw_fault("the slots hold %llu pages, %llu bytes, %llu same, %llu huge; the counters say otherwise",
			 (unsigned long long)held.pages, (unsigned long long)held.bytes,
			 (unsigned long long)held.same, (unsigned long long)held.huge);
}
