/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.h - life of the per-CPU areas of zs_map_object(). */
#ifndef ZSMALLOC_MAP_H
#define ZSMALLOC_MAP_H

#include <stdbool.h>

/* One more / one less pool exists. False when memory is short. */
bool map_areas_get(void);
void map_areas_put(void);

#endif
