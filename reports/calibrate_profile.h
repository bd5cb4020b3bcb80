/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate_profile.h - a profile as a tree whose figures can be given other
 * values, and written to a file of its own. The machine never sees the tree:
 * what is tried is a file like any other, checked by the loader.
 */
#ifndef ZSMSIM_REPORTS_CALIBRATE_PROFILE_H
#define ZSMSIM_REPORTS_CALIBRATE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

struct profile_tree {
	cJSON *root;
	char *name;			/* of the profile */
};

/* One figure of it, as it stands in the tree; in the figure's own unit. */
struct tree_figure {
	cJSON *object;
	const char *unit;
	double value, low, high;
	bool calibrated;
};

/*
 * Load profile @name (a name or a file, as profile_load() has it). Returns 0;
 * or 2 with one line in @error. Close @t in either case.
 */
int profile_tree_open(struct profile_tree *t, const char *name, char *error, size_t error_bytes);
void profile_tree_close(struct profile_tree *t);

/*
 * Fill @figure with the figure @name: "ipc", or "work.syscall" for a work
 * item. Returns false if there is none.
 */
bool profile_tree_figure(const struct profile_tree *t, const char *name, struct tree_figure *figure);

/* Names of all figures, then of all work items; NULL at the end. Free each and the array. */
char **profile_tree_names(const struct profile_tree *t);

/* Figures marked as calibrated. */
unsigned profile_tree_calibrated(const struct profile_tree *t);

/* May the figure have any value of a range, or only whole ones? */
bool tree_figure_is_continuous(const char *name, const struct tree_figure *figure);

/* Give the figure's member @key ("value", "low", "high") another number. */
void tree_figure_set(struct tree_figure *figure, const char *key, double number);

/*
 * Write the tree to @file, whose name without directory and ending becomes
 * the profile's; what was there stays whole until the new file is. Returns 0,
 * or 1 with one line in @error.
 */
int profile_tree_write(struct profile_tree *t, const char *file, char *error, size_t error_bytes);

#endif
