/* One input of an import, line by line, in bounded memory, from a file or a pipe. */
#ifndef VS_PROBES_IMPORT_READER_H
#define VS_PROBES_IMPORT_READER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cloud/sha256.h"

#define VS_READER_PIECE   ((size_t)64 * 1024)   /* the longest line that comes in one piece */
#define VS_READER_LONGEST (UINT64_C(128) << 20) /* a week of updates is shorter */

struct vs_reader {
	const char *path; /* borrowed; "-": standard input */
	int fd;
	bool close_fd;
	bool at_end; /* read() has returned 0 */
	char *buf;
	size_t pos, end;  /* what is read and not yet delivered */
	char saved;       /* the byte that the last piece's NUL stands on */
	uint64_t line_no; /* of the line delivered last: 1 is the first; only '\n' counts */
	uint64_t next_line_no;
	uint64_t bytes;                    /* read so far */
	uint64_t cut_bytes;                /* of the line under way, in the pieces so far */
	int64_t mtime_ms;                  /* of the file; VS_UNKNOWN for a pipe */
	const volatile sig_atomic_t *stop; /* NULL, or not 0 once reading is to fail */
	struct vs_sha256 *sha;
};

/* Refuses what is no file to read (a directory) and names the remedy. stop: may be NULL. */
int vs_reader_open(struct vs_reader *reader, const char *path, const volatile sig_atomic_t *stop,
		   struct vs_error *err) VS_MUST_CHECK;
void vs_reader_release(struct vs_reader *reader); /* zero-initialised allowed */

/* The first bytes (up to VS_READER_PIECE), NUL behind them, before any line was read. */
int vs_reader_peek(struct vs_reader *reader, const char **text_out, size_t *len_out,
		   struct vs_error *err) VS_MUST_CHECK;
/*
 * The next line: 1 and *line_out (NUL-terminated, may be written to, valid until the next call),
 * 0 at the end. '\n' and '\r' both end a line; empty lines are left out. A line longer than
 * VS_READER_PIECE comes in pieces, *cut_out tells (NULL: such a line is an error); one longer than
 * VS_READER_LONGEST is an error.
 */
int vs_reader_line(struct vs_reader *reader, char **line_out, size_t *len_out, bool *cut_out,
		   struct vs_error *err) VS_MUST_CHECK;
/* Gives the last n bytes of a cut piece back: they begin the next one, and end this one. */
void vs_reader_unread(struct vs_reader *reader, size_t n);
/* Reads to the end, so that the hash is the file's, and fills text. */
int vs_reader_finish(struct vs_reader *reader, char sha256[VS_SHA256_TEXT_MAX],
		     struct vs_error *err) VS_MUST_CHECK;

#endif
