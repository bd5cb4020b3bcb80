/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lzorle.c - the LZO1X stream: literal runs and copies of earlier bytes.
 *
 * An instruction's two low bits of one certain byte say how many literals (0
 * to 3) follow it; longer runs of literals are an instruction of their own.
 * The encoder therefore remembers where that byte of the last instruction is.
 *
 *	first byte	meaning
 *	0000LLLL	literals, after an instruction without any; else a
 *			copy of 2 or 3 bytes (never written here, but read)
 *	0001HLLL	copy from 16 KiB and farther, or the end, or zeros
 *	001LLLLL	copy from 1 .. 16384 bytes back
 *	01LDDDSS	copy of 3 or 4 bytes from 1 .. 2048 bytes back
 *	1LLDDDSS	copy of 5 .. 8 bytes from 1 .. 2048 bytes back
 */
#include "model/zram/lzorle.h"
#include "model/kernel/err.h"
#include "model/zram/observer.h"

#define NEAR_DISTANCE	2048u	/* most for the 2-byte instruction */
#define NEAR_LENGTH	8u
#define SHORT_LENGTH	33u	/* most for the 3-byte instruction */
#define RUN_MIN		4u
#define RUN_MAX		2051u
#define INPUT_MARGIN	20u	/* no instruction starts in the last bytes */
#define FIRST_TAIL_MAX	238u	/* a stream of literals only, in one byte */
#define STREAM_VERSION	1u

struct __attribute__((packed, may_alias)) any32 { u32 v; };
struct __attribute__((packed, may_alias)) any64 { u64 v; };

__observer_inline u32 load32(const u8 *p)
{
	return ((const struct any32 *)p)->v;
}

__observer_inline u64 load64(const u8 *p)
{
	return ((const struct any64 *)p)->v;
}

/* ---- encoder ------------------------------------------------------- */

struct encoder {
	enum lzo_kind kind;
	const u8 *in, *limit, *end;	/* limit: no instruction starts here or later */
	const u8 *ii;			/* first literal not yet written */
	u8 *op;
	u8 *state;			/* byte of the last instruction that counts literals */
	u16 *dict;
};

/* A length beyond what the instruction holds: zero bytes of 255, then the rest. */
__observer_inline void put_length(struct encoder *e, size_t rest)
{
	for (; rest > 255; rest -= 255)
		*e->op++ = 0;
	*e->op++ = (u8)rest;
}

__observer_inline void put_literal_count(struct encoder *e, size_t t)
{
	if (t <= 3) {
		*e->state |= (u8)t;
	} else if (t <= 18) {
		*e->op++ = (u8)(t - 3);
	} else {
		*e->op++ = 0;
		put_length(e, t - 18);
	}
}

/* Write the @t literals that wait at e->ii. */
__observer_inline void put_literals(struct encoder *e, size_t t)
{
	if (t)
		put_literal_count(e, t);
	while (t--)
		*e->op++ = *e->ii++;
}

__observer_inline void put_run(struct encoder *e, size_t run)
{
	run -= RUN_MIN;
	*e->op++ = (u8)(0x18 | (run & 7));
	e->state = e->op;
	*e->op++ = 0xfc;
	*e->op++ = 0xff;
	*e->op++ = (u8)(run >> 3);
}

__observer_inline void put_near_copy(struct encoder *e, size_t m, size_t d)
{
	d--;
	e->state = e->op;
	*e->op++ = (u8)((m - 1) << 5 | (d & 7) << 2);
	*e->op++ = (u8)(d >> 3);
}

__observer_inline void put_copy(struct encoder *e, size_t m, size_t d)
{
	if (m <= NEAR_LENGTH && d <= NEAR_DISTANCE) {
		put_near_copy(e, m, d);
		return;
	}
	d--;
	if (m <= SHORT_LENGTH) {
		*e->op++ = (u8)(0x20 | (m - 2));
	} else {
		*e->op++ = 0x20;
		put_length(e, m - SHORT_LENGTH);
	}
	e->state = e->op;
	*e->op++ = (u8)(d << 2);
	*e->op++ = (u8)(d >> 6);
}

