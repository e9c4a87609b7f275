/* Memory that runs out: malloc and its kin, and SQLite's, fail from an allocation on, in
 * the thread that asked for it. */
#ifndef TESTS_CLI_NOMEM_H
#define TESTS_CLI_NOMEM_H

#include <stdint.h>

#include "base/error.h"

struct nomem {
	int64_t calls;     /* since nomem_start() */
	int64_t fail_from; /* the first that fails, from 1; 0 none */
	int64_t fail_calls;
	int64_t failed;
};

extern struct nomem nomem;
extern int64_t nomem_stride;

/* Before anything else of the process uses SQLite. argc, argv: main's; the first word is
 * the stride of nomem_try(), 97 when there is none. */
void nomem_install(int argc, char **argv);
/* Counts from 0 again; the calls fail_from .. fail_from + fail_calls - 1 get nothing. */
void nomem_start(int64_t fail_from, int64_t fail_calls);
void nomem_stop(void);

/* Fails the test when something failed for an allocation and says something else. */
void nomem_assert_told(int rc, const struct vs_error *err);

struct nomem_action {
	int (*act)(void *ctx, struct vs_error *err);
	void (*prepare)(void *ctx);       /* before each; NULL nothing */
	void (*check)(void *ctx, int rc); /* after each; NULL nothing */
	void *ctx;
	int64_t least; /* failures that must have come of it */
};

/*
 * Fails the nth allocation of the action, once and then for good, for each n of the first and the
 * last `dense` ones and each nth of the stride between, until it asks for no more. The action says
 * so (an error of memory), or has succeeded in spite of it. Fails the test otherwise.
 */
void nomem_try(const struct nomem_action *action, int64_t dense);

#endif
