/* An auto-tuned volume without a cloud: a ceiling that climbs a ladder under load and falls when
 * idle.
 */
#ifndef VS_PROBES_EMULATED_H
#define VS_PROBES_EMULATED_H

#include <stdint.h>

#include "base/error.h"
#include "model/catalogue.h"
#include "probes/pace.h"

#define VS_EMULATED_RISE_S      25   /* of sustained demand at the ceiling, for a step up */
#define VS_EMULATED_SUSTAINED_S 20   /* demand shorter than this (a probe) counts as idleness */
#define VS_EMULATED_OVERSHOOT_S 1    /* that long after a rise ... */
#define VS_EMULATED_OVERSHOOT   1.35 /* ... the ceiling is this much higher */
#define VS_EMULATED_FALL_S      60   /* from one step down to the next */

struct vs_emulated_options {
	const struct vs_ladder *ladder;  /* borrowed until open returns */
	const char *min_tier, *max_tier; /* names in the ladder */
	int64_t block_bytes;
	int64_t first_fall_ns; /* of idleness, before the first step down */
	double speed;          /* > 0; divides every time above and first_fall_ns */
};

struct vs_emulated;

/*
 * Starts the volume at its lowest tier, on a thread of its own. VS_EUSAGE: an unknown tier, or the
 * lowest above the highest.
 */
int vs_emulated_open(const struct vs_emulated_options *options, struct vs_emulated **out,
		     struct vs_error *err) VS_MUST_CHECK;
void vs_emulated_free(struct vs_emulated *volume); /* NULL allowed */
/* The ceiling, to be put before the reads. Borrowed. */
struct vs_pace *vs_emulated_pace(const struct vs_emulated *volume);
/* The tier in force: an index into the ladder. Any thread. */
int vs_emulated_tier(const struct vs_emulated *volume);

#endif
