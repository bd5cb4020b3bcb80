/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metrics.h - what `zsmsim list metrics` prints: the metrics and series, with their meaning. */
#ifndef ZSMSIM_REPORTS_METRICS_H
#define ZSMSIM_REPORTS_METRICS_H

#include <stddef.h>

struct metric_info {
	const char *name, *unit, *stats, *meaning;
};

extern const struct metric_info metric_infos[], series_infos[];
extern const size_t nr_metric_infos, nr_series_infos;

#endif
