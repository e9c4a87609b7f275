/* The error that every fallible function fills: one struct on the caller's stack, no heap. */
#ifndef VS_BASE_ERROR_H
#define VS_BASE_ERROR_H

#define VS_MUST_CHECK     __attribute__((warn_unused_result))
#define VS_PRINTF(fmt, a) __attribute__((format(printf, fmt, a)))

enum vs_code {
	VS_OK,
	VS_EUSAGE, /* what the user asked for cannot be meant: exit 2 */
	VS_EINVAL, /* data that cannot be right */
	VS_ENOMEM,
	VS_ESYS,    /* a system call; detail = errno */
	VS_EDB,     /* SQLite; detail = its extended code */
	VS_EHTTP,   /* detail = HTTP status, 0 when none came */
	VS_EFORMAT, /* input in a form that no reader knows */
	VS_ENOTFOUND,
	VS_ECANCELED,
};

struct vs_error {
	enum vs_code code;
	int detail;
	char text[512]; /* one line, no capital, no full stop: names the thing and the remedy */
};

/*
 * Each returns -1, so that `return vs_error_set(...)` is the idiom. The first error wins: a struct
 * that already holds one is left as it is. err may be NULL. None allocates.
 */
int vs_error_set(struct vs_error *err, enum vs_code code, int detail, const char *fmt, ...)
	VS_PRINTF(4, 5);
/* code VS_ESYS, detail errnum; ": " and the system's text for errnum are appended. */
int vs_error_sys(struct vs_error *err, int errnum, const char *fmt, ...) VS_PRINTF(3, 4);
int vs_error_nomem(struct vs_error *err);
/* Puts text in front of an error on its way up: "import 'x.log': " + text. */
int vs_error_prefix(struct vs_error *err, const char *fmt, ...) VS_PRINTF(2, 3);
void vs_error_clear(struct vs_error *err);

/* clang's analyser sees one file at a time and would follow paths on which these return 0. */
#if defined(__clang_analyzer__) && !defined(VS_ERROR_DEFINED_HERE)
static inline int vs_error_is_minus_one(int rc)
{
	(void)rc;
	return -1;
}
# define vs_error_set(...)    vs_error_is_minus_one(vs_error_set(__VA_ARGS__))
# define vs_error_sys(...)    vs_error_is_minus_one(vs_error_sys(__VA_ARGS__))
# define vs_error_nomem(...)  vs_error_is_minus_one(vs_error_nomem(__VA_ARGS__))
# define vs_error_prefix(...) vs_error_is_minus_one(vs_error_prefix(__VA_ARGS__))
#endif

/* An internal fault: prints the place and aborts, in every build type. */
void vs_assert_failed(const char *expr, const char *file, int line) __attribute__((noreturn));
#define VS_ASSERT(expr) ((expr) ? (void)0 : vs_assert_failed(#expr, __FILE__, __LINE__))

#endif
