/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache.h - modules built before, by what went into them. It only saves time:
 * whatever is wrong with it, a module is built as without it.
 */
#ifndef ZSMSIM_TREES_CACHE_H
#define ZSMSIM_TREES_CACHE_H

/*
 * Where a module with the hash @key is kept: in $ZSMSIM_CACHE, or
 * $XDG_CACHE_HOME/zsmsim, or ~/.cache/zsmsim; newly allocated. NULL if there
 * is no such place.
 */
char *cache_path(const char *key);

/* Keep a copy of @module at @path. */
void cache_store(const char *path, const char *module);

#endif
