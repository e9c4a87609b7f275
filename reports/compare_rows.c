/* The tables of a comparison, as rows that its formats share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "reports/compare_report.h"
#include "reports/facts.h"
#include "reports/wrap.h"

#define NAME_COLUMNS 18 /* a longer label would push the figures off an 80 column line */

static double us_of(int64_t ns)
{
	return ns < 0 ? (double)NAN : (double)ns / 1e3;
}

static size_t next_char(const char *text, size_t at)
{
	do
		at++;
	while (((unsigned char)text[at] & 0xc0) == 0x80);
	return at;
}

/* The name with its middle left out where a line has no room: the end tells it from others.
 * text[128]. */
static const char *short_name(const char *name, char *text)
{
	size_t len = strlen(name), head = 0, tail = 0, next;

	(void)snprintf(text, 128, "%s", name);
	if (vs_wrap_width(name, len) <= NAME_COLUMNS)
		return text;
	while (vs_wrap_width(name, next = next_char(name, head)) < NAME_COLUMNS / 2)
		head = next;
	while (vs_wrap_width(name + tail, len - tail) > NAME_COLUMNS / 2)
		tail = next_char(name, tail);
	(void)snprintf(text, 128, "%.*s\xe2\x80\xa6%s", (int)head, name, name + tail);
	return text;
}

static const char *tier_name(const struct vs_comparison_row *row, int tier)
{
	return tier < 0 ? NULL : row->timeline->ladder->tiers[tier].name;
}

/* "30", "30*" when it was told, "P40 / P50", "-". text[128]. */
static const char *tier_words(const struct vs_comparison_row *row, char *text)
{
	char names[96];

	if (row->tier >= 0)
		(void)snprintf(text, 128, "%s%s", tier_name(row, row->tier),
			       row->tier_told ? "*" : "");
	else if (row->plateau >= 0)
		(void)snprintf(text, 128, "%s",
			       vs_facts_tier_names(row->timeline, (size_t)row->plateau, names));
	else
		(void)snprintf(text, 128, "-");
	return text;
}

static const char *currency_of(const struct vs_comparison_row *row)
{
	return row->timeline->ladder ? row->timeline->ladder->currency : "";
}

/* A price for the eye; with its currency where the comparison has several. NULL where not even the
 * tier is known. text[128]. */
static const char *money(const struct vs_comparison *cmp, const struct vs_comparison_row *row,
			 double value, char *text)
{
	char number[64];

	if (!isfinite(value))
		return row->tier < 0 ? NULL : "unpriced";
	(void)snprintf(text, 128, "%s%s%s", vs_table_format(value, 2, number),
		       cmp->mixed_currency ? " " : "", cmp->mixed_currency ? currency_of(row) : "");
	return text;
}

void vs_compare_rows(const struct vs_comparison *cmp, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "name", "run", VS_COLUMN_TEXT, 0 },
		{ "tier", "tier", VS_COLUMN_RIGHT, 0 },
		{ "ceiling_iops", "IOPS", VS_COLUMN_NUMBER, 0 },
		{ "promised_iops", "promised", VS_COLUMN_NUMBER, 0 },
		{ "ceiling_mbps", "MB/s", VS_COLUMN_NUMBER, 0 },
		{ "p99_ms", "p99 ms", VS_COLUMN_NUMBER, 2 },
		{ "bound_by", "bound by", VS_COLUMN_TEXT, 0 },
		{ "price_month", "a month", VS_COLUMN_RIGHT, 0 },
		{ "price_per_1000_iops", "per 1000", VS_COLUMN_RIGHT, 0 },
	};
	char text[128];

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < cmp->n_rows; i++) {
		const struct vs_comparison_row *row = &cmp->rows[i];

		vs_table_text(table, short_name(row->name, text));
		vs_table_text(table, tier_words(row, text));
		vs_table_number(table, row->ceiling_iops);
		vs_table_number(table, row->promised_iops);
		vs_table_number(table, row->ceiling_mbps);
		vs_table_number(table, us_of(row->latency.p99_ns) / 1e3);
		vs_table_text(table, vs_bound_name(row->bound_by));
		vs_table_text(table, money(cmp, row, row->price_month, text));
		vs_table_text(table, money(cmp, row, row->price_per_kiops, text));
	}
}

