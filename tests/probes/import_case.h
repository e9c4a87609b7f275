/* One row of the tables that hold an importer's dialects: an input and its right reading. */
#ifndef VS_TESTS_PROBES_IMPORT_CASE_H
#define VS_TESTS_PROBES_IMPORT_CASE_H

#include <stddef.h>

#include "probes/import.h"

struct import_case {
	const char *name;
	const char *text; /* the file */
	size_t len;       /* 0: strlen(text) */
	struct vs_import_options options;
	const char *format; /* that is recognised */
	/*
	 * The samples as "end=iops" with their marks, blanks between: z zero-filled, b biased, r
	 * ramp, i idle, p probe, "~10" +-10 I/Os, "/0.5" a length other than the interval's.
	 */
	const char *samples;
	const char *notes;   /* the kinds of the events, blanks between; NULL: any */
	const char *error;   /* a part of the one line that refuses it; no samples then */
	const char *target;  /* NULL: any */
	const char *started; /* "2023-08-29T23:59:58.000Z"; NULL: any */
	const char *load;    /* "randread 4096 x32 x4": rw, block, depth, jobs; NULL: any */
	double tool_iops;    /* what the tool itself says; 0: any */
};

/* Holds each row against vs_import(); fails the test after naming every row that differs. */
void import_cases_hold(const struct import_case *cases, size_t n);

#endif
