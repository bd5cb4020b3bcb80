/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decimal.c - see decimal.h. */
#include "reports/decimal.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t power_of_ten(unsigned exponent)
{
	uint64_t power = 1;

	while (exponent--)
		power *= 10;
	return power;
}

static struct decimal print(int negative, uint64_t magnitude, unsigned decimals)
{
	uint64_t one = power_of_ten(decimals);
	struct decimal d;

	if (decimals == 0)
		snprintf(d.text, sizeof(d.text), "%s%" PRIu64, negative ? "-" : "", magnitude);
	else
		snprintf(d.text, sizeof(d.text), "%s%" PRIu64 ".%0*" PRIu64, negative ? "-" : "",
			 magnitude / one, (int)decimals, magnitude % one);
	return d;
}

/* Also right for INT64_MIN. */
static uint64_t magnitude_of(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

struct decimal decimal_exact(int64_t value, unsigned decimals)
{
	return print(value < 0, magnitude_of(value), decimals);
}

struct decimal decimal_round(int64_t value, unsigned decimals, unsigned places)
{
	uint64_t magnitude = magnitude_of(value), divisor;

	if (decimals <= places)
		return decimal_exact(value, decimals);
	divisor = power_of_ten(decimals - places);
	magnitude = magnitude / divisor + (magnitude % divisor >= divisor / 2);
	return print(value < 0 && magnitude, magnitude, places);
}

double decimal_double(int64_t value, unsigned decimals)
{
	return (double)value / (double)power_of_ten(decimals);
}
