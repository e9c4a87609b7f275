/* bench_file [--explain] [SIZE_GB] < "second iops" lines: what the detector makes of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "gen.h"

static void print(const struct vs_timeline *t)
{
	for (size_t k = 0; k < t->n_plateaus; k++) {
		const struct vs_plateau *p = &t->plateaus[k];

		printf("plateau %.1f..%.1f s %zu readings %.0f [%.0f, %.0f] IOPS +-%.2f%% mean %.0f "
		       "tier %s%s%s\n",
		       (double)p->start_ns / 1e9, (double)p->end_ns / 1e9, p->samples, p->iops,
		       p->iops_ci95[0], p->iops_ci95[1], p->spread_pct, p->iops_mean,
		       p->tier >= 0 ? t->ladder->tiers[p->tier].name : "-",
		       p->drifting ? " drifting " : " ", p->tier_reason);
	}
	for (size_t k = 0; k < t->n_steps; k++)
		printf("step %s at %.1f (%.1f..%.1f) dwell %.1f overshoot %.0f%%\n",
		       vs_direction_name(t->steps[k].direction), (double)t->steps[k].at_ns / 1e9,
		       (double)t->steps[k].at_low_ns / 1e9, (double)t->steps[k].at_high_ns / 1e9,
		       (double)t->steps[k].dwell_ns / 1e9, t->steps[k].overshoot_pct);
	for (size_t k = 0; k < t->n_dips; k++)
		printf("%s at %.1f for %.1f s, down to %.0f\n", t->dips[k].stall ? "stall" : "dip",
		       (double)t->dips[k].at_ns / 1e9, (double)t->dips[k].duration_ns / 1e9,
		       t->dips[k].iops_min);
	if (t->pending.present)
		printf("pending from %.1f: %.0f\n", (double)t->pending.start_ns / 1e9,
		       t->pending.iops);
	printf("missing %zu; noise %.1f %%\n", t->totals.missing, t->power.noise_pct);
}

int main(int argc, char **argv)
{
	struct gen_series s = { .n = 0 };
	struct vs_ladder ladder;
	struct vs_run run;
	struct vs_timeline timeline;
	struct vs_buf buf;
	struct vs_error err = { .code = VS_OK };
	bool explain = argc > 1 && strcmp(argv[1], "--explain") == 0;
	struct vs_analysis_options options = { .explain = explain ? &buf : NULL };
	double size_gb = argc > 1 + explain ? strtod(argv[1 + explain], NULL) : 0;
	double first = -1;
	double t, y;

	while (scanf("%lf %lf", &t, &y) == 2) { /* NOLINT(cert-err34-c): a bench of our own files */
		first = first < 0 ? t - 1 : first;
		while ((double)s.n + first < t - 1)
			gen_put(&s, (double)NAN);
		gen_put(&s, y);
	}
	gen_run(&s, &run);
	gen_ladder(size_gb, &ladder);
	vs_timeline_init(&timeline);
	vs_buf_init(&buf, 1 << 24);
	if (vs_analyse(&run, size_gb > 0 ? &ladder : NULL, &options, &timeline, &err) != 0) {
		(void)fprintf(stderr, "bench_file: %s\n", err.text);
		return 1;
	}
	if (explain)
		printf("%s", buf.data);
	print(&timeline);
	vs_timeline_release(&timeline);
	vs_run_release(&run);
	vs_buf_release(&buf);
	gen_release(&s);
	return 0;
}
