/*
 * bench_speed: CPU seconds and memory of one whole analysis, by the kind of series and its length.
 * Fails when a million samples take a second or 64 MB beyond the run itself, a week of them half a
 * second, or twice as many more than twice as long.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "gen.h"

#define MILLION  1000000
#define WEEK     604800
#define LIMIT_S  1.0
#define WEEK_S   0.5
#define LIMIT_MB 64.0
#define GROWTH   1.15
#define LENGTHS  5 /* of the growth: 10^6 and its halves */
#define TIMES    3 /* the least of so many: the rest is the machine's */

enum kind {
	HOURLY,
	HOURLY_LADDER,
	NOISY,
	CORRELATED,
	OFTEN,
	CONSTANT,
	WHITE,
	STEP_EACH,
	ZERO,
	EXTREMES,
	NOT_NUMBERS,
	KINDS
};

static const char *const names[KINDS] = {
	"a step an hour, 1 %",     "the same, with the ladder", "flat, 10 %",
	"flat, AR(0.5) 5 %",       "a step every 25 s, 5 %",    "constant",
	"white noise of a factor", "a step every sample",       "all zero",
	"alternating 0 and 10^9",  "two of three missing",
};

static double value_of(enum kind kind, size_t i)
{
	if (kind == ZERO)
		return 0;
	if (kind == STEP_EACH)
		return 1000.0 * (double)(1 + i % 97);
	if (kind == EXTREMES)
		return i % 2 ? 1e9 : 0;
	return kind == NOT_NUMBERS && i % 3 ? (double)NAN : 50000;
}

static void make(enum kind kind, size_t n, struct gen_series *s)
{
	struct gen gen = { 1 };

	switch (kind) {
	case HOURLY:
	case HOURLY_LADDER:
		for (size_t i = 0; i * 3600 < n; i++)
			gen_level(&gen, s, i % 2 ? 75000 : 50000, 3600, 0.01, 0);
		break;
	case NOISY:
		gen_level(&gen, s, 50000, n, 0.1, 0);
		break;
	case CORRELATED:
		gen_level(&gen, s, 50000, n, 0.05, 0.5);
		break;
	case OFTEN:
		for (size_t i = 0; i * 25 < n; i++)
			gen_level(&gen, s, 25000.0 * (double)(1 + i % 7), 25, 0.05, 0);
		break;
	case WHITE:
		gen_level(&gen, s, 5000, n, 1, 0);
		break;
	case CONSTANT:
	case STEP_EACH:
	case ZERO:
	case EXTREMES:
	case NOT_NUMBERS:
	case KINDS:
		for (size_t i = 0; i < n; i++)
			gen_put(s, value_of(kind, i));
		break;
	}
	s->n = s->n < n ? s->n : n;
}

static double cpu_s(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double peak_mb(void)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

struct figures {
	double s, mb;
	size_t plateaus;
};

static void measure(enum kind kind, size_t n, struct figures *out)
{
	struct gen_series series = { .n = 0 };
	struct vs_ladder ladder;
	struct vs_run run;
	double before_mb;

	make(kind, n, &series);
	gen_run(&series, &run);
	gen_ladder(1024, &ladder);
	before_mb = peak_mb();
	out->s = 1e9;
	for (int i = 0; i < TIMES; i++) {
		struct vs_timeline timeline;
		struct vs_error err = { .code = VS_OK };
		double start_s = cpu_s();

		vs_timeline_init(&timeline);
		if (vs_analyse(&run, kind == HOURLY_LADDER ? &ladder : NULL, NULL, &timeline,
			       &err) != 0)
			exit(1);
		out->s = fmin(out->s, cpu_s() - start_s);
		out->plateaus = timeline.n_plateaus;
		vs_timeline_release(&timeline);
		/* of the first: what the allocator keeps for the next is not the analysis's */
		if (i == 0)
			out->mb = peak_mb() - before_mb;
	}
	vs_run_release(&run);
	gen_release(&series);
}

/* In a process of its own: the peak of memory is a process's. */
static struct figures figures_of(enum kind kind, size_t n)
{
	struct figures f = { 1e9, 1e9, 0 };
	int fds[2];
	pid_t child;
	int status;

	if (pipe(fds) != 0 || (child = fork()) < 0)
		exit(1);
	if (child == 0) {
		measure(kind, n, &f);
		_exit(write(fds[1], &f, sizeof(f)) == (ssize_t)sizeof(f) ? 0 : 1);
	}
	(void)close(fds[1]);
	if (read(fds[0], &f, sizeof(f)) != (ssize_t)sizeof(f))
		f = (struct figures){ 1e9, 1e9, 0 };
	(void)close(fds[0]);
	(void)waitpid(child, &status, 0);
	return f;
}

int main(void)
{
	double past_s = 0;
	int missed = 0;
	struct figures f;

	printf("%-28s %10s %8s %8s %10s\n", "series", "samples", "CPU s", "MB more", "plateaus");
	for (enum kind kind = HOURLY; kind < KINDS; kind++) {
		f = figures_of(kind, MILLION);
		printf("%-28s %10d %8.3f %8.1f %10zu%s\n", names[kind], MILLION, f.s, f.mb,
		       f.plateaus, f.s < LIMIT_S && f.mb < LIMIT_MB ? "" : "  MISSED");
		missed += !(f.s < LIMIT_S && f.mb < LIMIT_MB);
		(void)fflush(stdout);
	}
	f = figures_of(HOURLY, WEEK);
	printf("%-28s %10d %8.3f %8.1f %10zu%s\n", "a week, a step an hour", WEEK, f.s, f.mb,
	       f.plateaus, f.s < WEEK_S ? "" : "  MISSED");
	missed += !(f.s < WEEK_S);
	for (int i = LENGTHS - 1; i >= 0; i--) {
		size_t n = (size_t)MILLION >> i;
		double growth;

		f = figures_of(HOURLY, n);
		growth = past_s > 0 ? f.s / past_s / 2 : 1;
		printf("%-28s %10zu %8.3f %8.1f   x%.3f of linear%s\n", "growth", n, f.s, f.mb,
		       growth, growth <= GROWTH ? "" : "  MISSED");
		missed += !(growth <= GROWTH);
		past_s = f.s;
	}
	return missed != 0;
}
