/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * context.h - switching host stacks.
 *
 * The switch ends in an indirect jump, not in a return: the host's return
 * predictor would mispredict each time. Only what the compiler cannot be told
 * to save (frame and base pointer) is pushed; everything else is declared
 * clobbered, so the compiler saves just what is live.
 */
#ifndef ZSMSIM_CONTEXT_H
#define ZSMSIM_CONTEXT_H

#include <stddef.h>

/* Prepare a stack so that the first switch to the result calls fn(arg). fn must not return. */
void *context_make(void *stack, size_t bytes, void (*fn)(void *), void *arg);

#if defined(__x86_64__) && !defined(ZSMSIM_UCONTEXT)

static inline __attribute__((always_inline)) void context_switch(void **save, void *next)
{
	register void **save_reg __asm__("rdi") = save;
	register void *next_reg __asm__("rsi") = next;

	/* the red zone below the stack pointer may be in use */
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			 "push %%rbp\n\t"
			 "push %%rbx\n\t"
			 "lea 1f(%%rip), %%rax\n\t"
			 "push %%rax\n\t"
			 "mov %%rsp, (%%rdi)\n\t"
			 "mov %%rsi, %%rsp\n\t"
			 "pop %%rax\n\t"
			 "jmp *%%rax\n\t"
			 "1:\n\t"
			 "pop %%rbx\n\t"
			 "pop %%rbp\n\t"
			 "lea 128(%%rsp), %%rsp\n\t"
			 : "+r"(save_reg), "+r"(next_reg)
			 :
			 : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
			   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
			   "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}

#elif defined(__aarch64__) && !defined(ZSMSIM_UCONTEXT)

static inline __attribute__((always_inline)) void context_switch(void **save, void *next)
{
	register void **save_reg __asm__("x0") = save;
	register void *next_reg __asm__("x1") = next;

	__asm__ volatile("stp x29, x19, [sp, #-32]!\n\t"
			 "adr x9, 1f\n\t"
			 "str x9, [sp, #16]\n\t"
			 "mov x10, sp\n\t"
			 "str x10, [x0]\n\t"
			 "mov sp, x1\n\t"
			 "ldr x9, [sp, #16]\n\t"
			 "br x9\n\t"
			 "1:\n\t"
			 "ldp x29, x19, [sp], #32\n\t"
			 : "+r"(save_reg), "+r"(next_reg)
			 :
			 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
			   "x15", "x16", "x17", "x18", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
			   "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",
			   "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
			   "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "memory", "cc");
}

#else

/* Elsewhere: the C library's contexts, slower, and the same order of events. */
void context_switch(void **save, void *next);

#endif

#endif
