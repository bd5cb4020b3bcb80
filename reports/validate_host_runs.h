/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_host_runs.h - the runs that the machine under the program and the
 * simulator are compared by: scenarios/munmap.json's processes, on 1 to N CPUs
 * in four variants, once for real and once simulated on the machine's profile.
 */
#ifndef ZSMSIM_REPORTS_VALIDATE_HOST_RUNS_H
#define ZSMSIM_REPORTS_VALIDATE_HOST_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/host.h"
#include "reports/db.h"
#include "reports/plan.h"
#include "scenarios/scenario.h"

/* Begin with all zero. */
struct host_runs {
	unsigned region_mb;		/* of each process */
	unsigned memory_mb;		/* of the machine */
	struct run_list real_list, simulated_list;
	struct plan real, simulated;
	char *scenario, *host_text, *sets[4];
};

/*
 * The largest region that lets @repeat repetitions of all runs on @cpus CPUs
 * end in a bit more than a minute, and fit in half of @free_bytes (0: not
 * known), if a page takes @page_ns to be filled, compressed and stored.
 * $ZSMSIM_VALIDATE_REGION_MB, for tests, goes before.
 */
unsigned host_runs_region_mb(unsigned cpus, unsigned repeat, double page_ns, uint64_t free_bytes);

/*
 * Plan both kinds of runs on the CPUs @cpus of @host, the simulated ones on
 * the profile in the file @profile. @argv goes to the database. Returns 0, or
 * an exit status with one line in @error; host_runs_destroy() in either case.
 */
int host_runs_create(struct host_runs *r, const struct host *host, const struct cpu_list *cpus, unsigned repeat,
		     const char *profile, const char *argv, char *error, size_t error_bytes);
void host_runs_destroy(struct host_runs *r);

/*
 * Make them: the real ones one at a time and in turn, then the simulated ones,
 * @jobs at once. Returns the status to exit with; *@complete tells whether all
 * were tried. Messages go to standard error. native_setup() comes first.
 */
int host_runs_make(struct host_runs *r, struct db *db, unsigned jobs, bool progress, bool *complete);

#endif
