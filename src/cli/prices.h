/* Unit prices that `price --refresh` has kept in the database. */
#ifndef VS_CLI_PRICES_H
#define VS_CLI_PRICES_H

#include <stdbool.h>

#include "base/error.h"
#include "model/catalogue.h"

/* True when the database keeps both of OCI's prices in the currency ("": USD). A database that is
 * not there, or not ours, keeps none: who needs it says so. */
bool vs_cli_kept_prices(const char *db, const char *currency, struct vs_prices *out);
/* Keeps them; the database is made when there is none. */
int vs_cli_keep_prices(const char *db, const struct vs_prices *prices,
		       struct vs_error *err) VS_MUST_CHECK;

#endif
