/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_lock.c - the lock bit of a page descriptor. Whoever waits
 * for it says so in PG_waiters, so that releasing it is one atomic operation
 * as long as nobody does.
 */
#include "model/kernel/kernel.h"

static unsigned page_lock_class;

static unsigned lock_class(void)
{
	if (unlikely(!page_lock_class))
		page_lock_class = hw_lock_class("page lock");
	return page_lock_class;
}

bool trylock_page(struct page *page)
{
	return bit_mutex_trylock(PG_locked, &page->flags, lock_class());
}

void lock_page(struct page *page)
{
	while (test_and_set_bit32_lock(PG_locked, &page->flags)) {
		set_bit32(PG_waiters, &page->flags);
		wait_for_bit(PG_locked, &page->flags);
	}
	hw_lock_acquired(&page->flags, lock_class(), HW_LOCK_EXCLUSIVE, false);
}

void unlock_page(struct page *page)
{
	u32 old;

	hw_lock_released(&page->flags, lock_class(), HW_LOCK_EXCLUSIVE);
	old = __atomic_fetch_and(&page->flags, ~(1u << PG_locked), __ATOMIC_RELEASE);
	if (unlikely(old >> PG_waiters & 1)) {
		clear_bit32(PG_waiters, &page->flags);
		wake_one_for_bit(&page->flags);
	}
}

bool PageLocked(struct page *page)
{
	return test_bit32(PG_locked, &page->flags);
}

void wait_on_page_locked(struct page *page)
{
	lock_page(page);
	unlock_page(page);
}
