/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boot.c - the order in which the parts of the kernel come up. */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"

void kernel_boot(u64 memory_bytes)
{
	page_alloc_early(memory_bytes);
	percpu_init();
	locks_init();
	sched_early();
	wait_bit_init();
	page_alloc_init();
	slab_init();
	sched_init();
	workqueue_init();
}
