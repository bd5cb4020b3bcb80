/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.h - numbers and texts as a row of bytes: LEB128 varints, texts with
 * their length before them. The reader trusts nothing: whatever it is given,
 * it stays within the bytes it has and ends up in a state that says so.
 */
#ifndef ZSMSIM_REPORTS_WIRE_H
#define ZSMSIM_REPORTS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes being written. Begin with all zero; free(w.bytes) at the end. */
struct wire_out {
	uint8_t *bytes;
	size_t nr, room;
};

void wire_put_u64(struct wire_out *w, uint64_t value);
void wire_put_i64(struct wire_out *w, int64_t value);
void wire_put_text(struct wire_out *w, const char *text);	/* NULL is kept apart from "" */

/* Bytes being read. Once @bad is set, numbers read as 0 and texts as NULL. */
struct wire_in {
	const uint8_t *at, *end;
	bool bad;
};

uint64_t wire_get_u64(struct wire_in *w);
int64_t wire_get_i64(struct wire_in *w);
char *wire_get_text(struct wire_in *w);		/* newly allocated, or NULL */

/*
 * A count of elements that take at least one byte each: one that the bytes
 * left cannot hold is bad and reads as 0, so no loop runs away.
 */
size_t wire_get_count(struct wire_in *w);

/*
 * Write all @nr bytes to @fd, or read that many. Interruptions by signals are
 * waited out. Both return 0, or -1 if the other end went away first.
 */
int wire_write(int fd, const void *bytes, size_t nr);
int wire_read(int fd, void *bytes, size_t nr);

#endif
