/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * variants.h - points on the axes of the software model: those named in
 * data/variants.json and those a scenario defines in place.
 */
#ifndef ZSMSIM_SCENARIOS_VARIANTS_H
#define ZSMSIM_SCENARIOS_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"
#include "scenarios/kernel_variant.h"
#include "scenarios/run_spec.h"
#include "scenarios/source.h"

struct variant {
	char *name;
	char *description;		/* NULL for one that is defined in place */
	char *source;			/* where it comes from; likewise */
	struct model_variant axes;
};

struct variant_set {
	struct variant *at;
	size_t nr;
	char **names;			/* of all, in order; NULL at the end */
	struct kernel_modules kernels;	/* of the variants that are modules, as far as they were checked */
};

/* One variant of a block's list, decided. */
struct variant_choice {
	char *name;
	struct model_variant axes;
	struct kernel_module *kernel;	/* NULL: the project's own allocator */
	bool batch_shown;		/* defer_batch was swept or set: belongs into params */
};

struct variant_choices {
	struct variant_choice *at;
	size_t nr;
};

/*
 * Load data/variants.json into @set. Returns 0, or 2 with an error line. Free
 * @set in either case.
 */
int variants_load(struct variant_set *set, char *error, size_t error_bytes);
void variants_free(struct variant_set *set);

/*
 * Check one entry of a "variants" list: a known name; an object with "name",
 * optional "from" (default "base") and axes; or a module. Returns 0 or 2.
 */
int variant_check(struct source *src, struct variant_set *set, const cJSON *item);

/* Append what @item (accepted by variant_check()) stands for: one choice per defer_batch. */
void variant_expand(const struct source *src, const struct variant_set *set, const cJSON *item,
		    struct variant_choices *out);
void variant_choices_free(struct variant_choices *choices);

/*
 * The variant as JSON, newly allocated: name and every axis, in a fixed
 * order, so that equal variants have equal texts.
 */
char *variant_text(const char *name, const struct model_variant *axes);

/*
 * What decides the software of @spec and its name, newly allocated: the
 * variant's text, or of a module, wherever it lies, its contents.
 */
char *variant_identity(const struct run_spec *spec);

#endif
