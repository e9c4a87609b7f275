/* volscale price: the unit prices in use, with date and source. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/prices.h"
#include "cloud/http.h"
#include "cloud/price.h"
#include "reports/json.h"
#include "reports/table.h"

struct price_options {
	struct vs_volume_options volume;
	const char *format;
	const char *price_url;
	const char *endpoint;
	bool refresh;
};

static const struct vs_opt own_options[] = {
	{ "format", 'f', VS_OPT_CHOICE, offsetof(struct price_options, format),
	  "text|csv|json|markdown", "text", "how it is printed" },
	{ "size-gb", 0, VS_OPT_NUMBER, offsetof(struct price_options, volume.size_gb), "N", NULL,
	  "also what a volume of N GB costs a month, tier by tier" },
	{ "currency", 0, VS_OPT_TEXT, offsetof(struct price_options, volume.currency), "CODE",
	  "USD", "currency, e.g. JPY; others than USD need --refresh once" },
	{ "refresh", 0, VS_OPT_FLAG, offsetof(struct price_options, refresh), NULL, NULL,
	  "ask the provider's public price list (no credentials) and keep the answer in the "
	  "database, where tiers, compare and report find it" },
	{ "price-url", 0, VS_OPT_TEXT, offsetof(struct price_options, price_url), "URL", NULL,
	  "of the price list, instead of the provider's" },
	{ "oci-endpoint", 0, VS_OPT_TEXT, offsetof(struct price_options, endpoint), "URL", NULL,
	  "base URL of every service; plain http for loopback only" },
	VS_OPT_DB(struct price_options, volume),
	{ .name = NULL },
};

static const struct vs_opt_command price_command = {
	.name = "price",
	.operands = "",
	.summary = "unit prices in use, with date and source",
	.text = "What a GB and a VPU a GB of an OCI block volume cost a month: those kept by\n"
		"the last --refresh, else the built-in ones.\n\n"
		"  volscale price --size-gb 1024\n"
		"  volscale price --refresh --currency JPY",
	.tables = { own_options },
};

static int refresh(const struct price_options *options, const char *db, struct vs_error *err)
{
	static const char path[] = "pls/apex/cetools/api/v1/products/";
	const char *from = options->price_url;
	struct vs_prices prices;
	char url[640];

	if (!options->price_url && options->endpoint) {
		size_t len = strlen(options->endpoint);
		(void)snprintf(url, sizeof(url), "%s%s%s", options->endpoint,
			       len && options->endpoint[len - 1] == '/' ? "" : "/", path);
		from = url;
	}
	if (vs_oci_price_fetch(from, options->volume.currency, &prices, err) != 0)
		return -1;
	return vs_cli_keep_prices(db, &prices, err);
}

static void add_row(struct vs_table *table, const char *item, const char *unit, double value,
		    const struct vs_prices *prices)
{
	vs_table_text(table, item);
	vs_table_text(table, unit);
	vs_table_number(table, value);
	vs_table_text(table, prices->currency);
	vs_table_text(table, prices->date[0] ? prices->date : NULL);
	vs_table_text(table, prices->source[0] ? prices->source : NULL);
}

static int write_units(const struct vs_prices *prices, int format, struct vs_json *json,
		       struct vs_error *err)
{
	static const struct vs_column columns[] = {
		{ "item", "item", VS_COLUMN_TEXT, 0 },
		{ "unit", "unit", VS_COLUMN_TEXT, 0 },
		{ "price", "price", VS_COLUMN_NUMBER, 6 },
		{ "currency", "currency", VS_COLUMN_TEXT, 0 },
		{ "date", "date", VS_COLUMN_TEXT, 0 },
		{ "source", "source", VS_COLUMN_TEXT, 0 },
	};
	struct vs_table table;
	int rc = 0;

	vs_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	add_row(&table, VS_OCI_PART_STORAGE, "GB a month", prices->per_gb_month, prices);
	add_row(&table, VS_OCI_PART_PERFORMANCE, "VPU a GB a month", prices->per_vpu_gb_month,
		prices);
	if (json)
		vs_table_json(&table, json, "prices");
	else
		rc = vs_table_write(&table, (enum vs_table_format)format, stdout, err);
	vs_table_release(&table);
	return rc;
}

static int write_ladder(const struct vs_ladder *ladder, int format, struct vs_error *err)
{
	static const struct vs_column columns[] = {
		{ "tier", "tier", VS_COLUMN_TEXT, 0 },
		{ "price_month", "a month", VS_COLUMN_NUMBER, 2 },
	};
	struct vs_table table;
	int rc;

	vs_table_init(&table, columns, 2);
	for (size_t i = 0; i < ladder->n_tiers; i++) {
		vs_table_text(&table, ladder->tiers[i].name);
		vs_table_number(&table, ladder->tiers[i].price_month);
	}
	(void)putchar('\n');
	rc = vs_table_write(&table, (enum vs_table_format)format, stdout, err);
	vs_table_release(&table);
	return rc;
}

/* ladder NULL: no size was given. */
static int write_all(const struct vs_prices *prices, const struct vs_ladder *ladder,
		     const char *format_name, struct vs_error *err)
{
	int format = vs_table_format_named(format_name), rc;
	struct vs_json json;

	if (format != VS_TABLE_JSON) {
		rc = write_units(prices, format, NULL, err);
		return rc == 0 && ladder ? write_ladder(ladder, format, err) : rc;
	}
	vs_json_init(&json, stdout, 2);
	vs_json_open(&json, NULL, '{');
	vs_json_text(&json, "provider", "oci");
	vs_json_text(&json, "currency", prices->currency);
	rc = write_units(prices, format, &json, err);
	if (ladder) {
		vs_json_number(&json, "size_gb", ladder->size_gb, 6);
		vs_json_ladder(&json, "ladder", ladder);
	}
	vs_json_close(&json);
	(void)putchar('\n');
	return rc;
}

