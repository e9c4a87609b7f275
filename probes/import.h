/* Other tools' recordings as samples: fio, iostat, sar, elbencho, CSV. */
#ifndef VS_PROBES_IMPORT_H
#define VS_PROBES_IMPORT_H

#include "base/error.h"
#include "base/run.h"
#include "base/sink.h"

struct vs_import_options {
	const char *format;    /* "auto" (NULL too) or a name from the table */
	const char *time_col;  /* csv: NULL: time_s */
	const char *value_col; /* csv: NULL: iops */
	const char *time_unit; /* csv: "s" (NULL too), "ms", "us", "ns", "epoch" */
	const char *device;    /* iostat, sar: which; NULL: the only or the busiest one */
};

/*
 * Reads the files ("-": standard input) as one run. Fills head's workload, label-less facts,
 * targets, interval, started_wall_ms and duration (head is initialised, the caller releases it),
 * and emits the samples in time order, then observations of source "import" (tool, version, file,
 * sha256, totals) and an event for whatever was skipped and why. Memory does not grow with the
 * file. On -1 the caller discards what was emitted.
 */
int vs_import(const char *const *paths, size_t n_paths, const struct vs_import_options *options,
	      struct vs_run *head, const struct vs_sink *sink, struct vs_error *err) VS_MUST_CHECK;

#endif
