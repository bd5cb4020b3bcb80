/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blkdev.h - disks and their operations. A disk exists to be found and to
 * carry its driver's operations and files; there is no queue behind it. The
 * fields that the path of a freed slot reads are in the kernel's order.
 */
#ifndef KSHIM_LINUX_BLKDEV_H
#define KSHIM_LINUX_BLKDEV_H

#include <linux/align.h>
#include <linux/atomic/atomic-long.h>
#include <linux/bio.h>
#include <linux/bit_spinlock.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/spinlock.h>
#include <linux/sprintf.h>
#include <linux/string_helpers.h>

#define ENOTSUPP	524		/* known to drivers only */

typedef unsigned int fmode_t;
typedef unsigned int blk_mode_t;

struct queue_limits {
	unsigned int logical_block_size, physical_block_size, io_min, io_opt, features;
	unsigned int max_hw_discard_sectors, max_write_zeroes_sectors, discard_granularity;
};

struct request_queue {
	struct queue_limits limits;
};

struct gendisk;

struct block_device {
	sector_t bd_start_sect, bd_nr_sectors;
	struct gendisk *bd_disk;
};

/* open() takes a disk or a block device, depending on the version; it is never called. */
struct block_device_operations {
	void (*submit_bio)(struct bio *bio);
	int (*open)();
	int (*rw_page)(struct block_device *bdev, sector_t sector, struct page *page, enum req_op op);
	void (*swap_slot_free_notify)(struct block_device *bdev, unsigned long index);
	void *owner;
};

#define DISK_NAME_LEN 32

struct gendisk {
	int major, first_minor, minors;
	char disk_name[DISK_NAME_LEN];
	struct block_device *part0;
	const struct block_device_operations *fops;
	struct request_queue *queue;
	void *private_data;
	int flags;
	struct mutex open_mutex;
	struct device dev;
	struct block_device kshim_part0;
	struct request_queue kshim_queue;
};

#define dev_to_disk(device)	container_of(device, struct gendisk, dev)
#define disk_to_dev(disk)	(&(disk)->dev)

#define GENHD_FL_NO_PART	1
#define BLK_FEAT_STABLE_WRITES	1u
#define BLK_FEAT_SYNCHRONOUS	2u

static inline struct gendisk *kshim_alloc_disk(void)
{
	struct gendisk *disk = kzalloc(sizeof(*disk), GFP_KERNEL);

	BUG_ON(!disk);
	disk->part0 = &disk->kshim_part0;
	disk->part0->bd_disk = disk;
	disk->queue = &disk->kshim_queue;
	return disk;
}

/* With the limits as first argument, or without. */
#define blk_alloc_disk(...)	((void)(__VA_ARGS__), kshim_alloc_disk())
#define put_disk(disk)		kfree(disk)
#define del_gendisk(disk)	do { (disk)->dev.groups = NULL; } while (0)

static inline int device_add_disk(struct device *parent, struct gendisk *disk,
				  const struct attribute_group **groups)
{
	(void)parent;
	disk->dev.groups = groups;
	return 0;
}

#define register_blkdev(major, name)	((void)(major), (void)(name), 252)
#define unregister_blkdev(major, name)	do { (void)(major); } while (0)

/* Nobody has a disk open when it is set up or goes. */
#define disk_openers(disk)		((void)(disk), 0)
#define sync_blockdev(bdev)		do { (void)(bdev); } while (0)
#define set_capacity(disk, sectors)	do { (disk)->part0->bd_nr_sectors = (sectors); } while (0)
#define set_capacity_and_notify(disk, sectors) set_capacity(disk, sectors)
#define part_stat_set_all(bdev, value)	do { (void)(bdev); } while (0)

/* ---- a version that sets limits one by one ---- */

#define blk_queue_flag_set(flag, queue)		do { (void)(queue); } while (0)
#define blk_queue_flag_clear(flag, queue)	do { (void)(queue); } while (0)
#define blk_queue_physical_block_size(q, bytes)	do { (q)->limits.physical_block_size = (bytes); } while (0)
#define blk_queue_logical_block_size(q, bytes)	do { (q)->limits.logical_block_size = (bytes); } while (0)
#define blk_queue_io_min(q, bytes)		do { (q)->limits.io_min = (bytes); } while (0)
#define blk_queue_io_opt(q, bytes)		do { (q)->limits.io_opt = (bytes); } while (0)
#define blk_queue_max_discard_sectors(q, n)	do { (q)->limits.max_hw_discard_sectors = (n); } while (0)
#define blk_queue_max_write_zeroes_sectors(q, n) do { (q)->limits.max_write_zeroes_sectors = (n); } while (0)

/* ---- a version whose swap hands over one page without a request: requests are used throughout ---- */

static inline void kshim_no_rw_page(void)
{
	hw_fault("rw_page() is not part of the simulated kernel");
}

#define jiffies					0ul
#define PageTransHuge(page)			((void)(page), false)
#define bdev_start_io_acct(bdev, sectors, op, time) (kshim_no_rw_page(), 0ul)
#define bdev_end_io_acct(bdev, op, start)	do { (void)(start); } while (0)
#define page_endio(page, is_write, error)	kshim_no_rw_page()

#endif
