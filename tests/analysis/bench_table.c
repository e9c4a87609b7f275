/* bench_table [RUNS [ONLY [PROTOTYPE]]]: the detector on simulated runs, beside the published
 * figures of the prototype, and, where that is at hand, beside what it makes of the same runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prototype.h"
#include "scenario.h"
#include "score.h"

#define MISSING -1.0

struct line {
	struct scenario scenario;
	/* F1 within 5 and 12 s, location error, share of exact counts, strays a run; MISSING: none
	 */
	double f1, f1_12, error, exact, strays;
	size_t times; /* runs of this line for each run asked */
};

#define STAIR(text, ...)                                                        \
 {                                                                              \
  .name = text, .shape = STAIRS, .size_gb = 1024, .a = 20, .b = 30, __VA_ARGS__ \
 }
#define STEP(text, ...)                                         \
 {                                                              \
  .name = text, .shape = ONE_STEP, .size_gb = 1024, __VA_ARGS__ \
 }
#define LEVEL(text, ...)                   \
 {                                         \
  .name = text, .shape = FLAT, __VA_ARGS__ \
 }

static const struct line lines[] = {
	{ STAIR("stairs, overshoot, 3 digits, 0.1 %", .noise = 0.001, .rounded = true), 1, 1, .03,
	  1, 0, 1 },
	{ STAIR("  + dips, 5 % missing, 0.5 % zeros", .noise = 0.001, .rounded = true,
		.missing = .05, .zero = .005, .dips = .02),
	  1, 1, .08, 1, 0, 1 },
	{ STAIR("stairs 1 %", .noise = 0.01), .996, .996, .2, .99, .005, 1 },
	{ STAIR("stairs 2 %", .noise = 0.02), .995, .995, .5, .98, .005, 1 },
	{ STAIR("stairs 3 %", .noise = 0.03), .990, .990, .45, .97, .005, 1 },
	{ STAIR("stairs 5 %, free fit", .noise = 0.05), .908, .916, .48, .72, .005, 1 },
	{ STAIR("stairs 5 %, with the ladder", .noise = 0.05, .ladder = true), .986, .998, .41, .98,
	  .005, 1 },
	{ STAIR("stairs 10 %, free fit", .noise = 0.1), .577, .614, 1.1, .17, .02, 1 },
	{ STAIR("stairs 10 %, with the ladder", .noise = 0.1, .ladder = true), .854, .925, .83, .59,
	  .095, 1 },
	{ STEP("one step of 1.07, 5 %, 2 x 25 s", .a = 25, .noise = 0.05), .784, .857, 1.7, .75,
	  .01, 1 },
	{ STEP("  2 x 60 s", .a = 60, .noise = 0.05), .895, .964, 1.45, .95, .01, 1 },
	{ STEP("  2 x 120 s", .a = 120, .noise = 0.05), .941, .996, 1.34, 1.0, .01, 1 },
	{ STEP("  2 x 300 s", .a = 300, .noise = 0.05), .943, .993, 1.45, .99, .01, 1 },
	{ STEP("one step of 1.07, 10 %, 2 x 25 s", .a = 25, .noise = 0.1), .17, .22, 3.4, .14, .17,
	  1 },
	{ STEP("  2 x 60 s", .a = 60, .noise = 0.1), .35, .44, 3.4, .36, .17, 1 },
	{ STEP("  2 x 120 s", .a = 120, .noise = 0.1), .57, .78, 3.4, .82, .17, 1 },
	{ STEP("  2 x 300 s", .a = 300, .noise = 0.1), .65, .85, 3.4, .98, .17, 1 },
	{ STEP("  2 x 600 s", .a = 600, .noise = 0.1), .66, .83, 3.4, .99, .17, 1 },
	{ STEP("  2 x 60 s, with the ladder", .a = 60, .noise = 0.1, .ladder = true), .857, .950,
	  1.1, .99, .07, 1 },
	{ STEP("  2 x 120 s, with the ladder", .a = 120, .noise = 0.1, .ladder = true), .805, .932,
	  .9, 1, .07, 1 },
	{ LEVEL("flat 10 %, 120 s", .a = 120, .noise = 0.1, .rho = 0), MISSING, MISSING, MISSING,
	  .99, .005, 5 },
	{ LEVEL("flat 8 %, 1 h", .a = 3600, .noise = 0.08, .rho = 0), MISSING, MISSING, MISSING, 1,
	  0, 1 },
	{ LEVEL("flat 5 % AR(0.5), 20 min", .a = 1200, .noise = 0.05, .rho = 0.5), MISSING, MISSING,
	  MISSING, .99, .015, 1 },
	{ LEVEL("flat 5 % AR(0.8), 20 min", .a = 1200, .noise = 0.05, .rho = 0.8), MISSING, MISSING,
	  MISSING, .96, .045, 1 },
	{ { .name = "credit 3000 to 100", .shape = CREDIT, .a = 300, .b = 300, .noise = 0.02 },
	  1,
	  1,
	  .15,
	  1,
	  .01,
	  1 },
	{ { .name = "quiet stairs, then 360 k 8 %",
	    .shape = QUIET_NOISY,
	    .size_gb = 1024,
	    .a = 20,
	    .b = 30 },
	  1,
	  1,
	  .15,
	  .99,
	  .01,
	  1 },
	{ { .name = "360 k 8 %, then quiet stairs",
	    .shape = NOISY_QUIET,
	    .size_gb = 1024,
	    .a = 20,
	    .b = 30 },
	  1,
	  1,
	  .15,
	  1,
	  .01,
	  1 },
	{ { .name = "random levels 2 %, dips, gaps, zeros",
	    .shape = RANDOM_LEVELS,
	    .a = 20,
	    .b = 120,
	    .noise = 0.02,
	    .missing = .05,
	    .zero = .005,
	    .dips = .02 },
	  .999,
	  .999,
	  .15,
	  .99,
	  .01,
	  1 },
	{ { .name = "drift 10 % in 1 h, 1 %", .shape = DRIFT, .a = 3600, .b = 10, .noise = .01 },
	  MISSING,
	  MISSING,
	  MISSING,
	  1,
	  0,
	  1 },
	{ { .name = "drift 30 % in 10 min, 1 %", .shape = DRIFT, .a = 600, .b = 30, .noise = .01 },
	  MISSING,
	  MISSING,
	  MISSING,
	  .98,
	  .02,
	  1 },
};

