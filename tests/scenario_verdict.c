/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scenario_verdict.c - prints, for each scenario file named on the command
 * line, "accept N" (runs) or "refuse LINE" (the error). The script that holds
 * the loader against the schema reads it. "--module FILE" instead makes a
 * module for scenarios to name.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/scenario.h"
#include "tests/module_file.h"

int main(int argc, char **argv)
{
	struct module_info info = module_file_info("6.12", 8);
	char error[1024];

	if (argc == 3 && !strcmp(argv[1], "--module"))
		return !module_file_write(argv[2], &info);
	for (int i = 1; i < argc; i++) {
		struct run_list list = { 0 };

		if (scenario_load(argv[i], NULL, 0, false, 0, &list, error, sizeof(error)))
			printf("refuse %s\n", error);
		else
			printf("accept %zu\n", list.nr);
		run_list_free(&list);
	}
	return 0;
}
