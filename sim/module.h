/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module.h - the simulated software as a shared object. Its code is read for
 * the instruction counts; its data take part in the simulation as memory at
 * a fixed place, wherever the loader put them.
 */
#ifndef ZSMSIM_MODULE_H
#define ZSMSIM_MODULE_H

#include <stddef.h>

/*
 * Load @file and look up @symbol. NULL and one line in @error on failure.
 * Once in a process, before machine_create().
 */
const void *module_load(const char *file, const char *symbol, char *error, size_t error_bytes);

/*
 * "function+0x12", or "file+0x34" where no symbol is exported, for an address
 * of code; newly allocated. NULL if there is no code at @address.
 */
char *module_symbol(const void *address);

#endif
