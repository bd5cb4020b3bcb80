/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.h - makes one run on the machine itself: as scenarios/experiment.h, but
 * by the host's clock.
 */
#ifndef ZSMSIM_NATIVE_RUN_H
#define ZSMSIM_NATIVE_RUN_H

#include "native/host.h"
#include "reports/result.h"
#include "scenarios/run_spec.h"

/*
 * Where native_execute() runs: CPU i of a run is cpus->at[i] of the machine
 * @host; both must stay. Loads the module. Returns 0, or -1 and one line in
 * @error.
 */
int native_setup(const struct host *host, const struct cpu_list *cpus, char *error, size_t error_bytes);

/*
 * So many bytes that @cpus CPUs, each reading as many of its own, leave
 * nothing else in @host's caches; at most 256 MiB.
 */
size_t native_sweep_bytes(const struct host *host, unsigned cpus);

/*
 * Execute @spec, whose only cluster says how many CPUs there are, in this
 * process and fill @result: munmap_ms, free_complete_ms, mm_stat and what
 * disturbed the run. No series, causes, locks or lines: nobody observes. A
 * process can execute one run only, so the caller forks first. Returns 0, or
 * 1 after a message; does not return from a fault (native_on_fault()).
 */
int native_execute(const struct run_spec *spec, struct result *result);

/* As experiment_on_fault(); @fn is called in the thread that found the fault. */
void native_on_fault(void (*fn)(struct result *result));

#endif
