/* A timeline in, a report out: one table of formats, one file each. */
#ifndef VS_REPORTS_REPORT_H
#define VS_REPORTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "model/timeline.h"

struct vs_report_options {
	bool series;      /* csv: a row a sample instead of a row a plateau */
	const char *lang; /* html: "en" (NULL too) or "ja" */
	int columns;      /* text: width of the terminal; 0: 80 */
};

struct vs_report_format {
	const char *name;   /* "html" */
	const char *suffix; /* ".html" */
	/* Writes to out and checks nothing of it: the caller flushes, and tests ferror(). */
	int (*write)(const struct vs_timeline *timeline, const struct vs_report_options *options,
		     FILE *out, struct vs_error *err);
};

extern const struct vs_report_format vs_report_formats[]; /* ends with name == NULL */

/* NULL when there is none. */
const struct vs_report_format *vs_report_format_named(const char *name);
const struct vs_report_format *vs_report_format_for_file(const char *path);

#endif
