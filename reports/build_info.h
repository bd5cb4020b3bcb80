/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build_info.h - which program this is: goes into each run's row and --version. */
#ifndef ZSMSIM_REPORTS_BUILD_INFO_H
#define ZSMSIM_REPORTS_BUILD_INFO_H

/* Version of the program, "0.1.0". */
const char *build_version(void);

/* Compiler of everything but the simulated software, "gcc 12.2.0". */
const char *build_compiler(void);

/*
 * Compiler of the simulated software, as it signed the module's objects
 * (ELF section .comment); "unknown" if it did not. Read once, then kept.
 */
const char *build_model_compiler(void);

/* The signature in the ELF file @path, newly allocated, or NULL. */
char *elf_comment(const char *path);

#endif
