/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpumask.h */
#ifndef KSHIM_LINUX_CPUMASK_H
#define KSHIM_LINUX_CPUMASK_H

#include <linux/percpu.h>

#define num_online_cpus()	hw_nr_cpus()
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)

#endif
