/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.c - the first entry into a fresh stack, and the portable switch. */
#include "sim/context.h"

#include <stdint.h>
#include <stdlib.h>

struct context_start {
	void (*fn)(void *);
	void *arg;
};

/* Room at the high end of the stack for @start, 16-byte aligned. */
static struct context_start *context_top(void *stack, size_t bytes)
{
	uintptr_t top = ((uintptr_t)stack + bytes - sizeof(struct context_start)) & ~(uintptr_t)63;

	return (struct context_start *)top;
}

#if defined(__x86_64__) && !defined(ZSMSIM_UCONTEXT)

/*
 * Entered by the jump of context_switch() with the start record on top of the
 * stack. No C function comes between: its frame, whose size depends on the
 * compiler, would move all the software's variables.
 */
__asm__(".text\n"
	".type context_entry, @function\n"
	"context_entry:\n\t"
	"mov 8(%rsp), %rdi\n\t"
	"xor %ebp, %ebp\n\t"
	"call *(%rsp)\n\t"
	"ud2\n\t"
	".size context_entry, .-context_entry\n");
extern char context_entry[] __attribute__((visibility("hidden")));

void *context_make(void *stack, size_t bytes, void (*fn)(void *), void *arg)
{
	struct context_start *start = context_top(stack, bytes);
	void **sp = (void **)start - 1;

	*start = (struct context_start){ fn, arg };
	*sp = context_entry;
	return sp;
}

#elif defined(__aarch64__) && !defined(ZSMSIM_UCONTEXT)

__asm__(".text\n"
	".type context_entry, %function\n"
	"context_entry:\n\t"
	"ldr x1, [sp, #32]\n\t"
	"ldr x0, [sp, #40]\n\t"
	"mov x29, #0\n\t"
	"blr x1\n\t"
	"brk #0\n\t"
	".size context_entry, .-context_entry\n");
extern char context_entry[] __attribute__((visibility("hidden")));

void *context_make(void *stack, size_t bytes, void (*fn)(void *), void *arg)
{
	struct context_start *start = context_top(stack, bytes);
	void **sp = (void **)start - 4;

	*start = (struct context_start){ fn, arg };
	sp[2] = context_entry;
	return sp;
}

#else

#include <ucontext.h>

static void context_trampoline(unsigned lo, unsigned hi)
{
	struct context_start *start = (struct context_start *)(((uintptr_t)hi << 32) | lo);

	start->fn(start->arg);
	abort();			/* the contract: fn does not return */
}

void *context_make(void *stack, size_t bytes, void (*fn)(void *), void *arg)
{
	struct context_start *start = context_top(stack, bytes);
	ucontext_t *uc = malloc(sizeof(*uc));

	if (!uc || getcontext(uc))
		abort();
	*start = (struct context_start){ fn, arg };
	uc->uc_stack.ss_sp = stack;
	uc->uc_stack.ss_size = (size_t)((char *)start - (char *)stack);
	uc->uc_link = NULL;
	makecontext(uc, (void (*)(void))context_trampoline, 2, (unsigned)(uintptr_t)start,
		    (unsigned)((uintptr_t)start >> 32));
	return uc;
}

void context_switch(void **save, void *next)
{
	ucontext_t here;

	*save = &here;
	swapcontext(&here, next);
}

#endif

#ifdef __SANITIZE_ADDRESS__
/*
 * The sanitizer cleans its marks of the stack up before what does not return.
 * A fault ends the run on a simulated stack, which it knows nothing of, and
 * it would say so; nothing runs afterwards that could trip over the marks.
 */
void __asan_handle_no_return(void);
void __asan_handle_no_return(void)
{
}
#endif
