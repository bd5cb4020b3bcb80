/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host.h - the machine that the program runs on, as its system describes it.
 * What is measured is in measure.h.
 */
#ifndef ZSMSIM_NATIVE_HOST_H
#define ZSMSIM_NATIVE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_LEVELS 3

/* CPUs by the host's numbers, ascending. */
struct cpu_list {
	int *at;
	unsigned nr;
};

struct host_cache {			/* of data; all 0 if there is no such level */
	size_t bytes;
	unsigned ways;
	struct cpu_list shared;		/* the CPUs that share it, if the system says so */
};

struct host {
	char cpu[128];			/* "AMD EPYC 7763", or what is known of the processor */
	char kernel[96];		/* "Linux 6.1.0" */
	char vendor[32];		/* "AuthenticAMD"; "0x41" (implementer) on Arm; may be empty */
	unsigned family, model;		/* x86; on Arm model is the part number */
	struct host_cache cache[HOST_LEVELS];	/* level 1, 2, 3 of the CPU that was asked about */
	size_t huge_page_bytes;		/* 0: none to be had */
};

/*
 * Describe the machine and the caches of CPU @cpu. @root is "" (tests give
 * the top of a directory with made-up files proc/ and sys/). Never fails: what
 * the system does not say stays empty or 0.
 */
void host_describe(struct host *host, const char *root, int cpu);
void host_free(struct host *host);

/* CPUs that this process may use. Ends the program if the system does not say. */
struct cpu_list host_cpus(void);

/*
 * Parse "0-3,6" into @list. Returns NULL, or what is wrong with @text, as the
 * end of a sentence that begins with it.
 */
const char *cpu_list_parse(const char *text, struct cpu_list *list);
bool cpu_list_has(const struct cpu_list *list, int cpu);
void cpu_list_free(struct cpu_list *list);

/* Keep the calling thread on @cpu. Returns 0, or -1 with errno. */
int host_pin(int cpu);

/* Memory that the system could give without swapping, in bytes; 0 if it does not say. */
uint64_t host_memory_available(const char *root);

#endif
