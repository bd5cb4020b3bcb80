/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.c - from a profile's JSON to integers.
 *
 * Two tables describe everything: which figure goes to which field, and which
 * units a figure of some kind may have. A figure is converted exactly once,
 * with rounding to the nearest picosecond; cycles use the clock as written
 * and not the rounded cycle_ps, so that the error of a long latency is half a
 * picosecond and not half a picosecond per cycle.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "sim/datapath.h"
#include "sim/machine.h"
#include "sim/profile.h"

#define TEXT_MAX_BYTES	(1u << 20)
#define NAME_MAX_CHARS	63
#define LINE_BYTES	64

/* ---- what a figure may be -------------------------------------------- */

enum kind {
	KIND_CLOCK,		/* to picoseconds per cycle */
	KIND_TIME,		/* to picoseconds */
	KIND_SIZE,		/* to lines */
	KIND_LINE_RATE,		/* bandwidth to picoseconds per line */
	KIND_KIB_RATE,		/* bandwidth to picoseconds per KiB */
	KIND_IPC,		/* to thousandths */
	KIND_INSTRUCTIONS,	/* whole numbers, each with a unit of its own */
	KIND_LOADS,
	KIND_ENTRIES,
	KIND_WAYS,
	KIND_STREAMS,
	KIND_LINES,
	KIND_FLAG,
	NR_KINDS
};

struct unit {
	const char *name;
	double scale;		/* to the kind's base unit; 0: cycles, known with the clock */
};

/*
 * The base units: GHz, ps, lines, bytes per second / 1e12 (so bytes divided
 * by it are picoseconds), one.
 */
static const struct unit units[NR_KINDS][4] = {
	[KIND_CLOCK] = { { "GHz", 1 }, { "MHz", 1e-3 } },
	[KIND_TIME] = { { "ns", 1e3 }, { "us", 1e6 }, { "cycles", 0 } },
	[KIND_SIZE] = { { "KiB", 1024 / LINE_BYTES }, { "MiB", 1048576 / LINE_BYTES } },
	[KIND_LINE_RATE] = { { "GB/s", 1e-3 }, { "MB/s", 1e-6 } },
	[KIND_KIB_RATE] = { { "GB/s", 1e-3 }, { "MB/s", 1e-6 } },
	[KIND_IPC] = { { "instructions/cycle", 1e3 } },
	[KIND_INSTRUCTIONS] = { { "instructions/cycle", 1 } },
	[KIND_LOADS] = { { "loads/cycle", 1 } },
	[KIND_ENTRIES] = { { "entries", 1 } },
	[KIND_WAYS] = { { "ways", 1 } },
	[KIND_STREAMS] = { { "streams", 1 } },
	[KIND_LINES] = { { "lines", 1 } },
	[KIND_FLAG] = { { "flag", 1 } },
};

enum width { WIDTH_BOOL, WIDTH_32, WIDTH_64 };

struct figure {
	const char *key;
	enum kind kind;
	enum width width;
	size_t offset;
	bool may_be_zero;
	bool optional;			/* 0 where it is absent */
};

#define FIELD(key, kind, field, zero) { key, kind, WIDTH_32, offsetof(struct profile, field), zero, false }
#define EXTRA(key, kind, field) { key, kind, WIDTH_32, offsetof(struct profile, field), false, true }
#define RATE(key, field) { key, KIND_KIB_RATE, WIDTH_64, offsetof(struct profile, field), false, false }
#define FLAG(key) { #key, KIND_FLAG, WIDTH_BOOL, offsetof(struct profile, key), true, false }

