/* What the providers promise: tiers, limits and prices, as a ladder for one volume. Pure. */
#ifndef VS_MODEL_CATALOGUE_H
#define VS_MODEL_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define VS_MONTH_HOURS 730.0 /* a month of the price lists */
#define VS_LADDER_MAX  64    /* tiers of one ladder: a set of tiers is a 64-bit mask */

struct vs_tier {
	char name[24];      /* "10": OCI's VPU per GB; elsewhere the provider's word */
	double vpu;         /* NAN where the provider has no VPUs */
	double iops;        /* promised ceiling at 4 KiB; NAN without a promise */
	double mbps;        /* promised ceiling, 10^6 bytes/s; NAN without a promise */
	double price_month; /* in the ladder's currency; NAN: unpriced, which is not 0 */
};

/* All tiers of `volumes` volumes of one size read as one, lowest first. */
struct vs_ladder {
	char provider[32];
	double size_gb;            /* of one volume */
	int64_t volumes;           /* striped together; tiers hold their sum */
	char currency[8];          /* "USD" */
	char priced_at[16];        /* the price list's date, "2026-09-05"; "" when unpriced */
	double tolerance_low_pct;  /* a level down to this much below a tier still fits it: 3 */
	double tolerance_high_pct; /* and this much above */
	double fall_first_s; /* documented longest idleness before an auto-tuned volume falls; NAN
			      */
	struct vs_tier tiers[VS_LADDER_MAX];
	size_t n_tiers;
};

/* Unit prices that replace the catalogue's; NAN: keep the catalogue's. */
struct vs_prices {
	char currency[8];        /* "": the catalogue's */
	double per_gb_month;     /* capacity */
	double per_vpu_gb_month; /* performance units, OCI */
	char date[16];
	char source[128];
};

struct vs_ladder_query {
	const char *provider;           /* "oci", "aws-gp3", ... */
	double size_gb;                 /* of one volume */
	int64_t volumes;                /* 0 counts as 1 */
	const struct vs_prices *prices; /* NULL: the catalogue's */
};

struct vs_catalogue;

/* Where the numbers of a product come from. Texts are borrowed from the catalogue; "" unknown. */
struct vs_product_info {
	const char *name;          /* "Amazon EBS gp3" */
	const char *note;          /* what to know before its tiers are believed */
	double size_min, size_max; /* GB of one volume */
	const char *limits_url, *limits_read, *limits_date, *limits_grade;
	const char *price_url, *price_read, *price_date, *price_grade, *price_region;
};

/* The embedded catalogue, or with path the embedded one with the file's products merged over it:
 * a product's members that the file names replace the embedded one's. */
int vs_catalogue_open(const char *path, struct vs_catalogue **out,
		      struct vs_error *err) VS_MUST_CHECK;
/* The same with the file's text; name is what errors call it. */
int vs_catalogue_parse(const char *text, size_t len, const char *name, struct vs_catalogue **out,
		       struct vs_error *err) VS_MUST_CHECK;
void vs_catalogue_free(struct vs_catalogue *catalogue);
/* Provider ids, NULL-terminated; borrowed from the catalogue. */
const char *const *vs_catalogue_providers(const struct vs_catalogue *catalogue);
/* VS_EUSAGE: unknown provider. */
int vs_catalogue_describe(const struct vs_catalogue *catalogue, const char *provider,
			  struct vs_product_info *out, struct vs_error *err) VS_MUST_CHECK;
/* The catalogue's own unit prices of a provider, NAN where there are none. */
int vs_catalogue_prices(const struct vs_catalogue *catalogue, const char *provider,
			struct vs_prices *out, struct vs_error *err) VS_MUST_CHECK;
/* VS_EUSAGE: unknown provider (the message lists them) or a size the product does not have. */
int vs_catalogue_ladder(const struct vs_catalogue *catalogue, const struct vs_ladder_query *query,
			struct vs_ladder *out, struct vs_error *err) VS_MUST_CHECK;

/* The ceiling of a tier in IOPS at a block size: min(iops, mbps x 10^6 / block); block < 1: iops.
 */
double vs_tier_ceiling_iops(const struct vs_tier *tier, int64_t block_bytes);
/*
 * The VPU that OCI's formula gives for a level at a block size, fractional, of all branches:
 * v = max((iops / S - 45) / 1.5, iops / 2500) per volume, and from a block size of 16 KiB on what
 * the MB/s allow; 0 when the level is VPU 0's. NAN for other providers and for a level that lies
 * under VPU 10's and is not VPU 0's.
 */
double vs_ladder_vpu(const struct vs_ladder *ladder, double iops, int64_t block_bytes);
/* Bit i set: the level fits tier i within the tolerance at this block size. */
uint64_t vs_ladder_fit(const struct vs_ladder *ladder, double iops, int64_t block_bytes);
/* Index of the tier named; -1 when there is none. */
int vs_ladder_find(const struct vs_ladder *ladder, const char *name);

#endif
