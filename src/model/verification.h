/* A run held against expectations: verdicts with their evidence. src/analysis makes it, reports
 * render it. */
#ifndef VS_MODEL_VERIFICATION_H
#define VS_MODEL_VERIFICATION_H

#include <stddef.h>
#include <stdint.h>

#include "model/timeline.h"

enum vs_verdict {
	VS_VERDICT_PASS,
	VS_VERDICT_FAIL,
	VS_VERDICT_SKIP /* it cannot be judged; evidence says why */
};

struct vs_check {
	const char *id; /* "top-tier": stable, for machines */
	char title[96]; /* what is expected: "reaches VPU 120" */
	enum vs_verdict verdict;
	char evidence[384]; /* which plateau, when; one or more sentences without a full stop */
	const char *unit;   /* of the two below: "s", "%"; NULL for a tier */
	double expected;    /* NAN for a tier */
	double found;       /* NAN when nothing was measured */
	int plateau;        /* that decides it; -1 none */
	int step;           /* that decides it; -1 none */
	int64_t at_ns;      /* since the run's start; VS_UNKNOWN */
};

#define VS_CHECKS_MAX 16

struct vs_verification {
	const struct vs_timeline *timeline; /* borrowed */
	struct vs_check checks[VS_CHECKS_MAX];
	size_t n;
	size_t passed, failed, skipped;
	bool documented; /* nothing was asked: held against what the provider documents */
};

const char *vs_verdict_name(enum vs_verdict verdict); /* "pass", "fail", "skip" */

#endif
