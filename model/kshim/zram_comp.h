/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_comp.h - part of zram_tree.c: the compressors behind the tree's zcomp.h.
 *
 * There is one, lzo-rle, and it is the project's own. It runs out of the
 * machine's sight and is paid as the work items compress_page and
 * decompress_page; what is around it (a stream for each CPU, its lock, the
 * buffer that the object is copied from) is as in a kernel. zcomp.h declares
 * what the driver calls; the arguments depend on the version.
 */
#include "model/kshim/zram_oracle.h"

#define COMP_NAME		"lzo-rle"
#define COMP_BUFFER_BYTES	(2 * PAGE_SIZE)

/*
 * A task may sleep with a stream since the allocator no longer maps objects;
 * where it copies those that span pages, the stream has the room for it.
 */
#ifndef TREE_HAS_zs_map_object
#define COMP_STREAM_SLEEPS
#endif
#ifdef TREE_HAS_zs_obj_read_begin
#define COMP_STREAM_COPIES
#endif

static unsigned work_compress, work_decompress;

bool zcomp_available_algorithm(const char *name)
{
	return sysfs_streq(name, COMP_NAME);
}

static ssize_t comp_available_show(const char *name, char *buf, ssize_t at)
{
	return scnprintf(buf + at, PAGE_SIZE - (size_t)at, zcomp_available_algorithm(name) ? "[%s]\n" : "%s\n",
			 COMP_NAME);
}

int zcomp_cpu_up_prepare(unsigned int cpu, struct hlist_node *node)
{
	struct zcomp *comp = hlist_entry(node, struct zcomp, node);
	struct zcomp_strm *stream = per_cpu_ptr(comp->stream, cpu);

#ifdef COMP_STREAM_SLEEPS
	mutex_init(&stream->lock);
#else
	local_lock_init(&stream->lock);
#endif
#ifdef COMP_STREAM_COPIES
	stream->local_copy = vzalloc(PAGE_SIZE);
	if (!stream->local_copy)
		return -ENOMEM;
#endif
	stream->buffer = vzalloc(COMP_BUFFER_BYTES);
	return stream->buffer ? 0 : -ENOMEM;
}

int zcomp_cpu_dead(unsigned int cpu, struct hlist_node *node)
{
	struct zcomp *comp = hlist_entry(node, struct zcomp, node);
	struct zcomp_strm *stream = per_cpu_ptr(comp->stream, cpu);

#ifdef COMP_STREAM_COPIES
	vfree(stream->local_copy);
#endif
	vfree(stream->buffer);
	stream->buffer = NULL;
	return 0;
}

static struct zcomp *comp_create(const char *name)
{
	struct zcomp *comp;
	int cpu, error = 0;

	if (!zcomp_available_algorithm(name))
		return ERR_PTR(-EINVAL);
	comp = kzalloc(sizeof(*comp), GFP_KERNEL);
	if (!comp)
		return ERR_PTR(-ENOMEM);
	comp->stream = alloc_percpu(struct zcomp_strm);
	if (!comp->stream)
		error = -ENOMEM;
	for_each_possible_cpu(cpu)
		if (!error)
			error = zcomp_cpu_up_prepare(cpu, &comp->node);
	BUG_ON(error);			/* memory is never short while a device is set up */
	work_compress = hw_work_name("compress_page");
	work_decompress = hw_work_name("decompress_page");
	return comp;
}

void zcomp_destroy(struct zcomp *comp)
{
	int cpu;

	for_each_possible_cpu(cpu)
		zcomp_cpu_dead(cpu, &comp->node);
	free_percpu(comp->stream);
	kfree(comp);
}

static int comp_compress(struct zcomp_strm *stream, const void *src, unsigned int *dst_len)
{
	const u8 *data;
	size_t len;

	hw_mute();
	data = kshim_oracle_compress(src, &len);
	hw_copy(stream->buffer, data, len);
	hw_unmute();
	hw_work(work_compress, 1);
	*dst_len = (unsigned int)len;
	return 0;
}

static int comp_decompress(const void *src, unsigned int src_len, void *dst)
{
	hw_mute();
	kshim_oracle_decompress(src, src_len, dst);
	hw_unmute();
	hw_work(work_decompress, 1);
	return 0;
}

/* ---- by version: parameters of compressors came, and streams that may sleep ---- */

#ifdef ZRAM_FIELD_zram_params
struct zcomp *zcomp_create(const char *name, struct zcomp_params *params)
{
	struct zcomp *comp = comp_create(name);

	if (!IS_ERR(comp))
		comp->params = params;
	return comp;
}

int zcomp_compress(struct zcomp *comp, struct zcomp_strm *stream, const void *src, unsigned int *dst_len)
{
	(void)comp;
	return comp_compress(stream, src, dst_len);
}

int zcomp_decompress(struct zcomp *comp, struct zcomp_strm *stream, const void *src, unsigned int src_len, void *dst)
{
	(void)comp;
	(void)stream;
	return comp_decompress(src, src_len, dst);
}
#else
struct zcomp *zcomp_create(const char *name)
{
	return comp_create(name);
}

int zcomp_compress(struct zcomp_strm *stream, const void *src, unsigned int *dst_len)
{
	return comp_compress(stream, src, dst_len);
}

int zcomp_decompress(struct zcomp_strm *stream, const void *src, unsigned int src_len, void *dst)
{
	(void)stream;
	return comp_decompress(src, src_len, dst);
}
#endif

#ifdef COMP_STREAM_SLEEPS
struct zcomp_strm *zcomp_stream_get(struct zcomp *comp)
{
	struct zcomp_strm *stream = raw_cpu_ptr(comp->stream);

	mutex_lock(&stream->lock);
	return stream;
}

void zcomp_stream_put(struct zcomp_strm *stream)
{
	mutex_unlock(&stream->lock);
}
#else
struct zcomp_strm *zcomp_stream_get(struct zcomp *comp)
{
	local_lock(&comp->stream->lock);
	return this_cpu_ptr(comp->stream);
}

void zcomp_stream_put(struct zcomp *comp)
{
	(void)comp;
	local_unlock(&comp->stream->lock);
}
#endif
