/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_dump.c - dumps of debugfs "classes": every layout is read, every kind
 * of damage is refused at its line, and zspages are filled as the groups say.
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/dump.h"

static char data[512], damaged[64], error[1024];
static struct dump *dump;

static void set_up(void)
{
	const char *src = getenv("ZSMSIM_TEST_SRCDIR");
	int fd;

	snprintf(data, sizeof(data), "%s/tests/data/dump", src ? src : "..");
	snprintf(damaged, sizeof(damaged), "/tmp/zsmsim-dump-XXXXXX");
	fd = mkstemp(damaged);
	cr_assert(fd >= 0);
	close(fd);
}

static void tear_down(void)
{
	dump_free(dump);
	unlink(damaged);
}

TestSuite(dump, .init = set_up, .fini = tear_down);

static void read_good(const char *name)
{
	char file[600];

	snprintf(file, sizeof(file), "%s/%s.txt", data, name);
	dump_free(dump);
	dump = NULL;
	cr_assert_eq(dump_read(file, &dump, error, sizeof(error)), 0, "%s", error);
}

static const struct dump_row *row_of(unsigned index)
{
	for (size_t i = 0; i < dump->nr_rows; i++)
		if (dump->rows[i].index == index)
			return &dump->rows[i];
	cr_assert_fail("no class %u", index);
	return NULL;
}

static const struct model_pool_class *class_of(const struct model_pool *pool, unsigned request)
{
	for (unsigned i = 0; i < pool->nr; i++)
		if (pool->classes[i].request == request)
			return &pool->classes[i];
	cr_assert_fail("no class for %u bytes", request);
	return NULL;
}

/* The number of distinct classes that the facts list for each chain limit and rule. */
Test(dump, classes_of_chain_limits)
{
	static const unsigned waste[] = { 69, 86, 94, 110, 119, 136, 141, 153, 159, 173, 179, 186, 192 };
	static const unsigned percent[] = { 69, 86, 93, 112, 123, 140, 143, 159, 164, 180, 183, 188, 191 };

	for (unsigned chain = 4; chain <= 16; chain++) {
		unsigned nr[2] = { 0, 0 };

		for (unsigned i = 0; i < DUMP_CLASSES; i++)
			for (int rule = 0; rule < 2; rule++)
				nr[rule] += dump_class_exists(i, chain, rule);
		cr_expect_eq(nr[0], waste[chain - 4], "chain %u: %u", chain, nr[0]);
		cr_expect_eq(nr[1], percent[chain - 4], "chain %u, old rule: %u", chain, nr[1]);
	}
}

Test(dump, today)
{
	read_good("today");
	cr_expect_eq(dump->nr_rows, 5);
	cr_expect_eq(dump->chain, 8);
	cr_expect_str_empty(dump->warning);
	/* the row of the kernel's documentation */
	cr_expect_eq(row_of(31)->zspages[10], 117);
	cr_expect_eq(row_of(31)->zspages[1], 7);
	cr_expect_eq(row_of(31)->used, 3793);
	cr_expect_eq(row_of(31)->pages_used, 536);
	cr_expect_eq(row_of(31)->freeable, 44);
}

Test(dump, almost_with_freeable)
{
	read_good("almost");
	cr_expect_eq(dump->nr_rows, 9);
	cr_expect_eq(row_of(14)->zspages[DUMP_ALMOST_EMPTY], 13);
	cr_expect_eq(row_of(14)->zspages[DUMP_FULL], 115 - 14);
	cr_expect_eq(row_of(52)->freeable, 21);
}

/* Expect freeable to be computed where it has no column. */
Test(dump, almost_without_freeable)
{
	read_good("no-freeable");
	cr_expect_eq(dump->nr_rows, 4);
	cr_expect(dump->percent_rule, "class 11 with 39 objects in 2 pages is of the old rule");
	cr_expect_eq(row_of(11)->objs, 39);
	cr_expect_eq(row_of(9)->freeable, 0);
	cr_expect_str_eq(dump->warning, "there is no Total, so the end may be missing");
}

