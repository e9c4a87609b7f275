/* A run held against expectations. Pure. */
#ifndef VS_ANALYSIS_VERIFY_H
#define VS_ANALYSIS_VERIFY_H

#include "base/error.h"
#include "model/expect.h"
#include "model/verification.h"

/*
 * One check for each thing asked. Where nothing is asked, the run is held against what the ladder's
 * provider documents: its levels within the tolerance, the first fall within the documented time.
 * What the run cannot tell, because a phase or a ladder is missing, because it was too short, or
 * because a boundary is not known well enough, is skipped with the reason and never passed.
 * timeline is borrowed by out. The tiers named must be the ladder's. Fails only for want of memory.
 */
int vs_verify(const struct vs_timeline *timeline, const struct vs_expect *expect,
	      struct vs_verification *out, struct vs_error *err) VS_MUST_CHECK;

#endif
