/* SPDX-License-Identifier: GPL-3.0-or-later */
/* symbols.h - from an address of code to what a reader of a report knows it by. */
#ifndef ZSMSIM_SYMBOLS_H
#define ZSMSIM_SYMBOLS_H

/*
 * "function (file:line)" for @address, a return address or a place in the
 * middle of code, from the debugging information of the file it is in; without
 * that "function", or "file+0x34". Newly allocated. NULL if there is no code at
 * @address, or if it is the simulator's own: the caller of its hooks matters,
 * not they.
 */
char *symbol_text(const void *address);

#endif
