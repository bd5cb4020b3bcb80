/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complaint.h - the messages of gcc and clang, taken apart. */
#ifndef ZSMSIM_TREES_COMPLAINT_H
#define ZSMSIM_TREES_COMPLAINT_H

#include <stdbool.h>
#include <stddef.h>

/* What the compiler did not know, if the message is of that kind. */
enum lack {
	LACK_NONE,
	LACK_FUNCTION,
	LACK_TYPE,
	LACK_NAME,		/* a variable, constant or macro */
	LACK_STRUCT,		/* declared, but not what is in it */
	LACK_MEMBER,		/* of a struct that is there */
	LACK_HEADER,
};

struct complaint {
	char *file;		/* NULL: there is no error in the text */
	unsigned long line;
	char *what;		/* the message */
	char *more;		/* lines that show the place, each indented and after a line break */
	enum lack lack;
	char *name;		/* what is lacking, or NULL */
	char *of;		/* the struct, of a member */
};

/* The first error in @text; paths are given without the directories @dirs, NULL-terminated. */
void complaint_read(struct complaint *complaint, const char *text, const char *const *dirs);
void complaint_free(struct complaint *complaint);

#endif
