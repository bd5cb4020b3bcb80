/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a tree's zram stands on: the block layer, the files and the small
 * helpers of model/kshim/include, on the host. No kernel tree is needed.
 */
#include <criterion/criterion.h>

#include "tests/host_kernel/host.h"

#include <linux/blkdev.h>
#include <linux/hlist.h>
#include <linux/idr.h>
#include <linux/rwsem.h>
#include <linux/u64_stats_sync.h>

static void boot(void)
{
	host_boot(256, 2, 1);
}

TestSuite(kshim_block, .timeout = 30, .init = boot);

/* A sysfs file ends in a line feed or not; nothing else may follow the number, and it must fit. */
Test(kshim_block, numbers_are_read_whole_or_refused)
{
	unsigned long long wide = 7;
	unsigned short narrow = 7;
	int with_sign = 7;

	cr_assert_eq(kstrtoull("18446744073709551615", 10, &wide), 0);
	cr_assert_eq(wide, ~0ull);
	cr_assert_eq(kstrtoull("18446744073709551616", 10, &wide), -EINVAL);
	cr_assert_eq(kstrtoull("", 10, &wide), -EINVAL);
	cr_assert_eq(kstrtoull("12x", 10, &wide), -EINVAL);
	cr_assert_eq(kstrtoull("12\n3", 10, &wide), -EINVAL);
	cr_assert_eq(kstrtou16("65535\n", 10, &narrow), 0);
	cr_assert_eq(narrow, 65535);
	cr_assert_eq(kstrtou16("65536", 10, &narrow), -EINVAL);
	cr_assert_eq(kstrtoint("2147483648", 10, &with_sign), -EINVAL);
}

/* memparse() stops where the number does and says where: a caller tells "nothing" from 0 by that. */
Test(kshim_block, sizes_have_units)
{
	const char *text = "3Mx", *nothing = "x";
	char *end;

	cr_assert_eq(memparse(text, &end), 3ull << 20);
	cr_assert_eq(end, text + 2);
	cr_assert_eq(memparse("2G", NULL), 2ull << 30);
	cr_assert_eq(memparse("5K", NULL), 5ull << 10);
	cr_assert_eq(memparse("4096", NULL), 4096ull);
	cr_assert_eq(memparse(nothing, &end), 0ull);
	cr_assert_eq(end, nothing);
}

Test(kshim_block, texts)
{
	char to[5];

	cr_assert(sysfs_streq("all\n", "all"));
	cr_assert(sysfs_streq("all", "all\n"));
	cr_assert_not(sysfs_streq("all", "allx"));
	cr_assert_not(sysfs_streq("al", "all"));
	cr_assert_eq(strscpy(to, "abcd", sizeof(to)), 4);
	cr_assert_eq(strscpy(to, "abcde", sizeof(to)), -E2BIG);
	cr_assert(sysfs_streq(to, "abcd"), "cut off, and still a text");
}

static int count_and_stop(int id, void *ptr, void *data)
{
	(void)ptr;
	++*(int *)data;
	return id == 1 ? -EBUSY : 0;
}

/* Numbers are the lowest free ones, so a device that goes makes room for the next. */
Test(kshim_block, idr_reuses_numbers)
{
	static DEFINE_IDR(idr);
	int things[KSHIM_IDR_ENTRIES], calls = 0;

	for (int i = 0; i < KSHIM_IDR_ENTRIES; i++)
		cr_assert_eq(idr_alloc(&idr, &things[i], 0, 0, GFP_KERNEL), i);
	cr_assert_eq(idr_alloc(&idr, things, 0, 0, GFP_KERNEL), -ENOSPC);
	cr_assert_eq(idr_for_each(&idr, count_and_stop, &calls), -EBUSY);
	cr_assert_eq(calls, 2, "the walk ends where the function says so");
	idr_remove(&idr, 3);
	cr_assert_null(idr_find(&idr, 3));
	cr_assert_null(idr_find(&idr, -1));
	cr_assert_eq(idr_alloc(&idr, &things[5], 0, 0, GFP_KERNEL), 3);
	cr_assert_eq(idr_find(&idr, 3), &things[5]);
}

