/* Found changes held against the true ones. */
#ifndef TESTS_ANALYSIS_SCORE_H
#define TESTS_ANALYSIS_SCORE_H

#include <stdbool.h>
#include <stddef.h>

#include "gen.h"

/* Sums over the runs of one scenario. */
struct score {
	size_t runs, exact; /* exact: as many steps as there are */
	size_t truths, found;
	size_t hits5, hits12; /* within 5 and 12 s of a true one, each true one once */
	size_t strays;        /* further than 12 s from any true one */
	double *errors;       /* seconds, of the hits within 12 s */
	size_t room;
};

/* found[n] seconds against the series' changes. */
void score_add(struct score *score, const struct gen_series *series, const double *found, size_t n);
double score_f1(const struct score *score, size_t hits);
/* mean and 90th percentile of the location errors, seconds */
void score_errors(struct score *score, double *mean_out, double *p90_out);
void score_release(struct score *score);
/* Analyses with the product's defaults and adds. size_gb 0: without a ladder. */
void score_run(struct score *score, const struct gen_series *series, double size_gb);

#endif
