/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_result.c - a result on its way from the process of a run: what comes
 * out of the pipe is what went in, or nothing. And the figures as text.
 */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/csv.h"
#include "reports/decimal.h"
#include "reports/result.h"
#include "reports/wire.h"

/* One row of everything, with the values that are hardest to carry. */
static void fill(struct result *r)
{
	struct result_lock lock = { "class", 1, 2, 3, 4, 5, 6, UINT64_MAX };
	struct result_lines lines = { "zram stats", 7, 8, 9 };

	*r = (struct result){ .trace_hash = UINT64_MAX, .sim_ps = 1, .accesses = 127, .host_ns = 128 };
	r->mm_stat = strdup("");
	r->classes = strdup("two\nlines");
	result_add_metric(r, "munmap_ms", "ms", "p0", INT64_MIN, 9);
	result_add_metric(r, "munmap_ms", "ms", "max", INT64_MAX, 0);
	result_add_series(r, "free_pages", "pages");
	result_add_series(r, "pinned_pages", "pages");
	/* Time that goes back: the difference that is sent is negative. */
	result_add_sample(r, 0, 1000000, -1);
	result_add_sample(r, 1, 999, 0);
	result_add_cause(r, "unmap/0", "L1", 12);
	result_add_lock(r, &lock);
	result_add_lines(r, &lines);
	result_add_observations(r, "wait", "us", 6, "ps", (const int64_t[]){ 40, -10, 20, 30 }, 4);
}

static void expect_equal(const struct result *a, const struct result *b)
{
	cr_assert_eq(a->nr_metrics, b->nr_metrics);
	cr_assert_eq(a->nr_series, b->nr_series);
	cr_assert_eq(a->nr_samples, b->nr_samples);
	cr_assert_eq(a->nr_causes, b->nr_causes);
	cr_assert_eq(a->nr_locks, b->nr_locks);
	cr_assert_eq(a->nr_lines, b->nr_lines);
	cr_expect_eq(a->trace_hash, b->trace_hash);
	cr_expect_eq(a->sim_ps, b->sim_ps);
	cr_expect_eq(a->accesses, b->accesses);
	cr_expect_eq(a->host_ns, b->host_ns);
	cr_expect_str_eq(a->mm_stat, b->mm_stat);
	cr_expect_str_eq(a->classes, b->classes);
	for (size_t i = 0; i < a->nr_metrics; i++) {
		cr_expect_str_eq(a->metrics[i].metric, b->metrics[i].metric);
		cr_expect_str_eq(a->metrics[i].unit, b->metrics[i].unit);
		cr_expect_str_eq(a->metrics[i].stat, b->metrics[i].stat);
		cr_expect_eq(a->metrics[i].value, b->metrics[i].value);
		cr_expect_eq(a->metrics[i].decimals, b->metrics[i].decimals);
	}
	for (size_t i = 0; i < a->nr_samples; i++) {
		cr_expect_str_eq(a->series[i].name, b->series[i].name);
		cr_expect_eq(a->samples[i].series, b->samples[i].series);
		cr_expect_eq(a->samples[i].t_ns, b->samples[i].t_ns);
		cr_expect_eq(a->samples[i].value, b->samples[i].value);
	}
	cr_expect_str_eq(a->causes[0].cause, b->causes[0].cause);
	cr_expect_eq(a->causes[0].ps, b->causes[0].ps);
	cr_expect_eq(a->locks[0].hold_max_ps, b->locks[0].hold_max_ps);
	cr_expect_eq(a->locks[0].contentions, b->locks[0].contentions);
	cr_assert_eq(a->nr_observations, b->nr_observations);
	for (size_t i = 0; i < a->nr_observations; i++) {
		cr_expect_str_eq(a->observations[i].name, b->observations[i].name);
		cr_expect_str_eq(a->observations[i].unit, b->observations[i].unit);
		cr_assert_eq(a->observations[i].nr, b->observations[i].nr);
		cr_expect_arr_eq(a->observations[i].values, b->observations[i].values,
				 a->observations[i].nr * sizeof(int64_t));
	}
	cr_expect_str_eq(a->lines[0].group, b->lines[0].group);
	cr_expect_eq(a->lines[0].misses, b->lines[0].misses);
}

