#include "analysis/compare_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define PENNY      0.005
#define MANY_TIMES 10

static void say(struct vs_comparison *cmp, const char *fmt, ...) VS_PRINTF(2, 3);

static void say(struct vs_comparison *cmp, const char *fmt, ...)
{
	char sentence[512];
	size_t len = strlen(cmp->decision);
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < sizeof(sentence) && len + (size_t)n + 2 <= sizeof(cmp->decision))
		(void)snprintf(cmp->decision + len, sizeof(cmp->decision) - len, "%s%s",
			       len ? " " : "", sentence);
}

const char *vs_comparison_tier_name(const struct vs_comparison_row *row, int tier, char *text)
{
	const struct vs_tier *t;

	if (tier < 0)
		return "no tier";
	t = &row->timeline->ladder->tiers[tier];
	(void)snprintf(text, 40, "%s %s", isnan(t->vpu) ? "tier" : "VPU", t->name);
	return text;
}

static const char *bound_words(enum vs_bound bound)
{
	static const char *const words[] = { [VS_BOUND_UNKNOWN] = "by something unknown",
					     [VS_BOUND_VOLUME] = "by the volume",
					     [VS_BOUND_INSTANCE] = "by the instance",
					     [VS_BOUND_CLIENT] = "by the client" };

	return words[bound];
}

/* Whether a tier's name means the same in both rows. */
static bool same_ladder(const struct vs_comparison_row *a, const struct vs_comparison_row *b)
{
	const struct vs_ladder *x = a->timeline->ladder, *y = b->timeline->ladder;

	return x && y && strcmp(x->provider, y->provider) == 0 && x->volumes == y->volumes &&
	       x->n_tiers == y->n_tiers && fabs(x->size_gb - y->size_gb) < 1e-9;
}

static const char *common_bound(const struct vs_comparison *cmp)
{
	for (size_t i = 1; i < cmp->n_rows; i++)
		if (cmp->rows[i].bound_by != cmp->rows[0].bound_by)
			return "by different limits";
	return bound_words(cmp->rows[0].bound_by);
}

/* What "the same within 3 %" can say of a level: "360,000". */
static char *three_figures(double level, char *text)
{
	double unit = pow(10, fmax(0, floor(log10(fmax(level, 1))) - 2));

	return vs_units_format_count(round(level / unit) * unit, text);
}

/* What the next tier above the sufficient one would cost, where nobody says which was held. */
static void say_enough(struct vs_comparison *cmp, const struct vs_comparison_row *row)
{
	const struct vs_ladder *ladder = row->timeline->ladder;
	bool other = row->bound_by == VS_BOUND_INSTANCE || row->bound_by == VS_BOUND_CLIENT;
	char enough[40], next[40];
	double more;

	(void)vs_comparison_tier_name(row, row->sufficient, enough);
	if (!other) {
		say(cmp, "%s is the cheapest tier that promises as much.", enough);
		return;
	}
	say(cmp, "%s suffices for that.", enough);
	if (row->sufficient + 1 >= (int)ladder->n_tiers)
		return;
	(void)vs_comparison_tier_name(row, row->sufficient + 1, next);
	more = ladder->tiers[row->sufficient + 1].price_month -
	       ladder->tiers[row->sufficient].price_month;
	if (more > PENNY)
		say(cmp, "%s would cost %.2f %s a month more and give nothing.", next, more,
		    ladder->currency);
}

/* All reach the same: the cheapest tier that allows it is enough. */
static void say_same(struct vs_comparison *cmp)
{
	const struct vs_comparison_row *dear = NULL, *need = &cmp->rows[0];
	char level[VS_UNITS_TEXT_MAX], enough[40], held[40], all[32] = "Both";
	double sum = 0, saved;
	bool one_ladder = true;

	for (size_t i = 0; i < cmp->n_rows; i++) {
		const struct vs_comparison_row *row = &cmp->rows[i];

		sum += row->ceiling_iops;
		one_ladder = one_ladder && same_ladder(&cmp->rows[0], row);
		if (row->sufficient > need->sufficient)
			need = row;
		if (!isnan(row->price_month) && (!dear || row->price_month > dear->price_month))
			dear = row;
	}
	if (cmp->n_rows > 2)
		(void)snprintf(all, sizeof(all), "All %zu", cmp->n_rows);
	say(cmp, "%s runs reach the same level, about %s IOPS, bound %s.", all,
	    three_figures(sum / (double)cmp->n_rows, level), common_bound(cmp));
	if (!one_ladder || need->sufficient < 0)
		return;
	if (!dear || dear->tier < 0) {
		say_enough(cmp, need);
		return;
	}
	(void)vs_comparison_tier_name(need, need->sufficient, enough);
	(void)vs_comparison_tier_name(dear, dear->tier, held);
	saved = dear->price_month - need->timeline->ladder->tiers[need->sufficient].price_month;
	if (need->sufficient < dear->tier && saved > PENNY)
		say(cmp, "%s suffices; against %s it saves %.2f %s a month.", enough, held, saved,
		    cmp->currency);
	else
		say(cmp, "No cheaper tier than %s allows it.", held);
}