Test(dump, with_huge_column)
{
	read_good("huge");
	cr_expect_eq(dump->nr_rows, 6);
	cr_expect_eq(row_of(254)->used, 1000);
	cr_expect_eq(row_of(1)->zspages[DUMP_ALMOST_FULL], 26);
	cr_expect_eq(row_of(1)->zspages[DUMP_FULL], 123 - 26);
}

/* Expect the chain limit to be found out from the classes that there are. */
Test(dump, without_pages_per_zspage)
{
	read_good("no-pages");
	cr_expect_eq(dump->chain, 16);
	cr_expect_eq(row_of(191)->pages, 10);
	cr_expect_eq(row_of(191)->objs, 13);
}

/* Write the good file, or where there is no name the one written last, with line @line's @from (its first there) replaced by @to. */
static void damage(const char *name, unsigned line, const char *from, const char *to)
{
	char file[600], text[1024], copy[80];
	FILE *in, *out;
	bool done = false;

	snprintf(file, sizeof(file), "%s/%s.txt", data, name ? name : "");
	snprintf(copy, sizeof(copy), "%s.new", damaged);
	in = fopen(name ? file : damaged, "r");
	out = fopen(copy, "w");
	cr_assert(in && out);
	for (unsigned at = 1; fgets(text, sizeof(text), in); at++) {
		char *hit = at == line ? strstr(text, from) : NULL;

		if (hit) {
			fprintf(out, "%.*s%s%s", (int)(hit - text), text, to, hit + strlen(from));
			done = true;
		} else {
			fputs(text, out);
		}
	}
	fclose(in);
	fclose(out);
	cr_assert_eq(rename(copy, damaged), 0);
	cr_assert(done, "%s:%u has no \"%s\"", name ? name : "the file", line, from);
}

struct damage {
	const char *name;
	unsigned line;
	const char *from, *to;
	unsigned blamed;		/* line that the message names */
	const char *message;
};

static const struct damage damages[] = {
	/* the header */
	{ "today", 1, "obj_used", "", 1, "pages_used in the header where the column obj_used belongs" },
	{ "today", 1, " 30%", "", 1, "40% in the header where the column 30% belongs" },
	{ "today", 1, "freeable", "feasible", 1, "feasible: unknown column" },
	{ "almost", 1, "almost_empty", "", 1, "where the column almost_empty belongs" },
	/* the shape of a row */
	{ "today", 3, "4154", "", 3, "a row of 17 figures; the header makes it 18" },
	{ "today", 3, "4154", "41x4", 3, "41x4 is not a whole number" },
	{ "today", 3, "4154", "-154", 3, "-154 is not a whole number" },
	{ "today", 3, "4154", "9999999999999", 3, "more than a pool can have" },
	{ "today", 3, "   31   528", "  300   528", 3, "class 300; 0 to 254 are possible" },
	{ "today", 3, "   31   528", "   29   496", 3, "class 29 after class 30; expected ascending classes" },
	{ "today", 3, "528", "529", 3, "class 31 of 529 bytes; that class has 528" },
	{ "today", 3, "  528", " 2016", 3, "pages of 16 KiB" },
	/* classes */
	{ "today", 4, "   62  1024", "   61  1008", 4, "class 61 does not exist at a chain limit of 8" },
	{ "today", 3, " 4       44", " 5       44", 3, "pages_per_zspage of class 31 is 5" },
	{ "no-pages", 2, " 100", " 101", 2, "pages_used 101 is no multiple of pages_per_zspage; class 191 has 10" },
	/* figures */
	{ "today", 3, "3793", "4155", 3, "obj_used 4155 is more than obj_allocated 4154" },
	{ "today", 3, "4154", "4155", 3, "obj_allocated 4155 is no multiple of the objects of a zspage; class 31 has 31" },
	{ "today", 3, " 536 ", " 537 ", 3, "pages_used 537 is no multiple of pages_per_zspage; class 31 has 4" },
	{ "today", 3, " 536 ", " 540 ", 3, "pages_used is 540; obj_allocated 4154 makes it 536" },
	{ "today", 3, " 44", " 48", 3, "freeable is 48; obj_allocated and obj_used make it 44" },
	{ "today", 3, " 117 ", " 118 ", 3, "135 zspages of 31 objects in the groups; obj_allocated 4154 makes it 134" },
	{ "today", 6, "         0 ", "         1 ", 6, "no number of 1 objects is in it" },
	{ "today", 3, "  3793 ", "  4100 ", 3, "freeable" },
	{ "today", 3, "3793        536                4       44", "3820        536                4       40", 3,
	  "obj_used is 3820; zspages in these groups hold 3779 to 3813" },
	{ "almost", 4, " 1672        115                1       10", " 1800        115                1        2", 4,
	  "obj_used is 1800; zspages in these groups hold 1642 to 1787" },
	/* sums */
	{ "today", 8, " Total ", " Tot ", 8, "a row of 16 figures" },
	{ "huge", 10, "Total      31 ", "Total      32 ", 10, "the Total of almost_full is 32, but the rows add up to 31" },
};

