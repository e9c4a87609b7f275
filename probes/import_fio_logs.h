/* What the readers of fio's logs share: all logs of a run become one series on one grid. */
#ifndef VS_PROBES_IMPORT_FIO_LOGS_H
#define VS_PROBES_IMPORT_FIO_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hist.h"
#include "probes/import_fio_rows.h"
#include "probes/import_grid.h"
#include "probes/import_spool.h"

enum vs_fio_log_role {
	VS_FIO_ROLE_COUNT,   /* its rows are the I/Os */
	VS_FIO_ROLE_BYTES,   /* its rows are the bytes beside another's I/Os */
	VS_FIO_ROLE_LATENCY, /* of single I/Os, or a histogram, beside another's I/Os */
	VS_FIO_ROLE_NONE,
};

/* How far rows stand apart, told from a job's first rows. */
struct vs_fio_steps {
	int64_t step_ns;    /* usually */
	int64_t nominal_ns; /* as was asked for: log_avg_msec */
};

/* The sum of |ln(rate / rate before)|, as a product whose logarithm is taken now and then. */
struct vs_fio_roughness {
	double sum, product;
};

struct vs_fio_logs {
	struct vs_grid grid;
	struct vs_spool latency; /* a row of uint32_t[VS_HIST_BUCKETS] a cell */
	bool has_latency, has_bytes;
	size_t given[VS_FIO_LOG_SLAT + 1]; /* files of each kind */
	bool named_any;
	bool epoch, epoch_known;
	int64_t origin_ms; /* of the log's times: 0, or when an epoch log begins */

	/* Streams: one direction of one job, or one job's single I/Os. */
	size_t n_streams, n_blocks;
	int64_t last_start_ns, first_end_ns; /* between them all streams run */
	struct vs_fio_steps steps;           /* of the first windowed log; 0 none yet */
	bool windowed;                       /* rows are rates over a window, not single I/Os */
	double sum_ios, sum_late;            /* all I/Os; those that lateness moves */
	struct vs_fio_roughness rough_raw, rough_fixed;
	double zero_s;
	uint64_t zero_rows;
	size_t n_unused; /* logs of mean latencies */
	const char *unused;
};

struct vs_import;

/* Notes the files of a run before any is read: vs_fio_logs_role() judges by what all of them are.
 */
int vs_fio_logs_expect(struct vs_import *im, const char *path, bool hist,
		       struct vs_error *err) VS_MUST_CHECK;
enum vs_fio_log_role vs_fio_logs_role(const struct vs_fio_logs *logs, enum vs_fio_log_kind kind);
/* Takes one stream's extent into account. */
void vs_fio_logs_stream(struct vs_fio_logs *logs, int64_t start_ns, int64_t end_ns);
/* ms of a row since the run's start; sets the origin with the first one. false: kinds of time mix.
 */
bool vs_fio_logs_time(struct vs_fio_logs *logs, uint64_t time_ms, int64_t *ns_out);
/* Adds counts of a latency to the histogram of a cell. */
int vs_fio_logs_add_latency(struct vs_fio_logs *logs, size_t cell, uint64_t ns, uint64_t count,
			    struct vs_error *err) VS_MUST_CHECK;

#define VS_FIO_EPOCH_MS UINT64_C(100000000000) /* a time above it is ms since 1970 */

/*
 * Adds a row's time to the n of times_ns that vs_fio_steps_of() takes; *base_ms is 0 before the
 * first. What cannot be a time is left out.
 */
void vs_fio_steps_add(int64_t *times_ns, size_t *n, uint64_t *base_ms, uint64_t time_ms);
#define VS_FIO_LOOK_ROWS 64 /* of a job, from which the kind of log is told */
/* times_ns: of at most VS_FIO_LOOK_ROWS rows of one direction, ascending; log_avg_ms: 0 not told.
 */
struct vs_fio_steps vs_fio_steps_of(const int64_t *times_ns, size_t n, int64_t log_avg_ms);

/* One direction of a windowed log, row after row. */
struct vs_fio_window {
	bool any;
	int64_t first_ns, last_ns; /* start of the first window, end of the last */
	int64_t counted_ns; /* where fio's own clock of windows stands: see import_fio_sum.c */
	double last_value, last_raw, last_fixed;
	size_t at; /* in the grid */
};

enum vs_fio_verdict {
	VS_FIO_ROW_OK,
	VS_FIO_ROW_SKIPPED, /* noted */
	VS_FIO_ROW_BACK,    /* its time goes back: the next job's rows begin */
};

/* A row's window. */
struct vs_fio_span {
	int64_t start_ns, end_ns;
	double fixed_s; /* what fio 2.10 to 3.17 divided by */
};

/*
 * The window that ends at end_ns. Silent windows before it are put into the grid as zero when the
 * log counts.
 */
int vs_fio_window_next(struct vs_import *im, struct vs_fio_window *window, int64_t end_ns,
		       const struct vs_fio_steps *steps, bool counts, struct vs_fio_span *span_out,
		       enum vs_fio_verdict *verdict, struct vs_error *err) VS_MUST_CHECK;
/* Puts amount there; what lies before the first log's start is noted. */
int vs_fio_logs_put(struct vs_import *im, size_t *at, int64_t start_ns, int64_t end_ns,
		    const struct vs_grid_amount *amount, struct vs_error *err) VS_MUST_CHECK;

/* When all files are read: the samples. */
int vs_fio_logs_finish(struct vs_import *im, void *state, struct vs_error *err) VS_MUST_CHECK;
void vs_fio_logs_free(void *state);

#endif
