#include "analysis/compare_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define PENNY 0.005

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
			return "each by its own limit";
	return bound_words(cmp->rows[0].bound_by);
}

/* What "the same within 3 %" can say of a level: "360,000". */
static char *three_figures(double level, char *text)
{
	double unit = pow(10, fmax(0, floor(log10(fmax(level, 1))) - 2));

	return vs_units_format_count(round(level / unit) * unit, text);
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
	if (!one_ladder || need->sufficient < 0 || !dear || dear->tier < 0)
		return;
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

	say(cmp, "%s reaches the most, %s IOPS (%s%s), bound %s.", most->name,
	    vs_units_format_count(most->ceiling_iops, level),
	    vs_comparison_tier_name(most, most->tier, tier), most->tier_told ? " as told" : "",
	    bound_words(most->bound_by));
	if (cmp->cheapest >= 0 && cmp->n_rows > 1)
		say(cmp, "Per 1000 IOPS %s is the cheapest: %.2f %s a month.",
		    cmp->rows[cmp->cheapest].name, cmp->rows[cmp->cheapest].price_per_kiops,
		    cmp->currency);
}

static void say_step(struct vs_comparison *cmp, const struct vs_comparison_row *from,
		     const struct vs_comparison_row *to)
{
	double more = to->ceiling_iops - from->ceiling_iops;
	double price = to->price_month - from->price_month;
	char count[VS_UNITS_TEXT_MAX];

	if (isnan(price) || !cmp->currency[0])
		return;
	(void)vs_units_format_count(more, count);
	if (price > PENNY)
		say(cmp,
		    "From %s to %s: %s IOPS more (%+.0f %%) for %.2f %s a month more, %.2f per "
		    "1000.",
		    from->name, to->name, count, 100 * more / from->ceiling_iops, price,
		    cmp->currency, price / more * 1000);
	else
		say(cmp, "From %s to %s: %s IOPS more (%+.0f %%) and no dearer.", from->name,
		    to->name, count, 100 * more / from->ceiling_iops);
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
	const struct vs_comparison_row **order = calloc(cmp->n_rows, sizeof(*order));
	size_t n = 0;

	if (!order)
		return vs_error_nomem(err);
	for (size_t i = 0; i < cmp->n_rows; i++)
		if (cmp->rows[i].plateau >= 0)
			order[n++] = &cmp->rows[i];
	qsort(order, n, sizeof(*order), by_ceiling);
	if (n > 0)
		say_most(cmp, order[n - 1]);
	for (size_t i = 1; i < n; i++)
		say_step(cmp, order[i - 1], order[i]);
	for (size_t i = 0; i < n; i++)
		say_saving(cmp, order[i]);
	free(order);
	return 0;
}

int vs_compare_words(struct vs_comparison *cmp, struct vs_error *err)
{
	int rc = 0;

	if (cmp->same_ceiling && cmp->n_rows > 1)
		say_same(cmp);
	else
		rc = say_different(cmp, err);
	if (cmp->mixed_currency)
		say(cmp, "The prices are in different currencies and are not compared.");
	for (size_t i = 0; i < cmp->n_rows; i++) {
		const struct vs_comparison_row *row = &cmp->rows[i];

		if (row->plateau < 0)
			say(cmp, "%s shows no plateau.", row->name);
		else if (row->tier < 0)
			say(cmp, "%s fits no tier; tell it with --tier.", row->name);
		else if (isnan(row->price_month))
			say(cmp, "%s is unpriced.", row->name);
	}
	return rc;
}
