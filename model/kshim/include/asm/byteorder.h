/* SPDX-License-Identifier: GPL-3.0-or-later */
/* byteorder.h - the machine is little endian, as the hosts that run it are. */
#ifndef KSHIM_ASM_BYTEORDER_H
#define KSHIM_ASM_BYTEORDER_H

#include <linux/kernel.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little endian");
#define __LITTLE_ENDIAN		1234
#define __LITTLE_ENDIAN_BITFIELD

#define cpu_to_le16(x)		((u16)(x))
#define cpu_to_le32(x)		((u32)(x))
#define cpu_to_le64(x)		((u64)(x))
#define le16_to_cpu(x)		((u16)(x))
#define le32_to_cpu(x)		((u32)(x))
#define le64_to_cpu(x)		((u64)(x))

#endif