/* The prices in use: kept ones, else the catalogue's, which are in one currency only. */
static int find_prices(const struct price_options *options, const struct vs_catalogue *catalogue,
		       const char *db, struct vs_prices *out, struct vs_error *err)
{
	struct vs_product_info info;

	if (vs_cli_kept_prices(db, options->volume.currency, out))
		return 0;
	if (vs_catalogue_prices(catalogue, "oci", out, err) != 0 ||
	    vs_catalogue_describe(catalogue, "oci", &info, err) != 0)
		return -1;
	if (strcmp(out->currency, options->volume.currency) != 0)
		return vs_error_set(err, VS_ENOTFOUND, 0,
				    "no prices in %s are kept in '%s'; 'volscale price --refresh "
				    "--currency %s' asks for them",
				    options->volume.currency, db, options->volume.currency);
	(void)snprintf(out->source, sizeof(out->source), "%s", info.price_url);
	if (!out->date[0])
		(void)snprintf(out->date, sizeof(out->date), "%s", info.price_date);
	return 0;
}

static int run(const struct price_options *options, struct vs_error *err)
{
	const char *db = vs_cli_db(&options->volume);
	struct vs_catalogue *catalogue = NULL;
	struct vs_prices prices;
	struct vs_ladder_query query = { .provider = "oci",
					 .size_gb = options->volume.size_gb,
					 .prices = &prices };
	struct vs_ladder ladder;
	bool sized = !isnan(options->volume.size_gb);
	int rc;

	if (vs_cli_prices(&options->volume, NULL, &prices, err) != 0 || /* checks the currency */
	    (options->refresh && refresh(options, db, err) != 0) ||
	    vs_catalogue_open(NULL, &catalogue, err) != 0)
		return -1;
	rc = find_prices(options, catalogue, db, &prices, err);
	if (rc == 0 && sized)
		rc = vs_catalogue_ladder(catalogue, &query, &ladder, err);
	if (rc == 0)
		rc = write_all(&prices, sized ? &ladder : NULL, options->format, err);
	vs_catalogue_free(catalogue);
	return rc == 0 ? vs_cli_flush(err) : -1;
}

static int price_main(int argc, char **argv, struct vs_error *err)
{
	struct price_options options = { .volume = VS_VOLUME_OPTIONS_INIT };
	char **operands;
	size_t n;
	int rc = vs_opt_parse(&price_command, argc, argv, &options, &operands, &n, err);

	if (rc == 0)
		rc = run(&options, err);
	vs_opt_release(&price_command, &options);
	return rc > 0 ? VS_EXIT_DONE : rc;
}

const struct vs_command vs_cmd_price = { &price_command, price_main };
