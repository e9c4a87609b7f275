#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "series_text.h"

#include <math.h>
#include <stdlib.h>

#include "invariants.h"

void series_text(const char *text, struct gen_series *out)
{
	struct gen gen = { 4711 };

	*out = (struct gen_series){ .n = 0 };
	while (*text) {
		bool missing = *text == '-';
		char *end = (char *)(uintptr_t)text + 1;
		double value = missing ? (double)NAN : strtod(text, &end) * 1000;
		long count = 1;
		double noise = 0;

		if (*end == 'x')
			count = strtol(end + 1, &end, 10);
		if (*end == '~')
			noise = strtod(end + 1, &end) / 100;
		while (count-- > 0)
			gen_put(out, noise > 0 ? value * exp(noise * gen_normal(&gen)) : value);
		while (*end == ' ')
			end++;
		text = end;
	}
}

void analyse(struct analysed *a, double size_gb, const struct vs_analysis_options *options)
{
	struct vs_error err = { 0 };
	const char *broken;

	gen_ladder(size_gb, &a->ladder);
	vs_timeline_init(&a->timeline);
	if (vs_analyse(&a->run, size_gb > 0 ? &a->ladder : NULL, options, &a->timeline, &err) != 0)
		fail_msg("%s", err.text);
	broken = invariants_broken(&a->timeline);
	if (broken)
		fail_msg("not true: %s", broken);
}

void analyse_text(struct analysed *a, const char *text, double size_gb)
{
	struct gen_series series;

	series_text(text, &series);
	gen_run(&series, &a->run);
	gen_release(&series);
	analyse(a, size_gb, NULL);
}

void analysed_release(struct analysed *a)
{
	vs_timeline_release(&a->timeline);
	vs_run_release(&a->run);
}
