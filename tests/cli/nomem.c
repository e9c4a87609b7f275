#include "nomem.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static bool counting;
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

static void *jansson_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

static void jansson_free(void *p)
{
	free(p);
}

void nomem_install(void)
{
	sqlite3_mem_methods failing;

	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite) != SQLITE_OK)
		abort();
	failing = sqlite;
	failing.xMalloc = sqlite_malloc;
	failing.xRealloc = sqlite_realloc;
	/* the lookaside would hide most of the small ones */
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK ||
	    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) != SQLITE_OK)
		abort();
	json_set_alloc_funcs(jansson_malloc, jansson_free);
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
