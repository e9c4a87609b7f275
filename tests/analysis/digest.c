/* digest: the timelines of a set of seeded series, to the last digit that a report shows. */
#include <stdio.h>

#include "analysis/analysis.h"
#include "scenario.h"

static void print(const struct vs_timeline *t)
{
	for (size_t k = 0; k < t->n_plateaus; k++)
		printf("plateau %lld %lld %zu %.6g %.6g %d %d\n",
		       (long long)t->plateaus[k].start_ns, (long long)t->plateaus[k].end_ns,
		       t->plateaus[k].samples, t->plateaus[k].iops, t->plateaus[k].spread_pct,
		       t->plateaus[k].drifting, t->plateaus[k].tier);
	for (size_t k = 0; k < t->n_steps; k++)
		printf("step %lld %lld %lld\n", (long long)t->steps[k].at_ns,
		       (long long)t->steps[k].at_low_ns, (long long)t->steps[k].at_high_ns);
	for (size_t k = 0; k < t->n_dips; k++)
		printf("dip %lld %lld\n", (long long)t->dips[k].at_ns,
		       (long long)t->dips[k].duration_ns);
}

int main(void)
{
	for (unsigned int seed = 0; seed < 160; seed++) {
		const struct scenario s = { .shape = (enum shape)(seed % (DRIFT + 1)),
					    .size_gb = seed % 3 ? 1024 : 50,
					    .a = 40,
					    .b = 120,
					    .noise = 0.01 * (seed % 11),
					    .rho = seed % 5 == 4 ? 0.6 : 0,
					    .rounded = seed % 2,
					    .missing = 0.03,
					    .zero = 0.005,
					    .dips = 0.02 };
		struct gen gen = { 977 * seed + 1 };
		struct gen_series series;
		struct vs_ladder ladder;
		struct vs_timeline timeline;
		struct vs_run run;
		struct vs_error err = { .code = VS_OK };

		scenario_make(&s, &gen, &series);
		gen_run(&series, &run);
		gen_ladder(s.size_gb, &ladder);
		vs_timeline_init(&timeline);
		if (vs_analyse(&run, seed & 1 ? &ladder : NULL, NULL, &timeline, &err) != 0)
			return 1;
		printf("series %u\n", seed);
		print(&timeline);
		vs_timeline_release(&timeline);
		vs_run_release(&run);
		gen_release(&series);
	}
	return 0;
}