static int by_ceiling(const void *a, const void *b)
{
	const struct vs_comparison_row *x = *(const struct vs_comparison_row *const *)a;
	const struct vs_comparison_row *y = *(const struct vs_comparison_row *const *)b;

	return (x->ceiling_iops > y->ceiling_iops) - (x->ceiling_iops < y->ceiling_iops);
}

static void say_most(struct vs_comparison *cmp, const struct vs_comparison_row *most)
{
	char level[VS_UNITS_TEXT_MAX], tier[40];

	(void)vs_units_format_count(most->ceiling_iops, level);
	if (most->tier < 0 ||
	    strcmp(vs_comparison_tier_name(most, most->tier, tier), most->name) == 0)
		say(cmp, "%s reaches the most, %s IOPS, bound %s.", most->name, level,
		    bound_words(most->bound_by));
	else
		say(cmp, "%s reaches the most, %s IOPS (%s%s), bound %s.", most->name, level, tier,
		    most->tier_told ? " as told" : "", bound_words(most->bound_by));
	if (cmp->cheapest >= 0 && cmp->n_rows > 1)
		say(cmp, "Per 1000 IOPS %s is the cheapest: %.2f %s a month.",
		    cmp->rows[cmp->cheapest].name, cmp->rows[cmp->cheapest].price_per_kiops,
		    cmp->currency);
}

/* "+25 %", of much more "30-fold". text[32]. */
static const char *growth(double from, double to, char *text)
{
	char times[VS_UNITS_TEXT_MAX];

	if (to < MANY_TIMES * from)
		(void)snprintf(text, 32, "%+.0f %%", 100 * (to / from - 1));
	else
		(void)snprintf(text, 32, "%.20s-fold", vs_units_format_count(to / from, times));
	return text;
}

static void say_step(struct vs_comparison *cmp, const struct vs_comparison_row *from,
		     const struct vs_comparison_row *to)
{
	double more = to->ceiling_iops - from->ceiling_iops;
	double price = to->price_month - from->price_month;
	char count[VS_UNITS_TEXT_MAX], gain[32], rise[32];

	if (isnan(price) || !cmp->currency[0])
		return;
	(void)vs_units_format_count(more, count);
	(void)growth(from->ceiling_iops, to->ceiling_iops, gain);
	if (price > PENNY)
		say(cmp,
		    "From %s to %s: %s IOPS more (%s) for %.2f %s a month more (%s), %.2f per "
		    "1000.",
		    from->name, to->name, count, gain, price, cmp->currency,
		    growth(from->price_month, to->price_month, rise), price / more * 1000);
	else
		say(cmp, "From %s to %s: %s IOPS more (%s) and no dearer.", from->name, to->name,
		    count, gain);
}

/* Which run to take: order holds them by rising ceiling. */
static void say_choice(struct vs_comparison *cmp, const struct vs_comparison_row *const *order,
		       size_t n)
{
	const struct vs_comparison_row *best;
	char level[VS_UNITS_TEXT_MAX];
	size_t at = 0;

	if (cmp->cheapest < 0 || n < 2)
		return;
	best = &cmp->rows[cmp->cheapest];
	while (at < n && order[at] != best)
		at++;
	if (at + 1 < n)
		say(cmp, "Take %s only for a load that needs more than %s IOPS.",
		    order[at + 1]->name, vs_units_format_count(best->ceiling_iops, level));
	for (size_t i = 0; i < at; i++)
		if (order[i]->price_month < best->price_month - PENNY)
			say(cmp, "Up to %s IOPS %s is enough, for %.2f %s a month.",
			    vs_units_format_count(order[i]->ceiling_iops, level), order[i]->name,
			    order[i]->price_month, cmp->currency);
}

