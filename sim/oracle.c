/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oracle.c - poisoned memory and fault reports. A report says when, where,
 * which task, and the call chain of the CPU that noticed; for poisoned memory
 * also the chain of the one that poisoned it.
 */
#include "sim/oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/access.h"
#include "sim/context.h"
#include "sim/symbols.h"
#include "sim/observe.h"

#define CHAIN_MAX	12
#define REPORT_BYTES	8192
#define POISON_LOG	65536		/* chains remembered, the latest of each hash */

uint8_t *shadow;

struct poison_chain {
	uint64_t addr;
	uint64_t ps;
	uint32_t cpu;
	void *pc[4];
};

static struct poison_chain *poison_log;
static oracle_fault_fn on_fault;

static uint64_t shadow_bytes(void)
{
	return (memory_bytes + module_bytes) / 8 + 8;
}

void oracle_create(void)
{
	shadow = mmap(NULL, shadow_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		      -1, 0);
	poison_log = mmap(NULL, POISON_LOG * sizeof(*poison_log), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shadow == MAP_FAILED || poison_log == MAP_FAILED) {
		perror("zsmsim: shadow of memory");
		exit(1);
	}
}

void oracle_destroy(void)
{
	munmap(shadow, shadow_bytes());
	munmap(poison_log, POISON_LOG * sizeof(*poison_log));
}

void oracle_on_fault(oracle_fault_fn fn)
{
	on_fault = fn;
}

/*
 * Can there be a stack frame at @frame? Tasks have their stacks in simulated
 * memory; in functional mode the software runs on the program's own.
 */
static bool is_frame(const uint64_t *frame)
{
	extern void *__libc_stack_end;
	uint64_t at = (uint64_t)frame, here = (uint64_t)__builtin_frame_address(0);

	if (at & 7)
		return false;
	if (at - HW_MEM_BASE < memory_bytes - 16)
		return true;
	return at >= here && at < (uint64_t)__libc_stack_end - 16;
}

/* Return addresses up the frame pointers. */
static unsigned chain_walk(const uint64_t *frame, void **pc, unsigned most)
{
	unsigned n = 0;

	while (n < most && is_frame(frame)) {
		const uint64_t *next = (const uint64_t *)frame[0];

		if (!frame[1])
			break;
		pc[n++] = (void *)frame[1];
		if (next <= frame)
			break;
		frame = next;
	}
	return n;
}

static struct poison_chain *poison_slot(uint64_t off)
{
	return &poison_log[(off >> 3) * 0x9e3779b97f4a7c15ull >> 48];
}

void hw_poison(const void *addr, size_t bytes, enum hw_poison what)
{
	uint64_t off = access_offset((uint64_t)addr);
	struct poison_chain *p;

	memset(shadow + (off >> 3), what, bytes >> 3);
	if (cur->muted)
		return;
	p = poison_slot(off);
	*p = (struct poison_chain){ .addr = off, .ps = cur->clock, .cpu = cur->id };
	chain_walk(__builtin_frame_address(0), p->pc, 4);
}

void hw_unpoison(const void *addr, size_t bytes)
{
	memset(shadow + (access_offset((uint64_t)addr) >> 3), HW_POISON_NONE, bytes >> 3);
}

void hw_poison_off(void)
{
	cur->poison_off++;
}

void hw_poison_on(void)
{
	cur->poison_off--;
}

/* ---- reports ---- */

struct report {
	char text[REPORT_BYTES];
	size_t used;
};

static void report_vadd(struct report *r, const char *fmt, va_list ap)
{
	int n = vsnprintf(r->text + r->used, sizeof(r->text) - r->used, fmt, ap);

	if (n > 0)
		r->used += (size_t)n;
	if (r->used >= sizeof(r->text))
		r->used = sizeof(r->text) - 1;
}

static __attribute__((format(printf, 2, 3))) void report_add(struct report *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_vadd(r, fmt, ap);
	va_end(ap);
}

static void report_chain(struct report *r, const char *title, void *const *pc, unsigned n)
{
	report_add(r, "  %s:", title);
	for (unsigned i = 0, shown = 0; i < n && pc[i]; i++) {
		char *symbol = symbol_text(pc[i]);

		if (!symbol)
			continue;
		report_add(r, "%s %s", shown++ ? " <" : "", symbol);
		free(symbol);
	}
	report_add(r, "\n");
}

/* ---- the fault of this run: there is only one ---- */

static struct {
	struct report report;
	void *pc[CHAIN_MAX];
	unsigned nr_pc;
	const struct poison_chain *freed;	/* who freed what was touched; may be NULL */
} fault;

static void report_time(struct report *r, const char *what, uint64_t ps)
{
	report_add(r, "  %s %lu.%06lu us", what, (unsigned long)(ps / 1000000), (unsigned long)(ps % 1000000));
}

static void report_place(struct report *r)
{
	const struct task_stats *t = observe_task(cur->task);

	report_time(r, "at", cur->clock);
	report_add(r, ", CPU %u, task %u (%s)\n", cur->id, cur->task, t ? t->name : "boot");
	report_chain(r, "called from", fault.pc, fault.nr_pc);
}

static void report_freed(struct report *r, const struct poison_chain *freed)
{
	report_time(r, "freed at", freed->ps);
	report_add(r, " by CPU %u\n", freed->cpu);
	report_chain(r, "freed from", freed->pc, 4);
}

static void fault_end(void *unused)
{
	struct report *r = &fault.report;

	(void)unused;
	if (cur)
		report_place(r);
	if (fault.freed)
		report_freed(r, fault.freed);
	if (on_fault)
		on_fault(r->text);
	fputs(r->text, stderr);
	exit(1);
}

/* The software's stacks are too small for reading debugging information: go on on one that is not. */
static __attribute__((noreturn)) void fault_finish(const uint64_t *frame)
{
	static _Alignas(64) char stack[1 << 20];
	void *left;

	if (cur)
		fault.nr_pc = chain_walk(frame, fault.pc, CHAIN_MAX);
	context_switch(&left, context_make(stack, sizeof(stack), fault_end, NULL));
	abort();
}

void hw_fault(const char *fmt, ...)
{
	struct report *r = &fault.report;
	va_list ap;

	report_add(r, "fault: ");
	va_start(ap, fmt);
	report_vadd(r, fmt, ap);
	va_end(ap);
	/* A message that was made for a log ends in a new line already. */
	if (r->text[r->used - 1] != '\n')
		report_add(r, "\n");
	fault_finish(__builtin_frame_address(0));
}

/* The object that memory offset @off is in starts at most a page before. */
static const struct poison_chain *who_freed(uint64_t off)
{
	for (uint64_t o = off & ~7ull; o + 4096 > off && shadow[o >> 3]; o -= 8) {
		if (poison_slot(o)->addr == o)
			return poison_slot(o);
		if (!o)
			break;
	}
	return NULL;
}

void access_poisoned(struct cpu *c, uint64_t off, const char *what)
{
	static const char *const kind[] = { "", "freed page", "freed slab object" };

	(void)c;
	fault.freed = who_freed(off);
	report_add(&fault.report, "fault: %s of a %s, memory offset 0x%lx\n", what, kind[shadow[off >> 3] % 3],
		   (unsigned long)off);
	fault_finish(__builtin_frame_address(0));
}
