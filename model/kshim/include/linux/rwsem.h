/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rwsem.h - the lock around setting a device up and taking it down. Neither
 * happens while another CPU uses the device, so nobody ever waits: having to
 * is a fault. The size is that of a kernel without lock debugging, because
 * what follows the lock in a structure shares its line.
 */
#ifndef KSHIM_LINUX_RWSEM_H
#define KSHIM_LINUX_RWSEM_H

#include <linux/cleanup.h>
#include <linux/kernel.h>

struct rw_semaphore {
	atomic_long_t count;		/* readers; -1: a writer */
	void *owner;
	u32 osq, wait_lock;
	struct list_head wait_list;
};

static inline void init_rwsem(struct rw_semaphore *sem)
{
	atomic_long_set(&sem->count, 0);
	INIT_LIST_HEAD(&sem->wait_list);
}

static inline void down_read(struct rw_semaphore *sem)
{
	if (atomic64_add_return(1, &sem->count) <= 0)
		hw_fault("waiting for a rw_semaphore is not part of the simulated kernel");
}

static inline void up_read(struct rw_semaphore *sem)
{
	atomic64_sub_return(1, &sem->count);
}

static inline void down_write(struct rw_semaphore *sem)
{
	if (atomic64_cmpxchg(&sem->count, 0, -1))
		hw_fault("waiting for a rw_semaphore is not part of the simulated kernel");
}

static inline void up_write(struct rw_semaphore *sem)
{
	atomic64_add_return(1, &sem->count);
}

KSHIM_GUARD(rwsem_read, struct rw_semaphore, down_read, up_read)
KSHIM_GUARD(rwsem_write, struct rw_semaphore, down_write, up_write)

#endif
