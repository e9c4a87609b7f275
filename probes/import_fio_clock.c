#include <math.h>

#include "probes/import_fio_console.h"

#define MAX_STEP_S 10 /* what a percentage may jump by and still be believed as a clock */

/* The eta was cut off at the terminal's edge, or is nonsense. */
static double from_percent(struct vs_fio_clock *clock, double p, double next)
{
	double elapsed = p * clock->runtime_s;

	if (elapsed - clock->last_s <= MAX_STEP_S && elapsed >= clock->last_s)
		return elapsed;
	clock->by_index = true;
	return next;
}

static double from_both(struct vs_fio_clock *clock, double p, double eta, double next)
{
	double total = eta / (1 - p), spread = total * 0.0005 / (1 - p);
	double elapsed = eta * p / (1 - p);

	if (spread < 0.5) {
		elapsed = round(elapsed);
		clock->total_s = elapsed + eta;
		return elapsed;
	}
	if (isnan(clock->total_s))
		clock->total_s = round(total);
	if (fabs(clock->total_s - eta - elapsed) <= spread + 1)
		return clock->total_s - eta;
	return elapsed > next + spread ? elapsed : next;
}

double vs_fio_clock_elapsed(struct vs_fio_clock *clock, const struct vs_fio_status *status)
{
	double p = status->pct / 100, eta = status->eta_s, next = clock->last_s + clock->interval_s;

	if (isnan(p))
		return next;
	if (isnan(eta))
		return isnan(clock->runtime_s) || clock->by_index ? next
								  : from_percent(clock, p, next);
	if (p < 1)
		return from_both(clock, p, eta, next);
	return isnan(clock->total_s) || eta > clock->total_s ? next : clock->total_s - eta;
}
