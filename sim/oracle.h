/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oracle.h - faults found while the software runs, and how they are reported. */
#ifndef ZSMSIM_ORACLE_H
#define ZSMSIM_ORACLE_H

#include "sim/machine.h"

void oracle_create(void);
void oracle_destroy(void);

/*
 * Where a fault goes: called once with the whole report; it must not return.
 * The default prints the report to standard error and ends the program with
 * status 1.
 */
typedef void (*oracle_fault_fn)(const char *report);
void oracle_on_fault(oracle_fault_fn fn);

#endif
