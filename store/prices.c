#include "store/prices.h"

#include <math.h>
#include <stdio.h>

#include "store/db.h"
#include "store/row.h"

int vs_store_price_put(struct vs_store *store, const struct vs_unit_price *price,
		       struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc;

	if (!isfinite(price->value) || price->value < 0)
		return vs_error_set(err, VS_EINVAL, 0, "the price of %s %s cannot be %g",
				    price->provider, price->item, price->value);
	if (vs_db_prepare(store,
			  "INSERT OR REPLACE INTO price (provider, item, currency, value, "
			  "priced_at, fetched_at_ms, source) VALUES (?1,?2,?3,?4,?5,?6,?7)",
			  &stmt, err) != 0)
		return -1;
	(void)sqlite3_bind_double(stmt, 4, price->value);
	(void)sqlite3_bind_int64(stmt, 6, price->fetched_wall_ms);
	if (vs_db_bind_text(store, stmt, 1, price->provider, err) == 0 &&
	    vs_db_bind_text(store, stmt, 2, price->item, err) == 0 &&
	    vs_db_bind_text(store, stmt, 3, price->currency, err) == 0 &&
	    vs_db_bind_text(store, stmt, 5, price->priced_at, err) == 0 &&
	    vs_db_bind_text(store, stmt, 7, price->source, err) == 0)
		rc = vs_db_run(store, stmt, "keep a price", err);
	else
		rc = -1;
	(void)sqlite3_finalize(stmt);
	return rc;
}

static int read_price(struct vs_row *row, struct vs_unit_price *out)
{
	out->value = vs_row_count(row, 0);
	(void)snprintf(out->priced_at, sizeof(out->priced_at), "%s", vs_row_text(row, 1, false));
	out->fetched_wall_ms = vs_row_int(row, 2, 0, VS_ROW_MAX);
	(void)snprintf(out->source, sizeof(out->source), "%s", vs_row_text(row, 3, false));
	return row->bad ? -1 : 0;
}

int vs_store_price_get(struct vs_store *store, const char *provider, const char *item,
		       const char *currency, struct vs_unit_price *out, struct vs_error *err)
{
	struct vs_row row = { .table = "price", .err = err };
	int rc;

	*out = (struct vs_unit_price){ 0 };
	(void)snprintf(out->provider, sizeof(out->provider), "%s", provider);
	(void)snprintf(out->item, sizeof(out->item), "%s", item);
	(void)snprintf(out->currency, sizeof(out->currency), "%s", currency);
	if (vs_db_prepare(store,
			  "SELECT value, priced_at, fetched_at_ms, source FROM price "
			  "WHERE provider = ?1 AND item = ?2 AND currency = ?3",
			  &row.stmt, err) != 0)
		return -1;
	rc = vs_db_bind_text(store, row.stmt, 1, provider, err) == 0 &&
			     vs_db_bind_text(store, row.stmt, 2, item, err) == 0 &&
			     vs_db_bind_text(store, row.stmt, 3, currency, err) == 0
		     ? sqlite3_step(row.stmt)
		     : -1;
	if (rc == SQLITE_ROW)
		rc = read_price(&row, out);
	else if (rc == SQLITE_DONE)
		rc = vs_error_set(err, VS_ENOTFOUND, 0, "no price of %s %s in %s is kept in '%s'",
				  provider, item, currency, store->path);
	else
		rc = vs_db_error(store, err, "be read");
	(void)sqlite3_finalize(row.stmt);
	return rc;
}
