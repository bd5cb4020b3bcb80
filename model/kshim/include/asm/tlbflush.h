/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tlbflush.h - mappings never change here. */
