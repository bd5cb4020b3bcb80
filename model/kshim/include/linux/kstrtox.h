/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kstrtox.h - numbers in the text that is written to a sysfs file. */
#ifndef KSHIM_LINUX_KSTRTOX_H
#define KSHIM_LINUX_KSTRTOX_H

#include <linux/errno.h>
#include <linux/kernel.h>

/* The decimal number at @text, all of it but a line feed at the end, into *value. 0 or -EINVAL. */
static inline int kshim_strtoull(const char *text, unsigned int base, unsigned long long *value)
{
	unsigned long long n = 0;
	const char *p = text;

	if (base && base != 10)
		hw_fault("numbers to base %u are not part of the simulated kernel", base);
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(n, 10ull, &n) ||
		    __builtin_add_overflow(n, (unsigned long long)(*p - '0'), &n))
			return -EINVAL;
	if (p == text || *p > '\n' || (*p == '\n' && p[1]))
		return -EINVAL;
	*value = n;
	return 0;
}

/* The same into any type of integer; what does not fit is an error too. */
#define __kshim_strto(text, base, result) ({					\
	unsigned long long __n;							\
	int __error = kshim_strtoull(text, base, &__n);				\
										\
	if (!__error && __builtin_add_overflow(__n, 0ull, result))		\
		__error = -EINVAL;						\
	__error;								\
})
#define kstrtoull(text, base, result)	__kshim_strto(text, base, result)
#define kstrtoul(text, base, result)	__kshim_strto(text, base, result)
#define kstrtouint(text, base, result)	__kshim_strto(text, base, result)
#define kstrtoint(text, base, result)	__kshim_strto(text, base, result)
#define kstrtou16(text, base, result)	__kshim_strto(text, base, result)

/* A byte count, with K, M or G behind it or without. *end is where it stopped, if asked for. */
static inline unsigned long long memparse(const char *text, char **end)
{
	unsigned long long n = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (unsigned long long)(*text - '0');
	switch (*text) {
	case 'G': n <<= 10; fallthrough;
	case 'M': n <<= 10; fallthrough;
	case 'K': n <<= 10; text++;
	}
	if (end)
		*end = (char *)text;
	return n;
}

/* Lists of name=value pairs set parameters of compressors; nobody sets them here. */
#define skip_spaces(text)	((void)(text), kshim_no_arguments())
#define next_arg(text, param, value) ((void)(text), *(param) = *(value) = kshim_no_arguments())

static inline char *kshim_no_arguments(void)
{
	hw_fault("lists of parameters are not part of the simulated kernel");
}

#endif
