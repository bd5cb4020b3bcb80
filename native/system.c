/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system.c - measurements through the operating system, and of its disturbance (see measure.h). */
#include "native/measure.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS		1000
#define HANDOVERS	100
#define FAULT_PAGES	128
#define PAGE_BYTES	4096
#define KICKS		25
#define ASLEEP_NS	60000		/* by then the other thread's CPU has stopped */
#define SPIN_NS		5000000
#define GAP_NS		1000		/* between two looks at the clock: somebody else ran */

double sample_syscall_ns(struct bench *b, size_t unused)
{
	uint64_t began = bench_now_ns();

	(void)b;
	(void)unused;
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	return (double)(bench_now_ns() - began) / CALLS;
}

/* ---- two threads on one CPU ---- */

struct pipes {
	int there[2], back[2];
	uint64_t ns;
};

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static void hand_over(unsigned index, void *arg)
{
	struct pipes *p = arg;
	int in = index ? p->there[0] : p->back[0], out = index ? p->back[1] : p->there[1];
	uint64_t began = bench_now_ns();
	char byte = 0;

	for (int i = 0; i < HANDOVERS; i++) {
		if (!index)
			must(write(out, &byte, 1) == 1, "zsmsim: hostprofile: pipe");
		must(read(in, &byte, 1) == 1, "zsmsim: hostprofile: pipe");
		if (index)
			must(write(out, &byte, 1) == 1, "zsmsim: hostprofile: pipe");
	}
	if (!index)
		p->ns = bench_now_ns() - began;
}

double sample_handover_ns(struct bench *b, size_t unused)
{
	const int cpu[2] = { b->cpus->at[0], b->cpus->at[0] };
	struct pipes p;

	(void)unused;
	must(!pipe(p.there) && !pipe(p.back), "zsmsim: hostprofile: pipe");
	bench_together(cpu, 2, hand_over, &p);
	for (int i = 0; i < 2; i++) {
		close(p.there[i]);
		close(p.back[i]);
	}
	return (double)p.ns / (2 * HANDOVERS);
}

/* ---- page faults ---- */

double sample_page_fault_ns(struct bench *b, size_t unused)
{
	size_t bytes = (size_t)FAULT_PAGES * PAGE_BYTES;
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t began;
	double ns;

	(void)b;
	(void)unused;
	must(at != MAP_FAILED, "zsmsim: hostprofile: memory");
	madvise(at, bytes, MADV_NOHUGEPAGE);
	began = bench_now_ns();
	for (size_t i = 0; i < bytes; i += PAGE_BYTES)
		((volatile char *)at)[i] = 1;
	ns = (double)(bench_now_ns() - began) / FAULT_PAGES;
	munmap(at, bytes);
	return ns;
}

/* ---- waking a thread on another CPU ---- */

struct kick {
	uint32_t word __attribute__((aligned(128)));	/* number of the last kick; the futex */
	uint32_t waiting __attribute__((aligned(128)));	/* number of the kick that is waited for */
	uint64_t sent[KICKS], returned[KICKS], arrived[KICKS];
};

static void spin_ns(uint64_t ns)
{
	uint64_t until = bench_now_ns() + ns;

	while (bench_now_ns() < until)
		;
}

static void send_kicks(struct kick *k)
{
	for (uint32_t i = 0; i < KICKS; i++) {
		while (__atomic_load_n(&k->waiting, __ATOMIC_ACQUIRE) != i + 1)
			;
		spin_ns(ASLEEP_NS);
		k->sent[i] = bench_now_ns();
		__atomic_store_n(&k->word, i + 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &k->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		k->returned[i] = bench_now_ns();
	}
}

static void take_kicks(struct kick *k)
{
	for (uint32_t i = 0; i < KICKS; i++) {
		__atomic_store_n(&k->waiting, i + 1, __ATOMIC_RELEASE);
		while (__atomic_load_n(&k->word, __ATOMIC_ACQUIRE) == i)
			syscall(SYS_futex, &k->word, FUTEX_WAIT_PRIVATE, i, NULL, NULL, 0);
		k->arrived[i] = bench_now_ns();
	}
}

static void kick_or_sleep(unsigned index, void *arg)
{
	if (index)
		take_kicks(arg);
	else
		send_kicks(arg);
}

struct kick_times sample_kick(struct bench *b, size_t pair)
{
	const int cpu[2] = { b->cpus->at[PAIR_FIRST(pair)], b->cpus->at[PAIR_SECOND(pair)] };
	double send[KICKS], arrive[KICKS];
	static struct kick k;

	k.word = k.waiting = 0;
	bench_together(cpu, 2, kick_or_sleep, &k);
	for (int i = 0; i < KICKS; i++) {
		send[i] = (double)(k.returned[i] - k.sent[i]);
		arrive[i] = (double)k.arrived[i] - (double)k.returned[i];
	}
	return (struct kick_times){ spread_of(send, KICKS).value, spread_of(arrive, KICKS).value };
}

/* ---- the clock, and who else runs ---- */

double sample_clock_step_ns(struct bench *b, size_t unused)
{
	uint64_t least = UINT64_MAX;

	(void)b;
	(void)unused;
	for (int i = 0; i < CALLS; i++) {
		uint64_t first = bench_now_ns(), next;

		while ((next = bench_now_ns()) == first)
			;
		least = next - first < least ? next - first : least;
	}
	return (double)least;
}

double sample_lost_percent(struct bench *b, size_t unused)
{
	uint64_t began = bench_now_ns(), last = began, now, lost = 0;

	(void)b;
	(void)unused;
	while ((now = bench_now_ns()) < began + SPIN_NS) {
		lost += now - last > GAP_NS ? now - last : 0;
		last = now;
	}
	return 100.0 * (double)(lost + (now - last > GAP_NS ? now - last : 0)) / (double)(now - began);
}
