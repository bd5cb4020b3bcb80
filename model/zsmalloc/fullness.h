/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fullness.h - the lists that keep zspages of a class apart by how full they
 * are. All of it needs class->lock.
 */
#ifndef ZSMALLOC_FULLNESS_H
#define ZSMALLOC_FULLNESS_H

#include "model/zsmalloc/zspage.h"

static inline int get_fullness_group(struct size_class *class, struct zspage *zspage)
{
	int inuse = zspage->inuse, objs = class->objs_per_zspage;

	if (inuse == 0)
		return ZS_INUSE_RATIO_0;
	if (inuse == objs)
		return ZS_INUSE_RATIO_100;
	return 100 * inuse / objs / 10 + 1;
}

static inline void insert_zspage(struct size_class *class, struct zspage *zspage, int group)
{
	class_stat_add(class, group, 1);
	list_add(&zspage->list, &class->fullness_list[group]);
	zspage->fullness = group;
}

static inline void remove_zspage(struct size_class *class, struct zspage *zspage)
{
	list_del_init(&zspage->list);
	class_stat_sub(class, zspage->fullness, 1);
}

/* Move @zspage to the list it belongs on now. Touches nothing if it is there. Returns the group. */
static inline int fix_fullness_group(struct size_class *class, struct zspage *zspage)
{
	int group = get_fullness_group(class, zspage);

	if (group != (int)zspage->fullness) {
		remove_zspage(class, zspage);
		insert_zspage(class, zspage, group);
	}
	return group;
}

/*
 * The fullest zspage with room, or NULL. Group 0 counts: an empty zspage that
 * waits for the worker because its pages were locked can be used again.
 */
static inline struct zspage *find_get_zspage(struct size_class *class)
{
	struct zspage *zspage;

	for (int group = ZS_INUSE_RATIO_99; group >= ZS_INUSE_RATIO_0; group--) {
		zspage = list_first_entry_or_null(&class->fullness_list[group], struct zspage, list);
		if (zspage)
			return zspage;
	}
	return NULL;
}

#endif
