/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c - see csv.h. */
#include "config.h"

#include "reports/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/mem.h"

/* A new file beside @path; -1 with errno. Sets *@name, to be freed in either case. */
static int make_temporary(const char *path, char **name)
{
	*name = scn_printf("%s.XXXXXX", path);
	return mkostemp(*name, O_CLOEXEC);
}

static int fail(int status, const char *path, const char *remedy, char *error, size_t error_bytes)
{
	snprintf(error, error_bytes, "zsmsim: %s: cannot be written: %s; %s", path, strerror(errno), remedy);
	return status;
}

int csv_probe(const char *path, char *error, size_t error_bytes)
{
	struct stat st;
	char *name;
	int fd;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
		return fail(2, path, "name a plain file", error, error_bytes);
	}
	fd = make_temporary(path, &name);
	if (fd < 0) {
		free(name);
		return fail(2, path, "name a place in a directory that exists and can be written", error,
			    error_bytes);
	}
	close(fd);
	unlink(name);
	free(name);
	return 0;
}

/* The permissions a plain open() would have given; umask() can only be read by setting it. */
static void open_permissions(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

int csv_open(struct csv *csv, const char *path, char *error, size_t error_bytes)
{
	int fd;

	*csv = (struct csv){ .path = scn_strdup(path) };
	fd = make_temporary(path, &csv->temporary);
	csv->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (csv->stream) {
		open_permissions(fd);
		return 0;
	}
	fail(1, path, "name another place", error, error_bytes);
	if (fd >= 0) {
		close(fd);
		unlink(csv->temporary);
	}
	free(csv->path);
	free(csv->temporary);
	return 1;
}

static void separate(struct csv *csv)
{
	if (csv->column++)
		putc(',', csv->stream);
}

/* Quotes only where the format asks for them; a quote inside is doubled. */
void csv_text(struct csv *csv, const char *text)
{
	separate(csv);
	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, csv->stream);
		return;
	}
	putc('"', csv->stream);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', csv->stream);
		putc(*text, csv->stream);
	}
	putc('"', csv->stream);
}

void csv_int(struct csv *csv, int64_t value)
{
	separate(csv);
	fprintf(csv->stream, "%" PRId64, value);
}

void csv_end_line(struct csv *csv)
{
	putc('\n', csv->stream);
	csv->column = 0;
}

void csv_header(struct csv *csv, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		csv_text(csv, names[i]);
	csv_end_line(csv);
}

static void release(struct csv *csv)
{
	free(csv->path);
	free(csv->temporary);
	*csv = (struct csv){ 0 };
}

int csv_commit(struct csv *csv, char *error, size_t error_bytes)
{
	bool bad = ferror(csv->stream);
	int status = 0;

	/* Data that only fails to reach the disk later must not replace a good file. */
	bad |= fflush(csv->stream) || fsync(fileno(csv->stream));
	bad |= fclose(csv->stream) != 0;
	if (bad || rename(csv->temporary, csv->path)) {
		status = fail(1, csv->path, "make room and run the same command again", error, error_bytes);
		unlink(csv->temporary);
	}
	release(csv);
	return status;
}

void csv_discard(struct csv *csv)
{
	fclose(csv->stream);
	unlink(csv->temporary);
	release(csv);
}
