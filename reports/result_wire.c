/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result_wire.c - a result on its way through a pipe.
 *
 * A header (magic, length, checksum), then the fields in the order of struct
 * result. Sender and receiver are one program, forked, so the form needs no
 * versions; the checks are for a sender that died in the middle.
 */
#include "reports/result.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "reports/decimal.h"
#include "reports/wire.h"
#include "scenarios/mem.h"

#define MAGIC 0x7a736d2d72657331u
#define CHUNK_BYTES (1u << 20)

struct header {
	uint64_t magic, bytes, checksum;
};

static void put_figures(struct wire_out *w, const struct result *r)
{
	wire_put_u64(w, r->trace_hash);
	wire_put_u64(w, r->sim_ps);
	wire_put_u64(w, r->accesses);
	wire_put_u64(w, r->host_ns);
	wire_put_text(w, r->fault);
	wire_put_text(w, r->mm_stat);
	wire_put_text(w, r->classes);
}

static void get_figures(struct wire_in *w, struct result *r)
{
	r->trace_hash = wire_get_u64(w);
	r->sim_ps = wire_get_u64(w);
	r->accesses = wire_get_u64(w);
	r->host_ns = wire_get_u64(w);
	r->fault = wire_get_text(w);
	r->mm_stat = wire_get_text(w);
	r->classes = wire_get_text(w);
}

static void put_metrics(struct wire_out *w, const struct result *r)
{
	wire_put_u64(w, r->nr_metrics);
	for (size_t i = 0; i < r->nr_metrics; i++) {
		const struct result_metric *m = &r->metrics[i];

		wire_put_text(w, m->metric);
		wire_put_text(w, m->unit);
		wire_put_text(w, m->stat);
		wire_put_i64(w, m->value);
		wire_put_u64(w, m->decimals);
	}
}

/*
 * Arrays are taken whole: the counts have been checked against the bytes that
 * are left, and a bad element leaves zeros, which result_free() accepts.
 */
static void get_metrics(struct wire_in *w, struct result *r)
{
	r->nr_metrics = wire_get_count(w);
	r->metrics = scn_zalloc(r->nr_metrics, sizeof(*r->metrics));
	for (size_t i = 0; i < r->nr_metrics; i++) {
		struct result_metric *m = &r->metrics[i];

		m->metric = wire_get_text(w);
		m->unit = wire_get_text(w);
		m->stat = wire_get_text(w);
		m->value = wire_get_i64(w);
		m->decimals = wire_get_u64(w);
		if (m->decimals > DECIMALS_MAX)
			w->bad = true;
	}
}

static void put_series(struct wire_out *w, const struct result *r)
{
	uint64_t last_ns = 0;

	wire_put_u64(w, r->nr_series);
	for (size_t i = 0; i < r->nr_series; i++) {
		wire_put_text(w, r->series[i].name);
		wire_put_text(w, r->series[i].unit);
	}
	wire_put_u64(w, r->nr_samples);
	for (size_t i = 0; i < r->nr_samples; i++) {
		const struct result_sample *s = &r->samples[i];

		wire_put_u64(w, s->series);
		/* Time hardly moves from one sample to the next: the difference is short. */
		wire_put_i64(w, (int64_t)(s->t_ns - last_ns));
		wire_put_i64(w, s->value);
		last_ns = s->t_ns;
	}
}

static void get_series(struct wire_in *w, struct result *r)
{
	uint64_t t_ns = 0;

	r->nr_series = wire_get_count(w);
	r->series = scn_zalloc(r->nr_series, sizeof(*r->series));
	for (size_t i = 0; i < r->nr_series; i++) {
		r->series[i].name = wire_get_text(w);
		r->series[i].unit = wire_get_text(w);
	}
	r->nr_samples = wire_get_count(w);
	r->samples = scn_zalloc(r->nr_samples, sizeof(*r->samples));
	for (size_t i = 0; i < r->nr_samples; i++) {
		struct result_sample *s = &r->samples[i];

		s->series = wire_get_u64(w);
		t_ns += (uint64_t)wire_get_i64(w);
		s->t_ns = t_ns;
		s->value = wire_get_i64(w);
		if (s->series >= r->nr_series)
			w->bad = true;
	}
}

static void put_causes(struct wire_out *w, const struct result *r)
{
	wire_put_u64(w, r->nr_causes);
	for (size_t i = 0; i < r->nr_causes; i++) {
		wire_put_text(w, r->causes[i].task);
		wire_put_text(w, r->causes[i].cause);
		wire_put_u64(w, r->causes[i].ps);
	}
}

static void get_causes(struct wire_in *w, struct result *r)
{
	r->nr_causes = wire_get_count(w);
	r->causes = scn_zalloc(r->nr_causes, sizeof(*r->causes));
	for (size_t i = 0; i < r->nr_causes; i++) {
		r->causes[i].task = wire_get_text(w);
		r->causes[i].cause = wire_get_text(w);
		r->causes[i].ps = wire_get_u64(w);
	}
}

static void put_locks(struct wire_out *w, const struct result *r)
{
	wire_put_u64(w, r->nr_locks);
	for (size_t i = 0; i < r->nr_locks; i++) {
		const struct result_lock *l = &r->locks[i];

		wire_put_text(w, l->lock);
		wire_put_u64(w, l->acquisitions);
		wire_put_u64(w, l->contentions);
		wire_put_u64(w, l->bounces);
		wire_put_u64(w, l->wait_ps);
		wire_put_u64(w, l->wait_max_ps);
		wire_put_u64(w, l->hold_ps);
		wire_put_u64(w, l->hold_max_ps);
	}
}

