/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pgtable.h - frame numbers of x86-64 with five levels of page tables, as the reference kernel has. */
#ifndef KSHIM_LINUX_PGTABLE_H
#define KSHIM_LINUX_PGTABLE_H

#define MAX_POSSIBLE_PHYSMEM_BITS 52

#endif
