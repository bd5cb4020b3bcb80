/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.c - see files.h. */
#include "trees/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/mem.h"

/* Deeper trees than this are not ours. */
#define DEPTH_MAX 32

/* ---- content ---- */

static int read_open(int fd, size_t most, struct text *text)
{
	struct stat st;
	ssize_t n = 1;

	if (fstat(fd, &st))
		return -1;
	errno = S_ISDIR(st.st_mode) ? EISDIR : !S_ISREG(st.st_mode) ? EINVAL :
		(size_t)st.st_size > most ? EFBIG : 0;
	if (errno)
		return -1;
	text->at = scn_zalloc(st.st_size + 1, 1);
	while (text->nr < (size_t)st.st_size && n > 0) {
		n = read(fd, text->at + text->nr, st.st_size - text->nr);
		text->nr += n > 0 ? n : 0;
	}
	return n < 0 ? -1 : 0;
}

/* Not blocking: the name may be that of a pipe. */
int file_read(const char *path, size_t most, struct text *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), status, error;

	*text = (struct text){ 0 };
	if (fd < 0)
		return -1;
	status = read_open(fd, most, text);
	error = errno;
	close(fd);
	if (status)
		text_free(text);
	errno = error;
	return status;
}

int file_read_below(const char *dir, const char *name, size_t most, struct text *text)
{
	char *path = scn_printf("%s/%s", dir, name);
	int status = file_read(path, most, text), error = errno;

	free(path);
	errno = error;
	return status;
}

void text_free(struct text *text)
{
	free(text->at);
	*text = (struct text){ 0 };
}

static int write_fd(int fd, const void *from, size_t bytes)
{
	int status = 0, error;

	while (bytes && !status) {
		ssize_t n = write(fd, from, bytes);

		status = n < 0 && errno != EINTR ? -1 : 0;
		n = n < 0 ? 0 : n;
		from = (const char *)from + n;
		bytes -= n;
	}
	error = errno;
	if (close(fd) && !status)
		return -1;
	errno = error;
	return status;
}

int file_write(const char *path, const void *from, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	return fd < 0 ? -1 : write_fd(fd, from, bytes);
}

/* What open() would have given a new file; mkstemp() is stricter. */
static void usual_mode(const char *path)
{
	mode_t mask = umask(0);

	umask(mask);
	chmod(path, 0666 & ~mask);
}

static int write_beside(const char *to, const struct text *text)
{
	char *name = scn_printf("%s.XXXXXX", to);
	int fd = mkostemp(name, O_CLOEXEC), status, error;

	status = fd < 0 ? -1 : write_fd(fd, text->at, text->nr);
	if (status == 0) {
		usual_mode(name);
		status = rename(name, to);
	}
	error = errno;
	if (fd >= 0 && status)
		unlink(name);
	free(name);
	errno = error;
	return status;
}

int file_install(const char *from, const char *to)
{
	struct text text;
	int status = file_read(from, BINARY_BYTES_MAX, &text), error;

	if (status == 0)
		status = write_beside(to, &text);
	error = errno;
	text_free(&text);
	errno = error;
	return status;
}

/* ---- names ---- */

bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int make_parents(const char *path)
{
	char *copy = scn_strdup(path);
	int status = 0;

	for (char *slash = strchr(copy + 1, '/'); slash && !status; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			status = -1;
		*slash = '/';
	}
	free(copy);
	return status;
}

/* Does not follow links: what they lead to is not in the directory. */
static void remove_entry(const char *path, unsigned depth)
{
	DIR *directory = unlink(path) && errno != ENOENT && depth < DEPTH_MAX ? opendir(path) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		char *below = scn_printf("%s/%s", path, entry->d_name);

		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove_entry(below, depth + 1);
		free(below);
	}
	if (directory) {
		closedir(directory);
		rmdir(path);
	}
}

void remove_all(const char *path)
{
	remove_entry(path, 0);
}

static bool ends_in(const char *name, const char *const *ends)
{
	size_t bytes = strlen(name);

	for (; *ends; ends++) {
		size_t end = strlen(*ends);

		if (bytes >= end && !strcmp(name + bytes - end, *ends))
			return true;
	}
	return false;
}

static void list_below(const char *root, const char *below, const char *const *ends, struct names *names,
		       unsigned depth)
{
	char *here = scn_printf("%s/%s", root, below);
	DIR *directory = depth < DEPTH_MAX ? opendir(here) : NULL;
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		char *name = scn_printf("%s%s%s", below, *below ? "/" : "", entry->d_name);
		char *path = scn_printf("%s/%s", root, name);

		if (entry->d_name[0] != '.' && is_directory(path))
			list_below(root, name, ends, names, depth + 1);
		else if (ends_in(name, ends) && is_file(path))
			names_add(names, name, strlen(name));
		free(path);
		free(name);
	}
	if (directory)
		closedir(directory);
	free(here);
}

void list_files(const char *root, const char *const *ends, struct names *names)
{
	list_below(root, "", ends, names, 0);
	names_sort(names);
}
