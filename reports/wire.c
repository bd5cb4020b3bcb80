/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - see wire.h. */
#include "reports/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/mem.h"

#define VARINT_BYTES_MAX 10		/* 64 bits, 7 in each byte */

/* Room for @more bytes at the end. */
static uint8_t *reserve(struct wire_out *w, size_t more)
{
	while (w->room - w->nr < more) {
		size_t room = w->room ? 2 * w->room : 4096;
		uint8_t *bytes = scn_zalloc(room, 1);

		if (w->nr)
			memcpy(bytes, w->bytes, w->nr);
		free(w->bytes);
		w->bytes = bytes;
		w->room = room;
	}
	return w->bytes + w->nr;
}

void wire_put_u64(struct wire_out *w, uint64_t value)
{
	uint8_t *at = reserve(w, VARINT_BYTES_MAX);

	for (; value >= 0x80; value >>= 7) {
		*at++ = (uint8_t)(value | 0x80);
		w->nr++;
	}
	*at = (uint8_t)value;
	w->nr++;
}

/* The sign goes to the lowest bit, so that small negative numbers stay short. */
void wire_put_i64(struct wire_out *w, int64_t value)
{
	uint64_t sign = value < 0 ? UINT64_MAX : 0;

	wire_put_u64(w, ((uint64_t)value << 1) ^ sign);
}

/* Length plus one, so that 0 can say NULL. */
void wire_put_text(struct wire_out *w, const char *text)
{
	size_t nr = text ? strlen(text) : 0;

	wire_put_u64(w, text ? (uint64_t)nr + 1 : 0);
	if (nr)
		memcpy(reserve(w, nr), text, nr);
	w->nr += nr;
}

/* More than ten bytes, or no last one, is no number of ours. */
uint64_t wire_get_u64(struct wire_in *w)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 7 * VARINT_BYTES_MAX && w->at < w->end; shift += 7) {
		uint8_t byte = *w->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return w->bad ? 0 : value;
	}
	w->bad = true;
	return 0;
}

int64_t wire_get_i64(struct wire_in *w)
{
	uint64_t value = wire_get_u64(w);

	return (int64_t)((value >> 1) ^ (value & 1 ? UINT64_MAX : 0));
}

char *wire_get_text(struct wire_in *w)
{
	uint64_t nr = wire_get_u64(w);
	char *text;

	if (nr == 0)
		return NULL;
	if (nr - 1 > (uint64_t)(w->end - w->at)) {
		w->bad = true;
		return NULL;
	}
	text = scn_zalloc(nr, 1);
	memcpy(text, w->at, nr - 1);
	w->at += nr - 1;
	return text;
}

size_t wire_get_count(struct wire_in *w)
{
	uint64_t nr = wire_get_u64(w);

	if (nr > (uint64_t)(w->end - w->at))
		w->bad = true;
	return w->bad ? 0 : nr;
}

int wire_write(int fd, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;

	while (nr) {
		ssize_t done = write(fd, at, nr);

		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0) {
			at += done;
			nr -= (size_t)done;
		}
	}
	return 0;
}

int wire_read(int fd, void *bytes, size_t nr)
{
	uint8_t *at = bytes;

	while (nr) {
		ssize_t done = read(fd, at, nr);

		if (done == 0 || (done < 0 && errno != EINTR))
			return -1;
		if (done > 0) {
			at += done;
			nr -= (size_t)done;
		}
	}
	return 0;
}