Test(dump, damage_is_refused_at_its_line)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		const struct damage *d = &damages[i];
		char place[128];
		struct dump *none = NULL;

		damage(d->name, d->line, d->from, d->to);
		snprintf(place, sizeof(place), "zsmsim: %s:%u: ", damaged, d->blamed);
		cr_expect_eq(dump_read(damaged, &none, error, sizeof(error)), 2, "%zu: %s accepted", i, d->message);
		cr_expect(!strncmp(error, place, strlen(place)), "%zu: \"%s\", not \"%s\"", i, error, place);
		cr_expect(strstr(error, d->message), "%zu: \"%s\" without \"%s\"", i, error, d->message);
		cr_expect(strstr(error, "; ") || strstr(error, "belongs"), "%zu: \"%s\" does not say what would be right", i, error);
		cr_expect_null(strchr(error, '\n'));
	}
}

/* Every figure of the Total, one too many each. */
Test(dump, totals)
{
	char file[600], text[2048] = "", *words[32], *rest = NULL;
	unsigned nr = 0;
	FILE *in;

	snprintf(file, sizeof(file), "%s/today.txt", data);
	in = fopen(file, "r");
	for (unsigned at = 1; at <= 8; at++)
		cr_assert(fgets(text, sizeof(text), in));
	fclose(in);
	for (char *w = strtok_r(text, " \n", &rest); w; w = strtok_r(NULL, " \n", &rest))
		words[nr++] = w;
	cr_assert_eq(nr, 16);
	for (unsigned i = 1; i < nr; i++) {
		char all[1024] = "Total", one[32];
		struct dump *none = NULL;
		FILE *out;

		for (unsigned k = 1; k < nr; k++) {
			snprintf(one, sizeof(one), " %lu", strtoul(words[k], NULL, 10) + (k == i));
			strcat(all, one);
		}
		damage("today", 7, "\n", "");
		out = fopen(damaged, "r+");
		for (unsigned at = 1; at <= 6; at++)
			cr_assert(fgets(text, sizeof(text), out));
		fseek(out, ftell(out), SEEK_SET);
		fprintf(out, "%s\n", all);
		cr_assert_eq(ftruncate(fileno(out), (fflush(out), ftell(out))), 0);
		fclose(out);
		cr_expect_eq(dump_read(damaged, &none, error, sizeof(error)), 2, "figure %u", i);
		cr_expect(strstr(error, ":7: the Total of "), "%s", error);
	}
}

/* Expect, for every class of every good file, the groups and the sum of the dump from its spans. */
static void expect_spans_match(void)
{
	struct model_pool *pool = dump_fill(dump, dump->chain);

	for (size_t i = 0; i < dump->nr_rows; i++) {
		const struct dump_row *row = &dump->rows[i];
		const struct model_pool_class *class;
		uint64_t used = 0, zspages[DUMP_GROUPS] = { 0 };

		if (!row->used)
			continue;
		class = class_of(pool, row->size == DUMP_PAGE ? DUMP_PAGE : row->size - 8);
		cr_assert(class->nr_spans <= MODEL_SPANS_MAX);
		for (unsigned s = 0; s < class->nr_spans; s++) {
			unsigned g = 0, least, most;

			used += class->spans[s].zspages * class->spans[s].inuse;
			while (!dump_group_range(dump, row->objs, g, &least, &most) || class->spans[s].inuse < least ||
			       class->spans[s].inuse > most)
				g++;
			zspages[g] += class->spans[s].zspages;
		}
		if (!class->nr_spans)
			continue;
		cr_expect_eq(used, row->used, "class %u: %" PRIu64, row->index, used);
		cr_expect_arr_eq(zspages, row->zspages, sizeof(zspages), "class %u", row->index);
	}
	free(pool);
}

