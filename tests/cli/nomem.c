#include "nomem.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t n, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
int __real_vasprintf(char **out, const char *fmt, va_list ap);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int __wrap_vasprintf(char **out, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

struct nomem nomem;
int64_t nomem_stride = 97;
static __thread bool counting;
static sqlite3_mem_methods sqlite;

static bool fails(void)
{
	if (!counting)
		return false;
	nomem.calls++;
	if (!nomem.fail_from || nomem.calls < nomem.fail_from ||
	    nomem.calls - nomem.fail_from >= nomem.fail_calls)
		return false;
	nomem.failed++;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(old, n, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
	return fails() ? NULL : __real_strndup(text, size);
}

int __wrap_vasprintf(char **out, const char *fmt, va_list ap)
{
	return fails() ? -1 : __real_vasprintf(out, fmt, ap);
}

int __wrap_asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = __wrap_vasprintf(out, fmt, ap);
	va_end(ap);
	return rc;
}

static void *sqlite_malloc(int size)
{
	return fails() ? NULL : sqlite.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size)
{
	return fails() ? NULL : sqlite.xRealloc(old, size);
}

void nomem_install(int argc, char **argv)
{
	sqlite3_mem_methods failing;

	if (argc > 1)
		nomem_stride = strtoll(argv[1], NULL, 10);
	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite) != SQLITE_OK)
		abort();
	failing = sqlite;
	failing.xMalloc = sqlite_malloc;
	failing.xRealloc = sqlite_realloc;
	/* the lookaside would hide most of the small ones */
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK ||
	    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) != SQLITE_OK)
		abort();
}

void nomem_start(int64_t fail_from, int64_t fail_calls)
{
	nomem = (struct nomem){ .fail_from = fail_from, .fail_calls = fail_calls };
	counting = true;
}

void nomem_stop(void)
{
	counting = false;
}

void nomem_assert_told(int rc, const struct vs_error *err)
{
	if (rc >= 0 || nomem.failed == 0)
		return;
	if (err->code != VS_ENOMEM && !strstr(err->text, "memory"))
		fail_msg("allocation %" PRId64 ": %d, %s", nomem.fail_from, err->code, err->text);
}

static int64_t count_all(const struct nomem_action *action)
{
	struct vs_error err = { 0 };

	if (action->prepare)
		action->prepare(action->ctx);
	nomem_start(0, 0);
	if (action->act(action->ctx, &err) < 0)
		fail_msg("with memory enough: %s", err.text);
	nomem_stop();
	return nomem.calls;
}

static int64_t try_lengths(const struct nomem_action *action, int64_t dense, int64_t length)
{
	int64_t failures = 0, last = count_all(action) - dense;

	for (int64_t n = 1;; n += n < dense || n > last ? 1 : nomem_stride) {
		struct vs_error err = { 0 };
		int rc;

		if (action->prepare)
			action->prepare(action->ctx);
		nomem_start(n, length);
		rc = action->act(action->ctx, &err);
		nomem_stop();
		nomem_assert_told(rc, &err);
		if (action->check)
			action->check(action->ctx, rc);
		failures += rc != 0;
		if (nomem.failed > 0)
			continue;
		return failures;
	}
}

void nomem_try(const struct nomem_action *action, int64_t dense)
{
	static const int64_t lengths[] = { 1, INT64_MAX / 2 };

	for (size_t i = 0; i < 2; i++) {
		int64_t failures = try_lengths(action, dense, lengths[i]);

		print_message("%" PRId64 " allocations, %" PRId64 " failures\n", nomem.calls,
			      failures);
		assert_true(failures >= action->least);
	}
}
