/* volscale tiers: the ladder of a provider for a volume size. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "cli/cli.h"
#include "reports/json.h"
#include "reports/table.h"
#include "reports/wrap.h"

struct tiers_options {
	struct vs_volume_options volume;
	const char *format;
	uint64_t block_bytes; /* 0: not asked */
	bool list;
};

static const struct vs_opt own_options[] = {
	{ "format", 'f', VS_OPT_CHOICE, offsetof(struct tiers_options, format),
	  "text|csv|json|markdown", "text", "how it is printed" },
	{ "provider", 0, VS_OPT_TEXT, offsetof(struct tiers_options, volume.provider), "ID", "oci",
	  "whose tiers; --list names them" },
	{ "size-gb", 0, VS_OPT_NUMBER, offsetof(struct tiers_options, volume.size_gb), "N", "1024",
	  "size of one volume in GB of 2^30 bytes" },
	{ "volumes", 0, VS_OPT_U64, offsetof(struct tiers_options, volume.volumes), "N", NULL,
	  "how many volumes are striped together: limits and prices are their sum (default: 1)" },
	{ "bs", 0, VS_OPT_SIZE, offsetof(struct tiers_options, block_bytes), "SIZE", NULL,
	  "also what each tier allows at this block size, where the MB/s may bind" },
	{ "catalogue", 0, VS_OPT_TEXT, offsetof(struct tiers_options, volume.catalogue), "FILE",
	  NULL, "JSON catalogue whose products go over the built-in ones" },
	{ "list", 0, VS_OPT_FLAG, offsetof(struct tiers_options, list), NULL, NULL,
	  "the providers that are known, with the date and the grade of what is known" },
	VS_OPT_PRICE(struct tiers_options, volume),
	{ .name = NULL },
};

static const struct vs_opt_command tiers_command = {
	.name = "tiers",
	.operands = "",
	.summary = "the ladder of a provider for a volume size",
	.text = "Every performance tier with its promised IOPS and MB/s (10^6 bytes) and its\n"
		"price a month of 730 hours. A price that is not known is '-', never 0.\n\n"
		"  volscale tiers --size-gb 1024\n"
		"  volscale tiers --provider aws-gp3 --size-gb 500 --bs 64k\n"
		"  volscale tiers --size-gb 50 --price-gb 3.06 --price-vpu 0.204 --currency JPY\n\n"
		"A catalogue file replaces members of a product, or adds one:\n"
		"  {\"schema\": \"volcat/1\", \"products\": {\"aws-gp3\": {\"rungs\":\n"
		"    [{\"name\": \"ours\", \"set\": {\"iops\": 12000, \"mibps\": 400}}]}}}",
	.tables = { own_options },
};

enum {
	TIER,
	IOPS,
	MBPS,
	PRICE,
	CEILING,
	N_COLUMNS
};

static void fill_table(const struct vs_ladder *ladder, int64_t block_bytes, struct vs_table *table)
{
	for (size_t i = 0; i < ladder->n_tiers; i++) {
		const struct vs_tier *tier = &ladder->tiers[i];

		vs_table_text(table, tier->name);
		vs_table_number(table, tier->iops);
		vs_table_number(table, tier->mbps);
		vs_table_number(table, tier->price_month);
		if (block_bytes)
			vs_table_number(table, vs_tier_ceiling_iops(tier, block_bytes));
	}
}

static void write_json(const struct tiers_options *options, const struct vs_ladder *ladder,
		       const struct vs_table *table)
{
	struct vs_json json;

	vs_json_init(&json, stdout, 2);
	vs_json_open(&json, NULL, '{');
	vs_json_text(&json, "provider", ladder->provider);
	vs_json_number(&json, "size_gb", ladder->size_gb, 6);
	if (options->volume.volumes)
		vs_json_int(&json, "volumes", ladder->volumes);
	vs_json_text(&json, "currency", ladder->currency[0] ? ladder->currency : NULL);
	if (options->block_bytes) {
		vs_json_int(&json, "block_bytes", (int64_t)options->block_bytes);
		vs_table_json(table, &json, "ladder");
	} else {
		vs_json_ladder(&json, "ladder", ladder);
	}
	vs_json_close(&json);
	(void)putchar('\n');
}

