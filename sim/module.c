/* SPDX-License-Identifier: GPL-3.0-or-later */
/* module.c - loading the software's shared object and finding its parts. */
#include "sim/module.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/blocks.h"
#include "sim/machine.h"

uint64_t module_base, module_bytes;

/*
 * A module's variables follow its code and constants, counted from module_base, but begin
 * here at the latest. Else each function added to the project's own module, which has reached
 * this size, would move them to other cache sets, and with them change all figures.
 */
#define MODULE_DATA_AT	0x35000u

struct module_ranges {
	const char *file;
	uint64_t start;			/* of the first segment */
	uint64_t text, text_bytes;
	uint64_t data, data_end;	/* what can be written */
};

static void add_segment(struct module_ranges *r, uint64_t base, const ElfW(Phdr) *ph)
{
	uint64_t from = base + ph->p_vaddr, to = from + ph->p_memsz;

	if (ph->p_type != PT_LOAD)
		return;
	if (!r->start || from < r->start)
		r->start = from;
	if (ph->p_flags & PF_X) {
		r->text = from;
		r->text_bytes = to - from;
		return;
	}
	if (!(ph->p_flags & PF_W))
		return;
	if (!r->data || from < r->data)
		r->data = from;
	if (to > r->data_end)
		r->data_end = to;
}

static int find_ranges(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct module_ranges *r = arg;

	(void)size;
	if (!info->dlpi_name || strcmp(info->dlpi_name, r->file))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		add_segment(r, info->dlpi_addr, &info->dlpi_phdr[i]);
	return 1;
}

static uint64_t hook_block;

static enum block_call call_kind_of_symbol(uint64_t target)
{
	static const struct {
		const char *prefix;
		enum block_call kind;
	} kinds[] = {
		{ "__tsan_atomic", CALL_ATOMIC }, { "__tsan_", CALL_ACCESS },	    { "hw_mute", CALL_MUTE },
		{ "hw_unmute", CALL_UNMUTE },	  { "hw_lock_", CALL_OBSERVER },    { "hw_gauge_", CALL_OBSERVER },
		{ "hw_poison", CALL_OBSERVER },	  { "hw_unpoison", CALL_OBSERVER }, { "hw_mark", CALL_OBSERVER },
		{ "hw_derived", CALL_OBSERVER },  { "hw_page_table", CALL_OBSERVER },
		{ "hw_map_blocks", CALL_OBSERVER },  { "hw_task", CALL_OBSERVER },	    { "hw_name_", CALL_OBSERVER },
		{ "hw_observ", CALL_OBSERVER },  { "hw_span", CALL_OBSERVER },
		{ "hw_counter", CALL_OBSERVER },
		{ "hw_work", CALL_OBSERVER },	  { "hw_fault", CALL_NO_RETURN },
	};
	Dl_info info;

	if (!target)
		return CALL_PLAIN;
	if (target == hook_block)
		return CALL_BLOCK;
	if (!dladdr((void *)target, &info) || !info.dli_sname || (uint64_t)info.dli_saddr != target)
		return CALL_PLAIN;
	if (strstr(info.dli_sname, "_compare_exchange_"))
		return CALL_COMPARE;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(info.dli_sname, kinds[i].prefix, strlen(kinds[i].prefix)))
			return kinds[i].kind;
	return CALL_PLAIN;
}

/* Looking a symbol up is slow and a module calls few functions from many places. */
static enum block_call call_kind(uint64_t target)
{
	static struct {
		uint64_t target;
		enum block_call kind;
	} known[256];
	unsigned at = (unsigned)(target >> 4) % 256;

	if (known[at].target != target) {
		known[at].target = target;
		known[at].kind = call_kind_of_symbol(target);
	}
	return known[at].kind;
}

/* The loader looks for a name without a directory in those of the system; a file is meant. */
static void *open_file(const char *file)
{
	char here[4096];

	if (strchr(file, '/'))
		return dlopen(file, RTLD_NOW | RTLD_LOCAL);
	snprintf(here, sizeof(here), "./%s", file);
	return dlopen(here, RTLD_NOW | RTLD_LOCAL);
}

const void *module_load(const char *file, const char *symbol, char *error, size_t error_bytes)
{
	struct module_ranges r = { 0 };
	const void *ops;
	struct link_map *map;
	void *handle = open_file(file);

	if (!handle) {
		snprintf(error, error_bytes, "%s", dlerror());
		return NULL;
	}
	ops = dlsym(handle, symbol);
	if (!ops || dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
		snprintf(error, error_bytes, "%s: no symbol '%s'; a module built for this program has it", file,
			 symbol);
		return NULL;
	}
	r.file = map->l_name;
	dl_iterate_phdr(find_ranges, &r);
	hook_block = (uint64_t)dlsym(RTLD_DEFAULT, "__sanitizer_cov_trace_pc");
	if (!r.text || !hook_block || blocks_create((const void *)r.text, r.text_bytes, call_kind) ||
	    !blocks_count()) {
		snprintf(error, error_bytes, "%s: no instrumented code found; build it with the flags of model/",
			 file);
		return NULL;
	}
	module_base = r.start & ~4095ull;
	if ((r.data & ~4095ull) - module_base > MODULE_DATA_AT)
		module_base = (r.data & ~4095ull) - MODULE_DATA_AT;
	module_bytes = (r.data_end - module_base + 4095) & ~4095ull;
	return ops;
}
