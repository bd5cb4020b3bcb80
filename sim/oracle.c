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
#include "sim/module.h"
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

static __attribute__((format(printf, 2, 3))) void report_add(struct report *r, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(r->text + r->used, sizeof(r->text) - r->used, fmt, ap);
	va_end(ap);
	if (n > 0)
		r->used += (size_t)n;
	if (r->used >= sizeof(r->text))
		r->used = sizeof(r->text) - 1;
}

static void report_chain(struct report *r, const char *title, void *const *pc, unsigned n)
{
	report_add(r, "  %s:", title);
	for (unsigned i = 0; i < n && pc[i]; i++) {
		char *symbol = module_symbol(pc[i]);

		if (!symbol)
			break;
		report_add(r, "%s %s", i ? " <" : "", symbol);
		free(symbol);
	}
	report_add(r, "\n");
}

static __attribute__((noreturn)) void report_end(struct report *r)
{
	if (on_fault)
		on_fault(r->text);
	fputs(r->text, stderr);
	exit(1);
}

static void report_begin(struct report *r)
{
	r->used = 0;
	report_add(r, "fault: ");
}

static void report_place(struct report *r, const uint64_t *frame)
{
	const struct task_stats *t = cur ? observe_task(cur->task) : NULL;
	void *pc[CHAIN_MAX];

	if (!cur)
		return;
	report_add(r, "  at %lu.%06lu us, CPU %u, task %u (%s)\n", (unsigned long)(cur->clock / 1000000),
		   (unsigned long)(cur->clock % 1000000), cur->id, cur->task, t ? t->name : "boot");
	report_chain(r, "called from", pc, chain_walk(frame, pc, CHAIN_MAX));
}

void hw_fault(const char *fmt, ...)
{
	static struct report r;
	va_list ap;

	report_begin(&r);
	va_start(ap, fmt);
	r.used += (size_t)vsnprintf(r.text + r.used, sizeof(r.text) - r.used, fmt, ap);
	va_end(ap);
	report_add(&r, "\n");
	report_place(&r, __builtin_frame_address(0));
	report_end(&r);
}

void access_poisoned(struct cpu *c, uint64_t off, const char *what)
{
	static const char *const kind[] = { "", "freed page", "freed slab object" };
	static struct report r;
	struct poison_chain *p = NULL;

	/* the object starts at most a page before the access */
	for (uint64_t o = off & ~7ull; o + 4096 > off && shadow[o >> 3]; o -= 8) {
		if (poison_slot(o)->addr == o) {
			p = poison_slot(o);
			break;
		}
		if (!o)
			break;
	}
	report_begin(&r);
	report_add(&r, "%s of a %s, memory offset 0x%lx\n", what, kind[shadow[off >> 3] % 3], (unsigned long)off);
	report_place(&r, __builtin_frame_address(0));
	if (p) {
		report_add(&r, "  freed at %lu.%06lu us by CPU %u\n", (unsigned long)(p->ps / 1000000),
			   (unsigned long)(p->ps % 1000000), p->cpu);
		report_chain(&r, "freed from", p->pc, 4);
	}
	(void)c;
	report_end(&r);
}