/* The bytes that @r is sent as. */
static size_t sent_bytes(const struct result *r, uint8_t *bytes, size_t room)
{
	int ends[2];
	ssize_t nr;

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(result_send(ends[1], r), 0);
	nr = read(ends[0], bytes, room);
	cr_assert(nr > 0 && (size_t)nr < room);
	close(ends[0]);
	close(ends[1]);
	return (size_t)nr;
}

static int receive_bytes(const uint8_t *bytes, size_t nr, struct result *r)
{
	int ends[2], status;

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(wire_write(ends[1], bytes, nr), 0);
	close(ends[1]);
	status = result_receive(ends[0], r);
	close(ends[0]);
	return status;
}

/* Everything comes out as it went in; NULL (no fault) stays apart from "" (empty mm_stat). */
Test(result, round_trip)
{
	struct result out, in;
	uint8_t bytes[4096];

	fill(&out);
	cr_assert_eq(receive_bytes(bytes, sent_bytes(&out, bytes, sizeof(bytes)), &in), 0);
	expect_equal(&out, &in);
	cr_expect_null(in.fault);
	result_free(&out);
	result_free(&in);
}

/* A result of nothing but a fault, as an oracle sends it. */
static int64_t stat_value(const struct result *r, const char *stat)
{
	for (size_t i = 0; i < r->nr_metrics; i++) {
		if (!strcmp(r->metrics[i].metric, "wait") && !strcmp(r->metrics[i].stat, stat))
			return r->metrics[i].value;
	}
	cr_expect_fail("no stat %s", stat);
	return -1;
}

/* Values 1 .. 200 in disorder. Expect the smallest value that so many per cent do not exceed, and the order kept. */
Test(result, observations)
{
	int64_t values[200];
	struct result r = { 0 };

	for (int i = 0; i < 200; i++)
		values[i] = (i * 77 + 5) % 200 + 1;
	result_add_observations(&r, "wait", "us", 6, "ps", values, 200);
	cr_expect_eq(stat_value(&r, "count"), 200);
	cr_expect_eq(stat_value(&r, "sum"), 20100);
	cr_expect_eq(stat_value(&r, "mean"), 101);
	cr_expect_eq(stat_value(&r, "p50"), 100);
	cr_expect_eq(stat_value(&r, "p95"), 190);
	cr_expect_eq(stat_value(&r, "p99"), 198);
	cr_expect_eq(stat_value(&r, "max"), 200);
	cr_assert_eq(r.nr_observations, 1);
	cr_expect_str_eq(r.observations[0].unit, "ps");
	cr_expect_arr_eq(r.observations[0].values, values, sizeof(values));
	result_free(&r);
}

/* One value is its own every percentile. */
Test(result, one_observation)
{
	const int64_t value = 7;
	struct result r = { 0 };

	result_add_observations(&r, "wait", "pages", 0, "pages", &value, 1);
	cr_expect_eq(stat_value(&r, "p50"), 7);
	cr_expect_eq(stat_value(&r, "p99"), 7);
	cr_expect_eq(stat_value(&r, "mean"), 7);
	result_free(&r);
}

Test(result, fault_only)
{
	struct result out = { .fault = strdup("fault") }, in;
	uint8_t bytes[4096];

	cr_assert_eq(receive_bytes(bytes, sent_bytes(&out, bytes, sizeof(bytes)), &in), 0);
	cr_expect_str_eq(in.fault, "fault");
	cr_expect_null(in.mm_stat);
	cr_expect_eq(in.nr_metrics, 0);
	result_free(&out);
	result_free(&in);
}

/* The sender dies after each possible number of bytes: expect a refusal, and an empty result. */
Test(result, truncated_anywhere)
{
	struct result out, in;
	uint8_t bytes[4096];
	size_t nr;

	fill(&out);
	nr = sent_bytes(&out, bytes, sizeof(bytes));
	for (size_t i = 0; i < nr; i++) {
		cr_expect_eq(receive_bytes(bytes, i, &in), -1, "accepted %zu of %zu bytes", i, nr);
		cr_expect_eq(in.nr_metrics, 0);
	}
	result_free(&out);
}

