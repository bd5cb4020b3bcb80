/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpuhotplug.h */
#include <linux/cpu.h>
#include <linux/hlist.h>