/* Two pieces of 4096 and 8192 bytes, walked in steps that end inside pieces and at their ends. */
Test(kshim_block, a_request_is_walked_piece_by_piece)
{
	struct bio_vec pieces[2] = { { .bv_len = 4096, .bv_offset = 0 }, { .bv_len = 8192, .bv_offset = 512 } };
	struct bio bio = { .bi_io_vec = pieces, .bi_iter = { .bi_sector = 8, .bi_size = 12288 } };
	struct bvec_iter iter = bio.bi_iter;
	unsigned steps = 0, bytes = 0;
	struct bio_vec bv;

	bio_advance_iter_single(&bio, &iter, 1024);
	bv = bio_iter_iovec(&bio, iter);
	cr_assert_eq(bv.bv_offset, 1024u);
	cr_assert_eq(bv.bv_len, 3072u);
	cr_assert_eq(iter.bi_sector, 10u);
	bio_advance_iter_single(&bio, &iter, 3072);
	bv = bio_iter_iovec(&bio, iter);
	cr_assert_eq(bv.bv_offset, 512u, "the second piece from its start");
	cr_assert_eq(bv.bv_len, 8192u);
	bio_for_each_segment(bv, &bio, iter) {
		steps++;
		bytes += bv.bv_len;
	}
	cr_assert_eq(steps, 2u);
	cr_assert_eq(bytes, 12288u);
}

/* A request that ends twice would be freed twice in a kernel. */
Test(kshim_block, a_request_ends_once)
{
	struct bio bio = { .bi_status = BLK_STS_OK };

	bio_io_error(&bio);
	cr_assert_eq(bio.bi_status, BLK_STS_IOERR);
	cr_assert(host_expect_fault(bio_endio(&bio)));
}

static bool early_return(struct rw_semaphore *sem, struct mutex *mutex, bool leave)
{
	guard(rwsem_write)(sem);
	guard(mutex)(mutex);
	if (leave)
		return mutex_is_locked(mutex) && atomic64_read(&sem->count) == -1;
	return false;
}

/* Guards let go on each way out of their scope, the last taken first. */
Test(kshim_block, guards_let_go_at_the_end_of_their_scope)
{
	static DEFINE_MUTEX(mutex);
	struct rw_semaphore sem;
	unsigned rounds = 0;

	init_rwsem(&sem);
	cr_assert(early_return(&sem, &mutex, true));
	cr_assert_not(mutex_is_locked(&mutex));
	cr_assert_eq(atomic64_read(&sem.count), 0);
	scoped_guard(rwsem_read, &sem) {
		rounds++;
		cr_assert_eq(atomic64_read(&sem.count), 1);
	}
	cr_assert_eq(rounds, 1u);
	cr_assert_eq(atomic64_read(&sem.count), 0);
}

/* Nobody may have to wait for the lock around set-up: that would be a run which the shim gets wrong. */
Test(kshim_block, a_rwsem_that_is_taken_is_a_fault)
{
	struct rw_semaphore sem;

	init_rwsem(&sem);
	down_read(&sem);
	down_read(&sem);
	cr_assert(host_expect_fault(down_write(&sem)));
	up_read(&sem);
	up_read(&sem);
	down_write(&sem);
	cr_assert(host_expect_fault(down_read(&sem)));
}

/* A kernel without lock debugging has 40 bytes here, and zram's counters behind them. */
Test(kshim_block, a_rwsem_has_the_kernels_size)
{
	cr_assert_eq(sizeof(struct rw_semaphore), 40u);
}

static ssize_t first_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	(void)dev;
	(void)attr;
	return sysfs_emit(buf, "%s", "one");
}

static ssize_t second_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t len)
{
	(void)dev;
	(void)attr;
	(void)buf;
	return (ssize_t)len;
}

static DEVICE_ATTR_RO(first);
static DEVICE_ATTR_WO(second);
static struct attribute *test_attrs[] = { &dev_attr_first.attr, &dev_attr_second.attr, NULL };
ATTRIBUTE_GROUPS(test);

/* Files are found by name on a disk, and the disk from its device, as drivers do. */
Test(kshim_block, files_of_a_disk_are_found_by_name)
{
	struct gendisk *disk = blk_alloc_disk(NUMA_NO_NODE);
	struct device_attribute *file;
	char text[PAGE_SIZE];

	cr_assert_eq(device_add_disk(NULL, disk, test_groups), 0);
	cr_assert_eq(dev_to_disk(disk_to_dev(disk)), disk);
	cr_assert_eq(disk->part0->bd_disk, disk);
	cr_assert_null(kshim_attr_find(disk->dev.groups, "third"));
	file = container_of(kshim_attr_find(disk->dev.groups, "first"), struct device_attribute, attr);
	cr_assert_eq(file, &dev_attr_first);
	cr_assert_eq(file->show(&disk->dev, file, text), 3);
	cr_assert(sysfs_streq(text, "one"));
	cr_assert_null(file->store);
	set_capacity(disk, 24);
	cr_assert_eq(disk->part0->bd_nr_sectors, 24u);
	put_disk(disk);
	cr_assert_eq(host_slab_in_use(), 0ul);
}
