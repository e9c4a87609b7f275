/* A small recording with something in every table, made through the store. */
#ifndef TESTS_CLI_RECORDING_H
#define TESTS_CLI_RECORDING_H

#include <stdint.h>

#include "base/error.h"

/* A new file at path, without a WAL beside it, with pages of so many bytes; seconds of two targets.
 */
int recording_make(const char *path, int page_bytes, int64_t seconds,
		   struct vs_error *err) VS_MUST_CHECK;

#endif
