#define VS_ERROR_DEFINED_HERE
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(struct vs_error *err, enum vs_code code, int detail, const char *fmt, va_list ap)
{
	err->code = code;
	err->detail = detail;
	(void)vsnprintf(err->text, sizeof(err->text), fmt, ap);
}

int vs_error_set(struct vs_error *err, enum vs_code code, int detail, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->code != VS_OK)
		return -1;
	va_start(ap, fmt);
	set(err, code, detail, fmt, ap);
	va_end(ap);
	return -1;
}

int vs_error_sys(struct vs_error *err, int errnum, const char *fmt, ...)
{
	char reason[128] = "";
	size_t len;
	va_list ap;

	if (!err || err->code != VS_OK)
		return -1;
	va_start(ap, fmt);
	set(err, VS_ESYS, errnum, fmt, ap);
	va_end(ap);
	/* the GNU strerror_r may return a static text instead of filling the buffer */
	const char *text = strerror_r(errnum, reason, sizeof(reason));
	len = strlen(err->text);
	(void)snprintf(err->text + len, sizeof(err->text) - len, ": %s", text);
	return -1;
}

int vs_error_nomem(struct vs_error *err)
{
	return vs_error_set(err, VS_ENOMEM, 0, "out of memory");
}

int vs_error_prefix(struct vs_error *err, const char *fmt, ...)
{
	char old[sizeof(err->text)];
	size_t len;
	va_list ap;

	if (!err || err->code == VS_OK)
		return -1;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, fmt);
	set(err, err->code, err->detail, fmt, ap);
	va_end(ap);
	len = strlen(err->text);
	(void)snprintf(err->text + len, sizeof(err->text) - len, "%s", old);
	return -1;
}

void vs_error_clear(struct vs_error *err)
{
	err->code = VS_OK;
	err->detail = 0;
	err->text[0] = '\0';
}

void vs_assert_failed(const char *expr, const char *file, int line)
{
	(void)fprintf(stderr, "volscale: internal fault at %s:%d: %s\n", file, line, expr);
	abort();
}
