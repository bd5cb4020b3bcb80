/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sprintf.h - formatted text; the host formats, the software pays for storing what it keeps. */
#ifndef KSHIM_LINUX_SPRINTF_H
#define KSHIM_LINUX_SPRINTF_H

#include <linux/slab.h>

#define snprintf	hw_format

#define KSHIM_TEXT_BYTES 128
#define kasprintf(gfp, ...) ({					\
	char __text[KSHIM_TEXT_BYTES];				\
								\
	hw_format(__text, sizeof(__text), __VA_ARGS__);		\
	kstrdup(__text, gfp);					\
})

#endif
