/* The scenarios that the detector is measured and gated on. */
#ifndef TESTS_ANALYSIS_SCENARIO_H
#define TESTS_ANALYSIS_SCENARIO_H

#include "gen.h"

/* What kind of series, before noise and damage. */
enum shape {
	STAIRS,        /* 5 to 7 neighbouring tiers, a..b seconds each, rises overshoot 1-2 s */
	ONE_STEP,      /* VPU 110 to 120: two plateaus of a seconds */
	FLAT,          /* a seconds at one level */
	CREDIT,        /* 3000 for a seconds, then 100 for b */
	QUIET_NOISY,   /* stairs at 0.1 %, then a flat stretch at 8 % */
	NOISY_QUIET,   /* the other way round */
	RANDOM_LEVELS, /* ten levels, each at least 15 % from the one before */
	DRIFT,         /* b percent in a seconds */
};

struct scenario {
	const char *name;
	enum shape shape;
	double size_gb; /* of the ladder that the series follows */
	double a, b;
	double noise, rho;
	bool rounded;
	double missing, zero, dips;
	bool ladder; /* the analysis knows it */
	bool down;   /* falling */
	bool whole;  /* all tiers, VPU 10 to 120 */
};

/* One seeded series of a scenario; released by the caller. */
void scenario_make(const struct scenario *scenario, struct gen *gen, struct gen_series *out);

#endif