/* The clock comes first: figures in cycles need it. */
static const struct figure figures[] = {
	FIELD("clock", KIND_CLOCK, cycle_ps, false),
	FIELD("issue_width", KIND_INSTRUCTIONS, issue_width, false),
	FIELD("ipc", KIND_IPC, ipc_milli, false),
	FIELD("window", KIND_ENTRIES, window, true),
	FIELD("load_ports", KIND_LOADS, load_ports, false),
	FIELD("store_buffer", KIND_ENTRIES, store_buffer, false),
	FIELD("miss_buffers", KIND_ENTRIES, miss_buffers, false),
	FIELD("mispredict", KIND_TIME, mispredict_ps, true),
	FLAG(lse),
	FIELD("l1_size", KIND_SIZE, l1.lines, false),
	FIELD("l1_ways", KIND_WAYS, l1.ways, false),
	FIELD("l1_latency", KIND_TIME, l1.latency_ps, false),
	FIELD("l2_size", KIND_SIZE, l2.lines, false),
	FIELD("l2_ways", KIND_WAYS, l2.ways, false),
	FIELD("l2_latency", KIND_TIME, l2.latency_ps, false),
	FIELD("llc_size", KIND_SIZE, llc.lines, true),
	FIELD("llc_ways", KIND_WAYS, llc.ways, true),
	FIELD("llc_latency", KIND_TIME, llc.latency_ps, true),
	EXTRA("dtlb_entries", KIND_ENTRIES, dtlb_entries),
	EXTRA("tlb_entries", KIND_ENTRIES, tlb_entries),
	EXTRA("tlb_ways", KIND_WAYS, tlb_ways),
	EXTRA("tlb_latency", KIND_TIME, tlb_ps),
	FIELD("dram_latency", KIND_TIME, dram_ps, false),
	FIELD("dram_bandwidth", KIND_LINE_RATE, dram_occupancy_ps, false),
	FIELD("transfer", KIND_TIME, transfer_ps, false),
	FIELD("transfer_shared", KIND_TIME, transfer_shared_ps, false),
	FIELD("upgrade", KIND_TIME, upgrade_ps, false),
	FIELD("transfer_far", KIND_TIME, transfer_far_ps, false),
	FIELD("transfer_shared_far", KIND_TIME, transfer_shared_far_ps, false),
	FIELD("upgrade_far", KIND_TIME, upgrade_far_ps, false),
	FIELD("transfer_occupancy", KIND_TIME, transfer_occupancy_ps, false),
	FIELD("atomic", KIND_TIME, atomic_ps, false),
	FLAG(atomic_is_fence),
	FLAG(atomic_runs_ahead),
	FIELD("fence", KIND_TIME, fence_ps, true),
	FIELD("relax", KIND_TIME, relax_ps, false),
	FIELD("kick", KIND_TIME, kick_ps, true),
	FIELD("kick_latency", KIND_TIME, kick_latency_ps, true),
	FIELD("prefetch_streams", KIND_STREAMS, prefetch_streams, true),
	FIELD("prefetch_ahead", KIND_LINES, prefetch_ahead, true),
	RATE("copy_bandwidth", copy_ps_per_kib),
	RATE("zero_bandwidth", zero_ps_per_kib),
};

#define NR_FIGURES (sizeof(figures) / sizeof(figures[0]))