static void get_locks(struct wire_in *w, struct result *r)
{
	r->nr_locks = wire_get_count(w);
	r->locks = scn_zalloc(r->nr_locks, sizeof(*r->locks));
	for (size_t i = 0; i < r->nr_locks; i++) {
		struct result_lock *l = &r->locks[i];

		l->lock = wire_get_text(w);
		l->acquisitions = wire_get_u64(w);
		l->contentions = wire_get_u64(w);
		l->bounces = wire_get_u64(w);
		l->wait_ps = wire_get_u64(w);
		l->wait_max_ps = wire_get_u64(w);
		l->hold_ps = wire_get_u64(w);
		l->hold_max_ps = wire_get_u64(w);
	}
}

static void put_lines(struct wire_out *w, const struct result *r)
{
	wire_put_u64(w, r->nr_lines);
	for (size_t i = 0; i < r->nr_lines; i++) {
		wire_put_text(w, r->lines[i].group);
		wire_put_u64(w, r->lines[i].transfers);
		wire_put_u64(w, r->lines[i].transfer_ps);
		wire_put_u64(w, r->lines[i].misses);
	}
}

static void get_lines(struct wire_in *w, struct result *r)
{
	r->nr_lines = wire_get_count(w);
	r->lines = scn_zalloc(r->nr_lines, sizeof(*r->lines));
	for (size_t i = 0; i < r->nr_lines; i++) {
		r->lines[i].group = wire_get_text(w);
		r->lines[i].transfers = wire_get_u64(w);
		r->lines[i].transfer_ps = wire_get_u64(w);
		r->lines[i].misses = wire_get_u64(w);
	}
}

static void put_observations(struct wire_out *w, const struct result *r)
{
	wire_put_u64(w, r->nr_observations);
	for (size_t i = 0; i < r->nr_observations; i++) {
		const struct result_observation *o = &r->observations[i];

		wire_put_text(w, o->name);
		wire_put_text(w, o->unit);
		wire_put_u64(w, o->nr);
		for (size_t k = 0; k < o->nr; k++)
			wire_put_i64(w, o->values[k]);
	}
}

static void get_observations(struct wire_in *w, struct result *r)
{
	r->nr_observations = wire_get_count(w);
	r->observations = scn_zalloc(r->nr_observations, sizeof(*r->observations));
	for (size_t i = 0; i < r->nr_observations; i++) {
		struct result_observation *o = &r->observations[i];

		o->name = wire_get_text(w);
		o->unit = wire_get_text(w);
		o->nr = wire_get_count(w);
		o->values = scn_zalloc(o->nr, sizeof(*o->values));
		for (size_t k = 0; k < o->nr; k++)
			o->values[k] = wire_get_i64(w);
	}
}

int result_send(int fd, const struct result *r)
{
	struct wire_out w = { 0 };
	struct header h = { .magic = MAGIC };
	int status;

	put_figures(&w, r);
	put_metrics(&w, r);
	put_series(&w, r);
	put_causes(&w, r);
	put_locks(&w, r);
	put_lines(&w, r);
	put_observations(&w, r);
	h.bytes = w.nr;
	h.checksum = XXH64(w.bytes, w.nr, 0);
	status = wire_write(fd, &h, sizeof(h));
	if (status == 0)
		status = wire_write(fd, w.bytes, w.nr);
	free(w.bytes);
	return status;
}

/*
 * The header's bytes, newly allocated, or NULL. Memory grows with what really
 * arrives: a damaged length alone must not ask for terabytes.
 */
static uint8_t *read_payload(int fd, const struct header *h)
{
	uint8_t *bytes = NULL;
	size_t nr = 0, room = 0;

	while (nr < h->bytes) {
		size_t more = h->bytes - nr < CHUNK_BYTES ? h->bytes - nr : CHUNK_BYTES;

		if (room - nr < more) {
			uint8_t *bigger;

			room = 2 * room + more;
			bigger = scn_zalloc(room, 1);
			if (nr)
				memcpy(bigger, bytes, nr);
			free(bytes);
			bytes = bigger;
		}
		if (wire_read(fd, bytes + nr, more)) {
			free(bytes);
			return NULL;
		}
		nr += more;
	}
	return bytes;
}

int result_receive(int fd, struct result *r)
{
	struct header h;
	struct wire_in w;
	uint8_t *bytes;

	*r = (struct result){ 0 };
	if (wire_read(fd, &h, sizeof(h)) || h.magic != MAGIC)
		return -1;
	bytes = read_payload(fd, &h);
	if (!bytes)
		return -1;
	w = (struct wire_in){ bytes, bytes + h.bytes, XXH64(bytes, h.bytes, 0) != h.checksum };
	if (!w.bad) {
		get_figures(&w, r);
		get_metrics(&w, r);
		get_series(&w, r);
		get_causes(&w, r);
		get_locks(&w, r);
		get_lines(&w, r);
		get_observations(&w, r);
	}
	free(bytes);
	if (!w.bad)
		return 0;
	result_free(r);
	return -1;
}
