/* What the checks of vs_verify() share. Inside src/analysis only. */
#ifndef VS_ANALYSIS_VERIFY_PARTS_H
#define VS_ANALYSIS_VERIFY_PARTS_H

#include "analysis/verify.h"

#define VS_VERIFY_TEXT   160
#define VS_VERIFY_SEC_NS 1e9 /* src/analysis knows no clock */

struct vs_verify {
	const struct vs_timeline *timeline;
	const struct vs_expect *expect;
	struct vs_verification *out;
	int first, top, last; /* plateaus: first and highest under load, last of all; -1 none */
	int64_t idle_ns;      /* when the first idle phase began; VS_UNKNOWN */
};

/* The next check, as a skip without evidence. */
struct vs_check *vs_verify_add(struct vs_verify *v, const char *id, const char *unit,
			       double expected, const char *fmt, ...) VS_PRINTF(5, 6);
/* Replaces the verdict and its evidence. */
void vs_verify_say(struct vs_check *check, enum vs_verdict verdict, const char *fmt, ...)
	VS_PRINTF(3, 4);

/* Each fills text[VS_VERIFY_TEXT] and returns it. */
/* "1:02", "1:00:03" since the run's start. */
char *vs_verify_clock(int64_t ns, char *text);
/* "VPU 10", "tier P30"; -1: "no tier". */
char *vs_verify_tier(const struct vs_verify *v, int tier, char *text);
/* "plateau 3, 1:14 to 2:02: 122,880 IOPS, VPU 50" */
char *vs_verify_plateau(const struct vs_verify *v, int plateau, char *text);
/* "step 0 at 0:28, VPU 10 to VPU 20", or with the IOPS where tiers are not known */
char *vs_verify_step(const struct vs_verify *v, int step, char *text);
/* The tier that a plateau is at: its own, else the told one; -1. */
int vs_verify_tier_at(const struct vs_verify *v, const struct vs_plateau *plateau);

/* verify_levels.c */
void vs_verify_tiers(struct vs_verify *v);
void vs_verify_tolerance(struct vs_verify *v, double tolerance_pct);
int vs_verify_share(struct vs_verify *v, struct vs_error *err) VS_MUST_CHECK;
/* verify_dips.c */
void vs_verify_dips(struct vs_verify *v);
/* verify_times.c */
void vs_verify_rises(struct vs_verify *v);
void vs_verify_falls(struct vs_verify *v, double max_first_fall_s);

#endif
