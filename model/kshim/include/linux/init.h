/* SPDX-License-Identifier: GPL-3.0-or-later */
/* init.h */
#include <linux/module.h>
