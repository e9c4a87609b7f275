#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vs_buf_init(struct vs_buf *buf, size_t max_bytes)
{
	*buf = (struct vs_buf){ .max_bytes = max_bytes };
}

void vs_buf_release(struct vs_buf *buf)
{
	free(buf->data);
	vs_buf_init(buf, buf->max_bytes);
}

void vs_buf_clear(struct vs_buf *buf)
{
	buf->len = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

static __thread bool was_short;

static void fail(struct vs_buf *buf)
{
	vs_buf_release(buf);
	buf->failed = true;
}

/* Room for len more bytes and the NUL. */
static bool reserve(struct vs_buf *buf, size_t len)
{
	size_t cap = buf->cap ? buf->cap : 64;

	if (buf->failed)
		return false;
	if (len > buf->max_bytes || buf->len > buf->max_bytes - len) {
		fail(buf);
		buf->too_long = true;
		return false;
	}
	while (cap < buf->len + len + 1)
		cap *= 2;
	if (!buf->data || cap != buf->cap) {
		char *data = realloc(buf->data, cap);
		if (!data) {
			was_short = true;
			fail(buf);
			return false;
		}
		buf->data = data;
		buf->cap = cap;
	}
	return true;
}

void vs_buf_add(struct vs_buf *buf, const void *bytes, size_t len)
{
	if (!reserve(buf, len))
		return;
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void vs_buf_addf(struct vs_buf *buf, const char *fmt, ...)
{
	va_list ap, again;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		fail(buf);
	else if (reserve(buf, (size_t)len)) {
		(void)vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, again);
		buf->len += (size_t)len;
	}
	va_end(again);
}

char *vs_buf_take(struct vs_buf *buf)
{
	char *data;

	if (!buf->failed && !buf->data)
		vs_buf_add(buf, "", 0);
	data = buf->data;
	buf->data = NULL;
	vs_buf_init(buf, buf->max_bytes);
	return data;
}

bool vs_buf_was_short(void)
{
	bool was = was_short;

	was_short = false;
	return was;
}
