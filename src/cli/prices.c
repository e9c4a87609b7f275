#include "cli/prices.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "cloud/price.h"
#include "store/prices.h"
#include "store/store.h"

static const char provider[] = "oci";

bool vs_cli_kept_prices(const char *db, const char *currency, struct vs_prices *out)
{
	struct vs_store_options options = { .read_only = true };
	struct vs_unit_price storage, performance;
	struct vs_store *store = NULL;
	struct vs_error err = { 0 };
	bool found;

	if (!*currency)
		currency = "USD";
	if (access(db, R_OK) != 0 || vs_store_open(db, &options, &store, &err) != 0)
		return false;
	found = vs_store_price_get(store, provider, VS_OCI_PART_STORAGE, currency, &storage,
				   &err) == 0 &&
		vs_store_price_get(store, provider, VS_OCI_PART_PERFORMANCE, currency, &performance,
				   &err) == 0;
	vs_store_free(store);
	if (!found)
		return false;
	*out = (struct vs_prices){ .per_gb_month = storage.value,
				   .per_vpu_gb_month = performance.value };
	(void)snprintf(out->currency, sizeof(out->currency), "%s", currency);
	(void)snprintf(out->date, sizeof(out->date), "%s", performance.priced_at);
	(void)snprintf(out->source, sizeof(out->source), "%.*s", (int)sizeof(out->source) - 1,
		       performance.source);
	return true;
}

static int keep(struct vs_store *store, const struct vs_prices *prices, const char *part,
		double value, struct vs_error *err)
{
	struct vs_unit_price price = { .value = value,
				       .fetched_wall_ms = vs_clock_wall_ns() / VS_NS_PER_MS };

	(void)snprintf(price.provider, sizeof(price.provider), "%s", provider);
	(void)snprintf(price.item, sizeof(price.item), "%s", part);
	(void)snprintf(price.currency, sizeof(price.currency), "%s", prices->currency);
	(void)snprintf(price.priced_at, sizeof(price.priced_at), "%s", prices->date);
	(void)snprintf(price.source, sizeof(price.source), "%s", prices->source);
	return vs_store_price_put(store, &price, err);
}

int vs_cli_keep_prices(const char *db, const struct vs_prices *prices, struct vs_error *err)
{
	struct vs_store_options options = { 0 };
	struct vs_store *store = NULL;
	int rc = -1;

	if (vs_store_open(db, &options, &store, err) != 0)
		return -1;
	if (vs_store_begin(store, err) == 0 &&
	    keep(store, prices, VS_OCI_PART_STORAGE, prices->per_gb_month, err) == 0 &&
	    keep(store, prices, VS_OCI_PART_PERFORMANCE, prices->per_vpu_gb_month, err) == 0)
		rc = vs_store_commit(store, err);
	vs_store_free(store);
	return rc;
}
