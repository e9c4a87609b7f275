/* What the run cost, and what holding its tiers would: the rows that the reports share. */
#include <math.h>

#include "model/catalogue.h"
#include "reports/facts.h"
#include "reports/rows.h"

#define MONTH_SEC (VS_MONTH_HOURS * 3600)

/* A run of an hour costs cents, and its steps parts of them. */
static int decimals_of(double value)
{
	if (value < 0.01)
		return 6;
	return value < 1 ? 4 : 2;
}

static void cost_row(struct vs_table *table, const char *name, double value, const char *unit)
{
	char text[64];

	vs_table_text(table, name);
	vs_table_text(table,
		      isfinite(value) ? vs_table_format(value, decimals_of(value), text) : NULL);
	vs_table_text(table, isfinite(value) ? unit : "unpriced");
}

void vs_rows_cost(const struct vs_timeline *timeline, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "what", "cost", VS_COLUMN_TEXT, 0 },
		{ "value", "value", VS_COLUMN_RIGHT, 0 },
		{ "unit", "unit", VS_COLUMN_TEXT, 0 },
	};
	const struct vs_cost *cost = &timeline->cost;

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	if (!timeline->ladder || timeline->n_plateaus == 0)
		return;
	cost_row(table, "this run, billed by the second", cost->observed, cost->currency);
	cost_row(table, "a month at the highest tier seen", cost->month_at_top, cost->currency);
	cost_row(table, "a month at the lowest tier seen", cost->month_at_bottom, cost->currency);
	if (isfinite(cost->break_even_h_per_day))
		cost_row(table, "a fixed top tier is cheaper above", cost->break_even_h_per_day,
			 "h a day at the top");
}

static size_t tiers_seen(const struct vs_timeline *timeline)
{
	size_t n = 0;

	for (size_t t = 0; timeline->ladder && t < timeline->ladder->n_tiers; t++)
		n += timeline->cost.tier_s[t] > 0;
	return n;
}

void vs_rows_cost_tiers(const struct vs_timeline *timeline, struct vs_table *table)
{
	static const struct vs_column columns[] = {
		{ "tier", "billed at tier", VS_COLUMN_RIGHT, 0 },
		{ "time", "for", VS_COLUMN_RIGHT, 0 },
		{ "price_month", "a month", VS_COLUMN_RIGHT, 0 },
		{ "cost", "this run", VS_COLUMN_RIGHT, 0 },
	};
	int decimals = isfinite(timeline->cost.observed) ? decimals_of(timeline->cost.observed) : 4;
	char text[64];

	vs_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	if (!timeline->cost.currency[0] || tiers_seen(timeline) < 2)
		return;
	for (size_t t = 0; t < timeline->ladder->n_tiers; t++) {
		double s = timeline->cost.tier_s[t];
		double price = timeline->ladder->tiers[t].price_month;
		bool priced = isfinite(price);

		if (!(s > 0))
			continue;
		vs_table_text(table, timeline->ladder->tiers[t].name);
		vs_table_text(table, vs_facts_clock((int64_t)llround(s * 1e9), text));
		vs_table_text(table, priced ? vs_table_format(price, 2, text) : "unpriced");
		vs_table_text(table, priced ? vs_table_format(s * price / MONTH_SEC, decimals, text)
					    : "unpriced");
	}
}
