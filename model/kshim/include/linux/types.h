/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - the project's types have the kernel's names already. */
#ifndef KSHIM_LINUX_TYPES_H
#define KSHIM_LINUX_TYPES_H

#include "model/kernel/types.h"
#include "model/kernel/atomic.h"
#include "model/kernel/list.h"
#include "model/kernel/llist.h"

/* What a tree accounts to a memory cgroup; there are none here. */
enum memcg_stat_item { KSHIM_NO_MEMCG_STAT };

typedef int64_t loff_t;
typedef long ssize_t;
typedef unsigned short umode_t;
typedef int16_t s16;
typedef int8_t s8;
typedef u64 phys_addr_t;
typedef u64 sector_t;
typedef unsigned char __u8;
typedef unsigned int __u32;
typedef unsigned long long __u64;

#endif