/* Zero bytes at @ip, at least RUN_MIN of which are known to be there. */
__observer_inline size_t run_length(const struct encoder *e, const u8 *ip)
{
	size_t run = RUN_MIN, room = (size_t)(e->limit - ip);

	while (run < room && run < RUN_MAX && !ip[run])
		run++;
	return run;
}

/* Equal bytes at @ip and @cand, of which four are known to be equal. */
__observer_inline size_t match_length(const struct encoder *e, const u8 *ip, const u8 *cand)
{
	size_t m = 4;
	u64 diff;

	do {
		diff = load64(ip + m) ^ load64(cand + m);
		if (diff)
			return m + (size_t)__builtin_ctzll(diff) / 8;
		m += 8;
	} while (ip + m < e->limit);
	return m;
}

/* Enter @ip into the dictionary; returns what was there before under the same hash. */
__observer_inline const u8 *dict_exchange(struct encoder *e, const u8 *ip, u32 v)
{
	u32 h = (v * 0x1824429du) >> (32 - LZO_DICT_BITS);
	const u8 *cand = e->in + e->dict[h];

	e->dict[h] = (u16)(ip - e->in);
	return cand;
}

/*
 * Write the instruction that can start at @ip, with the literals before it.
 * Returns the input bytes it covers, 0 when none can.
 */
__observer_inline size_t encode_at(struct encoder *e, const u8 *ip)
{
	u32 v = load32(ip);
	const u8 *cand;
	size_t m;

	if (!v && e->kind == LZO_RLE) {
		m = run_length(e, ip);
		put_literals(e, (size_t)(ip - e->ii));
		put_run(e, m);
		return m;
	}
	cand = dict_exchange(e, ip, v);
	if (load32(cand) != v)
		return 0;
	m = match_length(e, ip, cand);
	put_literals(e, (size_t)(ip - e->ii));
	put_copy(e, m, (size_t)(ip - cand));
	return m;
}

/* The longer nothing was found, the wider the steps. */
__observer_inline const u8 *next_probe(const struct encoder *e, const u8 *ip)
{
	return ip + 1 + ((ip - e->ii) >> 5);
}

__observer_inline void encode_block(struct encoder *e)
{
	const u8 *ip = next_probe(e, e->in + 4);

	while (ip < e->limit) {
		size_t m = encode_at(e, ip);

		if (m)
			e->ii = ip = ip + m;
		else
			ip = next_probe(e, ip);
	}
}

__observer_inline void put_tail(struct encoder *e)
{
	size_t t = (size_t)(e->end - e->ii);

	if (!e->state && t <= FIRST_TAIL_MAX) {
		*e->op++ = (u8)(17 + t);
		while (t--)
			*e->op++ = *e->ii++;
	} else {
		put_literals(e, t);
	}
	*e->op++ = 0x11;
	*e->op++ = 0;
	*e->op++ = 0;
}

__observer size_t lzo_compress(enum lzo_kind kind, const u8 *src, size_t len, u8 *dst,
			       struct lzo_workspace *ws)
{
	struct encoder e = {
		.kind = kind, .in = src, .end = src + len, .limit = src, .ii = src,
		.op = dst, .dict = ws->dict,
	};

	if (!len || len > LZO_MAX_INPUT)
		return 0;
	if (kind == LZO_RLE) {
		*e.op++ = 17;
		*e.op++ = STREAM_VERSION;
	}
	if (len > INPUT_MARGIN) {
		e.limit = e.end - INPUT_MARGIN;
		for (size_t i = 0; i < ARRAY_SIZE(ws->dict); i++)
			ws->dict[i] = 0;
		encode_block(&e);
	}
	put_tail(&e);
	return (size_t)(e.op - dst);
}

/* ---- decoder ------------------------------------------------------- */

struct decoder {
	const u8 *ip, *end;
	u8 *op, *start, *limit;
	u32 literals;		/* that followed the last instruction; 4: a long run */
	bool rle, bad, done;
};

__observer_inline u32 get_byte(struct decoder *d)
{
	if (d->ip == d->end) {
		d->bad = true;
		return 1;
	}
	return *d->ip++;
}

__observer_inline u32 get_le16(struct decoder *d)
{
	u32 low = get_byte(d);

	return low | get_byte(d) << 8;
}

