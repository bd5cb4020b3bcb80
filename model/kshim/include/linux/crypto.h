/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crypto.h - compressors are model/kshim/zram_comp.h; a tree wants room for a name. */
#ifndef KSHIM_LINUX_CRYPTO_H
#define KSHIM_LINUX_CRYPTO_H

#include <linux/hlist.h>

#define CRYPTO_MAX_ALG_NAME	128

struct crypto_comp;

#endif
