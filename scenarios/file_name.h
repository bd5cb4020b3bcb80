/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_name.h - files that scenarios name, as words of params. */
#ifndef ZSMSIM_SCENARIOS_FILE_NAME_H
#define ZSMSIM_SCENARIOS_FILE_NAME_H

/*
 * The name of @file without directory and @suffix, newly allocated. Names
 * stand in params, where ';' and '=' have a meaning: other characters than
 * letters, digits and "._+-" become '_'.
 */
char *word_of_file(const char *file, const char *suffix);

#endif
