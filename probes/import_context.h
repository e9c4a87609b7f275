/* What the parsers of an import share: where they emit, and what the whole of it adds up to. */
#ifndef VS_PROBES_IMPORT_CONTEXT_H
#define VS_PROBES_IMPORT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/run.h"
#include "base/sink.h"
#include "probes/import.h"
#include "probes/import_reader.h"

#define VS_IMPORT_SKIPS   64
#define VS_IMPORT_RESULTS 512

/* A mean that the tool printed at its end. Results of one group ran side by side. */
struct vs_import_result {
	char name[48];
	int64_t group;
	double ios;
	double seconds;
	double bytes; /* NAN when not told */
	int64_t p50_ns, p99_ns, p999_ns, max_ns;
};

/* Lines that were left out for one reason; becomes one event. */
struct vs_import_skip {
	const char *reason; /* static text */
	const char *file;
	uint64_t count, first_line, last_line;
};

struct vs_fio_logs;
struct vs_fio_json;
struct vs_import;

/* What a reader keeps over several files, and does when all are read. */
struct vs_import_later {
	void *state;
	int (*finish)(struct vs_import *im, void *state, struct vs_error *err);
	void (*release)(void *state);
};

struct vs_import {
	const struct vs_import_options *options;
	struct vs_run *head;
	const struct vs_sink *sink;
	struct vs_reader *in;     /* the file being read */
	bool totals_only;         /* logs come along: this file gives totals, no samples */
	struct vs_fio_logs *logs; /* NULL without fio logs */
	struct vs_fio_json *json; /* NULL before the first JSON */
	struct vs_import_later later[2];
	size_t n_later;

	uint64_t n_parts;        /* recordings in the one file; 0: one */
	const char *tool;        /* "fio"; static */
	char version[40];        /* as the tool prints it; "" not told */
	int version_code;        /* major * 1000 + minor: 3.19 is 3019; 0 not told */
	int64_t log_avg_ms;      /* 0 not told */
	int64_t ended_wall_ms;   /* of the tool's summary */
	int64_t started_wall_ms; /* of the run's start */
	bool clock_unset;        /* the tool's clock stood in 1970 */
	bool ended_wall_known, started_wall_known;
	bool zone_assumed; /* the wall time came without a zone: taken as UTC */
	int64_t file_ms;   /* when the file was last changed; 0 not known */

	struct vs_import_result results[VS_IMPORT_RESULTS];
	size_t n_results;
	struct vs_import_skip skips[VS_IMPORT_SKIPS];
	size_t n_skips;

	/* of the samples emitted */
	size_t n_samples;
	double ios, seconds; /* over the load, silent gaps left out */
	double load_ios, load_seconds;
	bool any_io;
	struct vs_import_summary *summary;
	int64_t last_end_ns;
	enum vs_phase phase; /* of the last mark; valid when head has one */
};

/* finish is called once, after the last file; release always. */
void vs_import_at_end(struct vs_import *im, const struct vs_import_later *later);
/* Of bytes or nanoseconds: rounded, between 0 and 9e17; more is no count of anything. */
int64_t vs_import_whole(double value);
/* A sample with everything unknown but its time: [end_s - length_s, end_s). */
struct vs_sample vs_import_sample(double end_s, double length_s, double iops);
/*
 * Emits one sample of target 0, adds a phase mark where the phase changes, and leaves out with a
 * note what lies before the last one.
 */
int vs_import_emit(struct vs_import *im, const struct vs_sample *sample,
		   struct vs_error *err) VS_MUST_CHECK;
/* Counts the line just read as left out; reason is a static text. */
void vs_import_skip(struct vs_import *im, const char *reason);
/* The reason for what belongs to a recording that is not the one asked for. */
extern const char vs_import_other_part[];
/* Is that recording of the file the one asked for, or the first where none was? */
bool vs_import_part_wanted(const struct vs_import *im, uint64_t part);
/* An event at the last sample's end; of some kinds the person who asked is told too. */
int vs_import_note(struct vs_import *im, const char *kind, struct vs_error *err, const char *fmt,
		   ...) VS_PRINTF(4, 5);
/* "3.19", "2.2.10", "3.26-19-ge7e53" after "fio-" or "fio ": keeps text and code. */
void vs_import_set_version(struct vs_import *im, const char *text);
/* Adds to the result of that name and group, or begins one; more than fit are dropped. */
struct vs_import_result *vs_import_result(struct vs_import *im, const char *name, int64_t group);
/* The one target's name; a later call replaces it. */
int vs_import_set_target(struct vs_import *im, const char *name,
			 struct vs_error *err) VS_MUST_CHECK;
/* Whole run of the tool: ios and seconds, groups one after another. false when there is none. */
bool vs_import_total(const struct vs_import *im, double *ios_out, double *seconds_out);

/*
 * The results as samples, a group one after another, and a note that there is no series. They are
 * kept and lie in no plateau (phase RAMP), because a mean shows no level.
 */
int vs_import_emit_means(struct vs_import *im, struct vs_error *err) VS_MUST_CHECK;

/* What a file may be beside others of one run. */
#define VS_IMPORT_LOG    0x1U /* a log of fio: any number of them, added up */
#define VS_IMPORT_TOTALS 0x2U /* may give totals for logs */
#define VS_IMPORT_HIST   0x8U /* a log that counts I/Os by latency: read when it is asked for */
#define VS_IMPORT_JOINS  0x4U /* several files go on one behind the other */

/* One way to read a file. The table in import_formats.c is the only place that lists them. */
struct vs_import_format {
	const char *name; /* of --format */
	const char *what; /* "a fio log" */
	/* Does this beginning of a file (NUL-terminated, at most VS_READER_PIECE) look like it? */
	bool (*detect)(const char *head, size_t len);
	int (*read)(struct vs_import *im, struct vs_error *err);
	unsigned int beside; /* VS_IMPORT_...; 0: such a file is a run of its own */
};

extern const struct vs_import_format vs_import_formats[]; /* ends with name == NULL */

bool vs_fio_console_detect(const char *head, size_t len);
int vs_fio_console_read(struct vs_import *im, struct vs_error *err);
bool vs_fio_log_detect(const char *head, size_t len);
int vs_fio_log_read(struct vs_import *im, struct vs_error *err);
bool vs_fio_hist_detect(const char *head, size_t len);
int vs_fio_hist_read(struct vs_import *im, struct vs_error *err);
bool vs_fio_json_detect(const char *head, size_t len);
int vs_fio_json_read(struct vs_import *im, struct vs_error *err);
bool vs_iostat_detect(const char *head, size_t len);
int vs_iostat_read(struct vs_import *im, struct vs_error *err);
bool vs_sar_detect(const char *head, size_t len);
int vs_sar_read(struct vs_import *im, struct vs_error *err);
bool vs_elbencho_detect(const char *head, size_t len);
int vs_elbencho_read(struct vs_import *im, struct vs_error *err);
bool vs_vdbench_detect(const char *head, size_t len);
int vs_vdbench_read(struct vs_import *im, struct vs_error *err);
bool vs_csv_detect(const char *head, size_t len);
int vs_csv_read(struct vs_import *im, struct vs_error *err);

#endif
