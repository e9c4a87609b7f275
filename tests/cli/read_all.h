/* What `runs` and `report` read of a database, whatever is in it. */
#ifndef TESTS_CLI_READ_ALL_H
#define TESTS_CLI_READ_ALL_H

#include "base/error.h"

/* Lists the runs, and makes every report of the last one; what is written goes to /dev/null. */
int read_all(const char *path, struct vs_error *err) VS_MUST_CHECK;

#endif
