/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.c - the kinds of workload. */
#include "model/kernel/kernel.h"
#include "model/workload/workload.h"

static const struct workload *const kinds[] = {
	[WORKLOAD_MUNMAP] = &munmap_workload,
	[WORKLOAD_MAPPING] = &mapping_workload,
	[WORKLOAD_FIELD_POOL] = &field_pool_workload,
	[WORKLOAD_COMPACTION] = &compaction_workload,
};

const struct workload *workload_of_kind(enum model_workload kind)
{
	BUG_ON(kind >= sizeof(kinds) / sizeof(kinds[0]) || !kinds[kind]);
	return kinds[kind];
}
