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
 * Before machine_create(). A second call makes another module the software:
 * the first stays mapped, but is nothing to the machine any more.
 */
const void *module_load(const char *file, const char *symbol, char *error, size_t error_bytes);

#endif
