/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bio.h - requests of a block device: which way, where, and pieces of pages.
 * A request is done when the device's submit_bio() returns.
 */
#ifndef KSHIM_LINUX_BIO_H
#define KSHIM_LINUX_BIO_H

#include <linux/highmem.h>
#include <linux/types.h>

#define SECTOR_SHIFT	9
#define SECTOR_SIZE	(1 << SECTOR_SHIFT)

enum req_op {			/* writing is odd */
	REQ_OP_READ,
	REQ_OP_WRITE,
	REQ_OP_DISCARD = 3,
	REQ_OP_WRITE_ZEROES = 9,
};

typedef u8 blk_status_t;
#define BLK_STS_OK	0
#define BLK_STS_IOERR	10

struct block_device;

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_len;
	unsigned int bv_offset;
};

struct bvec_iter {
	sector_t bi_sector;
	unsigned int bi_size;		/* bytes to go */
	unsigned int bi_idx;		/* piece */
	unsigned int bi_bvec_done;	/* bytes of it */
};

struct bio {
	struct block_device *bi_bdev;
	enum req_op bi_opf;
	blk_status_t bi_status;
	bool bi_ended;
	struct bvec_iter bi_iter;
	struct bio_vec *bi_io_vec;
};

#define bio_op(bio)		((bio)->bi_opf)
#define op_is_write(op)		((op) & 1)

static inline struct bio_vec bio_iter_iovec(struct bio *bio, struct bvec_iter iter)
{
	struct bio_vec bv = bio->bi_io_vec[iter.bi_idx];

	bv.bv_offset += iter.bi_bvec_done;
	bv.bv_len = min(bv.bv_len - iter.bi_bvec_done, iter.bi_size);
	return bv;
}

/* @bytes are done, at most the rest of the piece. */
static inline void bio_advance_iter_single(struct bio *bio, struct bvec_iter *iter, unsigned int bytes)
{
	iter->bi_sector += bytes >> SECTOR_SHIFT;
	iter->bi_size -= bytes;
	iter->bi_bvec_done += bytes;
	if (iter->bi_bvec_done == bio->bi_io_vec[iter->bi_idx].bv_len) {
		iter->bi_bvec_done = 0;
		iter->bi_idx++;
	}
}

#define bio_for_each_segment(bv, bio, iter)					\
	for ((iter) = (bio)->bi_iter;						\
	     (iter).bi_size && ((bv) = bio_iter_iovec(bio, iter), true);	\
	     bio_advance_iter_single(bio, &(iter), (bv).bv_len))

static inline void bio_endio(struct bio *bio)
{
	BUG_ON(bio->bi_ended);
	bio->bi_ended = true;
}

static inline void bio_io_error(struct bio *bio)
{
	bio->bi_status = BLK_STS_IOERR;
	bio_endio(bio);
}

static inline void memcpy_to_bvec(struct bio_vec *bv, const char *from)
{
	memcpy_to_page(bv->bv_page, bv->bv_offset, from, bv->bv_len);
}

static inline void memcpy_from_bvec(char *to, struct bio_vec *bv)
{
	memcpy_from_page(to, bv->bv_page, bv->bv_offset, bv->bv_len);
}

/* Statistics of a disk are kept by nobody. */
#define bio_start_io_acct(bio)			((void)(bio), 0ul)
#define bio_end_io_acct(bio, start)		do { (void)(start); } while (0)

#endif