static void print_line(const char *text)
{
	int columns = vs_cli_columns(stdout);

	vs_wrap_text(stdout, "", text, strlen(text), columns >= 40 ? columns : 80);
}

static void print_source(const char *what, const char *url, const char *read, const char *date,
			 const char *grade)
{
	struct vs_buf line;

	if (!*grade)
		return;
	vs_buf_init(&line, 8192);
	vs_buf_addf(&line, "%s: %s%s%s (%s, %s)", what, read, *url ? ", " : "", url, date, grade);
	print_line(line.data ? line.data : what);
	vs_buf_release(&line);
}

static void write_head(const struct vs_ladder *ladder, const struct vs_product_info *info)
{
	char size[VS_UNITS_TEXT_MAX], volumes[48] = "";

	if (ladder->volumes > 1)
		(void)snprintf(volumes, sizeof(volumes), "%lld volumes of ",
			       (long long)ladder->volumes);
	(void)printf("%s, %s%s GB\n\n", info->name, volumes,
		     vs_units_format_count(ladder->size_gb, size));
}

static void write_sources(const struct vs_product_info *info, const struct vs_ladder *ladder,
			  bool own_prices, const struct vs_prices *prices)
{
	(void)putchar('\n');
	print_source("limits", info->limits_url, info->limits_read, info->limits_date,
		     info->limits_grade);
	if (own_prices)
		(void)puts("prices: as given");
	else if (prices->source[0])
		(void)printf("prices: %s (%s, kept by 'volscale price --refresh')\n",
			     prices->source, prices->date);
	else if (!ladder->currency[0])
		(void)puts("prices: not known; give them with --price-gb and --currency");
	else
		print_source("prices", info->price_url, info->price_read, info->price_date,
			     info->price_grade);
	if (*info->note) {
		char note[512];

		(void)snprintf(note, sizeof(note), "note: %s", info->note);
		print_line(note);
	}
}

static int write_ladder(const struct tiers_options *options, const struct vs_ladder *ladder,
			const struct vs_product_info *info, const struct vs_prices *prices,
			struct vs_error *err)
{
	char price_title[24] = "price/month", block[VS_UNITS_TEXT_MAX], ceiling_title[64];
	struct vs_column columns[N_COLUMNS] = {
		[TIER] = { "tier", "tier", VS_COLUMN_TEXT, 0 },
		[IOPS] = { "iops", "IOPS", VS_COLUMN_NUMBER, 0 },
		[MBPS] = { "mbps", "MB/s", VS_COLUMN_NUMBER, 1 },
		[PRICE] = { "price_month", price_title, VS_COLUMN_NUMBER, 2 },
		[CEILING] = { "ceiling_iops", ceiling_title, VS_COLUMN_NUMBER, 0 },
	};
	int format = vs_table_format_named(options->format);
	bool own = !isnan(options->volume.price_gb) || !isnan(options->volume.price_vpu);
	struct vs_table table;
	int rc = 0;

	if (ladder->currency[0])
		(void)snprintf(price_title, sizeof(price_title), "%s/month", ladder->currency);
	(void)snprintf(ceiling_title, sizeof(ceiling_title), "IOPS at %s",
		       vs_units_format_size(options->block_bytes, block));
	vs_table_init(&table, columns, options->block_bytes ? N_COLUMNS : CEILING);
	fill_table(ladder, (int64_t)options->block_bytes, &table);
	if (format == VS_TABLE_JSON) {
		write_json(options, ladder, &table);
	} else {
		if (format == VS_TABLE_TEXT)
			write_head(ladder, info);
		rc = vs_table_write(&table, (enum vs_table_format)format, stdout, err);
		if (format == VS_TABLE_TEXT)
			write_sources(info, ladder, own, prices);
	}
	vs_table_release(&table);
	return rc;
}

