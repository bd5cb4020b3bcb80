/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * context_events.c - a program of its own around sim/context.h: contexts that
 * take turns and say what they do. Whatever the processor and the variant of
 * the switch, the lines printed are the same.
 */
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/context.h"

#define CONTEXTS	5
#define STACK_BYTES	(64u << 10)

static void *main_sp, *sp[CONTEXTS];
static unsigned turns[CONTEXTS];

static __attribute__((noinline)) void give_way(unsigned from, unsigned to)
{
	context_switch(&sp[from], sp[to]);
}

/*
 * Many values, whole and broken, live across each switch: a register that is
 * not kept shows in the sum.
 */
static __attribute__((noinline)) void mix(unsigned me)
{
	uint64_t a = me, b = me * 3, c = me * 5, d = me * 7, e = me * 11, f = me * 13;
	double x = me + 0.5, y = me + 0.25, z = me + 0.125;

	for (unsigned round = 0; round < 4; round++) {
		a += b ^ round;
		b += c ^ 1;
		c += d ^ 2;
		d += e ^ 3;
		e += f ^ 4;
		f += a ^ 5;
		x += y * 2;
		y += z * 2;
		z += x / 2;
		turns[me]++;
		printf("context %u round %u\n", me, round);
		give_way(me, (me + 1 + round % 2) % CONTEXTS);
	}
	printf("context %u: %llu %.6f\n", me, (unsigned long long)(a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4 ^ f << 5),
	       x + y + z);
}

/* Some calls deep, so that more than one frame comes back. */
static __attribute__((noinline)) unsigned deep(unsigned me, unsigned depth)
{
	volatile unsigned char frame[200];

	frame[0] = (unsigned char)depth;
	if (depth)
		return deep(me, depth - 1) + frame[0];
	mix(me);
	return frame[0];
}

/* The first bytes of a stack belong to fn's frame as the calling convention has it: aligned. */
static void check_alignment(unsigned me)
{
	_Alignas(16) volatile char here[16];

	here[0] = 1;
	printf("context %u %s\n", me, (uintptr_t)here % 16 ? "is askew" : "begins");
}

static void context_main(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg;

	check_alignment(me);
	printf("context %u sum of depths %u\n", me, deep(me, 10 + me));
	if (me + 1 < CONTEXTS)
		give_way(me, me + 1);
	else
		context_switch(&sp[me], main_sp);
	abort();
}

/* A million switches to and fro: nothing creeps up the stack. */
static void *ping_sp;
static unsigned long pings;

static void ping_main(void *arg)
{
	for (;;) {
		pings += (uintptr_t)arg;
		context_switch(&ping_sp, main_sp);
	}
}

int main(void)
{
	for (unsigned i = 0; i < CONTEXTS; i++)
		sp[i] = context_make(malloc(STACK_BYTES), STACK_BYTES, context_main, (void *)(uintptr_t)i);
	context_switch(&main_sp, sp[0]);
	for (unsigned i = 0; i < CONTEXTS; i++)
		printf("turns of %u: %u\n", i, turns[i]);
	ping_sp = context_make(malloc(STACK_BYTES), STACK_BYTES, ping_main, (void *)2);
	for (unsigned i = 0; i < 1000000; i++)
		context_switch(&main_sp, ping_sp);
	printf("pings %lu\n", pings);
	return 0;
}
