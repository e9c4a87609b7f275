/* The tier in force as somebody says it, against the one that a level shows. */
#ifndef VS_ANALYSIS_TOLD_H
#define VS_ANALYSIS_TOLD_H

#include <stdint.h>

#include "base/run.h"
#include "model/catalogue.h"

/*
 * Index into the ladder of the tier that was in force at at_ns: what the user said of the whole run
 * (source "user", name "tier"), else the provider's last word until then (source "oci-volume",
 * "autoTunedVpusPerGB", else "vpusPerGB"). -1: nobody says, or it is none of the ladder's.
 */
int vs_told_tier(const struct vs_run *run, const struct vs_ladder *ladder, int64_t at_ns);
/*
 * The ladder's tiers between which auto-tuning may move ("oci-volume", "vpusPerGB" to
 * "maxVpusPerGB", all that were said in the run), bit i = tier i; all of them when nobody says.
 */
uint64_t vs_told_range(const struct vs_run *run, const struct vs_ladder *ladder);

#endif
