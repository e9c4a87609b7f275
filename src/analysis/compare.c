#include "analysis/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_words.h"
#include "analysis/cost.h"
#include "analysis/told.h"

#define SAME_LEVEL 0.03
#define PENNY      0.005

/* The highest level that was held under load; without load, the highest at all. */
static int ceiling_plateau(const struct vs_timeline *timeline)
{
	int best = -1;

	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &timeline->plateaus[i];
		const struct vs_plateau *b = best < 0 ? NULL : &timeline->plateaus[best];

		if (p->samples == 0)
			continue;
		if (!b || (p->phase == VS_PHASE_LOAD && b->phase != VS_PHASE_LOAD) ||
		    (p->phase == b->phase && p->iops > b->iops))
			best = (int)i;
	}
	return best;
}

static bool allows(const struct vs_comparison_row *row, int tier)
{
	const struct vs_ladder *ladder = row->timeline->ladder;
	double ceiling = vs_tier_ceiling_iops(&ladder->tiers[tier],
					      row->timeline->run->workload.block_bytes);

	return ceiling * (1 + ladder->tolerance_high_pct / 100) >= row->ceiling_iops;
}

static double price_of(const struct vs_comparison_row *row, int tier)
{
	return tier < 0 ? (double)NAN : row->timeline->ladder->tiers[tier].price_month;
}

static void set_sufficient(struct vs_comparison_row *row)
{
	for (int i = 0; i < (int)row->timeline->ladder->n_tiers; i++) {
		if (!allows(row, i))
			continue;
		if (row->sufficient < 0 || price_of(row, i) < price_of(row, row->sufficient))
			row->sufficient = i;
	}
	/* a level that is a little above its own tier's needs no dearer one */
	if (row->tier >= 0 && (row->sufficient < 0 || row->sufficient > row->tier))
		row->sufficient = row->tier;
	if (row->tier >= 0 && row->sufficient == row->tier)
		row->saving_month = 0;
	else
		row->saving_month = price_of(row, row->tier) - price_of(row, row->sufficient);
}

static void set_cheaper(struct vs_comparison_row *row)
{
	if (row->tier < 1)
		return;
	row->cheaper = row->tier - 1;
	row->cheaper_iops = fmin(row->ceiling_iops,
				 vs_tier_ceiling_iops(&row->timeline->ladder->tiers[row->cheaper],
						      row->timeline->run->workload.block_bytes));
	row->cheaper_saving = price_of(row, row->tier) - price_of(row, row->cheaper);
}

static void set_tier(struct vs_comparison_row *row, const struct vs_plateau *plateau)
{
	const struct vs_ladder *ladder = row->timeline->ladder;

	row->tier = vs_told_tier(row->timeline->run, ladder, plateau->end_ns);
	row->tier_told = row->tier >= 0 && row->tier != plateau->tier;
	if (row->tier < 0)
		row->tier = plateau->tier;
	if (row->tier >= 0)
		row->promised_iops = vs_tier_ceiling_iops(&ladder->tiers[row->tier],
							  row->timeline->run->workload.block_bytes);
	/* of several tiers that fit, the price that all of them have */
	row->price_month = row->tier >= 0
				   ? price_of(row, row->tier)
				   : vs_cost_plateau_price(row->timeline->run, ladder, plateau);
	row->price_per_kiops = row->price_month / row->ceiling_iops * 1000;
	set_sufficient(row);
	set_cheaper(row);
}

static void fill_row(struct vs_comparison_row *row, const struct vs_timeline *timeline)
{
	const struct vs_plateau *plateau;
	double nan = (double)NAN;

	*row = (struct vs_comparison_row){ .timeline = timeline,
					   .plateau = ceiling_plateau(timeline),
					   .ceiling_iops = nan,
					   .ceiling_mbps = nan,
					   .tier = -1,
					   .promised_iops = nan,
					   .latency = { VS_UNKNOWN, VS_UNKNOWN, VS_UNKNOWN,
							VS_UNKNOWN },
					   .price_month = nan,
					   .price_per_kiops = nan,
					   .sufficient = -1,
					   .saving_month = nan,
					   .cheaper = -1,
					   .cheaper_iops = nan,
					   .cheaper_saving = nan };
	if (row->plateau < 0)
		return;
	plateau = &timeline->plateaus[row->plateau];
	row->ceiling_iops = plateau->iops;
	row->ceiling_mbps = plateau->mbps;
	row->latency = plateau->latency;
	row->bound_by = plateau->bound_by;
	if (timeline->ladder)
		set_tier(row, plateau);
}

