/* The method's prototype beside ours, on the same series. It is no part of this tree: the script
 * compiles prototype.c with it into a shared object, which is loaded while a measurement runs. */
#ifndef TESTS_ANALYSIS_PROTOTYPE_H
#define TESTS_ANALYSIS_PROTOTYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "gen.h"

/* A step that was told live: the reading that it began with, and the one at which it was told. */
struct prototype_alarm {
	size_t at, told;
};

struct prototype {
	/* Changes, in readings; out has room for series->n. ladder may be NULL. */
	size_t (*steps)(const struct gen_series *series, const struct vs_ladder *ladder,
			double *out);
	size_t (*live)(const struct gen_series *series, struct prototype_alarm *out);
};

/* file NULL: nothing is loaded, and false. Ends the program with a message when it cannot be. */
bool prototype_load(const char *file, struct prototype *out);

#endif