static const char *const top_keys[] = { "name", "description", "soc", "figures", "work" };
static const char *const figure_keys[] = {
	"value", "unit", "low", "high", "kind", "source", "note", "calibrated",
};
static const char *const source_kinds[] = { "measured", "derived", "specification", "estimate" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- complaints -------------------------------------------------------- */

struct loader {
	const char *file;
	char *error;
	size_t error_bytes;
	double clock_ghz;	/* 0 until the clock is read */
};

/* Write "FILE: $PATH: message" and return false, so that a check can end in it. */
__attribute__((format(printf, 3, 4)))
static bool complain(const struct loader *l, const char *path, const char *format, ...)
{
	va_list args;
	int at;

	if (!l->error_bytes)
		return false;
	at = snprintf(l->error, l->error_bytes, "%s: $%s: ", l->file, path);
	if (at < 0 || (size_t)at >= l->error_bytes)
		return false;
	va_start(args, format);
	vsnprintf(l->error + at, l->error_bytes - (size_t)at, format, args);
	va_end(args);
	return false;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edits that turn @a into @b; both at most NAME_MAX_CHARS long. */
static size_t distance(const char *a, const char *b)
{
	size_t row[NAME_MAX_CHARS + 1], width = strlen(b), diagonal, above, i, j;

	for (j = 0; j <= width; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		diagonal = row[0];
		row[0] = i + 1;
		for (j = 0; j < width; j++) {
			above = row[j + 1];
			row[j + 1] = smaller(diagonal + (a[i] != b[j]), smaller(above, row[j]) + 1);
			diagonal = above;
		}
	}
	return row[width];
}

/* The name of @nr that is most like @key; the names stand @stride bytes apart. */
static const char *nearest(const char *key, const char *const *names, size_t nr, size_t stride)
{
	const char *best = *names;
	size_t least = SIZE_MAX, i, d;

	if (strlen(key) > NAME_MAX_CHARS)
		return best;
	for (i = 0; i < nr; i++) {
		const char *name = *(const char *const *)((const char *)names + i * stride);

		d = distance(key, name);
		if (d < least) {
			least = d;
			best = name;
		}
	}
	return best;
}

/*
 * Each member of @object has one of the @nr names, and each once. Names that
 * are missing are the caller's business.
 */
static bool check_keys(const struct loader *l, const char *path, const cJSON *object,
		       const char *const *names, size_t nr, size_t stride)
{
	const cJSON *member, *other;
	const char *like;

	cJSON_ArrayForEach(member, object) {
		like = nearest(member->string, names, nr, stride);
		if (strcmp(like, member->string) != 0)
			return complain(l, path, "unknown key \"%s\"; did you mean \"%s\"?",
					member->string, like);
		for (other = member->next; other; other = other->next)
			if (strcmp(other->string, member->string) == 0)
				return complain(l, path, "key \"%s\" appears twice; keep one",
						member->string);
	}
	return true;
}

/* Member @key of @object as an object, or NULL with a complaint. */
static const cJSON *get_object(const struct loader *l, const char *path, const cJSON *object,
			       const char *key)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

	if (member && cJSON_IsObject(member))
		return member;
	complain(l, path, member ? "\"%s\" is not an object; { ... } is expected"
				 : "key \"%s\" is missing; add it", key);
	return NULL;
}

static const char *get_string(const struct loader *l, const char *path, const cJSON *object,
			      const char *key)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

	if (member && cJSON_IsString(member) && *member->valuestring)
		return member->valuestring;
	complain(l, path, member ? "\"%s\" is not a text; \"...\" is expected"
				 : "key \"%s\" is missing; add it", key);
	return NULL;
}

static bool get_number(const struct loader *l, const char *path, const cJSON *object,
		       const char *key, double *number)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!member)
		return complain(l, path, "key \"%s\" is missing; add it", key);
	if (!cJSON_IsNumber(member) || !isfinite(member->valuedouble))
		return complain(l, path, "\"%s\" is not a number; a finite number is expected", key);
	*number = member->valuedouble;
	if (*number < 0)
		return complain(l, path, "\"%s\" is negative; 0 or more is expected", key);
	return true;
}

/* ---- one figure --------------------------------------------------------- */

struct quantity {
	double value;
	const struct unit *unit;
};

static bool check_kind(const struct loader *l, const char *path, const cJSON *object)
{
	const char *kind = get_string(l, path, object, "kind");
	size_t i;

	if (!kind)
		return false;
	for (i = 0; i < COUNT(source_kinds); i++)
		if (strcmp(kind, source_kinds[i]) == 0)
			return true;
	return complain(l, path, "kind \"%s\" is unknown; measured, derived, specification or estimate is expected",
			kind);
}

static bool check_range(const struct loader *l, const char *path, const cJSON *object, double value)
{
	double low, high;

	if (!get_number(l, path, object, "low", &low) || !get_number(l, path, object, "high", &high))
		return false;
	if (low > value || value > high)
		return complain(l, path, "value %g is not between low %g and high %g; low <= value <= high is expected",
				value, low, high);
	return true;
}