/* Whether an earlier or a later row has the same label. */
static bool label_taken(const struct vs_comparison *cmp, size_t i)
{
	const char *label = cmp->rows[i].timeline->run->label;

	for (size_t k = 0; k < cmp->n_rows; k++) {
		const char *other = cmp->rows[k].timeline->run->label;
		if (k != i && other && strcmp(other, label) == 0)
			return true;
	}
	return false;
}

/* Copies what fits of text, and no half of a UTF-8 character. */
static void copy_name(char *to, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (len >= size) {
		len = size - 1;
		while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80)
			len--;
	}
	memcpy(to, text, len);
	to[len] = '\0';
}

static void name_rows(struct vs_comparison *cmp)
{
	for (size_t i = 0; i < cmp->n_rows; i++) {
		struct vs_comparison_row *row = &cmp->rows[i];
		const struct vs_run *run = row->timeline->run;
		char label[36];

		if (!run->label || !*run->label) {
			(void)snprintf(row->name, sizeof(row->name), "run %lld",
				       (long long)run->id);
		} else if (label_taken(cmp, i)) {
			copy_name(label, sizeof(label), run->label);
			(void)snprintf(row->name, sizeof(row->name), "%s (run %lld)", label,
				       (long long)run->id);
		} else {
			copy_name(row->name, sizeof(row->name), run->label);
		}
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int find_same_ceiling(struct vs_comparison *cmp, struct vs_error *err)
{
	double *levels = malloc(cmp->n_rows * sizeof(*levels)), median;

	if (!levels)
		return vs_error_nomem(err);
	cmp->same_ceiling = true;
	for (size_t i = 0; i < cmp->n_rows; i++) {
		levels[i] = cmp->rows[i].ceiling_iops;
		if (isnan(levels[i]))
			cmp->same_ceiling = false;
	}
	if (cmp->same_ceiling) {
		qsort(levels, cmp->n_rows, sizeof(*levels), by_value);
		median = (levels[(cmp->n_rows - 1) / 2] + levels[cmp->n_rows / 2]) / 2;
		cmp->same_ceiling = median - levels[0] <= SAME_LEVEL * median &&
				    levels[cmp->n_rows - 1] - median <= SAME_LEVEL * median;
	}
	free(levels);
	return 0;
}

/* One currency for all that is priced, or no prices side by side. */
static void find_currency(struct vs_comparison *cmp)
{
	for (size_t i = 0; i < cmp->n_rows; i++) {
		const struct vs_comparison_row *row = &cmp->rows[i];
		const char *own = isnan(row->price_month) ? "" : row->timeline->ladder->currency;

		if (!*own)
			continue;
		if (!cmp->currency[0])
			(void)snprintf(cmp->currency, sizeof(cmp->currency), "%s", own);
		if (strcmp(cmp->currency, own) != 0) {
			cmp->currency[0] = '\0';
			cmp->mixed_currency = true;
			return;
		}
	}
	for (size_t i = 0; cmp->currency[0] && i < cmp->n_rows; i++) {
		double price = cmp->rows[i].price_per_kiops;

		if (!isnan(price) &&
		    (cmp->cheapest < 0 ||
		     price < cmp->rows[cmp->cheapest].price_per_kiops - PENNY / 100))
			cmp->cheapest = (int)i;
	}
}

int vs_compare(const struct vs_timeline *const *timelines, size_t n, struct vs_comparison *out,
	       struct vs_error *err)
{
	*out = (struct vs_comparison){ .rows = calloc(n, sizeof(*out->rows)), .cheapest = -1 };
	if (!out->rows)
		return vs_error_nomem(err);
	out->n_rows = n;
	for (size_t i = 0; i < n; i++)
		fill_row(&out->rows[i], timelines[i]);
	name_rows(out);
	find_currency(out);
	if (find_same_ceiling(out, err) != 0 || vs_compare_words(out, err) != 0) {
		vs_comparison_release(out);
		return -1;
	}
	return 0;
}

void vs_comparison_release(struct vs_comparison *comparison)
{
	free(comparison->rows);
	*comparison = (struct vs_comparison){ .cheapest = -1 };
}
