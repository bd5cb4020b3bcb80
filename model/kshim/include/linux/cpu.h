/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.h - CPU hotplug: all CPUs are there from the start, so each is prepared at once. */
#ifndef KSHIM_LINUX_CPU_H
#define KSHIM_LINUX_CPU_H

#include <linux/percpu.h>

enum cpuhp_state { CPUHP_MM_ZS_PREPARE = 1, CPUHP_ZCOMP_PREPARE };

int kshim_cpuhp_setup(int (*startup)(unsigned int cpu), int (*teardown)(unsigned int cpu));

#define cpuhp_setup_state(state, name, startup, teardown) kshim_cpuhp_setup(startup, teardown)
#define cpuhp_remove_state(state)		do { } while (0)
#define cpuhp_setup_state_multi(state, name, startup, teardown) ((void)(startup), (void)(teardown), 0)
#define cpuhp_remove_multi_state(state)		do { } while (0)

#endif
