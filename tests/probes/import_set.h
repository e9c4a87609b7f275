/* One row of the tables of imports that take one file or several: inputs and their right reading.
 */
#ifndef VS_TESTS_PROBES_IMPORT_SET_H
#define VS_TESTS_PROBES_IMPORT_SET_H

#include <stddef.h>

#include "probes/import.h"

#define SET_FILES 6

struct import_set {
	const char *name;
	struct {
		const char *name;
		const char *text;
	} files[SET_FILES];
	const char *format; /* of --format; NULL: auto */
	/*
	 * The samples as "end=iops" in s and I/Os a second, blanks between, then: "/0.5" a length
	 * other than one second, z zero-filled, b biased, r ramp, "@p50,p99" latencies in us, "+n"
	 * bytes. NULL: any.
	 */
	const char *samples;
	const char *events; /* parts of the events' "kind: text", '|' between, in any order */
	const char *error;  /* a part of the one line that refuses it; nothing is read then */
	double tool_iops;   /* what the tool itself says; 0: any */
	const char *load;   /* "randread 4096 x32 x4": rw, block, depth, jobs; NULL: any */
};

/* Holds each row against vs_import(); fails the test after naming every row that differs. */
void import_sets_hold(const struct import_set *sets, size_t n);

#endif
