/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zpool.h - zswap's switch between allocators; CONFIG_ZPOOL is off here, so nothing of it is used. */