/* What only people read, but what a figure must not lack. */
static bool check_origin(const struct loader *l, const char *path, const cJSON *object)
{
	const cJSON *note = cJSON_GetObjectItemCaseSensitive(object, "note");
	const cJSON *calibrated = cJSON_GetObjectItemCaseSensitive(object, "calibrated");

	if (!check_kind(l, path, object) || !get_string(l, path, object, "source"))
		return false;
	if (note && !cJSON_IsString(note))
		return complain(l, path, "\"note\" is not a text; \"...\" is expected");
	if (calibrated && !cJSON_IsBool(calibrated))
		return complain(l, path, "\"calibrated\" is not a truth value; true or false is expected");
	return true;
}

static const struct unit *find_unit(const struct loader *l, const char *path, enum kind kind,
				    const char *name)
{
	const struct unit *unit;
	char known[64] = "";

	for (unit = units[kind]; unit->name; unit++) {
		if (strcmp(unit->name, name) == 0)
			return unit;
		if (*known)
			strcat(known, " or ");
		strcat(known, unit->name);
	}
	complain(l, path, "unit \"%s\" does not fit; %s is expected", name, known);
	return NULL;
}

static bool read_quantity(const struct loader *l, const char *path, const cJSON *object,
			  enum kind kind, struct quantity *q)
{
	const char *unit;

	if (!cJSON_IsObject(object))
		return complain(l, path, "not an object; { \"value\": ..., \"unit\": ..., ... } is expected");
	if (!check_keys(l, path, object, figure_keys, COUNT(figure_keys), sizeof(figure_keys[0])) ||
	    !get_number(l, path, object, "value", &q->value))
		return false;
	unit = get_string(l, path, object, "unit");
	q->unit = unit ? find_unit(l, path, kind, unit) : NULL;
	return q->unit && check_range(l, path, object, q->value) && check_origin(l, path, object);
}

/* The number of the kind's base units, before rounding. The only place where a unit is turned into another. */
static double convert(const struct loader *l, enum kind kind, const struct quantity *q)
{
	double scale = q->unit->scale != 0 ? q->unit->scale : 1e3 / l->clock_ghz;
	double scaled = q->value * scale;

	switch (kind) {
	case KIND_CLOCK:
		return 1e3 / scaled;
	case KIND_LINE_RATE:
		return LINE_BYTES / scaled;
	case KIND_KIB_RATE:
		return 1024 / scaled;
	default:
		return scaled;
	}
}

static bool is_whole_kind(enum kind kind)
{
	return kind == KIND_SIZE || kind >= KIND_INSTRUCTIONS;
}

/* Convert and round @q to *@result, at most @max. */
static bool round_quantity(const struct loader *l, const char *path, enum kind kind,
			   const struct quantity *q, double max, uint64_t *result)
{
	double exact = convert(l, kind, q);

	if (is_whole_kind(kind) && exact != floor(exact))
		return complain(l, path, "value %g is not a whole number%s; a whole one is expected", q->value,
				kind == KIND_SIZE ? " of 64-byte lines" : "");
	if (kind == KIND_FLAG && exact > 1)
		return complain(l, path, "value %g is not a flag; 0 or 1 is expected", q->value);
	if (!(exact + 0.5 < max))
		return complain(l, path, "value %g %s is out of range; at most %.0f ps or units can be held",
				q->value, q->unit->name, max);
	*result = (uint64_t)(exact + 0.5);
	return true;
}

static void store(struct profile *p, const struct figure *f, uint64_t number)
{
	char *field = (char *)p + f->offset;

	if (f->width == WIDTH_BOOL)
		*(bool *)field = number != 0;
	else if (f->width == WIDTH_32)
		*(uint32_t *)field = (uint32_t)number;
	else
		*(uint64_t *)field = number;
}

