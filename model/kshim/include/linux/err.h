/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.h */
#include <linux/errno.h>