/* A length field of value 0 continues: 255 for each zero byte, then the rest. */
__observer_inline size_t get_length(struct decoder *d, size_t field, size_t base)
{
	u32 b;

	if (field)
		return field;
	field = base;
	while (!(b = get_byte(d)))
		field += 255;
	return field + b;
}

__observer_inline void get_literals(struct decoder *d, size_t t)
{
	if ((size_t)(d->end - d->ip) < t || (size_t)(d->limit - d->op) < t) {
		d->bad = true;
		return;
	}
	while (t--)
		*d->op++ = *d->ip++;
}

/* Source and destination may overlap: then the copy repeats what it wrote. */
__observer_inline void copy_back(struct decoder *d, size_t m, size_t distance)
{
	if ((size_t)(d->op - d->start) < distance || (size_t)(d->limit - d->op) < m) {
		d->bad = true;
		return;
	}
	for (; m; m--, d->op++)
		*d->op = *(d->op - distance);
}

__observer_inline void after_instruction(struct decoder *d, u32 state)
{
	d->literals = state & 3;
	get_literals(d, d->literals);
}

__observer_inline void decode_zeros(struct decoder *d, u32 t, u32 state)
{
	size_t run = ((t & 7) | get_byte(d) << 3) + RUN_MIN;

	if ((size_t)(d->limit - d->op) < run) {
		d->bad = true;
		return;
	}
	while (run--)
		*d->op++ = 0;
	after_instruction(d, state);
}

/* 0000xxxx: what it is depends on what came before. */
__observer_inline void decode_low(struct decoder *d, u32 t)
{
	u32 far;

	if (!d->literals) {
		get_literals(d, get_length(d, t, 15) + 3);
		d->literals = 4;
		return;
	}
	far = get_byte(d) << 2 | t >> 2;
	if (d->literals == 4)
		copy_back(d, 3, far + NEAR_DISTANCE + 1);
	else
		copy_back(d, 2, far + 1);
	after_instruction(d, t);
}

/* 0001xxxx: far copy, run of zeros, or the end of the stream. */
__observer_inline void decode_far(struct decoder *d, u32 t)
{
	size_t m, distance;
	u32 word;

	if (d->rle && (t & 8) && d->end - d->ip >= 3 && (d->ip[0] & 0xfc) == 0xfc &&
	    d->ip[1] == 0xff) {
		word = get_le16(d);
		decode_zeros(d, t, word);
		return;
	}
	m = get_length(d, t & 7, 7) + 2;
	word = get_le16(d);
	distance = ((t & 8) << 11) + (word >> 2);
	if (!distance) {
		d->done = true;
		d->bad |= m != 3;
		return;
	}
	copy_back(d, m, distance + 16384);
	after_instruction(d, word);
}

__observer_inline void decode_one(struct decoder *d)
{
	u32 t = get_byte(d);
	size_t m;

	if (t >= 64) {
		m = (t >> 5) + 1;
		copy_back(d, m, (get_byte(d) << 3 | (t >> 2 & 7)) + 1);
		after_instruction(d, t);
	} else if (t >= 32) {
		m = get_length(d, t & 31, 31) + 2;
		t = get_le16(d);
		copy_back(d, m, (t >> 2) + 1);
		after_instruction(d, t);
	} else if (t >= 16) {
		decode_far(d, t);
	} else {
		decode_low(d, t);
	}
}

/* The prefix of the rle kind, and the byte that may count the first literals. */
__observer_inline void decode_start(struct decoder *d)
{
	size_t t;

	if (d->end - d->ip >= 5 && d->ip[0] == 17) {
		d->rle = d->ip[1] != 0;
		d->bad = d->ip[1] > STREAM_VERSION;
		d->ip += 2;
	}
	if (d->ip == d->end || *d->ip <= 17)
		return;
	t = *d->ip++ - 17u;
	get_literals(d, t);
	d->literals = t < 4 ? (u32)t : 4;
}

__observer long lzo_decompress(const u8 *src, size_t len, u8 *dst, size_t room)
{
	struct decoder d = {
		.ip = src, .end = src + len, .op = dst, .start = dst, .limit = dst + room,
	};

	decode_start(&d);
	while (!d.bad && !d.done)
		decode_one(&d);
	if (d.bad || d.ip != d.end)
		return -EINVAL;
	return d.op - dst;
}