static int write_list(const struct tiers_options *options, const struct vs_catalogue *catalogue,
		      struct vs_error *err)
{
	static const struct vs_column columns[] = {
		{ "provider", "provider", VS_COLUMN_TEXT, 0 },
		{ "name", "name", VS_COLUMN_TEXT, 0 },
		{ "size_min_gb", NULL, VS_COLUMN_NUMBER, 0 },
		{ "size_max_gb", NULL, VS_COLUMN_NUMBER, 0 },
		{ "limits_read", "limits of", VS_COLUMN_TEXT, 0 },
		{ "limits_grade", NULL, VS_COLUMN_TEXT, 0 },
		{ "prices_read", "prices of", VS_COLUMN_TEXT, 0 },
		{ "prices_grade", NULL, VS_COLUMN_TEXT, 0 },
		{ "note", NULL, VS_COLUMN_TEXT, 0 },
	};
	const char *const *ids = vs_catalogue_providers(catalogue);
	struct vs_table table;
	int rc = 0;

	vs_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; ids[i] && rc == 0; i++) {
		struct vs_product_info info;

		rc = vs_catalogue_describe(catalogue, ids[i], &info, err);
		if (rc != 0)
			break;
		vs_table_text(&table, ids[i]);
		vs_table_text(&table, info.name);
		vs_table_number(&table, info.size_min);
		vs_table_number(&table, info.size_max);
		vs_table_text(&table, *info.limits_date ? info.limits_date : NULL);
		vs_table_text(&table, *info.limits_grade ? info.limits_grade : NULL);
		vs_table_text(&table, *info.price_date ? info.price_date : NULL);
		vs_table_text(&table, *info.price_grade ? info.price_grade : NULL);
		vs_table_text(&table, *info.note ? info.note : NULL);
	}
	if (rc == 0)
		rc = vs_table_write(&table,
				    (enum vs_table_format)vs_table_format_named(options->format),
				    stdout, err);
	vs_table_release(&table);
	return rc;
}

static int run(const struct tiers_options *options, struct vs_error *err)
{
	struct vs_prices prices = { .per_gb_month = options->volume.price_gb,
				    .per_vpu_gb_month = options->volume.price_vpu };
	struct vs_ladder_query query = { .provider = options->volume.provider,
					 .size_gb = options->volume.size_gb,
					 .volumes = (int64_t)options->volume.volumes,
					 .prices = &prices };
	struct vs_catalogue *catalogue = NULL;
	struct vs_product_info info;
	struct vs_ladder ladder;
	int rc;

	if (vs_cli_prices(&options->volume, options->volume.provider, &prices, err) != 0 ||
	    vs_catalogue_open(options->volume.catalogue, &catalogue, err) != 0)
		return -1;
	if (options->list) {
		rc = write_list(options, catalogue, err);
	} else {
		rc = vs_catalogue_ladder(catalogue, &query, &ladder, err);
		if (rc == 0)
			rc = vs_catalogue_describe(catalogue, query.provider, &info, err);
		if (rc == 0)
			rc = write_ladder(options, &ladder, &info, &prices, err);
	}
	vs_catalogue_free(catalogue);
	return rc == 0 ? vs_cli_flush(err) : rc;
}

static int tiers_main(int argc, char **argv, struct vs_error *err)
{
	struct tiers_options options = { .volume = VS_VOLUME_OPTIONS_INIT };
	char **operands;
	size_t n_operands;
	int rc = vs_opt_parse(&tiers_command, argc, argv, &options, &operands, &n_operands, err);

	if (rc == 0)
		rc = run(&options, err);
	vs_opt_release(&tiers_command, &options);
	return rc > 0 ? VS_EXIT_DONE : rc;
}

const struct vs_command vs_cmd_tiers = { &tiers_command, tiers_main };
