/* fio's status line ("Jobs: 4 (f=4): [R(4)][2.5%][r=97.7MiB/s][r=25.0k IOPS][eta 01m:58s]"). */
#ifndef VS_PROBES_IMPORT_FIO_STATUS_H
#define VS_PROBES_IMPORT_FIO_STATUS_H

#include <stdbool.h>

enum vs_fio_state {
	VS_FIO_SETUP,   /* nothing has started */
	VS_FIO_RAMP,    /* before the part that counts */
	VS_FIO_RUNNING, /* at least one job does I/O */
	VS_FIO_ENDING,  /* no job does I/O any more */
};

/* A printed number and the span of true values that print like it. */
struct vs_fio_number {
	double value, low, high;
	bool odd; /* the version's printing bug may have bitten */
};

struct vs_fio_status {
	enum vs_fio_state state;
	int running;                      /* jobs that do I/O */
	double pct;                       /* NAN: "-.-" */
	double eta_s;                     /* NAN: "--" or cut off */
	struct vs_fio_number bytes_per_s; /* all directions added */
	struct vs_fio_number iops;
	double read_iops, write_iops;
};

/*
 * Finds the first status in text by its brackets: state, percent, rates, eta. Returns where it
 * ends, or NULL when there is no more. A bracket that was cut or overprinted makes no status and
 * adds to *damaged. version_code: 3019 is fio 3.19, 0 not known.
 */
const char *vs_fio_status_next(const char *text, int version_code, struct vs_fio_status *out,
			       unsigned int *damaged);
/*
 * Narrows iops by what the bandwidth says at this block size (0: not known), so that a number which
 * the version printed wrongly does not look like a step. The value becomes the middle of what both
 * allow.
 */
void vs_fio_status_refine(struct vs_fio_status *status, double block_bytes);

#endif