void vs_compare_rows_cheaper(const struct vs_comparison *cmp, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "name", "run", VS_COLUMN_TEXT, 0 },
		{ "tier", "tier", VS_COLUMN_RIGHT, 0 },
		{ "cheaper_tier", "next below", VS_COLUMN_RIGHT, 0 },
		{ "cheaper_iops", "IOPS then", VS_COLUMN_NUMBER, 0 },
		{ "cheaper_saving_month", "saves", VS_COLUMN_RIGHT, 0 },
		{ "sufficient_tier", "enough", VS_COLUMN_RIGHT, 0 },
		{ "saving_month", "saves", VS_COLUMN_RIGHT, 0 },
	};
	char text[128];

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < cmp->n_rows; i++) {
		const struct vs_comparison_row *row = &cmp->rows[i];

		if (row->cheaper < 0 && row->sufficient < 0)
			continue;
		vs_table_text(table, short_name(row->name, text));
		vs_table_text(table, tier_words(row, text));
		vs_table_text(table, tier_name(row, row->cheaper));
		vs_table_number(table, row->cheaper_iops);
		vs_table_text(table,
			      row->cheaper < 0 ? NULL : money(cmp, row, row->cheaper_saving, text));
		vs_table_text(table, tier_name(row, row->sufficient));
		vs_table_text(table, money(cmp, row, row->saving_month, text));
	}
}

/* "10 x 3,072 GB oci". text[128]. */
static const char *volume_words(const struct vs_run *run, char *text)
{
	char size[64], volumes[32] = "";

	if (run->volumes > 1)
		(void)snprintf(volumes, sizeof(volumes), "%lld x ", (long long)run->volumes);
	(void)snprintf(text, 128, "%s%s GB%s%.40s", volumes,
		       isnan(run->size_gb) ? "?" : vs_table_format(run->size_gb, 0, size),
		       run->provider ? " " : "", run->provider ? run->provider : "");
	return text;
}

/* "read 4k, 4 x 256"; NULL: not known. text[128]. */
static const char *workload_words(const struct vs_workload *w, char *text)
{
	char block[VS_UNITS_TEXT_MAX] = "?", depth[64] = "";

	if (!w->rw && w->block_bytes < 1)
		return NULL;

	if (w->block_bytes > 0)
		(void)vs_units_format_size((uint64_t)w->block_bytes, block);
	if (w->iodepth > 0 && w->numjobs > 0)
		(void)snprintf(depth, sizeof(depth), ", %lld x %lld", (long long)w->numjobs,
			       (long long)w->iodepth);
	(void)snprintf(text, 128, "%.20s %s%s", w->rw ? w->rw : "?", block, depth);
	return text;
}

void vs_compare_rows_runs(const struct vs_comparison *cmp, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "name", "run", VS_COLUMN_TEXT, 0 },
		{ "id", "id", VS_COLUMN_NUMBER, 0 },
		{ "source", "source", VS_COLUMN_TEXT, 0 },
		{ "volume", "volume", VS_COLUMN_TEXT, 0 },
		{ "workload", "workload", VS_COLUMN_TEXT, 0 },
		{ "instance_gbps", "Gbit/s", VS_COLUMN_NUMBER, 0 },
		{ "duration", "length", VS_COLUMN_RIGHT, 0 },
	};
	char text[128];

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < cmp->n_rows; i++) {
		const struct vs_run *run = cmp->rows[i].timeline->run;

		vs_table_text(table, short_name(cmp->rows[i].name, text));
		vs_table_number(table, (double)run->id);
		vs_table_text(table, run->emulated ? "emulated" : vs_source_name(run->source));
		vs_table_text(table, volume_words(run, text));
		vs_table_text(table, workload_words(&run->workload, text));
		vs_table_number(table, run->instance_gbps);
		vs_table_text(table, vs_facts_clock(run->duration_ns, text));
	}
}

static double known(int64_t value)
{
	return value < 0 ? (double)NAN : (double)value;
}

