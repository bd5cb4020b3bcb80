/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf.h - text for statistics files; the host formats, the model pays nothing. */
#ifndef KERNEL_PRINTF_H
#define KERNEL_PRINTF_H

#include "sim/hw.h"

#define scnprintf hw_format

#endif
