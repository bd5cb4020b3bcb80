/* SPDX-License-Identifier: GPL-3.0-or-later */
/* datapath.h - where the data files are: build tree, source tree or installed. */
#ifndef ZSMSIM_DATAPATH_H
#define ZSMSIM_DATAPATH_H

/*
 * Path of data file @relative ("profiles/cortex-a55.json"), newly allocated:
 * $ZSMSIM_DATA if set, else ABS_TOP_SRCDIR/data when that exists (a program
 * run from its build tree), else PKGDATADIR/data. NULL if in none of them.
 */
char *datapath(const char *relative);

#endif
