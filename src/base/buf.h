/* A growing text buffer with a ceiling. A failure sticks: check once, at the end. */
#ifndef VS_BASE_BUF_H
#define VS_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct vs_buf {
	char *data; /* NUL-terminated; NULL while empty and after a failure */
	size_t len; /* without the NUL */
	size_t cap;
	size_t max_bytes; /* growing past it is a failure */
	bool failed;
	bool too_long; /* that is why; else memory was short */
};

void vs_buf_init(struct vs_buf *buf, size_t max_bytes);
void vs_buf_release(struct vs_buf *buf);
/* After a failure these do nothing. */
void vs_buf_add(struct vs_buf *buf, const void *bytes, size_t len);
void vs_buf_addf(struct vs_buf *buf, const char *fmt, ...) VS_PRINTF(2, 3);
void vs_buf_clear(struct vs_buf *buf);
/* Ownership of the text moves to the caller (free()); NULL when the buffer had failed. */
char *vs_buf_take(struct vs_buf *buf);
/* Since it was last asked, has memory been short for any buffer of this thread? For those who put
 * much together from many small ones: the whole is not what it should be. */
bool vs_buf_was_short(void);

#endif
