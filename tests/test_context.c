/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The switch of contexts, in all its variants: a small program around it is
 * compiled for each and must print the same lines, those that a plain
 * simulation of its turns gives. The AArch64 one is run under an emulator
 * where there is one.
 */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(context, .timeout = 120);

#ifndef TEST_CC
#define TEST_CC "cc"
#endif

#define CONTEXTS 5
#define TEXT	 8192

/* ---- what the program should print, without a context in sight -------------------- */

static char expected[TEXT];

static __attribute__((format(printf, 1, 2))) void expect_line(const char *fmt, ...)
{
	size_t used = strlen(expected);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(expected + used, sizeof(expected) - used, fmt, ap);
	va_end(ap);
}

/* The sums that context @me should have kept across its switches. */
static void expect_sums(unsigned me)
{
	uint64_t v[6] = { me, me * 3, me * 5, me * 7, me * 11, me * 13 };
	double x = me + 0.5, y = me + 0.25, z = me + 0.125;
	unsigned depths = 0;

	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < 6; i++)
			v[i] += v[(i + 1) % 6] ^ (i ? i : round);
		x += y * 2;
		y += z * 2;
		z += x / 2;
	}
	expect_line("context %u: %llu %.6f\n", me,
		    (unsigned long long)(v[0] ^ v[1] << 1 ^ v[2] << 2 ^ v[3] << 3 ^ v[4] << 4 ^ v[5] << 5),
		    x + y + z);
	for (unsigned d = 0; d <= 10 + me; d++)
		depths += d;
	expect_line("context %u sum of depths %u\n", me, depths);
}

static void simulate(void)
{
	unsigned round[CONTEXTS] = { 0 }, now = 0;

	expected[0] = '\0';
	while (now < CONTEXTS) {
		unsigned r = round[now]++;

		if (!r)
			expect_line("context %u begins\n", now);
		if (r < 4) {
			expect_line("context %u round %u\n", now, r);
			now = (now + 1 + r % 2) % CONTEXTS;
		} else {
			expect_sums(now);
			now++;
		}
	}
	for (unsigned i = 0; i < CONTEXTS; i++)
		expect_line("turns of %u: 4\n", i);
	expect_line("pings 2000000\n");
}

/* ---- building and running it ------------------------------------------------------ */

static bool have(const char *program)
{
	char command[256];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", program);
	return system(command) == 0;
}

/* Output of the program built by @cc with @flags and run by @runner. */
static void expect_same_events(const char *cc, const char *flags, const char *runner)
{
	char dir[] = "/tmp/zsmsim-context-XXXXXX", command[1024], got[TEXT] = "";
	int status;
	FILE *f;

	cr_assert(mkdtemp(dir));
	snprintf(command, sizeof(command),
		 "%s -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror %s -I'%s' -o %s/events "
		 "'%s/tests/module/context_events.c' '%s/sim/context.c'",
		 cc, flags, ABS_TOP_SRCDIR, dir, ABS_TOP_SRCDIR, ABS_TOP_SRCDIR);
	status = system(command);
	if (!status) {
		snprintf(command, sizeof(command), "%s %s/events", runner, dir);
		f = popen(command, "r");
		cr_assert(f);
		got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
		status = pclose(f);
	}
	snprintf(command, sizeof(command), "rm -r %s", dir);
	cr_expect_eq(system(command), 0);
	cr_assert_eq(status, 0, "%s %s: status %d", cc, flags, status);
	cr_expect_str_eq(got, expected);
}

Test(context, native)
{
	simulate();
	expect_same_events(TEST_CC, "-O2", "");
	expect_same_events(TEST_CC, "-O0", "");
	expect_same_events(TEST_CC, "-O3 -fomit-frame-pointer", "");
}

Test(context, portable)
{
	simulate();
	expect_same_events(TEST_CC, "-O2 -DZSMSIM_UCONTEXT", "");
}

Test(context, aarch64)
{
	if (!have("aarch64-linux-gnu-gcc") || !have("qemu-aarch64"))
		cr_skip_test("needs aarch64-linux-gnu-gcc and qemu-aarch64");
	simulate();
	expect_same_events("aarch64-linux-gnu-gcc", "-static -O2", "qemu-aarch64");
	expect_same_events("aarch64-linux-gnu-gcc", "-static -O0", "qemu-aarch64");
	expect_same_events("aarch64-linux-gnu-gcc", "-static -O3 -fomit-frame-pointer", "qemu-aarch64");
}
