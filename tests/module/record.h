/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.h - writes down when, in simulated time, each access of the software
 * has its effect, in the order in which the host does them. A test program
 * that links record.c uses it in place of sim/tsan.c and is otherwise the
 * same machine.
 *
 * What strict order demands: the times, ties by number, never go back.
 */
#ifndef TESTS_MODULE_RECORD_H
#define TESTS_MODULE_RECORD_H

#include "tests/module/host.h"

enum record_kind { RECORD_LOAD, RECORD_STORE, RECORD_RMW, RECORD_COMMIT, RECORD_FORCED, NR_RECORD_KINDS };

/* Effects seen so far, by kind; how many came after one that is later. */
extern uint64_t record_count[NR_RECORD_KINDS];
extern uint64_t record_violations;
/* The first few of those in words. */
extern char record_text[2048];

/* Put the totals into r->note: by kind, then the violations; r->text gets the words. */
void record_report(struct host_result *r);
/* Feed the check two effects that are out of order after one that is late; r->note[0] gets how many it finds. */
void record_self_check(struct host_result *r);

#endif
