/* Memory that runs out: malloc and its kin, jansson's and SQLite's, fail from an allocation on. */
#ifndef TESTS_CLI_NOMEM_H
#define TESTS_CLI_NOMEM_H

#include <stdint.h>

struct nomem {
	int64_t calls;     /* since nomem_start() */
	int64_t fail_from; /* the first that fails, from 1; 0 none */
	int64_t fail_calls;
	int64_t failed;
};

extern struct nomem nomem;

/* Before anything else of the process uses SQLite or jansson. */
void nomem_install(void);
/* Counts from 0 again; the calls fail_from .. fail_from + fail_calls - 1 get nothing. */
void nomem_start(int64_t fail_from, int64_t fail_calls);
void nomem_stop(void);

#endif
