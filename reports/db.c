/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * db.c - opening the database and talking to it (see db.h).
 *
 * A file that is not ours must stay as it is to the last byte, and SQLite may
 * write to whatever it opens (a journal left behind by another program is
 * played back). So the header is read by hand before SQLite sees the file.
 */
#include "reports/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/mem.h"

#define HEADER_BYTES 100		/* of an SQLite file */
#define USER_VERSION_AT 60
#define APPLICATION_ID_AT 68
#define BUSY_MS 10000

/* ---- is the file ours? ---- */

static uint32_t big_endian(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

static int refuse(const char *file, const char *wrong, char *error, size_t error_bytes)
{
	snprintf(error, error_bytes, "zsmsim: %s: %s", file, wrong);
	return 2;
}

/* An empty file is as good as none. The version is checked here, since SQLite must not touch a newer file either. */
static int header_check(const char *file, const uint8_t *header, size_t nr, char *error,
			size_t error_bytes)
{
	uint32_t version;

	if (nr == 0)
		return 0;
	if (nr < HEADER_BYTES || memcmp(header, "SQLite format 3", 16))
		return refuse(file, "not an SQLite database; name a new file or one that zsmsim made",
			      error, error_bytes);
	if (big_endian(header + APPLICATION_ID_AT) != DB_APPLICATION_ID)
		return refuse(file, "a database of another program; name a new file or one that zsmsim made",
			      error, error_bytes);
	version = big_endian(header + USER_VERSION_AT);
	if (version == DB_VERSION)
		return 0;
	snprintf(error, error_bytes,
		 "zsmsim: %s: database version %u, but this zsmsim knows version %d; use %s zsmsim or another file",
		 file, version, DB_VERSION, version > DB_VERSION ? "a newer" : "an older");
	return 2;
}

/* Bytes of the header that there are, or -1. Nothing but a plain file is read: a pipe would block. */
static ssize_t read_header(const char *file, uint8_t *header)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t nr = -1;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		nr = read(fd, header, HEADER_BYTES);
	else
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	close(fd);
	return nr;
}

int db_probe(const char *file, char *error, size_t error_bytes)
{
	uint8_t header[HEADER_BYTES] = { 0 };
	ssize_t nr = read_header(file, header);

	if (nr >= 0)
		return header_check(file, header, nr, error, error_bytes);
	switch (errno) {
	case ENOENT:
		return 0;
	case EISDIR:
		return refuse(file, "is a directory; name a database file", error, error_bytes);
	case EINVAL:
		return refuse(file, "is not a plain file; name a database file", error, error_bytes);
	}
	snprintf(error, error_bytes, "zsmsim: %s: %s; name a file that can be read and written", file,
		 strerror(errno));
	return 2;
}

/* ---- errors ---- */

const char *db_error(const struct db *db)
{
	return db->error;
}

int db_fail(struct db *db)
{
	const char *name = db->file;

	switch (sqlite3_errcode(db->sql)) {
	case SQLITE_FULL:
		snprintf(db->error, sizeof(db->error),
			 "zsmsim: %s: the disk is full; make room, and the same command will run what is missing",
			 name);
		break;
	case SQLITE_IOERR:
		snprintf(db->error, sizeof(db->error),
			 "zsmsim: %s: cannot be read or written (%s); mend that, and the same command will run what is missing",
			 name, strerror(sqlite3_system_errno(db->sql)));
		break;
	case SQLITE_CANTOPEN:
		snprintf(db->error, sizeof(db->error),
			 "zsmsim: %s: cannot be opened: %s; name a file that can be", name,
			 strerror(sqlite3_system_errno(db->sql)));
		break;
	case SQLITE_BUSY:
		snprintf(db->error, sizeof(db->error),
			 "zsmsim: %s: in use by another program; wait for it or name another file", name);
		break;
	case SQLITE_NOMEM:
		snprintf(db->error, sizeof(db->error),
			 "zsmsim: %s: out of memory; make some free, and the same command will run what is missing", name);
		break;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_ERROR:	/* a table or column is not there */
		snprintf(db->error, sizeof(db->error), "zsmsim: %s: damaged (%s); name another file", name,
			 sqlite3_errmsg(db->sql));
		break;
	default:
		snprintf(db->error, sizeof(db->error), "zsmsim: %s: %s; name another file", name,
			 sqlite3_errmsg(db->sql));
	}
	return 1;
}

