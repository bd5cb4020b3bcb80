/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * qspinlock.c - the queued spinlock.
 *
 * Lock word: byte 0 locked, byte 1 pending, upper half the tail of the queue
 * (CPU + 1 and nesting level). The first waiter sets pending and spins on the
 * word itself; later ones queue, each spinning on a node of its own CPU.
 */
#include "model/kernel/kernel.h"

#define Q_LOCKED	0x1u
#define Q_LOCKED_MASK	0xffu
#define Q_PENDING	0x100u
#define Q_TAIL_MASK	0xffff0000u
#define NODES		4		/* nesting levels: task, softirq, irq, nmi */

struct mcs_node {
	struct mcs_node *next;
	u32 locked;
	u32 count;			/* nodes in use, kept in node 0 */
};

struct mcs_nodes {
	struct mcs_node node[NODES];
} ____cacheline_aligned;

static struct mcs_nodes __percpu *mcs_nodes;

void locks_init(void)
{
	mcs_nodes = alloc_percpu(struct mcs_nodes);
}

static u16 encode_tail(int cpu, int level)
{
	return (u16)((cpu + 1) << 2 | level);
}

static struct mcs_node *decode_tail(u16 tail)
{
	return &per_cpu_ptr(mcs_nodes, (tail >> 2) - 1)->node[tail & 3];
}

static __always_inline bool try_lock(spinlock_t *lock)
{
	u32 old = 0;

	return __atomic_compare_exchange_n(&lock->val, &old, Q_LOCKED, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* Wait as the head of the queue, take the lock, and let the next one become head. */
static void queue_head(spinlock_t *lock, struct mcs_node *node, u16 tail)
{
	u32 val = smp_cond_load_acquire(&lock->val, !(VAL & (Q_LOCKED_MASK | Q_PENDING)));
	struct mcs_node *next;

	/* alone in the queue: take the lock and clear the tail in one go */
	if (val >> 16 == tail &&
	    __atomic_compare_exchange_n(&lock->val, &val, Q_LOCKED, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return;
	WRITE_ONCE(lock->locked, 1);
	next = smp_cond_load_acquire(&node->next, VAL != NULL);
	smp_store_release(&next->locked, 1);
}

static void queue_wait(spinlock_t *lock)
{
	struct mcs_node *nodes = this_cpu_ptr(mcs_nodes)->node;
	u32 level = nodes[0].count++;
	struct mcs_node *node = &nodes[level];
	u16 tail = encode_tail(smp_processor_id(), level);
	u16 old;

	BUG_ON(level >= NODES);
	node->locked = 0;
	node->next = NULL;
	if (!READ_ONCE(lock->val) && try_lock(lock))
		goto release;
	old = __atomic_exchange_n(&lock->tail, tail, __ATOMIC_ACQ_REL);
	if (old) {
		WRITE_ONCE(decode_tail(old)->next, node);
		smp_cond_load_acquire(&node->locked, VAL);
	}
	queue_head(lock, node, tail);
release:
	nodes[0].count--;
}

/* The single pending waiter: spin on the word, then turn pending into locked. */
static void pending_wait(spinlock_t *lock)
{
	smp_cond_load_acquire(&lock->locked, !VAL);
	WRITE_ONCE(lock->locked_pending, Q_LOCKED);
}

static noinline void spin_lock_slow(spinlock_t *lock)
{
	u32 val = READ_ONCE(lock->val);

	/* a hand-over to the pending waiter is in progress: give it a moment */
	if (val == Q_PENDING) {
		int tries = 512;

		while ((val = READ_ONCE(lock->val)) == Q_PENDING && --tries)
			cpu_relax();
	}
	if (val & ~Q_LOCKED_MASK)
		goto queue;
	val = __atomic_fetch_or(&lock->val, Q_PENDING, __ATOMIC_ACQUIRE);
	if (!(val & ~Q_LOCKED_MASK)) {
		pending_wait(lock);
		return;
	}
	if (!(val & Q_PENDING))
		__atomic_store_n(&lock->pending, 0, __ATOMIC_RELAXED);
queue:
	queue_wait(lock);
}

void __spin_lock_init(spinlock_t *lock, const char *name)
{
	lock->val = 0;
	hw_lock_init(lock, hw_lock_class(name));
}

void spin_lock(spinlock_t *lock)
{
	preempt_disable();
	if (unlikely(!try_lock(lock))) {
		hw_lock_contended(lock, 0, HW_LOCK_EXCLUSIVE);
		spin_lock_slow(lock);
	}
	hw_lock_acquired(lock, 0, HW_LOCK_EXCLUSIVE, false);
}

bool spin_trylock(spinlock_t *lock)
{
	preempt_disable();
	if (READ_ONCE(lock->val) || !try_lock(lock)) {
		preempt_enable();
		return false;
	}
	hw_lock_acquired(lock, 0, HW_LOCK_EXCLUSIVE, true);
	return true;
}

void spin_unlock(spinlock_t *lock)
{
	hw_lock_released(lock, 0, HW_LOCK_EXCLUSIVE);
	smp_store_release(&lock->locked, 0);
	preempt_enable();
}

bool spin_is_contended(spinlock_t *lock)
{
	return READ_ONCE(lock->val) & ~Q_LOCKED_MASK;
}

bool spin_is_locked(spinlock_t *lock)
{
	return READ_ONCE(lock->val);
}