/* A zspage less in a group: it can be empty and wait to be freed. Expect a warning, and the rest to be there. */
Test(dump, empty_zspages_are_unusual)
{
	damage("today", 3, "         7 ", "         6 ");
	cr_expect_eq(dump_read(damaged, &dump, error, sizeof(error)), 2);
	cr_expect(strstr(error, ":8: the Total of 20% is"), "%s", error);
	damage(NULL, 8, "         7 ", "         6 ");
	cr_assert_eq(dump_read(damaged, &dump, error, sizeof(error)), 0, "%s", error);
	cr_expect(strstr(dump->warning, "1 zspages are in no group"), "%s", dump->warning);
	cr_expect_eq(row_of(31)->empty, 1);
	expect_spans_match();
}

Test(dump, no_such_file)
{
	cr_expect_eq(dump_read("/nonexistent/x", &dump, error, sizeof(error)), 2);
	cr_expect(strstr(error, "zsmsim: /nonexistent/x: "), "%s", error);
	dump = NULL;
}

Test(dump, zspages_are_filled_as_the_groups_say)
{
	static const char *const names[] = { "today", "almost", "no-freeable", "huge", "no-pages" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		read_good(names[i]);
		expect_spans_match();
	}
}

/* Classes that today's allocator has not at this chain limit: expect their objects, stored anew, and a count of it. */
Test(dump, other_chain_limit)
{
	struct model_pool *pool;

	read_good("no-pages");
	pool = dump_fill(dump, 4);
	cr_expect_gt(pool->repacked_classes, 20);
	cr_expect_eq(class_of(pool, 3088 - 8)->nr_spans, 0);
	cr_expect_eq(class_of(pool, 3088 - 8)->objects, row_of(191)->used);
	free(pool);
	pool = dump_fill(dump, 16);
	/* of the older rule for chains, by which three classes have another shape than by today's */
	cr_expect(dump->percent_rule);
	cr_expect_eq(pool->repacked_classes, 3);
	free(pool);
}

static void expect_mm_stat(const char *line, const char *message)
{
	char *fault = dump_mm_stat_fault(dump, line);

	if (message)
		cr_expect(fault && strstr(fault, message), "\"%s\": %s", line, fault ? fault : "accepted");
	else
		cr_expect_null(fault, "\"%s\": %s", line, fault);
	free(fault);
}

Test(dump, mm_stat)
{
	read_good("today");
	expect_mm_stat("9000000 2000000 2424832 0 2424832 0 0", NULL);
	cr_expect(strstr(dump->warning, "mm_stat has 592 pages"), "%s", dump->warning);
	expect_mm_stat(" 9000000  2000000  2424832        0  2424832        0        0        0        0\n", NULL);
	expect_mm_stat("9000000 2000000 2424832 0 2424832 0", "6 numbers; the line of mm_stat has 7 to 9");
	expect_mm_stat("9 9 9 9 9 9 9 9 9 9", "7 to 9");
	expect_mm_stat("9000000 2000000x 2424832 0 2424832 0 0", "is no whole number");
	expect_mm_stat("9000000 2000000 -4096 0 2424832 0 0", "7 to 9");
	expect_mm_stat("9000000 2000000 2424833 0 2424833 0 0", "is no multiple of 4096");
	expect_mm_stat("9000000 2500000 2424832 0 2424832 0 0", "does not fit mem_used_total");
	expect_mm_stat("9000000 2000000 2424832 0 2420736 0 0", "is more than mem_used_max");
}
