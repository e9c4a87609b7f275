/* What a run is held against: given as options or as a small JSON file. Pure. */
#ifndef VS_MODEL_EXPECT_H
#define VS_MODEL_EXPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What is not asked is "" or NAN. */
struct vs_expect {
	char start_tier[24];     /* of the first plateau under load */
	char top_tier[24];       /* of the highest plateau under load */
	char end_tier[24];       /* of the last plateau */
	double max_rise_s;       /* a rise: how long the level before it lasted */
	double max_rise_total_s; /* from the start of the load to the top */
	double max_first_fall_s; /* from the end of the load to the first fall */
	double max_fall_s;       /* from a fall to the next */
	double tolerance_pct;    /* of a level, against what its tier promises */
	double min_share_pct;    /* of the load's seconds at 95 % of the promise or more */
	double max_dip_s;        /* the longest dip that nothing explains */
};

void vs_expect_init(struct vs_expect *expect);
/* Nothing is asked. */
bool vs_expect_empty(const struct vs_expect *expect);
/*
 * An object of the members above, without their units in max_*: "start_tier": 10 or "10",
 * "max_rise": 99 (seconds) or "1m39s", "tolerance_pct": 3, ... Fills what it names and leaves the
 * rest of out. VS_EFORMAT: no JSON object, a member there is none of, a value that cannot be meant;
 * name is what the error calls the text.
 */
int vs_expect_parse(const char *text, size_t len, const char *name, struct vs_expect *out,
		    struct vs_error *err) VS_MUST_CHECK;
/* The same from a file of at most 1 MiB. VS_ESYS: it cannot be read. */
int vs_expect_read(const char *path, struct vs_expect *out, struct vs_error *err) VS_MUST_CHECK;

#endif
