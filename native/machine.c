/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine.c - the software's CPUs as threads, each pinned to a CPU of the host.
 *
 * nr_active counts the CPUs that run or have been kicked. Only a running CPU
 * kicks, and it counts itself, so the count can reach 0 only when nobody is
 * left who could wake anybody: that is the end of the run. A kick counts for
 * its receiver before the receiver runs; a CPU that stops takes itself out
 * after it has said so. Between the two the count is too high, never too low.
 */
#include "native/machine.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sim/hw.h"

enum cpu_state { CPU_RUNNING, CPU_IDLE, CPU_KICKED };

struct cpu {
	uint32_t state;			/* enum cpu_state; the futex of hw_idle() */
	unsigned id;
	uint64_t base;			/* see hw_base() */
	char *sweep;			/* read before the start */
} __attribute__((aligned(128)));	/* two lines: adjacent ones are fetched together */

static struct cpu cpus[HW_MAX_CPUS];
static struct native_machine machine;
static void (*cpu_main)(void *);
static bool running;			/* else functional mode: one thread, no kicks */
static uint64_t rest_ns;
static struct rusage at_start, at_end;

static uint32_t nr_active __attribute__((aligned(128)));
static uint32_t nr_at_start __attribute__((aligned(128)));
static uint32_t at_rest __attribute__((aligned(128)));	/* futex of machine_run() */
static uint32_t faulted;

/* In a library that is opened at run time the general way to a thread's variable is a call. */
static __thread unsigned cpu_id __attribute__((tls_model("initial-exec")));

uint64_t machine_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* A task may go on in another thread after a switch: noinline, so that nobody keeps the address of cpu_id. */
__attribute__((noinline)) unsigned hw_cpu(void)
{
	return cpu_id;
}

unsigned hw_nr_cpus(void)
{
	return machine.nr_cpus;
}

/* Bases are set at boot, by the thread that is CPU 0 then. */
__thread uint64_t hw_base_now __attribute__((tls_model("initial-exec")));

void hw_set_base(unsigned cpu, uint64_t base)
{
	cpus[cpu].base = base;
	if (cpu == hw_cpu())
		hw_base_now = base;
}

__attribute__((noinline)) uint64_t hw_base_read(void)
{
	return hw_base_now;
}

/* ---- waiting and waking ---- */

static long futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL, 0);
}

static void come_to_rest(void)
{
	rest_ns = machine_now_ns();
	getrusage(RUSAGE_SELF, &at_end);
	__atomic_store_n(&at_rest, 1, __ATOMIC_RELEASE);
	futex(&at_rest, FUTEX_WAKE, 1, NULL);
}

