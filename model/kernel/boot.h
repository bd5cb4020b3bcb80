/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boot.h - bringing the kernel up, in functional mode, on CPU 0. */
#ifndef KERNEL_BOOT_H
#define KERNEL_BOOT_H

#include "model/kernel/types.h"

void kernel_boot(u64 memory_bytes);

#endif
