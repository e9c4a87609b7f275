/* What would spoil a run, found before the first read: each finding with its remedy. */
#ifndef VS_PROBES_PREFLIGHT_H
#define VS_PROBES_PREFLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "probes/load.h"
#include "probes/target.h"

#define VS_FINDINGS_MAX 64

struct vs_finding {
	bool refuse;    /* the run cannot work; else a notice: it can, but the reader should know */
	char kind[24];  /* one word, kebab-case: "aio-max-nr", "mounted" */
	char text[320]; /* one line, no capital, no full stop: the fact and the remedy */
};

struct vs_findings {
	struct vs_finding items[VS_FINDINGS_MAX];
	size_t n;    /* in items */
	size_t lost; /* found, but no room for them */
};

struct vs_preflight {
	const struct vs_load_options *load;
	const char *const *paths;           /* of the targets */
	const struct vs_target_info *infos; /* what vs_target_inspect() said of them */
	size_t n_targets;
	double expected_iops; /* the most that the targets may reach together; 0: not known */
	bool own_files;       /* a rehearsal's: where they lie and what they hold does not matter */
	const char *root;     /* where /proc and /sys are; NULL: where they belong (for tests) */
};

/*
 * Fills out. Kinds: aio-max-nr, open-files, locked-memory, memory, alignment, direct-io,
 * clock-source, cpus, and of the targets mounted, held, swap, file-system, twice, sectors,
 * in-memory, sparse. Only opens and reads; nothing is changed. What cannot be found out is no
 * finding.
 */
void vs_preflight_check(const struct vs_preflight *preflight, struct vs_findings *out);
/* For the checks: adds one; kind and text as in the struct. */
void vs_findings_add(struct vs_findings *findings, bool refuse, const char *kind, const char *fmt,
		     ...) VS_PRINTF(4, 5);

#endif
