/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bug.h */
#include <linux/mmdebug.h>
