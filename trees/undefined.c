/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * undefined.c - see undefined.h.
 *
 * The linker cannot be asked: it would have to know the hooks, which are in
 * the program that loads the module.
 */
#include "trees/undefined.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "trees/files.h"

/* Written so that nothing wraps. */
static bool within(const struct text *file, uint64_t offset, uint64_t bytes)
{
	return offset <= file->nr && bytes <= file->nr - offset;
}

/* Copied out: nothing in a file is known to be aligned. */
static bool get(const struct text *file, uint64_t offset, void *to, size_t bytes)
{
	if (!within(file, offset, bytes))
		return false;
	memcpy(to, file->at + offset, bytes);
	return true;
}

static bool get_section(const struct text *file, const ElfW(Ehdr) *head, unsigned i, ElfW(Shdr) *section)
{
	return i < head->e_shnum &&
	       get(file, head->e_shoff + (uint64_t)i * sizeof(*section), section, sizeof(*section)) &&
	       (section->sh_type == SHT_NOBITS || within(file, section->sh_offset, section->sh_size));
}

/* The table of dynamic symbols and the names in it. */
static bool find_tables(const struct text *file, ElfW(Shdr) *symbols, ElfW(Shdr) *strings)
{
	ElfW(Ehdr) head;

	if (!get(file, 0, &head, sizeof(head)) || memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_shentsize != sizeof(*symbols))
		return false;
	for (unsigned i = 0; i < head.e_shnum; i++) {
		if (get_section(file, &head, i, symbols) && symbols->sh_type == SHT_DYNSYM)
			return get_section(file, &head, symbols->sh_link, strings) && strings->sh_type == SHT_STRTAB;
	}
	return false;
}

static bool is_hook(const char *name)
{
	static const char *const hooks[] = { "hw_", "__tsan_", "__sanitizer_" };

	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
		if (!strncmp(name, hooks[i], strlen(hooks[i])))
			return true;
	}
	return false;
}

static void note_symbol(const struct text *file, const ElfW(Sym) *symbol, const ElfW(Shdr) *strings,
			struct names *names)
{
	const char *name = file->at + strings->sh_offset + symbol->st_name;

	/* The binding has the same place in both classes of ELF. */
	if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) == STB_WEAK ||
	    symbol->st_name >= strings->sh_size)
		return;
	if (*name && memchr(name, '\0', strings->sh_size - symbol->st_name) && !is_hook(name))
		names_add(names, name, strlen(name));
}

int undefined_symbols(const char *path, struct names *names, struct failure *failure)
{
	ElfW(Shdr) symbols, strings;
	ElfW(Sym) symbol;
	struct text file;
	int status = 0;

	if (file_read(path, BINARY_BYTES_MAX, &file))
		return fail(failure, FAILURE_HOST, "%s: %s; the linker's output cannot be read", path, strerror(errno));
	if (!find_tables(&file, &symbols, &strings))
		status = fail(failure, FAILURE_HOST, "%s: the linker's output is no shared object for this machine; name "
			      "a compiler for it with --cc", path);
	for (uint64_t at = 0; status == 0 && at + sizeof(symbol) <= symbols.sh_size; at += sizeof(symbol)) {
		if (get(&file, symbols.sh_offset + at, &symbol, sizeof(symbol)))
			note_symbol(&file, &symbol, &strings, names);
	}
	text_free(&file);
	names_sort(names);
	return status;
}