static void add_run(const struct vs_comparison_row *row, struct vs_table *table)
{
	const struct vs_run *run = row->timeline->run;

	vs_table_number(table, (double)run->id);
	vs_table_text(table, run->uuid[0] ? run->uuid : NULL);
	vs_table_text(table, row->name);
	vs_table_text(table, vs_source_name(run->source));
	vs_table_bool(table, run->emulated);
	vs_table_text(table, run->provider);
	vs_table_number(table, run->size_gb);
	vs_table_number(table, run->volumes > 0 ? (double)run->volumes : (double)NAN);
	vs_table_number(table, run->instance_gbps);
	vs_table_text(table, run->workload.rw);
	vs_table_number(table, known(run->workload.block_bytes));
}

static void add_ceiling(const struct vs_comparison_row *row, struct vs_table *table)
{
	vs_table_number(table, row->ceiling_iops);
	vs_table_number(table, row->ceiling_mbps);
	vs_table_text(table, tier_name(row, row->tier));
	vs_table_bool(table, row->tier_told);
	vs_table_number(table, row->promised_iops);
	vs_table_number(table, us_of(row->latency.p50_ns));
	vs_table_number(table, us_of(row->latency.p99_ns));
	vs_table_number(table, us_of(row->latency.p999_ns));
	vs_table_text(table, vs_bound_name(row->bound_by));
}

void vs_compare_rows_all(const struct vs_comparison *cmp, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "id", "id", VS_COLUMN_NUMBER, 0 },
		{ "uuid", "uuid", VS_COLUMN_TEXT, 0 },
		{ "name", "name", VS_COLUMN_TEXT, 0 },
		{ "source", "source", VS_COLUMN_TEXT, 0 },
		{ "emulated", "emulated", VS_COLUMN_BOOL, 0 },
		{ "provider", "provider", VS_COLUMN_TEXT, 0 },
		{ "size_gb", "size_gb", VS_COLUMN_NUMBER, 0 },
		{ "volumes", "volumes", VS_COLUMN_NUMBER, 0 },
		{ "instance_gbps", "instance_gbps", VS_COLUMN_NUMBER, 0 },
		{ "rw", "rw", VS_COLUMN_TEXT, 0 },
		{ "block_bytes", "block_bytes", VS_COLUMN_NUMBER, 0 },
		{ "ceiling_iops", "ceiling_iops", VS_COLUMN_NUMBER, 0 },
		{ "ceiling_mbps", "ceiling_mbps", VS_COLUMN_NUMBER, 0 },
		{ "tier", "tier", VS_COLUMN_TEXT, 0 },
		{ "tier_told", "tier_told", VS_COLUMN_BOOL, 0 },
		{ "promised_iops", "promised_iops", VS_COLUMN_NUMBER, 0 },
		{ "p50_us", "p50_us", VS_COLUMN_NUMBER, 0 },
		{ "p99_us", "p99_us", VS_COLUMN_NUMBER, 0 },
		{ "p999_us", "p999_us", VS_COLUMN_NUMBER, 0 },
		{ "bound_by", "bound_by", VS_COLUMN_TEXT, 0 },
		{ "currency", "currency", VS_COLUMN_TEXT, 0 },
		{ "price_month", "price_month", VS_COLUMN_NUMBER, 0 },
		{ "price_per_1000_iops", "price_per_1000_iops", VS_COLUMN_NUMBER, 0 },
		{ "sufficient_tier", "sufficient_tier", VS_COLUMN_TEXT, 0 },
		{ "saving_month", "saving_month", VS_COLUMN_NUMBER, 0 },
		{ "cheaper_tier", "cheaper_tier", VS_COLUMN_TEXT, 0 },
		{ "cheaper_iops", "cheaper_iops", VS_COLUMN_NUMBER, 0 },
		{ "cheaper_saving_month", "cheaper_saving_month", VS_COLUMN_NUMBER, 0 },
	};

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < cmp->n_rows; i++) {
		const struct vs_comparison_row *row = &cmp->rows[i];

		add_run(row, table);
		add_ceiling(row, table);
		vs_table_text(table, *currency_of(row) ? currency_of(row) : NULL);
		vs_table_number(table, row->price_month);
		vs_table_number(table, row->price_per_kiops);
		vs_table_text(table, tier_name(row, row->sufficient));
		vs_table_number(table, row->saving_month);
		vs_table_text(table, tier_name(row, row->cheaper));
		vs_table_number(table, row->cheaper_iops);
		vs_table_number(table, row->cheaper_saving);
	}
}