static bool read_figure(struct loader *l, const cJSON *all, const struct figure *f, struct profile *p)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(all, f->key);
	struct quantity q;
	uint64_t number;
	char path[96];

	snprintf(path, sizeof(path), ".figures.%s", f->key);
	if (!object && f->optional)
		return true;
	if (!object)
		return complain(l, path, "figure is missing; add it with its unit and source");
	if (!read_quantity(l, path, object, f->kind, &q))
		return false;
	if (q.value == 0 && !f->may_be_zero)
		return complain(l, path, "value is 0; more than 0 is expected");
	if (f->kind == KIND_CLOCK)
		l->clock_ghz = q.value * q.unit->scale;
	if (!round_quantity(l, path, f->kind, &q, f->width == WIDTH_64 ? 1e18 : (double)UINT32_MAX, &number))
		return false;
	if (number == 0 && !f->may_be_zero)
		return complain(l, path, "value rounds to 0; more than 0 is expected");
	store(p, f, number);
	return true;
}

/* ---- the parts of a profile ---------------------------------------------- */

static bool check_cache(const struct loader *l, const char *path, const struct profile_cache *c)
{
	if (c->lines == 0)
		return true;
	if (c->ways == 0 || c->lines % c->ways != 0)
		return complain(l, path, "%u lines do not make whole sets of %u ways; a divisor of the lines is expected",
				c->lines, c->ways);
	return true;
}

/* All four figures or none. */
static bool check_tlb(const struct loader *l, const struct profile *p)
{
	unsigned given = !!p->dtlb_entries + !!p->tlb_entries + !!p->tlb_ways + !!p->tlb_ps;

	if (given && given != 4)
		return complain(l, ".figures", "only %u of the 4 figures dtlb_entries, tlb_entries, tlb_ways and tlb_latency;"
				" all or none are expected", given);
	if (p->dtlb_entries > MAX_DTLB)
		return complain(l, ".figures.dtlb_entries", "%u entries; at most %d are expected", p->dtlb_entries, MAX_DTLB);
	if (given && p->tlb_entries % p->tlb_ways)
		return complain(l, ".figures.tlb_ways", "%u entries do not make whole sets of %u ways; a divisor is expected",
				p->tlb_entries, p->tlb_ways);
	return true;
}

/* What no figure can be judged by alone. */
static bool check_together(const struct loader *l, const struct profile *p)
{
	if (p->ipc_milli > p->issue_width * 1000ull)
		return complain(l, ".figures.ipc", "%u/1000 is more than issue_width %u; at most the width is expected",
				p->ipc_milli, p->issue_width);
	if (!check_tlb(l, p))
		return false;
	return check_cache(l, ".figures.l1_ways", &p->l1) &&
	       check_cache(l, ".figures.l2_ways", &p->l2) &&
	       check_cache(l, ".figures.llc_ways", &p->llc);
}

static bool read_figures(struct loader *l, const cJSON *root, struct profile *p)
{
	const cJSON *all = get_object(l, "", root, "figures");
	size_t i;

	if (!all || !check_keys(l, ".figures", all, &figures[0].key, NR_FIGURES, sizeof(figures[0])))
		return false;
	for (i = 0; i < NR_FIGURES; i++)
		if (!read_figure(l, all, &figures[i], p))
			return false;
	return check_together(l, p);
}

static bool read_work_item(const struct loader *l, const cJSON *object, struct profile *p)
{
	struct profile_work *work = &p->work[p->nr_work];
	struct quantity q;
	char path[96];

	if (strlen(object->string) == 0 || strlen(object->string) > NAME_MAX_CHARS)
		return complain(l, ".work", "name of a work item has %zu characters; 1 to %d are expected",
				strlen(object->string), NAME_MAX_CHARS);
	snprintf(path, sizeof(path), ".work.%s", object->string);
	if (profile_work(p, object->string))
		return complain(l, path, "work item appears twice; keep one");
	if (p->nr_work == PROFILE_MAX_WORK)
		return complain(l, path, "one work item too many; at most %d are expected", PROFILE_MAX_WORK);
	if (!read_quantity(l, path, object, KIND_TIME, &q) ||
	    !round_quantity(l, path, KIND_TIME, &q, 1e18, &work->ps))
		return false;
	work->name = strdup(object->string);
	if (!work->name)
		return complain(l, path, "out of memory; free some");
	p->nr_work++;
	return true;
}

