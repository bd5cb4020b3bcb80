/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.c - see host.h. */
#include "tests/module/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/module.h"
#include "sim/observe.h"
#include "sim/oracle.h"

#define TIMEOUT_S 60

/* Where the module is when the environment does not say: beside the test programs. */
#ifndef TEST_MODULE
#define TEST_MODULE ABS_TOP_BUILDDIR "/tests/module/programs.so"
#endif

static struct host_result *result;	/* of the run in this process */

void hw_mark_event(unsigned what, uint64_t value)
{
	struct host_event *e;

	if (result->nr_events == HOST_MAX_EVENTS)
		return;
	e = &result->event[result->nr_events++];
	*e = (struct host_event){ cur->clock, value, what, cur->id };
}

static void on_fault(const char *report)
{
	result->faulted = true;
	snprintf(result->text, sizeof(result->text), "%s", report);
	_exit(1);
}

struct profile *host_profile(const char *name)
{
	char error[512];
	struct profile *p = profile_load(name, error, sizeof(error));

	if (!p) {
		fprintf(stderr, "%s\n", error);
		exit(2);
	}
	/* These tests are about caches and order; translation has its own (test_tlb.c). */
	p->dtlb_entries = 0;
	return p;
}

static void create_machine(const struct host_setup *s, uint64_t bytes)
{
	unsigned kinds = s->nr_profiles ? s->nr_profiles : 1;
	struct machine_config config = { .nr_cpus = s->nr_cpus, .memory_bytes = bytes, .jitter = s->jitter };
	struct profile *p[4];

	for (unsigned i = 0; i < kinds; i++) {
		p[i] = host_profile(s->profile[i]);
		if (s->tune)
			s->tune(p[i]);
	}
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		config.profile[i] = p[i % kinds];
		config.cluster[i] = s->cpus_per_cluster ? i / s->cpus_per_cluster : 0;
	}
	machine_create(&config);
	observe_create(0, 0);
}

static void keep_cpus(struct host_result *r)
{
	for (unsigned i = 0; i < nr_cpus; i++) {
		const struct cpu *c = &cpus[i];
		struct host_cpu *h = &r->cpu[i];

		h->clock = c->clock;
		h->insns = c->insns;
		h->branches = c->branches;
		h->loads = c->loads;
		h->stores = c->stores;
		h->rmws = c->rmws;
		h->l1_misses = c->l1_misses;
		h->mispredicts = c->mispredicts;
		memcpy(h->booked, c->booked, sizeof(h->booked));
	}
}

static void keep_locks(struct host_result *r)
{
	r->nr_locks = locks_count();
	for (unsigned i = 1; i < r->nr_locks; i++) {
		r->lock[i] = *locks_stats(i);
		snprintf(r->lock_name[i], sizeof(r->lock_name[i]), "%s", locks_stats(i)->name);
	}
}

void host_run_here(const struct host_setup *s, struct host_result *r)
{
	const char *file = getenv("ZSMSIM_TEST_MODULE");
	struct program_config config = {
		.nr_cpus = s->nr_cpus,
		.users = s->users ? s->users : s->nr_cpus,
		.memory_bytes = (s->memory_mb ? s->memory_mb : 64) << 20,
	};
	const struct program *program;

	result = r;
	memcpy(config.arg, s->arg, sizeof(config.arg));
	program = module_load(file ? file : TEST_MODULE, s->program, r->text, sizeof(r->text));
	if (!program)
		_exit(1);
	create_machine(s, config.memory_bytes);
	oracle_on_fault(on_fault);
	machine_no_park = s->no_park;
	program->prepare(&config);
	if (s->before)
		s->before(r);
	machine_run(program->cpu_main);
	machine_check();
	r->trace_hash = trace_hash;
	r->accesses = machine_accesses();
	r->stats = machine_stats;
	keep_cpus(r);
	keep_locks(r);
	if (s->after)
		s->after(r);
	r->value = program->finish();
	if (locks_held())
		hw_fault("%u locks are held at the end", locks_held());
	r->done = true;
}

static void say_how_it_ended(struct host_result *r, int status)
{
	if (r->done || r->text[0])
		return;
	if (WIFSIGNALED(status))
		snprintf(r->text, sizeof(r->text), "ended by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(r->text, sizeof(r->text), "ended with status %d", WEXITSTATUS(status));
}

struct host_result *host_run(const struct host_setup *s)
{
	struct host_result *r = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t child;

	if (r == MAP_FAILED) {
		perror("results");
		exit(1);
	}
	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(TIMEOUT_S);
		host_run_here(s, r);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("child");
		exit(1);
	}
	say_how_it_ended(r, status);
	return r;
}

void host_free(struct host_result *r)
{
	munmap(r, sizeof(*r));
}

/* ---- looking things up ---------------------------------------------------------- */

const struct host_event *host_event(const struct host_result *r, unsigned what, int cpu, unsigned n)
{
	for (uint32_t i = 0; i < r->nr_events; i++) {
		const struct host_event *e = &r->event[i];

		if (e->what == what && (cpu < 0 || e->cpu == (uint32_t)cpu) && !n--)
			return e;
	}
	return NULL;
}

uint64_t host_span(const struct host_result *r, int cpu, unsigned from, unsigned to)
{
	const struct host_event *a = host_event(r, from, cpu, 0), *b = host_event(r, to, cpu, 0);

	return a && b ? b->ps - a->ps : 0;
}

const struct lock_stats *host_lock(const struct host_result *r, const char *name)
{
	for (unsigned i = 1; i < r->nr_locks; i++)
		if (!strcmp(r->lock_name[i], name))
			return &r->lock[i];
	return NULL;
}
