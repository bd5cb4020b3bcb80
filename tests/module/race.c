/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race.c - programs in which CPUs race as hard as they can.
 *
 * race:   arg[0] steps of random accesses per CPU to a few shared lines, from
 *         seed arg[1]; each CPU checks that it reads back what it wrote itself,
 *         and the end checks that no addition was lost.
 * kick:   two CPUs interrupt a third, the first of them late (see the test).
 * litmus: arg[0] rounds of message passing and of store buffering.
 */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "tests/module/program.h"

#define LINES	4
#define WORDS	8
#define PRIVATE	(32u << 10)

static unsigned users;
static u64 arg[PROGRAM_ARGS];
static u64 *line[LINES];		/* falsely shared: word i % WORDS of line i / WORDS is CPU i's */
static u64 *counter;			/* [0] fully ordered, [16] relaxed, [32] under the lock */
static spinlock_t *lock;
static unsigned work;
static u8 *private_of[HW_MAX_CPUS];

static void boot(const struct program_config *config)
{
	kernel_boot(config->memory_bytes);
	users = config->users;
	for (int i = 0; i < PROGRAM_ARGS; i++)
		arg[i] = config->arg[i];
	work = hw_work_name("syscall");
}

static void idle(void)
{
	for (;;)
		hw_idle();
}

/* ---- race ---------------------------------------------------------------------- */

struct racer {
	u64 random;
	u64 wrote;			/* last value in the CPU's own word */
	u64 *own;
	u64 *other;			/* some word of a line of the others */
	u8 *private;
};

static void race_prepare(const struct program_config *config)
{
	boot(config);
	for (int i = 0; i < LINES; i++)
		line[i] = alloc_table(PAGE_SIZE);
	counter = alloc_table(PAGE_SIZE);
	lock = alloc_table(PAGE_SIZE);
	spin_lock_init_named(lock, "race");
	for (unsigned i = 0; i < users; i++)
		private_of[i] = alloc_table(PRIVATE);
	BUG_ON(!private_of[users - 1]);
}

static u64 draw(struct racer *r)
{
	r->random ^= r->random << 13;
	r->random ^= r->random >> 7;
	r->random ^= r->random << 17;
	return r->random >> 11;
}

static void read_back(const struct racer *r)
{
	u64 got = READ_ONCE(*r->own);

	if (got != r->wrote)
		hw_fault("CPU %u reads %lu from the word where it wrote %lu", hw_cpu(), (unsigned long)got,
			 (unsigned long)r->wrote);
}

static noinline void plain_step(struct racer *r, unsigned what)
{
	switch (what) {
	case 0:
		*r->own = ++r->wrote;
		break;
	case 1:
		r->random ^= *r->other & 1;
		break;
	case 2:
		r->private[draw(r) % PRIVATE]++;
		break;
	default:
		read_back(r);
	}
}

static noinline void atomic_step(struct racer *r, unsigned what)
{
	u64 old;

	switch (what) {
	case 0:
		__atomic_fetch_add(&counter[0], 1, __ATOMIC_SEQ_CST);
		break;
	case 1:
		__atomic_fetch_add(&counter[16], 1, __ATOMIC_RELAXED);
		break;
	case 2:
		old = __atomic_exchange_n(r->own, ++r->wrote, __ATOMIC_ACQ_REL);
		if (old != r->wrote - 1)
			hw_fault("CPU %u exchanged %lu for %lu", hw_cpu(), (unsigned long)r->wrote,
				 (unsigned long)old);
		break;
	case 3:
		smp_store_release(r->own, ++r->wrote);
		break;
	case 4:
		WRITE_ONCE(*r->own, ++r->wrote);
		break;
	case 5:
		r->random ^= smp_load_acquire(r->other) & 1;
		break;
	case 6:
		/* wait for the store that nobody sees yet */
		WRITE_ONCE(*r->own, ++r->wrote);
		read_back(r);
		break;
	default:
		r->random ^= READ_ONCE(*r->other) & 1;
	}
}

static noinline void other_step(struct racer *r, unsigned what)
{
	switch (what) {
	case 0:
		hw_fence();
		break;
	case 1:
		hw_work(work, draw(r) % 4);
		break;
	case 2:
		spin_lock(lock);
		counter[32]++;
		spin_unlock(lock);
		break;
	case 3:
		hw_zero(r->private + draw(r) % 16 * 512, 512);
		break;
	case 4:
		hw_kick((unsigned)(draw(r) % users));
		break;
	default:
		for (u64 n = draw(r) % 64; n; n--)
			barrier();
	}
}

