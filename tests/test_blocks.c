/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instructions that the machine counts for a function, against those that a
 * real processor executes for the same source compiled without
 * instrumentation. The latter are counted one by one: a child process runs
 * the function and stops after each instruction.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/blocks.h"
#include "tests/module/host.h"
#include "tests/module/small.h"

TestSuite(blocks, .timeout = 120);

static const char *const names[] = { "nothing", "add up", "set fields", "walk", "fibonacci", "choose", "count" };

/* ---- on the simulated machine ------------------------------------------------------ */

static struct host_result *run(unsigned which, uint64_t times, uint64_t n)
{
	struct host_setup s = { .program = "small", .profile = { A55 }, .nr_cpus = 1, .arg = { which, times, n } };
	struct host_result *r = host_run(&s);

	cr_assert(r->done, "%s", r->text);
	return r;
}

/* One call of @which: by two runs, so that what happens once falls out. */
static double counted_call(unsigned which, uint64_t n)
{
	struct host_result *a = run(which, 10, n), *b = run(which, 110, n);
	double insns = (double)(b->cpu[0].insns - a->cpu[0].insns) / 100;

	host_free(a);
	host_free(b);
	return insns;
}

/* Without the call, its loop, and the frame that every function has. */
static double counted(unsigned which, uint64_t n)
{
	return counted_call(which, n) - counted_call(SMALL_NOTHING, n);
}

/* ---- on the host's processor ------------------------------------------------------- */

#if defined(__x86_64__)

static void child_calls(unsigned which, uint64_t n)
{
	small_fill();
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(77);
	__asm__ volatile("int3" ::: "memory");
	small_call(which, n);
	__asm__ volatile("int3" ::: "memory");
	_exit(0);
}

static bool at_breakpoint(pid_t child)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, child, NULL, &regs))
		return true;
	return (ptrace(PTRACE_PEEKTEXT, child, (void *)regs.rip, NULL) & 0xff) == 0xcc;
}

/* Instructions from one breakpoint to the next; -1 when processes may not be traced here. */
static long steps(unsigned which, uint64_t n)
{
	pid_t child = fork();
	long count = 0;
	int status;

	if (!child)
		child_calls(which, n);
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status))
		return -1;
	while (!at_breakpoint(child)) {
		ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
		waitpid(child, &status, 0);
		if (!WIFSTOPPED(status))
			break;
		count++;
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return count;
}

/* The test's own copy of the functions is ordinary optimised code, or there is nothing to compare. */
static bool native_is_plain(void)
{
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return false;
#endif
#endif
	return true;
}

static double executed(unsigned which, uint64_t n)
{
	long all, nothing;

	if (!native_is_plain())
		cr_skip_test("this build of the test is not optimised, or has sanitizers");
	all = steps(which, n);
	nothing = steps(SMALL_NOTHING, n);

	if (all < 0 || nothing < 0)
		cr_skip_test("processes cannot be traced here");
	return (double)(all - nothing);
}

/*
 * The instrumentation makes the compiler keep values in registers that calls
 * preserve, and load what it would have used from memory, so the two programs
 * are not quite the same. What is asserted holds for all of these functions
 * with room to spare: a quarter less or three tenths more, and for each call a
 * frame (six registers saved and restored, the stack moved twice) that the
 * real function may not need. A hook counted by mistake adds two instructions
 * to an access: a third or more of each loop here.
 */
#define FRAME 14

static void expect_count(unsigned which, uint64_t n, unsigned calls)
{
	double real = executed(which, n), got = counted(which, n);

	cr_expect(got > real * 0.75 - 3 && got < real * 1.3 + calls * FRAME,
		  "%s(%" PRIu64 "): counted %.1f, executed %.0f", names[which], n, got, real);
}

Test(blocks, straight_code)
{
	expect_count(SMALL_SET_FIELDS, 5, 1);
}

Test(blocks, loops)
{
	expect_count(SMALL_ADD_UP, 10, 1);
	expect_count(SMALL_ADD_UP, 1000, 1);
	expect_count(SMALL_WALK, 1, 1);
	expect_count(SMALL_WALK, 500, 1);
}

/* A call of fibonacci(n) makes as many calls as the number itself has, and as many again less one. */
Test(blocks, calls)
{
	expect_count(SMALL_FIBONACCI, 5, 15);
	expect_count(SMALL_FIBONACCI, 12, 465);
}

Test(blocks, switches)
{
	expect_count(SMALL_CHOOSE, 300, 1);
}

Test(blocks, atomics)
{
	expect_count(SMALL_COUNT, 100, 1);
}

#endif

/* ---- what the count must not depend on --------------------------------------------- */

/* A longer loop costs its rounds, no more and no less: each round the same. */
Test(blocks, rounds_are_equal)
{
	double ten = counted_call(SMALL_ADD_UP, 10), hundred = counted_call(SMALL_ADD_UP, 100),
	       thousand = counted_call(SMALL_ADD_UP, 1000);

	cr_expect_float_eq((hundred - ten) / 90, (thousand - hundred) / 900, 0.01);
	cr_expect_gt(hundred, ten);
}

/* Filling the data happens between hw_mute() and hw_unmute(): it costs nothing. */
Test(blocks, muted_code_is_free)
{
	struct host_result *r = run(SMALL_NOTHING, 100, 0);

	/* 64 words and nodes would be many hundreds of instructions a call */
	cr_expect_lt(r->cpu[0].insns, 100 * 20);
	/* the program reads its four arguments once */
	cr_expect_leq(r->cpu[0].loads + r->cpu[0].stores, 4, "%" PRIu64 " loads, %" PRIu64 " stores",
		      r->cpu[0].loads, r->cpu[0].stores);
	host_free(r);
}

/* Loads and stores are those of the source: one per word added up, four per node set. */
Test(blocks, accesses)
{
	struct host_result *r = run(SMALL_ADD_UP, 1, 100), *s = run(SMALL_SET_FIELDS, 1, 1),
			   *c = run(SMALL_COUNT, 1, 50), *none = run(SMALL_NOTHING, 1, 0);
	uint64_t loads = none->cpu[0].loads;

	cr_expect_eq(r->cpu[0].loads - loads, 100);
	cr_expect_eq(s->cpu[0].stores, 4);
	cr_expect_eq(c->cpu[0].rmws, 50);
	host_free(r);
	host_free(s);
	host_free(c);
	host_free(none);
}