static bool read_work(const struct loader *l, const cJSON *root, struct profile *p)
{
	const cJSON *all = get_object(l, "", root, "work"), *item;

	if (!all)
		return false;
	cJSON_ArrayForEach(item, all)
		if (!read_work_item(l, item, p))
			return false;
	return true;
}

static bool read_profile(struct loader *l, const cJSON *root, struct profile *p)
{
	const char *name;

	if (!cJSON_IsObject(root))
		return complain(l, "", "not an object; { \"name\": ..., ... } is expected");
	if (!check_keys(l, "", root, top_keys, COUNT(top_keys), sizeof(top_keys[0])))
		return false;
	name = get_string(l, "", root, "name");
	if (!name || !get_string(l, "", root, "description") || !get_string(l, "", root, "soc"))
		return false;
	if (strcmp(name, p->name) != 0)
		return complain(l, ".name", "\"%s\" is not the file's name; \"%s\" is expected", name, p->name);
	return read_figures(l, root, p) && read_work(l, root, p);
}

/* ---- files ------------------------------------------------------------------ */

/* The bytes of file @l->file with a NUL behind them, or NULL with a complaint. */
static char *read_text(const struct loader *l)
{
	char *text = malloc(TEXT_MAX_BYTES + 1);
	FILE *file = fopen(l->file, "rb");
	size_t bytes;
	bool ok = false;

	if (!text || !file) {
		complain(l, "", "cannot be read (%s); a readable file is expected", strerror(errno));
		goto out;
	}
	bytes = fread(text, 1, TEXT_MAX_BYTES + 1, file);
	if (ferror(file))
		complain(l, "", "cannot be read (%s); a readable file is expected", strerror(errno));
	else if (bytes > TEXT_MAX_BYTES)
		complain(l, "", "longer than %u bytes; a profile is expected", TEXT_MAX_BYTES);
	else if (memchr(text, 0, bytes))
		complain(l, "", "a zero byte is in it; JSON text is expected");
	else {
		text[bytes] = 0;
		ok = true;
	}
out:
	if (file)
		fclose(file);
	if (!ok) {
		free(text);
		return NULL;
	}
	return text;
}

static void complain_syntax(const struct loader *l, const char *text, const char *end)
{
	unsigned line = 1, column = 1;
	const char *at;

	for (at = text; at < end && *at; at++) {
		column++;
		if (*at == '\n') {
			line++;
			column = 1;
		}
	}
	complain(l, "", "JSON syntax error at line %u, column %u; well-formed JSON is expected", line, column);
}

static bool parse_profile(struct loader *l, struct profile *p)
{
	const char *end = p->text;
	cJSON *root = cJSON_ParseWithOpts(p->text, &end, true);
	bool ok;

	if (!root) {
		complain_syntax(l, p->text, end);
		return false;
	}
	ok = read_profile(l, root, p);
	cJSON_Delete(root);
	return ok;
}

/* "a, b, c" of all profiles, for the message about one that does not exist. */
static void list_names(char *list, size_t bytes)
{
	char **names = profile_names(), **n;
	size_t at = 0;

	*list = 0;
	for (n = names; n && *n && at < bytes; n++)
		at += (size_t)snprintf(list + at, bytes - at, "%s%s", n == names ? "" : ", ", *n);
	profile_names_free(names);
}

#define FILE_END ".json"

bool profile_is_file(const char *name)
{
	size_t chars = strlen(name), tail = strlen(FILE_END);

	return chars > tail && strcmp(name + chars - tail, FILE_END) == 0;
}

