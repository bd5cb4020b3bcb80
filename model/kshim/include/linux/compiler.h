/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compiler.h */
#include <linux/kernel.h>
