/* Other tools' recordings as samples: fio, iostat, sar, elbencho, CSV. */
#ifndef VS_PROBES_IMPORT_H
#define VS_PROBES_IMPORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sink.h"

/* For --format. */
#define VS_IMPORT_FORMATS \
 "auto|fio-console|fio-log|fio-hist|fio-json|iostat|sar|csv|elbencho|vdbench"

struct vs_import_options {
	const char *format;    /* "auto" (NULL too) or a name from the table */
	const char *time_col;  /* csv: NULL: time_s */
	const char *value_col; /* csv: NULL: iops */
	const char *time_unit; /* csv: "s" (NULL too), "ms", "us", "ns", "epoch" */
	const char *device;    /* iostat, sar: which; NULL: the only or the busiest one */
	uint64_t part;       /* which of several recordings in one file, 1 the first; 0: not told */
	int64_t interval_ns; /* of a report or an update that does not tell; 0: 1 s */
	bool keep_first;     /* iostat: the first report is no average since boot (iostat -y) */
	const volatile sig_atomic_t *stop; /* may be NULL; not 0: the import fails, VS_ECANCELED */
};

#define VS_IMPORT_TOLD 6

/* What was read, for the person who asked. */
struct vs_import_summary {
	size_t samples;
	double mean_iops;   /* over the samples */
	const char *tool;   /* "fio"; static */
	const char *format; /* of the first file that gave samples; static */
	char version[40];   /* "" not told */
	/* The events that change how the run is to be read: a choice, a doubt, lines left out. */
	char told[VS_IMPORT_TOLD][400];
	size_t n_told; /* may be more than there is room for */
};

/*
 * Reads the files ("-": standard input) as one run. Fills head's workload, targets, phases,
 * interval, end, started_wall_ms and duration (head is initialised, the caller releases it), and
 * emits the samples in time order, then observations of source "import" (tool, version, file,
 * sha256, totals) and an event for whatever was skipped and why. Memory does not grow with the
 * file. On -1 the caller discards what was emitted.
 */
int vs_import(const char *const *paths, size_t n_paths, const struct vs_import_options *options,
	      struct vs_run *head, const struct vs_sink *sink, struct vs_import_summary *summary,
	      struct vs_error *err) VS_MUST_CHECK;

/* A time as --start-time takes it: ISO 8601 or seconds since 1970. 0, or -1 when it is none. */
int vs_import_parse_time(const char *text, int64_t *wall_ms_out) VS_MUST_CHECK;

#endif
