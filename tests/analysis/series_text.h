/* Small series written down: "25x27 67.5 50x21" is 27 s of 25,000, one of 67,500, 21 of 50,000. */
#ifndef TESTS_ANALYSIS_SERIES_TEXT_H
#define TESTS_ANALYSIS_SERIES_TEXT_H

#include "analysis/analysis.h"
#include "gen.h"

/* "-" is a missing second, "~3" behind a count is noise of 3 %. Values are in thousands. */
void series_text(const char *text, struct gen_series *out);

/* A run, its ladder and its timeline; released together. */
struct analysed {
	struct vs_run run;
	struct vs_ladder ladder;
	struct vs_timeline timeline;
};

/* Fails the test when the analysis does or an invariant is broken. size_gb 0: no ladder. */
void analyse(struct analysed *a, double size_gb, const struct vs_analysis_options *options);
void analyse_text(struct analysed *a, const char *text, double size_gb);
void analysed_release(struct analysed *a);

#endif