/* What a line measures, of one detector. */
struct figures {
	double f1, f1_12, error, exact, strays;
};

static struct figures figures_of(struct score *score)
{
	double runs = (double)score->runs;
	double p90;
	struct figures f = { .f1 = score_f1(score, score->hits5),
			     .f1_12 = score_f1(score, score->hits12),
			     .exact = (double)score->exact / runs,
			     .strays = (double)score->strays / runs };

	score_errors(score, &f.error, &p90);
	score_release(score);
	return f;
}

static void cell(double ours, const double *here, double published)
{
	char text[3][16] = { "-", "-", "-" };

	if (published >= 0) {
		(void)snprintf(text[0], sizeof(text[0]), "%.3f", ours);
		(void)snprintf(text[2], sizeof(text[2]), "%.3f", published);
		if (here)
			(void)snprintf(text[1], sizeof(text[1]), "%.3f", *here);
	}
	if (here)
		printf("  %5s %5s %5s", text[0], text[1], text[2]);
	else
		printf("  %5s %5s", text[0], text[2]);
}

static void add_prototype(const struct prototype *prototype, struct score *score,
			  const struct gen_series *series, const struct vs_ladder *ladder)
{
	double *found = calloc(series->n + 1, sizeof(*found));

	VS_ASSERT(found);
	score_add(score, series, found, prototype->steps(series, ladder, found));
	free(found);
}

/* prototype may be NULL. */
static void measure(size_t number, size_t runs, const struct prototype *prototype)
{
	const struct line *line = &lines[number];
	struct score score = { .runs = 0 };
	struct score its_score = { .runs = 0 };
	struct figures ours;
	struct figures its = { .f1 = 0 };

	for (size_t k = 0; k < runs * line->times; k++) {
		struct gen gen = { 1000 * number + 7919 * k + 1 };
		struct vs_ladder ladder;
		struct gen_series series;

		scenario_make(&line->scenario, &gen, &series);
		gen_ladder(line->scenario.size_gb, &ladder);
		score_run(&score, &series, line->scenario.ladder ? line->scenario.size_gb : 0);
		if (prototype)
			add_prototype(prototype, &its_score, &series,
				      line->scenario.ladder ? &ladder : NULL);
		gen_release(&series);
	}
	ours = figures_of(&score);
	if (prototype)
		its = figures_of(&its_score);
	printf("%-37s", line->scenario.name);
	cell(ours.f1, prototype ? &its.f1 : NULL, line->f1);
	cell(ours.f1_12, prototype ? &its.f1_12 : NULL, line->f1_12);
	cell(ours.error, prototype ? &its.error : NULL, line->error);
	cell(ours.exact, prototype ? &its.exact : NULL, line->exact);
	cell(ours.strays, prototype ? &its.strays : NULL, line->strays);
	printf("\n");
	(void)fflush(stdout);
}

int main(int argc, char **argv)
{
	static const char *const columns[] = { "F1 5 s", "F1 12 s", "error s", "exact count",
					       "strays a run" };
	size_t runs = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 400;
	const char *only = argc > 2 ? argv[2] : "";
	struct prototype loaded;
	const struct prototype *prototype =
		prototype_load(argc > 3 ? argv[3] : NULL, &loaded) ? &loaded : NULL;

	printf("%-37s", prototype ? "ours, the prototype here, published" : "ours, published");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		printf("  %-*s", prototype ? 17 : 11, columns[i]);
	printf("\n");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strstr(lines[i].scenario.name, only))
			measure(i, runs, prototype);
	return 0;
}
