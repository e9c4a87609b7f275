/* What the readers of fio's console output share: status lines, banner, summary. */
#ifndef VS_PROBES_IMPORT_FIO_CONSOLE_H
#define VS_PROBES_IMPORT_FIO_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probes/import_context.h"
#include "probes/import_fio_status.h"

#define VS_FIO_FEW_UPDATES 5 /* fewer are no series: then the summary's mean stands for the run */

/* When an update was printed: fio says only how far it is and how long it will take. */
struct vs_fio_clock {
	double runtime_s;  /* asked; NAN */
	double interval_s; /* --eta-interval */
	double total_s;    /* elapsed + eta, from the last line where both are exact; NAN */
	double last_s;     /* elapsed at the last update; 0 */
	bool by_index;     /* neither percentage nor eta can be believed */
};

struct vs_fio_console {
	struct vs_import *im;
	struct vs_fio_clock clock;
	double block_bytes;           /* 0 not known, or several */
	double block_low, block_high; /* what rate / IOPS allow, where nobody told */
	double base_s;                /* where the part that counts begins */
	double last_pct;              /* of the last status line */
	double last_iops;             /* of the last update; NAN */
	size_t n_updates;
	int max_running;
	unsigned int damaged;
	bool block_told; /* by the banner or the command */
	bool ramped;     /* a ramp was seen */
	bool has_status;

	bool flowing; /* the early ones are out */
	bool has_held,
		held_at_end; /* held: a last one may be the closing line, which is no sample */
	struct vs_sample held, early[VS_FIO_FEW_UPDATES];
	size_t n_early;

	uint64_t part;      /* of several runs in one file: 1 is the first */
	bool part_has_body; /* status lines or results of this part were seen */
	bool part_has_result;

	/* the summary */
	bool in_summary;
	bool in_disks, striped;
	bool failed;
	int signal;
	int64_t group; /* of the results being read */
	int64_t group_label;
	uint64_t pid;        /* of the first result of the summary */
	double disk_ios;     /* of this part */
	size_t first_result; /* of this part */
	char job[48];
};

/* Elapsed seconds of an update; what fio prints is whole seconds, and eta + elapsed its total. */
double vs_fio_clock_elapsed(struct vs_fio_clock *clock, const struct vs_fio_status *status);

/* The line without what a mail, a log daemon or `ts` put in front of it. */
const char *vs_fio_bare_line(const char *line);
/* Banner, job line, command, "Starting": 1 when it was one, 0 not, -1 on errors. */
int vs_fio_banner_line(struct vs_fio_console *c, const char *line, struct vs_error *err);
/* The summary behind the run: true when it was a line of it. */
bool vs_fio_summary_line(struct vs_fio_console *c, const char *line);
/* The results so far were those of a run that goes on: they are forgotten. */
void vs_fio_summary_interim(struct vs_fio_console *c);
/* A part's end: notes where its disks counted less than fio. */
int vs_fio_summary_end(struct vs_fio_console *c, struct vs_error *err);
/* Does the part that is read now count? */
bool vs_fio_part_wanted(const struct vs_fio_console *c);

#endif