static void say_saving(struct vs_comparison *cmp, const struct vs_comparison_row *row)
{
	char enough[40], held[40];

	if (row->sufficient < 0 || row->sufficient >= row->tier)
		return;
	(void)vs_comparison_tier_name(row, row->sufficient, enough);
	(void)vs_comparison_tier_name(row, row->tier, held);
	if (row->saving_month > PENNY)
		say(cmp,
		    "%s is bound %s: %s instead of %s would give the same and save %.2f %s a "
		    "month.",
		    row->name, bound_words(row->bound_by), enough, held, row->saving_month,
		    row->timeline->ladder->currency);
	else
		say(cmp, "%s is bound %s: %s instead of %s would give the same.", row->name,
		    bound_words(row->bound_by), enough, held);
}

static int say_different(struct vs_comparison *cmp, struct vs_error *err)
{
	const struct vs_comparison_row **order = calloc(cmp->n_rows, sizeof(void *));
	size_t n = 0;

	if (!order)
		return vs_error_nomem(err);
	for (size_t i = 0; i < cmp->n_rows; i++)
		if (cmp->rows[i].plateau >= 0)
			order[n++] = &cmp->rows[i];
	qsort(order, n, sizeof(void *), by_ceiling);
	if (n > 0)
		say_most(cmp, order[n - 1]);
	for (size_t i = 1; i < n; i++)
		say_step(cmp, order[i - 1], order[i]);
	for (size_t i = 0; i < n; i++)
		say_saving(cmp, order[i]);
	say_choice(cmp, order, n);
	free(order);
	return 0;
}

/* "run 1, run 2" of the rows that `picks` tells; "" for none. */
static char *list_rows(const struct vs_comparison *cmp,
		       bool (*picks)(const struct vs_comparison_row *row), char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < cmp->n_rows && len < size; i++)
		if (picks(&cmp->rows[i]))
			len += (size_t)snprintf(text + len, size - len, "%s%s", len ? ", " : "",
						cmp->rows[i].name);
	return text;
}

static bool is_empty(const struct vs_comparison_row *row)
{
	return row->plateau < 0;
}

static bool is_without_ladder(const struct vs_comparison_row *row)
{
	return row->plateau >= 0 && !row->timeline->ladder;
}

static bool is_without_tier(const struct vs_comparison_row *row)
{
	return row->plateau >= 0 && row->timeline->ladder && row->tier < 0 &&
	       !row->timeline->plateaus[row->plateau].tiers;
}

static bool is_ambiguous(const struct vs_comparison_row *row)
{
	return row->plateau >= 0 && row->tier < 0 &&
	       row->timeline->plateaus[row->plateau].tiers != 0;
}

static bool is_unpriced(const struct vs_comparison_row *row)
{
	return row->tier >= 0 && isnan(row->price_month);
}

static bool is_emulated(const struct vs_comparison_row *row)
{
	return row->timeline->run->emulated;
}

static bool blocks_differ(const struct vs_comparison *cmp)
{
	int64_t first = 0;

	for (size_t i = 0; i < cmp->n_rows; i++) {
		int64_t block = cmp->rows[i].timeline->run->workload.block_bytes;

		if (block > 0 && first > 0 && block != first)
			return true;
		if (block > 0)
			first = block;
	}
	return false;
}

/* What keeps the figures from being compared, or a reader from trusting them. */
static void say_reservations(struct vs_comparison *cmp)
{
	static const struct {
		bool (*picks)(const struct vs_comparison_row *row);
		const char *words;
	} all[] = {
		{ is_empty, "no plateau" },
		{ is_without_ladder, "size or provider not known, so no tier; give --size-gb" },
		{ is_without_tier, "the level is no tier's; say which was in force as RUN@TIER" },
		{ is_ambiguous, "several tiers fit the level; say which was in force as RUN@TIER" },
		{ is_unpriced, "unpriced" },
		{ is_emulated, "emulated, no provider's volume" },
	};
	char names[384];

	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
		if (*list_rows(cmp, all[k].picks, names, sizeof(names)))
			say(cmp, "%s: %s.", names, all[k].words);
	if (blocks_differ(cmp))
		say(cmp, "The runs' block sizes differ: IOPS are not like for like.");
	if (cmp->mixed_currency)
		say(cmp, "The prices are in different currencies and are not compared.");
}

int vs_compare_words(struct vs_comparison *cmp, struct vs_error *err)
{
	int rc = 0;

	if (cmp->same_ceiling && cmp->n_rows > 1)
		say_same(cmp);
	else
		rc = say_different(cmp, err);
	say_reservations(cmp);
	return rc;
}
