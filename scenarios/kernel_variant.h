/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_variant.h - variants that are a kernel tree's own allocator: modules
 * that `zsmsim kernel build` made, named by their file.
 */
#ifndef ZSMSIM_SCENARIOS_KERNEL_VARIANT_H
#define ZSMSIM_SCENARIOS_KERNEL_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"
#include "scenarios/source.h"
#include "trees/module_info.h"

struct kernel_module {
	char *given;			/* as the scenario names it */
	char *path;			/* as it is to be opened */
	struct module_info info;
};

/* The modules of a scenario, each read once; at stays where it is. Begin with all zero. */
struct kernel_modules {
	struct kernel_module **at;
	size_t nr;
};

/* Is @item a module in place of a variant: "FILE.so" or {"kernel": ...}? */
bool is_kernel_variant(const cJSON *item);

/*
 * Check @item, for which is_kernel_variant() holds, and read its module into
 * @modules. @named are the variants whose names are taken, NULL at the end.
 * Returns 0, or 2 with the error written: a key that does not belong, no or a
 * damaged file, a name that cannot be.
 */
int kernel_variant_check(struct source *src, struct kernel_modules *modules,
			 const char *const *named, const cJSON *item);

/* Of an @item that passed: its module; its name, newly allocated; what it leaves to choose. */
struct kernel_module *kernel_variant_module(const struct kernel_modules *modules, const cJSON *item);
char *kernel_variant_name(const cJSON *item);
struct model_variant kernel_variant_axes(const cJSON *item);

/* The variant as JSON, newly allocated. */
char *kernel_variant_text(const char *name, const struct kernel_module *module,
			  const struct model_variant *axes);

/* Move all of @from to the end of @to. */
void kernel_modules_move(struct kernel_modules *to, struct kernel_modules *from);
void kernel_modules_free(struct kernel_modules *modules);

#endif
