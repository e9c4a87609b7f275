/* Verdicts in, a report out: for people, for programs, for test runners. */
#ifndef VS_REPORTS_VERIFY_REPORT_H
#define VS_REPORTS_VERIFY_REPORT_H

#include <stdio.h>

#include "base/error.h"
#include "model/verification.h"

struct vs_verify_format {
	const char *name;   /* "junit" */
	const char *suffix; /* ".xml" */
	/* columns: width of the terminal, 0: 80. Checks nothing of out: the caller flushes, and
	 * tests ferror(). */
	void (*write)(const struct vs_verification *verification, int columns, FILE *out);
};

extern const struct vs_verify_format vs_verify_formats[]; /* ends with name == NULL */

/* NULL when there is none. */
const struct vs_verify_format *vs_verify_format_named(const char *name);
const struct vs_verify_format *vs_verify_format_for_file(const char *path);

#endif