/* Before any run: what is no failure of the disk is a wrong file. */
static int fail_open(struct db *db)
{
	int code = sqlite3_errcode(db->sql);

	db_fail(db);
	return code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_NOMEM ? 1 : 2;
}

/* ---- statements ---- */

sqlite3_stmt *db_prepare(struct db *db, const char *sql)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db->sql, sql, -1, &stmt, NULL) == SQLITE_OK)
		return stmt;
	db_fail(db);
	return NULL;
}

int db_step(struct db *db, sqlite3_stmt *stmt, bool *row)
{
	int code = sqlite3_step(stmt);

	*row = code == SQLITE_ROW;
	return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : db_fail(db);
}

int db_exec(struct db *db, const char *sql)
{
	return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_fail(db);
}

/* ---- open and close ---- */

/* Names that SQLite takes for something else (":memory:") become plain files. */
static char *plain_path(const char *file)
{
	return scn_printf("%s%s", *file == '/' ? "" : "./", file);
}

/*
 * Foreign keys are a property of the connection and off by default. The busy
 * timeout lets two commands that store into one file take turns.
 */
static int open_file(struct db *db, const char *file, int flags)
{
	char *path = plain_path(file);
	int code;

	*db = (struct db){ .file = scn_strdup(file) };
	code = sqlite3_open_v2(path, &db->sql, flags, NULL);
	free(path);
	if (code != SQLITE_OK)
		return fail_open(db);
	sqlite3_extended_result_codes(db->sql, 0);
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	return db_exec(db, "PRAGMA foreign_keys = ON");
}

/* Also the first read: here a damaged file shows. */
static int has_schema(struct db *db, bool *there)
{
	sqlite3_stmt *stmt = db_prepare(db, "SELECT 1 FROM sqlite_schema LIMIT 1");
	int status = stmt ? db_step(db, stmt, there) : 1;

	sqlite3_finalize(stmt);
	return status;
}

/* Inside a transaction, so that two programs that start at once make one schema. */
static int make_schema(struct db *db)
{
	char pragmas[128];
	bool there;

	snprintf(pragmas, sizeof(pragmas), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 DB_APPLICATION_ID, DB_VERSION);
	if (has_schema(db, &there))
		return 1;
	if (there)
		return 0;
	return db_exec(db, db_schema) || db_exec(db, pragmas);
}

int db_open_for_runs(struct db *db, const char *file)
{
	*db = (struct db){ 0 };
	if (db_probe(file, db->error, sizeof(db->error)))
		return 2;
	if (open_file(db, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE))
		return fail_open(db);
	if (sqlite3_db_readonly(db->sql, "main") == 1) {
		snprintf(db->error, sizeof(db->error),
			 "zsmsim: %s: write-protected; name a file that can be written", file);
		return 2;
	}
	if (db_exec(db, "BEGIN IMMEDIATE") || make_schema(db) || db_exec(db, "COMMIT"))
		return fail_open(db);
	return 0;
}

/*
 * A journal left by a run that was killed has to be played back, for which
 * the file must be writable; one that is not is opened as it is.
 */
int db_open_existing(struct db *db, const char *file)
{
	bool there;

	*db = (struct db){ 0 };
	if (db_probe(file, db->error, sizeof(db->error)))
		return 2;
	if (access(file, F_OK)) {
		snprintf(db->error, sizeof(db->error),
			 "zsmsim: %s: %s; name a database that zsmsim run made", file, strerror(errno));
		return 2;
	}
	if (open_file(db, file, SQLITE_OPEN_READWRITE) || has_schema(db, &there))
		return fail_open(db);
	if (there)
		return 0;
	snprintf(db->error, sizeof(db->error), "zsmsim: %s: empty; name a database that zsmsim run made",
		 file);
	return 2;
}

void db_close(struct db *db)
{
	sqlite3_close(db->sql);
	free(db->file);
	db->sql = NULL;
	db->file = NULL;
}