static void race_cpu(void *unused)
{
	unsigned me = hw_cpu();
	struct racer r = { .random = (arg[1] * HW_MAX_CPUS + me + 1) * 0x9e3779b97f4a7c15ull };

	(void)unused;
	if (me >= users)
		idle();
	r.own = &line[me / WORDS % LINES][me % WORDS];
	r.private = private_of[me];
	for (u64 step = 0; step < arg[0]; step++) {
		u64 n = draw(&r);

		r.other = &line[n % LINES][n >> 8 & 7];
		switch (n >> 16 & 7) {
		case 0:
		case 1:
		case 2:
			plain_step(&r, n >> 24 & 3);
			break;
		case 7:
			other_step(&r, n >> 24 & 7);
			break;
		default:
			atomic_step(&r, n >> 24 & 7);
		}
		/* the same number of additions by all, so that their sum is known */
		__atomic_fetch_add(&counter[48], 1, __ATOMIC_RELAXED);
	}
	idle();
}

static u64 race_finish(void)
{
	if (counter[48] != arg[0] * users)
		hw_fault("%lu additions are left of %lu", (unsigned long)counter[48],
			 (unsigned long)(arg[0] * users));
	return counter[0] ^ counter[16] << 20 ^ counter[32] << 40;
}

PROGRAM(race) = { race_prepare, race_cpu, race_finish };

/* ---- kick ---------------------------------------------------------------------- */

enum { KICK_SENT = 1, KICK_CAME };

static void kick_cpu(void *unused)
{
	unsigned me = hw_cpu();

	(void)unused;
	if (me < 2) {
		hw_work(work, arg[me]);
		hw_kick(2);
		hw_mark_event(KICK_SENT, me);
	} else if (me == 2) {
		hw_idle();
		hw_mark_event(KICK_CAME, 0);
	}
	idle();
}

static u64 kick_finish(void)
{
	return 0;
}

PROGRAM(kick) = { boot, kick_cpu, kick_finish };

/* ---- litmus -------------------------------------------------------------------- */

/* Round k has lines of its own: data, flag, x, y, and the count of those who are there. */
static u64 *rounds;
#define ROUND_WORDS	(5 * HW_LINE_SIZE / 8)
#define WORD_OF(k, n)	(&rounds[(k) * ROUND_WORDS + (n) * HW_LINE_SIZE / 8])
static u8 *seen[2];			/* by CPU and round: what its load of store buffering saw */

static void litmus_prepare(const struct program_config *config)
{
	boot(config);
	rounds = alloc_table(arg[0] * ROUND_WORDS * 8);
	seen[0] = alloc_table(arg[0]);
	seen[1] = alloc_table(arg[0]);
	BUG_ON(!rounds || !seen[1]);
}

/* Start the round together: CPUs that drift apart do not meet in the few ns that matter. */
static void meet(u64 *there)
{
	__atomic_fetch_add(there, 1, __ATOMIC_SEQ_CST);
	smp_cond_load_acquire(there, VAL == 2);
}

static void pass(u64 *n)
{
	*n = *n * 6364136223846793005ull + 1442695040888963407ull;
	for (u64 i = *n >> 58; i; i--)
		barrier();
}

static void litmus_cpu(void *unused)
{
	unsigned me = hw_cpu();
	u64 random = me + arg[1];

	(void)unused;
	if (me > 1)
		idle();
	for (u64 k = 0; k < arg[0]; k++) {
		u64 *data = WORD_OF(k, 0), *flag = WORD_OF(k, 1);

		meet(WORD_OF(k, 4));
		pass(&random);
		if (me == 0) {
			WRITE_ONCE(*data, k + 1);
			smp_store_release(flag, 1);
		} else if (smp_load_acquire(flag) && READ_ONCE(*data) != k + 1) {
			hw_fault("round %lu: the flag is up but the message is not there", (unsigned long)k);
		}
		pass(&random);
		WRITE_ONCE(*WORD_OF(k, 2 + me), 1);
		if (arg[2])
			hw_fence();
		seen[me][k] = (u8)READ_ONCE(*WORD_OF(k, 3 - me));
	}
	idle();
}

/* Rounds in which neither CPU saw the other's store, and << 32 those in which both did. */
static u64 litmus_finish(void)
{
	u64 neither = 0, both = 0;

	for (u64 k = 0; k < arg[0]; k++) {
		neither += !seen[0][k] && !seen[1][k];
		both += seen[0][k] && seen[1][k];
	}
	return neither | both << 32;
}

PROGRAM(litmus) = { litmus_prepare, litmus_cpu, litmus_finish };
