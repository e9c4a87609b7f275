/* What holds of every timeline, whatever the run was. */
#ifndef TESTS_ANALYSIS_INVARIANTS_H
#define TESTS_ANALYSIS_INVARIANTS_H

#include "model/timeline.h"

/* NULL, or what does not hold. */
const char *invariants_broken(const struct vs_timeline *timeline);

#endif
