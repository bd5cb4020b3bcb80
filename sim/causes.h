/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * causes.h - what a CPU can spend time on. Each picosecond of a CPU's clock
 * is booked to exactly one cause; locks and work items have one each.
 */
#ifndef ZSMSIM_CAUSES_H
#define ZSMSIM_CAUSES_H

/* CAUSE(enum suffix, printed name) */
#define MACHINE_CAUSES(CAUSE)				\
	CAUSE(INSTRUCTIONS, "instructions")		\
	CAUSE(MISPREDICT, "branch mispredict")		\
	CAUSE(L1, "L1")					\
	CAUSE(L2, "L2")					\
	CAUSE(LLC, "shared cache")			\
	CAUSE(DRAM, "DRAM")				\
	CAUSE(TLB, "address translation")		\
	CAUSE(TRANSFER, "line transfer")		\
	CAUSE(STORE_BUFFER, "store buffer")		\
	CAUSE(ATOMIC, "atomic")				\
	CAUSE(FENCE, "fence")				\
	CAUSE(SPIN, "spin")				\
	CAUSE(STREAM, "copy and clear")			\
	CAUSE(KICK, "send interrupt")			\
	CAUSE(JITTER, "random delay")			\
	CAUSE(IDLE, "idle")

enum cause {
#define CAUSE(id, name) CAUSE_##id,
	MACHINE_CAUSES(CAUSE)
#undef CAUSE
	NR_FIXED_CAUSES
};

#define MAX_LOCK_CLASSES	48
#define MAX_WORK_NAMES		32
#define CAUSE_LOCK(cls)		(NR_FIXED_CAUSES + (cls))
#define CAUSE_WORK(id)		(NR_FIXED_CAUSES + MAX_LOCK_CLASSES + (id))
#define NR_CAUSES		(NR_FIXED_CAUSES + MAX_LOCK_CLASSES + MAX_WORK_NAMES)

#endif