char *profile_short_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (!profile_is_file(name))
		return strdup(name);
	name = slash ? slash + 1 : name;
	return strndup(name, strlen(name) - strlen(FILE_END));
}

static char *profile_path(const char *name)
{
	char relative[NAME_MAX_CHARS + sizeof("profiles/.json")];

	if (profile_is_file(name))
		return strdup(name);
	/* A name is not a way out of the directory. */
	if (!*name || strlen(name) > NAME_MAX_CHARS || *name == '.' || strchr(name, '/') ||
	    strcmp(name, "schema") == 0)
		return NULL;
	snprintf(relative, sizeof(relative), "profiles/%s.json", name);
	return datapath(relative);
}

static struct profile *profile_new(const char *name)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->name = profile_short_name(name);
	if (p->name)
		return p;
	free(p);
	return NULL;
}

/*
 * The sources time a hand-over together with the compare-exchange or addition
 * that asks for the line. The operation is paid on its own (atomic_ps), so
 * what a transfer costs is the rest.
 */
static void take_out_operation(struct profile *p)
{
	uint32_t *const figures[] = { &p->transfer_ps, &p->transfer_far_ps, &p->transfer_shared_ps,
				      &p->transfer_shared_far_ps, &p->transfer_occupancy_ps };
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		*figures[i] = *figures[i] > p->atomic_ps ? *figures[i] - p->atomic_ps : 0;
}

struct profile *profile_load(const char *name, char *error, size_t error_bytes)
{
	struct loader l = { .error = error, .error_bytes = error_bytes };
	char *path = profile_path(name), known[512];
	struct profile *p = NULL;

	if (!path) {
		list_names(known, sizeof(known));
		l.file = "profiles";
		complain(&l, "", "profile \"%.*s\" is unknown; known are: %s", NAME_MAX_CHARS, name, known);
		return NULL;
	}
	l.file = path;
	p = profile_new(name);
	if (!p)
		complain(&l, "", "out of memory; free some");
	else
		p->text = read_text(&l);
	if (p && (!p->text || !parse_profile(&l, p))) {
		profile_free(p);
		p = NULL;
	}
	if (p)
		take_out_operation(p);
	free(path);
	return p;
}

void profile_free(struct profile *p)
{
	unsigned i;

	if (!p)
		return;
	for (i = 0; i < p->nr_work; i++)
		free(p->work[i].name);
	free(p->text);
	free(p->name);
	free(p);
}

const struct profile_work *profile_work(const struct profile *p, const char *name)
{
	unsigned i;

	for (i = 0; i < p->nr_work; i++)
		if (strcmp(p->work[i].name, name) == 0)
			return &p->work[i];
	return NULL;
}

/* ---- the list of names -------------------------------------------------------- */

static int is_profile_file(const struct dirent *entry)
{
	size_t chars = strlen(entry->d_name), tail = strlen(".json");

	return entry->d_name[0] != '.' && chars > tail &&
	       strcmp(entry->d_name + chars - tail, ".json") == 0 &&
	       strcmp(entry->d_name, "schema.json") != 0;
}

/* By bytes: alphasort() would let the locale decide. */
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

char **profile_names(void)
{
	char *directory = datapath("profiles"), **names;
	struct dirent **entries = NULL;
	int nr = directory ? scandir(directory, &entries, is_profile_file, compare_entries) : 0;
	int i;

	if (nr < 0)
		nr = 0;
	names = calloc((size_t)nr + 1, sizeof(*names));
	for (i = 0; i < nr; i++) {
		if (names)
			names[i] = strndup(entries[i]->d_name, strlen(entries[i]->d_name) - strlen(".json"));
		free(entries[i]);
	}
	free(entries);
	free(directory);
	return names;
}

void profile_names_free(char **names)
{
	char **n;

	for (n = names; n && *n; n++)
		free(*n);
	free(names);
}
