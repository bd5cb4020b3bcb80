/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - the command that makes one run of a plan again, and no other. */
#ifndef ZSMSIM_REPORTS_REPLAY_H
#define ZSMSIM_REPORTS_REPLAY_H

#include "reports/plan.h"

/*
 * "zsmsim run FILE --seed N --set ...", quoted for a shell, newly allocated.
 * The assignments of the original command come first; those that single out
 * the run follow. The scenario is loaded to see that they select this run and
 * no other, so its file should still be what it was.
 */
char *replay_command(const struct plan *plan, const struct planned *run);

#endif
