/* SPDX-License-Identifier: GPL-3.0-or-later */
/* symbols.c - names and lines of code addresses, through elfutils' libdwfl. */
#include "sim/symbols.h"

#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* All that is mapped in this process; read once, when the first report needs it. */
static Dwfl *process_symbols(void)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	static Dwfl *dwfl;

	if (dwfl)
		return dwfl;
	dwfl = dwfl_begin(&callbacks);
	if (!dwfl || dwfl_linux_proc_report(dwfl, getpid()) || dwfl_report_end(dwfl, NULL, NULL))
		return NULL;
	return dwfl;
}

/* Source files of the software are known by their path in its tree, others would show where they were built. */
static const char *source_line(Dwfl_Module *mod, Dwarf_Addr at, int *line)
{
	Dwfl_Line *found = dwfl_module_getsrc(mod, at);
	const char *file = found ? dwfl_lineinfo(found, NULL, line, NULL, NULL, NULL) : NULL;

	while (file && !strncmp(file, "./", 2))
		file += 2;
	return file && *file != '/' ? file : NULL;
}

char *symbol_text(const void *address)
{
	Dwarf_Addr at = (Dwarf_Addr)(uintptr_t)address - 1;	/* the call, not what follows it */
	Dwfl *dwfl = process_symbols();
	Dwfl_Module *mod = dwfl ? dwfl_addrmodule(dwfl, at) : NULL, *own;
	const char *name, *path, *file;
	Dwarf_Addr start;
	char *text = NULL;
	int line;

	own = dwfl ? dwfl_addrmodule(dwfl, (Dwarf_Addr)(uintptr_t)symbol_text) : NULL;
	if (!mod || mod == own)
		return NULL;
	path = dwfl_module_info(mod, NULL, &start, NULL, NULL, NULL, NULL, NULL);
	name = dwfl_module_addrname(mod, at);
	file = source_line(mod, at, &line);
	if (!name)
		path = path && strrchr(path, '/') ? strrchr(path, '/') + 1 : "code";
	if ((name && file ? asprintf(&text, "%s (%s:%d)", name, file, line) :
	     name ? asprintf(&text, "%s", name) : asprintf(&text, "%s+0x%lx", path, (unsigned long)(at + 1 - start))) < 0)
		return NULL;
	return text;
}
