/* Unit prices that were asked of a provider, kept in the database until they are asked again. */
#ifndef VS_STORE_PRICES_H
#define VS_STORE_PRICES_H

#include <stdint.h>

#include "base/error.h"
#include "store/store.h"

struct vs_unit_price {
	char provider[32];       /* "oci" */
	char item[64];           /* as the provider's list calls it: a part number */
	char currency[8];        /* "USD" */
	double value;            /* in currency, per unit and month */
	char priced_at[16];      /* the date that the price holds for, "2026-09-05" */
	int64_t fetched_wall_ms; /* when it was asked */
	char source[256];        /* where */
};

/* In place of what was kept for the same provider, item and currency. */
int vs_store_price_put(struct vs_store *store, const struct vs_unit_price *price,
		       struct vs_error *err) VS_MUST_CHECK;
/* VS_ENOTFOUND: not kept. */
int vs_store_price_get(struct vs_store *store, const char *provider, const char *item,
		       const char *currency, struct vs_unit_price *out,
		       struct vs_error *err) VS_MUST_CHECK;

#endif
