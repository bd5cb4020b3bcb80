/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errno.h */
#ifndef KSHIM_LINUX_ERRNO_H
#define KSHIM_LINUX_ERRNO_H

#include "model/kernel/err.h"

#define ENOENT	2
#define EIO	5
#define EEXIST	17
#define ENODEV	19
#define ENOTTY	25
#define EOPNOTSUPP 95

#endif
