/* Rows of a windowed log as intervals: which stretch of time a row speaks for. */
#include <math.h>
#include <stdlib.h>

#include "probes/import_context.h"
#include "probes/import_fio_logs.h"

#define LONGEST_GAP_NS ((int64_t)36000 * 1000000000) /* no job is silent for longer */

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The round number of milliseconds that a user may have asked for and rows 0 to 25 % apart more. */
static int64_t round_step(int64_t step_ns)
{
	static const int64_t steps_ms[] = { 1,   2,   5,    10,   20,   25,   50,    100,   200,
					    250, 500, 1000, 2000, 3000, 5000, 10000, 30000, 60000 };

	for (size_t i = sizeof(steps_ms) / sizeof(steps_ms[0]); i-- > 0;) {
		int64_t ns = steps_ms[i] * 1000000;
		if (step_ns >= ns - ns / 50 && step_ns <= ns + ns / 4)
			return ns;
	}
	return step_ns;
}

void vs_fio_steps_add(int64_t *times_ns, size_t *n, uint64_t *base_ms, uint64_t time_ms)
{
	if (*n == 0 && time_ms > VS_FIO_EPOCH_MS)
		*base_ms = time_ms;
	if (time_ms >= *base_ms && time_ms - *base_ms <= VS_FIO_EPOCH_MS)
		times_ns[(*n)++] = (int64_t)(time_ms - *base_ms) * 1000000;
}

struct vs_fio_steps vs_fio_steps_of(const int64_t *times_ns, size_t n, int64_t log_avg_ms)
{
	int64_t asked_ns = log_avg_ms > 0 && log_avg_ms < 1000000 ? log_avg_ms * 1000000 : 0;
	struct vs_fio_steps steps = { .step_ns = asked_ns ? asked_ns : 1000000000 };
	int64_t lengths[VS_FIO_LOOK_ROWS];
	size_t m = 0, as_asked = 0;

	VS_ASSERT(n <= VS_FIO_LOOK_ROWS);
	for (size_t i = 1; i < n; i++)
		if (times_ns[i] > times_ns[i - 1])
			lengths[m++] = times_ns[i] - times_ns[i - 1];
	for (size_t i = 0; i < m; i++)
		as_asked += asked_ns && llabs(lengths[i] - asked_ns) <= asked_ns / 5;
	if (m) {
		qsort(lengths, m, sizeof(lengths[0]), by_length);
		steps.step_ns = lengths[m / 2];
		/* Where most windows are silent, rows usually stand farther apart than was asked.
		 */
		if (as_asked >= 2 && steps.step_ns > asked_ns)
			steps.step_ns = asked_ns;
	} else if (n && !asked_ns && times_ns[0] > 0 && times_ns[0] < steps.step_ns) {
		steps.step_ns = times_ns[0];
	}
	steps.nominal_ns = asked_ns && llabs(steps.step_ns - asked_ns) <= asked_ns / 4
				   ? asked_ns
				   : round_step(steps.step_ns);
	return steps;
}

int vs_fio_logs_put(struct vs_import *im, size_t *at, int64_t start_ns, int64_t end_ns,
		    const struct vs_grid_amount *amount, struct vs_error *err)
{
	const struct vs_grid *grid = &im->logs->grid;
	bool kept;

	if (grid->n && end_ns - grid->end_ns > LONGEST_GAP_NS) {
		vs_import_skip(im, "a time that cannot be");
		return 0;
	}
	if (vs_grid_put(&im->logs->grid, at, start_ns, end_ns, amount, &kept, err) != 0)
		return -1;
	if (!kept)
		vs_import_skip(im, "it lies before the first log's start");
	return 0;
}

static int fill_gap(struct vs_import *im, struct vs_fio_window *window, int64_t start_ns,
		    const struct vs_fio_steps *steps, struct vs_error *err)
{
	double seconds = (double)(start_ns - window->last_ns) / 1e9;
	struct vs_grid_amount silence = { .zero_s = seconds };

	im->logs->zero_s += seconds;
	im->logs->zero_rows += (uint64_t)((start_ns - window->last_ns) / steps->step_ns);
	return vs_fio_logs_put(im, &window->at, window->last_ns, start_ns, &silence, err);
}

/*
 * fio's own clock of windows goes on by the nominal length at every window, silent or not: how long
 * ago it says that this one began.
 */
static double counted_length(struct vs_fio_window *window, const struct vs_fio_span *span,
			     const struct vs_fio_steps *steps)
{
	int64_t since_ns = span->end_ns - window->last_ns, from_ns;

	if (since_ns > steps->step_ns * 3 / 2)
		window->counted_ns +=
			((since_ns + steps->step_ns / 2) / steps->step_ns - 1) * steps->nominal_ns;
	from_ns = window->counted_ns < span->start_ns ? window->counted_ns : span->start_ns;
	window->counted_ns = from_ns + steps->nominal_ns;
	return (double)(span->end_ns - from_ns) / 1e9;
}

int vs_fio_window_next(struct vs_import *im, struct vs_fio_window *window, int64_t end_ns,
		       const struct vs_fio_steps *steps, bool counts, struct vs_fio_span *span_out,
		       enum vs_fio_verdict *verdict, struct vs_error *err)
{
	int64_t since_ns, start_ns;

	*verdict = VS_FIO_ROW_SKIPPED;
	if (!window->any) {
		/* A first window is that from the start, unless the log begins in mid-run. */
		bool from_start = !im->logs->epoch && end_ns <= steps->step_ns * 3 / 2;
		window->first_ns = from_start ? 0 : end_ns - steps->step_ns;
		window->last_ns = window->counted_ns = window->first_ns;
		/* fio's clock of windows began at 0, however late its sampler woke first. */
		if (!im->logs->epoch && end_ns <= steps->step_ns * 20)
			window->counted_ns = 0;
	}
	since_ns = end_ns - window->last_ns;
	if (since_ns < 0 && since_ns <= -steps->step_ns / 2) {
		*verdict = VS_FIO_ROW_BACK;
		return 0;
	}
	if (since_ns <= 0) {
		vs_import_skip(im, since_ns < 0 ? "its time lies before the row above"
						: "a second row at the same time");
		return 0;
	}
	if (since_ns > LONGEST_GAP_NS) {
		vs_import_skip(im, "a time that cannot be");
		return 0;
	}
	start_ns = window->last_ns;
	if (since_ns > steps->step_ns * 3 / 2) {
		start_ns = end_ns - steps->step_ns;
		if (counts && fill_gap(im, window, start_ns, steps, err) != 0)
			return -1;
	}
	*span_out = (struct vs_fio_span){ .start_ns = start_ns, .end_ns = end_ns };
	span_out->fixed_s = counted_length(window, span_out, steps);
	window->any = true;
	window->last_ns = end_ns;
	*verdict = VS_FIO_ROW_OK;
	return 0;
}
