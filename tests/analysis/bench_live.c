/* bench_live [RUNS [PROTOTYPE]]: how soon the live detector tells a step, what it misses and what
 * it invents, beside the published figures of the prototype and, where that is at hand, its own of
 * the same runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/live.h"
#include "prototype.h"
#include "scenario.h"

#define S         INT64_C(1000000000)
#define DELAYS    65536
#define NEAR_S    12.0 /* a step that is told at most so far from a true one is placed right */
#define DIP_EVERY 51   /* seconds: about 70 an hour */

struct line {
	const char *name;
	struct scenario scenario;
	size_t runs; /* for each hundred asked */
	bool dips;   /* of 1 to 3 s, 3 to 20 % deep */
	const char *prototype;
};

struct sum {
	double delays[DELAYS];
	size_t told, far, truths, invented; /* far: of those told */
	double hours;
};

static const struct line lines[] = {
	{ "staircase 0.1 %, overshoot of 1-2 s",
	  { .shape = STAIRS, .size_gb = 1024, .a = 20, .b = 30, .noise = 0.001 },
	  50,
	  false,
	  "4/5/6, 0 of 290 missed, 0 in 2.4 h" },
	{ "staircase 1 %",
	  { .shape = STAIRS, .size_gb = 1024, .a = 20, .b = 30, .noise = 0.01 },
	  50,
	  false,
	  "-" },
	{ "one step of 1.07, 5 %, 2 x 120 s",
	  { .shape = ONE_STEP, .a = 120, .noise = 0.05 },
	  100,
	  false,
	  "22/46/104, 0 of 100, 7 in 6.9 h" },
	{ "one step of 1.07, 10 %, 2 x 300 s",
	  { .shape = ONE_STEP, .a = 300, .noise = 0.1 },
	  60,
	  false,
	  "81/206/285, 1 of 60, 7 in 10.2 h" },
	{ "credit 3000 to 100",
	  { .shape = CREDIT, .a = 420, .b = 420, .noise = 0.02 },
	  60,
	  false,
	  "3/4/5, 0 of 60, 5 in 14 h" },
	{ "flat 8 %, 36 h", { .shape = FLAT, .a = 3600, .noise = 0.08 }, 36, false, "2 in 36 h" },
	{ "flat 0.1 %, 70 dips an hour, 36 h",
	  { .shape = FLAT, .a = 3600, .noise = 0.001 },
	  36,
	  true,
	  "0 in 36 h" },
	{ "flat 5 %, AR(0.5), 36 h",
	  { .shape = FLAT, .a = 3600, .noise = 0.05, .rho = 0.5 },
	  36,
	  false,
	  "-" },
};

static void dip(struct gen *gen, struct gen_series *s)
{
	for (size_t i = 10; i + 10 < s->n; i++) {
		size_t seconds = 1 + gen_next(gen) % 3;
		double factor = gen_uniform(gen, 0.8, 0.97);

		if (gen_next(gen) % (DIP_EVERY - 8) != 0)
			continue;
		for (size_t k = 0; k < seconds; k++)
			s->iops[i + k] *= factor;
		i += 8;
	}
}

/*
 * A step that began at at_s was told at told_s. It is the true one that is near; else the last true
 * one behind it, told but placed far off; else none.
 */
static void judge(const struct gen_series *s, struct sum *sum, size_t *next_io, double at_s,
		  double told_s)
{
	size_t which = s->n_changes;
	bool far = false;

	for (size_t i = *next_io; i < s->n_changes && which == s->n_changes; i++)
		if (fabs(at_s - s->changes[i]) <= NEAR_S)
			which = i;
	for (size_t i = *next_io; i < s->n_changes && (which == s->n_changes || far); i++) {
		if (s->changes[i] >= told_s)
			break;
		which = i;
		far = true;
	}
	if (which == s->n_changes) {
		sum->invented++;
		return;
	}
	*next_io = which + 1;
	sum->far += far;
	if (sum->told < DELAYS)
		sum->delays[sum->told++] = told_s - s->changes[which];
}

static void follow(const struct gen_series *s, struct sum *sum)
{
	struct vs_live *live;
	struct vs_error err = { .code = VS_OK };
	size_t next = 0;

	if (vs_live_open(NULL, VS_UNKNOWN, &live, &err) != 0)
		abort();
	for (size_t i = 0; i < s->n; i++) {
		struct vs_live_step step;

		if (vs_live_put(live, (int64_t)i * S, (int64_t)(i + 1) * S, s->iops[i], &step,
				&err) != 0)
			abort();
		if (step.news == VS_LIVE_CONFIRMED)
			judge(s, sum, &next, (double)step.at_ns / 1e9, (double)(i + 1));
	}
	sum->truths += s->n_changes;
	sum->hours += (double)s->n / 3600;
	vs_live_free(live);
}

static void follow_prototype(const struct prototype *prototype, const struct gen_series *s,
			     struct sum *sum)
{
	struct prototype_alarm *alarms = calloc(s->n + 1, sizeof(*alarms));
	size_t next = 0;
	size_t n;

	VS_ASSERT(alarms);
	n = prototype->live(s, alarms);
	for (size_t i = 0; i < n; i++)
		judge(s, sum, &next, (double)alarms[i].at, (double)(alarms[i].told + 1));
	sum->truths += s->n_changes;
	sum->hours += (double)s->n / 3600;
	free(alarms);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print(const char *name, struct sum *sum, const char *published)
{
	char delay[64] = "-";

	qsort(sum->delays, sum->told, sizeof(sum->delays[0]), by_value);
	if (sum->told)
		(void)snprintf(delay, sizeof(delay), "%.0f/%.0f/%.0f s", sum->delays[sum->told / 2],
			       sum->delays[sum->told * 9 / 10], sum->delays[sum->told - 1]);
	printf("%-38s %-22s %zu of %-8zu %-10zu %zu in %-8.1f h  %s\n", name, delay,
	       sum->truths - sum->told, sum->truths, sum->far, sum->invented, sum->hours,
	       published);
	(void)fflush(stdout);
}

int main(int argc, char **argv)
{
	size_t percent = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 100;
	static struct sum sum, its_sum;
	struct prototype prototype;
	bool beside = prototype_load(argc > 2 ? argv[2] : NULL, &prototype);

	printf("%-38s %-22s %-13s %-10s %-16s %s\n", "live", "delay median/p90/max", "missed",
	       "12 s off", "false alarms", "published for the prototype");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		sum = (struct sum){ .told = 0 };
		its_sum = (struct sum){ .told = 0 };
		for (size_t k = 0; k * 100 < lines[i].runs * percent; k++) {
			struct gen gen = { 5000 * i + 7919 * k + 3 };
			struct gen_series series;

			scenario_make(&lines[i].scenario, &gen, &series);
			if (lines[i].dips)
				dip(&gen, &series);
			follow(&series, &sum);
			if (beside)
				follow_prototype(&prototype, &series, &its_sum);
			gen_release(&series);
		}
		print(lines[i].name, &sum, lines[i].prototype);
		if (beside)
			print("  the prototype on the same", &its_sum, "");
	}
	return 0;
}
