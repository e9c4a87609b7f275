/* detect SAMPLES: the detector on a run of so many seconds, a noisy staircase up and down for ever.
 *
 * Prints the seconds of CPU that one analysis takes: the least of several, since the rest is the
 * machine's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/analysis.h"
#include "gen.h"

#define STEP_S    1800
#define NOISE     0.01
#define ENOUGH_S  1.0
#define TIMES_MAX 20

static double cpu_s(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts) < 0)
		return 0;
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void make(size_t samples, struct gen_series *series)
{
	static const double levels[] = {
		25000, 50000, 75000, 100000, 122880, 100000, 75000, 50000
	};
	struct gen gen = { .state = 1 };

	for (size_t i = 0; series->n < samples; i++) {
		size_t left = samples - series->n;

		gen_level(&gen, series, levels[i % (sizeof(levels) / sizeof(levels[0]))],
			  left < STEP_S ? left : STEP_S, NOISE, 0.3);
	}
}

int main(int argc, char **argv)
{
	struct gen_series series = { .n = 0 };
	struct vs_ladder ladder;
	struct vs_run run;
	double least_s = 1e9, spent_s = 0;

	if (argc != 2) {
		(void)fprintf(stderr, "usage: detect SAMPLES\n");
		return 2;
	}
	make(strtoul(argv[1], NULL, 10), &series);
	gen_run(&series, &run);
	gen_ladder(1024, &ladder);
	for (int i = 0; i < TIMES_MAX && (i < 3 || spent_s < ENOUGH_S); i++) {
		const struct vs_analysis_options options = { 0 };
		struct vs_timeline timeline;
		struct vs_error err = { 0 };
		double start_s = cpu_s(), took_s;

		vs_timeline_init(&timeline);
		if (vs_analyse(&run, &ladder, &options, &timeline, &err) != 0) {
			(void)fprintf(stderr, "detect: %s\n", err.text);
			return 1;
		}
		took_s = cpu_s() - start_s;
		spent_s += took_s;
		least_s = took_s < least_s ? took_s : least_s;
		vs_timeline_release(&timeline);
	}
	(void)printf("%.6f\n", least_s);
	vs_run_release(&run);
	gen_release(&series);
	return 0;
}
