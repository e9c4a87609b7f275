#include "score.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/analysis.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The nearest found one that nobody has taken; its distance. */
static double take(double truth, const double *found, size_t n, bool *taken, double margin)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (!taken[i] && fabs(found[i] - truth) <= margin &&
		    (best == n || fabs(found[i] - truth) < fabs(found[best] - truth)))
			best = i;
	if (best == n)
		return -1;
	taken[best] = true;
	return fabs(found[best] - truth);
}

void score_add(struct score *score, const struct gen_series *series, const double *found, size_t n)
{
	bool *taken = calloc(n + 1, sizeof(*taken));
	bool *taken5 = calloc(n + 1, sizeof(*taken5));

	VS_ASSERT(taken && taken5);
	score->runs++;
	score->exact += n == series->n_changes;
	score->truths += series->n_changes;
	score->found += n;
	for (size_t i = 0; i < series->n_changes; i++) {
		double error = take(series->changes[i], found, n, taken, 12);

		score->hits5 += take(series->changes[i], found, n, taken5, 5) >= 0;
		if (error < 0)
			continue;
		if (score->hits12 == score->room) {
			score->room = score->room ? 2 * score->room : 256;
			score->errors =
				reallocarray(score->errors, score->room, sizeof(*score->errors));
			VS_ASSERT(score->errors);
		}
		score->errors[score->hits12++] = error;
	}
	for (size_t i = 0; i < n; i++)
		score->strays += !taken[i];
	free(taken);
	free(taken5);
}

double score_f1(const struct score *score, size_t hits)
{
	double p = score->found ? (double)hits / (double)score->found : 1;
	double r = score->truths ? (double)hits / (double)score->truths : 1;

	return p + r > 0 ? 2 * p * r / (p + r) : 0;
}

void score_errors(struct score *score, double *mean_out, double *p90_out)
{
	double sum = 0;
	size_t n = score->hits12;

	*mean_out = *p90_out = 0;
	if (n == 0)
		return;
	qsort(score->errors, n, sizeof(*score->errors), by_value);
	for (size_t i = 0; i < n; i++)
		sum += score->errors[i];
	*mean_out = sum / (double)n;
	*p90_out = score->errors[(n * 9) / 10 < n ? (n * 9) / 10 : n - 1];
}

void score_release(struct score *score)
{
	free(score->errors);
	*score = (struct score){ .runs = 0 };
}

void score_run(struct score *score, const struct gen_series *series, double size_gb)
{
	struct vs_ladder ladder;
	struct vs_run run;
	struct vs_timeline timeline;
	struct vs_error err = { .code = VS_OK };
	double *found;

	gen_run(series, &run);
	gen_ladder(size_gb, &ladder);
	vs_timeline_init(&timeline);
	VS_ASSERT(vs_analyse(&run, size_gb > 0 ? &ladder : NULL, NULL, &timeline, &err) == 0);
	found = calloc(timeline.n_steps + 1, sizeof(*found));
	VS_ASSERT(found);
	for (size_t k = 0; k < timeline.n_steps; k++)
		found[k] = (double)timeline.steps[k].at_ns / 1e9;
	score_add(score, series, found, timeline.n_steps);
	free(found);
	vs_timeline_release(&timeline);
	vs_run_release(&run);
}
