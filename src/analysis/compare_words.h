/* The decision of a comparison in words. Inside src/analysis only. */
#ifndef VS_ANALYSIS_COMPARE_WORDS_H
#define VS_ANALYSIS_COMPARE_WORDS_H

#include "analysis/compare.h"

/* Fills cmp->decision from everything else in it. A sentence that finds no room is left out
 * whole. */
int vs_compare_words(struct vs_comparison *cmp, struct vs_error *err) VS_MUST_CHECK;

#endif