/*
 * Each byte changed in turn. Expect a refusal: the header's magic and length
 * are checked, the rest has a checksum. A length that became huge must be
 * noticed by the end of the bytes, not by asking for that much memory.
 */
Test(result, damaged_anywhere)
{
	struct result out, in;
	uint8_t bytes[4096];
	size_t nr;

	fill(&out);
	nr = sent_bytes(&out, bytes, sizeof(bytes));
	for (size_t i = 0; i < nr; i++) {
		bytes[i] ^= 0x80;
		cr_expect_eq(receive_bytes(bytes, nr, &in), -1, "byte %zu", i);
		bytes[i] ^= 0x80;
	}
	result_free(&out);
}

/*
 * Bytes that pass for a text longer than what is left, a count larger than
 * what is left, and a varint without end. Expect the reader to say bad, and
 * everything after it to read as nothing.
 */
Test(wire, reads_within_bounds)
{
	const uint8_t long_text[] = { 200, 1, 'a' }, endless[12] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
								     0x80, 0x80, 0x80, 0x80, 0x80, 0x80 };
	struct wire_in w = { long_text, long_text + sizeof(long_text), false };

	cr_expect_null(wire_get_text(&w));
	cr_expect(w.bad);
	cr_expect_eq(wire_get_u64(&w), 0);
	w = (struct wire_in){ long_text, long_text + sizeof(long_text), false };
	cr_expect_eq(wire_get_count(&w), 0);
	cr_expect(w.bad);
	w = (struct wire_in){ endless, endless + sizeof(endless), false };
	cr_expect_eq(wire_get_u64(&w), 0);
	cr_expect(w.bad);
}

/* Every digit that the integer has, and none that it has not. */
Test(decimal, exact)
{
	cr_expect_str_eq(decimal_exact(12510000, 6).text, "12.510000");
	cr_expect_str_eq(decimal_exact(-5, 3).text, "-0.005");
	cr_expect_str_eq(decimal_exact(7, 0).text, "7");
	cr_expect_str_eq(decimal_exact(INT64_MIN, 18).text, "-9.223372036854775808");
	cr_expect_str_eq(decimal_exact(INT64_MAX, 9).text, "9223372036.854775807");
}

/* Halves go away from zero; what rounds to nothing has no sign. */
Test(decimal, rounded)
{
	cr_expect_str_eq(decimal_round(1234499, 6, 3).text, "1.234");
	cr_expect_str_eq(decimal_round(1234500, 6, 3).text, "1.235");
	cr_expect_str_eq(decimal_round(-1234500, 6, 3).text, "-1.235");
	cr_expect_str_eq(decimal_round(-400, 6, 3).text, "0.000");
	cr_expect_str_eq(decimal_round(9999999, 6, 3).text, "10.000");
	cr_expect_str_eq(decimal_round(42, 1, 3).text, "4.2");
}

/* RFC 4180: quotes around what has a comma, quote or line end, and only there; NULL is empty. */
Test(csv, quoting)
{
	char path[] = "/tmp/zsmsim-csv-XXXXXX", error[256], text[256];
	int fd = mkstemp(path);
	struct csv csv;
	ssize_t nr;

	cr_assert_eq(csv_open(&csv, path, error, sizeof(error)), 0);
	csv_text(&csv, "plain;k=v");
	csv_text(&csv, "a,b");
	csv_text(&csv, "say \"x\"");
	csv_text(&csv, NULL);
	csv_int(&csv, -3);
	csv_text(&csv, "two\nlines");
	csv_end_line(&csv);
	/* The file at the path stays as it was (empty) until the new one is whole. */
	cr_expect_eq(read(fd, text, sizeof(text)), 0);
	cr_assert_eq(csv_commit(&csv, error, sizeof(error)), 0);
	close(fd);
	fd = open(path, O_RDONLY);
	nr = read(fd, text, sizeof(text) - 1);
	text[nr > 0 ? nr : 0] = '\0';
	cr_expect_str_eq(text, "plain;k=v,\"a,b\",\"say \"\"x\"\"\",,-3,\"two\nlines\"\n");
	close(fd);
	unlink(path);
}
