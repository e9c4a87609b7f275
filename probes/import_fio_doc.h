/* One JSON document of fio: what it says of its jobs. */
#ifndef VS_PROBES_IMPORT_FIO_DOC_H
#define VS_PROBES_IMPORT_FIO_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hist.h"

#define VS_FIO_DOC_JOBS 4096

/* One direction of one job, as it stood when the document was written: counts since the start. */
struct vs_fio_doc_part {
	char name[48];
	int64_t group;
	int direction; /* 0 read, 1 write, 2 trim */
	bool alone;    /* its job did I/O in this direction only */
	double ios;
	double seconds;
	double bytes;                            /* NAN not told */
	int64_t p50_ns, p99_ns, p999_ns, max_ns; /* VS_UNKNOWN each */
};

struct vs_fio_doc {
	char version[40];     /* behind "fio-"; "" not told */
	int64_t wall_ms;      /* when it was written; VS_UNKNOWN not told */
	int64_t job_start_ms; /* wall clock; VS_UNKNOWN not told (fio before 3.36) */
	int64_t error;        /* of the first job that failed; 0 none */
	char failed_job[48];
	size_t n_jobs;
	struct vs_fio_doc_part
		*parts; /* of the directions in which there was I/O, or all jobs' first */
	size_t n_parts;
	double ios;     /* all parts */
	double bytes;   /* all parts; NAN when one does not tell */
	double seconds; /* groups one after another */
	bool has_bins;
	struct vs_hist bins; /* completion latencies since the start, valid when has_bins */

	/* the options; "" or < 0 not told, or not the same for all jobs */
	char rw[24];
	char filename[256];
	int64_t block_bytes, iodepth, numjobs;
	int64_t log_avg_ms;
};

/* Fills doc from text. Release it with vs_fio_doc_release(), after a failure too. */
int vs_fio_doc_read(const char *text, size_t len, struct vs_fio_doc *doc,
		    struct vs_error *err) VS_MUST_CHECK;
void vs_fio_doc_release(struct vs_fio_doc *doc);

#endif