static bool stop(struct cpu *c)
{
	uint32_t state = CPU_RUNNING;

	return __atomic_compare_exchange_n(&c->state, &state, CPU_IDLE, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void hw_idle(void)
{
	struct cpu *c = &cpus[hw_cpu()];

	if (!running)
		machine_fault("fault: idle in functional mode");
	if (stop(c)) {
		if (!__atomic_sub_fetch(&nr_active, 1, __ATOMIC_SEQ_CST))
			come_to_rest();
		while (__atomic_load_n(&c->state, __ATOMIC_ACQUIRE) == CPU_IDLE)
			futex(&c->state, FUTEX_WAIT, CPU_IDLE, NULL);
	}
	__atomic_store_n(&c->state, CPU_RUNNING, __ATOMIC_SEQ_CST);
}

void hw_kick(unsigned cpu)
{
	struct cpu *to = &cpus[cpu];

	if (!running || __atomic_exchange_n(&to->state, CPU_KICKED, __ATOMIC_SEQ_CST) != CPU_IDLE)
		return;
	__atomic_add_fetch(&nr_active, 1, __ATOMIC_SEQ_CST);
	futex(&to->state, FUTEX_WAKE, 1, NULL);
}

void machine_fault(const char *report)
{
	if (!__atomic_exchange_n(&faulted, 1, __ATOMIC_SEQ_CST) && machine.on_fault)
		machine.on_fault(report);
	/* Another thread reports and will end the process. */
	for (;;)
		pause();
}

/* ---- memory and CPUs ---- */

static int pin(int host_cpu)
{
	cpu_set_t *set = CPU_ALLOC(host_cpu + 1);
	size_t bytes = CPU_ALLOC_SIZE(host_cpu + 1);
	int status;

	if (!set)
		return -1;
	CPU_ZERO_S(bytes, set);
	CPU_SET_S(host_cpu, bytes, set);
	status = sched_setaffinity(0, bytes, set);
	CPU_FREE(set);
	return status;
}

/* Present now, so that no page fault comes later; in huge pages if the host gives them, as a kernel's own map has. */
static int populate(char *at, size_t bytes)
{
	madvise(at, bytes, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
	if (!madvise(at, bytes, MADV_POPULATE_WRITE))
		return 0;
	if (errno == ENOMEM)
		return -1;
#endif
	for (size_t i = 0; i < bytes; i += 4096)
		((volatile char *)at)[i] = 0;
	return 0;
}

static int map(void *wanted, size_t bytes, char **at)
{
	int fixed = wanted ? MAP_FIXED_NOREPLACE : 0;

	*at = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
	if (*at == MAP_FAILED || (wanted && *at != wanted))
		return -1;
	return populate(*at, bytes);
}

int machine_create(const struct native_machine *m, char *error, size_t error_bytes)
{
	char *memory;

	machine = *m;
	if (pin(m->host_cpu[0])) {
		snprintf(error, error_bytes, "CPU %d of this machine: %s", m->host_cpu[0], strerror(errno));
		return -1;
	}
	if (map((void *)HW_MEM_BASE, m->memory_bytes, &memory)) {
		snprintf(error, error_bytes, "memory of %llu MB: %s", (unsigned long long)(m->memory_bytes >> 20),
			 strerror(errno));
		return -1;
	}
	for (unsigned i = 0; i < m->nr_cpus; i++) {
		cpus[i].id = i;
		if (m->sweep_bytes && map(NULL, m->sweep_bytes, &cpus[i].sweep)) {
			snprintf(error, error_bytes, "memory to sweep the caches with: %s", strerror(errno));
			return -1;
		}
	}
	return 0;
}

/* ---- the run ---- */

static void sweep_caches(const struct cpu *c)
{
	for (size_t i = 0; i < machine.sweep_bytes; i += 64)
		(void)*(volatile char *)(c->sweep + i);
}

/* Nobody starts before all are there. */
static void start_together(void)
{
	if (__atomic_add_fetch(&nr_at_start, 1, __ATOMIC_SEQ_CST) == machine.nr_cpus)
		getrusage(RUSAGE_SELF, &at_start);
	while (__atomic_load_n(&nr_at_start, __ATOMIC_ACQUIRE) < machine.nr_cpus)
		hw_relax();
}

static void *cpu_thread(void *arg)
{
	struct cpu *c = arg;

	cpu_id = c->id;
	hw_base_now = c->base;
	if (pin(machine.host_cpu[c->id]))
		machine_fault("fault: a thread cannot be kept on its CPU");
	sweep_caches(c);
	start_together();
	cpu_main(NULL);
	return NULL;
}

static int wait_for_rest(void)
{
	uint64_t until = machine_now_ns() + machine.timeout_s * 1000000000ull, now;

	while (!__atomic_load_n(&at_rest, __ATOMIC_ACQUIRE)) {
		now = machine_now_ns();
		if (now >= until)
			return -1;
		futex(&at_rest, FUTEX_WAIT, 0,
		      &(struct timespec){ (time_t)((until - now) / 1000000000), (long)((until - now) % 1000000000) });
	}
	return 0;
}

int machine_run(void (*main_function)(void *))
{
	pthread_t thread;
	int status;

	cpu_main = main_function;
	running = true;
	nr_active = machine.nr_cpus;
	for (unsigned i = 0; i < machine.nr_cpus; i++) {
		if (pthread_create(&thread, NULL, cpu_thread, &cpus[i]))
			machine_fault("fault: no thread for a CPU; the host allows no more");
		pthread_detach(thread);
	}
	status = wait_for_rest();
	/* They sleep from here on: nobody kicks in functional mode. */
	running = false;
	return status;
}

uint64_t machine_rest_ns(void)
{
	return rest_ns;
}

struct native_disturbance machine_disturbance(void)
{
	return (struct native_disturbance){ at_end.ru_minflt - at_start.ru_minflt,
					    at_end.ru_nivcsw - at_start.ru_nivcsw };
}
