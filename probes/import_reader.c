#include "probes/import_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sample.h"

#define BUF_BYTES (4 * VS_READER_PIECE)

static const char *shown(const struct vs_reader *reader)
{
	return strcmp(reader->path, "-") == 0 ? "standard input" : reader->path;
}

static bool stopped(const struct vs_reader *reader, struct vs_error *err)
{
	if (!reader->stop || !*reader->stop)
		return false;
	(void)vs_error_set(err, VS_ECANCELED, 0, "interrupted");
	return true;
}

static int open_fd(struct vs_reader *reader, struct vs_error *err)
{
	struct stat st;

	if (strcmp(reader->path, "-") == 0) {
		reader->fd = STDIN_FILENO;
	} else {
		reader->fd = open(reader->path, O_RDONLY | O_CLOEXEC);
		if (reader->fd < 0 && errno == EINTR && stopped(reader, err)) /* a FIFO */
			return -1;
		if (reader->fd < 0)
			return vs_error_sys(err, errno, "cannot open '%s'", reader->path);
		reader->close_fd = true;
	}
	if (fstat(reader->fd, &st) != 0)
		return vs_error_sys(err, errno, "cannot read %s", shown(reader));
	if (S_ISDIR(st.st_mode))
		return vs_error_set(err, VS_EFORMAT, 0,
				    "'%s' is a directory; name the log files in it", shown(reader));
	if (S_ISBLK(st.st_mode))
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"'%s' is a block device; import reads logs, 'volscale observe' reads devices",
			shown(reader));
	reader->mtime_ms = VS_UNKNOWN;
	if (S_ISREG(st.st_mode))
		reader->mtime_ms = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
	return 0;
}

int vs_reader_open(struct vs_reader *reader, const char *path, const volatile sig_atomic_t *stop,
		   struct vs_error *err)
{
	*reader = (struct vs_reader){ .path = path, .fd = -1, .next_line_no = 1, .stop = stop };
	if (open_fd(reader, err) != 0)
		goto fail;
	reader->buf = malloc(BUF_BYTES + 1);
	if (!reader->buf) {
		(void)vs_error_nomem(err);
		goto fail;
	}
	if (vs_sha256_open(&reader->sha, err) != 0)
		goto fail;
	return 0;
fail:
	vs_reader_release(reader);
	return -1;
}

void vs_reader_release(struct vs_reader *reader)
{
	if (reader->close_fd)
		(void)close(reader->fd);
	free(reader->buf);
	vs_sha256_free(reader->sha);
	*reader = (struct vs_reader){ .fd = -1 };
}

/* Moves what is left to the front and reads more behind it. */
static int fill(struct vs_reader *reader, struct vs_error *err)
{
	ssize_t got;

	if (reader->pos > 0) {
		memmove(reader->buf, reader->buf + reader->pos, reader->end - reader->pos);
		reader->end -= reader->pos;
		reader->pos = 0;
	}
	do {
		if (stopped(reader, err))
			return -1;
		got = read(reader->fd, reader->buf + reader->end, BUF_BYTES - reader->end);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return vs_error_sys(err, errno, "cannot read %s", shown(reader));
	if (got == 0) {
		reader->at_end = true;
		return 0;
	}
	if (vs_sha256_add(reader->sha, reader->buf + reader->end, (size_t)got, err) != 0)
		return -1;
	reader->end += (size_t)got;
	reader->bytes += (uint64_t)got;
	return 0;
}

int vs_reader_peek(struct vs_reader *reader, const char **text_out, size_t *len_out,
		   struct vs_error *err)
{
	while (!reader->at_end && reader->end < VS_READER_PIECE)
		if (fill(reader, err) != 0)
			return -1;
	reader->buf[reader->end] = '\0';
	*text_out = reader->buf;
	*len_out = reader->end < VS_READER_PIECE ? reader->end : VS_READER_PIECE;
	return 0;
}

/* The end of the line that starts at pos, or NULL when it is not in the first `have` bytes. */
static char *line_end(char *start, size_t have)
{
	char *newline = memchr(start, '\n', have);
	char *ret = memchr(start, '\r', newline ? (size_t)(newline - start) : have);

	return ret ? ret : newline;
}

/* Empty lines, of which a file may hold nothing but. */
static void skip_empty(struct vs_reader *reader)
{
	const char *p = reader->buf + reader->pos, *end = reader->buf + reader->end;
	uint64_t lines = 0;

	for (; p < end && (*p == '\n' || *p == '\r'); p++)
		lines += *p == '\n';
	reader->pos = (size_t)(p - reader->buf);
	reader->next_line_no += lines;
}

static int too_long(const struct vs_reader *reader, uint64_t most, struct vs_error *err)
{
	return vs_error_set(err, VS_EFORMAT, 0,
			    "line %" PRIu64 " is longer than %" PRIu64
			    " bytes; this is no log of text lines",
			    reader->line_no, most);
}

int vs_reader_line(struct vs_reader *reader, char **line_out, size_t *len_out, bool *cut_out,
		   struct vs_error *err)
{
	if (reader->saved) {
		reader->buf[reader->pos] = reader->saved;
		reader->saved = '\0';
	}
	for (;;) {
		skip_empty(reader);
		char *start = reader->buf + reader->pos;
		size_t have = reader->end - reader->pos;
		size_t window = have < VS_READER_PIECE + 1 ? have : VS_READER_PIECE + 1;
		char *stop = line_end(start, window);

		if (!stop && window <= VS_READER_PIECE && !reader->at_end) {
			if (fill(reader, err) != 0)
				return -1;
			continue;
		}
		if (!stop && have == 0)
			return 0;
		reader->line_no = reader->next_line_no;
		if (stop) {
			*len_out = (size_t)(stop - start);
			reader->pos += *len_out + 1;
			reader->next_line_no += *stop == '\n';
			*stop = '\0';
		} else if (window <= VS_READER_PIECE) {
			*len_out = have;
			reader->pos = reader->end;
			start[have] = '\0';
		} else if (!cut_out) {
			return too_long(reader, VS_READER_PIECE, err);
		} else if (reader->cut_bytes > VS_READER_LONGEST) {
			return too_long(reader, VS_READER_LONGEST, err);
		} else {
			reader->cut_bytes += VS_READER_PIECE;
			*len_out = VS_READER_PIECE;
			reader->pos += VS_READER_PIECE;
			reader->saved = start[VS_READER_PIECE];
			start[VS_READER_PIECE] = '\0';
			*cut_out = true;
			*line_out = start;
			return 1;
		}
		if (cut_out)
			*cut_out = false;
		reader->cut_bytes = 0;
		*line_out = start;
		return 1;
	}
}

void vs_reader_unread(struct vs_reader *reader, size_t n)
{
	VS_ASSERT(n < VS_READER_PIECE && reader->pos >= n);
	if (reader->saved)
		reader->buf[reader->pos] = reader->saved;
	reader->pos -= n;
	reader->cut_bytes -= n;
	reader->saved = reader->buf[reader->pos];
	reader->buf[reader->pos] = '\0';
}

int vs_reader_finish(struct vs_reader *reader, char sha256[VS_SHA256_TEXT_MAX],
		     struct vs_error *err)
{
	while (!reader->at_end) {
		reader->pos = reader->end;
		if (fill(reader, err) != 0)
			return -1;
	}
	return vs_sha256_text(reader->sha, sha256, err);
}
