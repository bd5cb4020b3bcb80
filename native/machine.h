/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - inside the module: the threads that are the software's CPUs (machine.c), and what hw.c needs of them. */
#ifndef ZSMSIM_NATIVE_MACHINE_H
#define ZSMSIM_NATIVE_MACHINE_H

#include "native/module.h"

int machine_create(const struct native_machine *machine, char *error, size_t error_bytes);
int machine_run(void (*cpu_main)(void *));
uint64_t machine_rest_ns(void);
struct native_disturbance machine_disturbance(void);

/* hw.c: the marks so far. */
const struct native_mark *hw_marks(size_t *nr);

/* Hand @report to the host's on_fault(); of several threads only the first gets there. Does not return. */
void machine_fault(const char *report) __attribute__((noreturn));

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t machine_now_ns(void);

#endif
