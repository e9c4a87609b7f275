#include "cli/progress.h"

#include <langinfo.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/run.h"
#include "base/units.h"
#include "cli/cli.h"

#define PLAIN_EVERY_NS  (60 * VS_NS_PER_SEC)
#define REDRAW_EVERY_NS (200 * VS_NS_PER_MS)

void vs_progress_init(struct vs_progress *progress, const char *mode, int64_t total_ns)
{
	*progress = (struct vs_progress){ .total_ns = total_ns };
	progress->enabled = strcmp(mode, "never") != 0;
	progress->terminal =
		strcmp(mode, "always") == 0 || (strcmp(mode, "auto") == 0 && isatty(STDERR_FILENO));
	progress->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void add_spark(struct vs_progress *progress, double iops)
{
	if (progress->n_sparks == VS_PROGRESS_SPARKS) {
		memmove(progress->spark, progress->spark + 1,
			(VS_PROGRESS_SPARKS - 1) * sizeof(progress->spark[0]));
		progress->n_sparks--;
	}
	progress->spark[progress->n_sparks++] = iops;
}

/* The last n readings. */
static void format_sparks(const struct vs_progress *progress, int n, char *text, size_t size)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const plain[] = { "_", ".", ":", "-", "=", "+", "*", "#" };
	double top = 1;
	size_t len = 0;

	text[0] = '\0';
	for (int i = 0; i < progress->n_sparks; i++)
		top = fmax(top, progress->spark[i]);
	for (int i = progress->n_sparks - n; i < progress->n_sparks && len + 4 < size; i++) {
		int height = (int)fmin(7, progress->spark[i] / top * 8);
		len += (size_t)snprintf(text + len, size - len, "%s",
					(progress->utf8 ? blocks : plain)[height]);
	}
}

/* "02:05", "1:02:05" */
static void format_clock(int64_t ns, char *text, size_t size)
{
	long long sec = ns > 0 ? (long long)(ns / VS_NS_PER_SEC) : 0;

	if (sec < 3600)
		(void)snprintf(text, size, "%02lld:%02lld", sec / 60, sec % 60);
	else
		(void)snprintf(text, size, "%lld:%02lld:%02lld", sec / 3600, sec / 60 % 60,
			       sec % 60);
}

void vs_progress_format(const struct vs_progress *progress, const struct vs_progress_state *state,
			char *text, size_t size)
{
	char elapsed[24], left[24] = "", now[VS_UNITS_TEXT_MAX], level[VS_UNITS_TEXT_MAX],
			  errors[40] = "";
	char plateau[120] = "";
	int n_sparks = progress->n_sparks, len;

	format_clock(state->at_ns, elapsed, sizeof(elapsed));
	if (progress->total_ns > 0) {
		memcpy(left, " left ", 7);
		format_clock(progress->total_ns - state->at_ns, left + 6, sizeof(left) - 6);
	}
	if (!isnan(state->level_iops))
		(void)snprintf(plateau, sizeof(plateau), " plateau %s%s%s",
			       vs_units_format_count(state->level_iops, level),
			       state->tier ? " tier " : "", state->tier ? state->tier : "");
	if (state->errors > 0)
		(void)snprintf(errors, sizeof(errors), " errors %llu",
			       (unsigned long long)state->errors);
	len = snprintf(text, size, "%s%s %s %s IOPS%s%s ", elapsed, left,
		       vs_phase_name(state->phase), vs_units_format_count(state->iops, now),
		       plateau, errors);
	/* a line that fills the last column would wrap, and leave its rest behind */
	if (progress->columns > 0 && len + n_sparks >= progress->columns)
		n_sparks = progress->columns - 1 > len ? progress->columns - 1 - len : 0;
	if (progress->columns > 0 && len >= progress->columns)
		text[progress->columns - 1] = '\0';
	else
		format_sparks(progress, n_sparks, text + len, size - (size_t)len);
}

void vs_progress_put(struct vs_progress *progress, const struct vs_progress_state *state)
{
	char text[320];
	int64_t *last_ns = progress->terminal ? &progress->drawn_ns : &progress->told_ns;

	add_spark(progress, state->iops);
	if (!progress->enabled ||
	    state->at_ns - *last_ns < (progress->terminal ? REDRAW_EVERY_NS : PLAIN_EVERY_NS))
		return;
	*last_ns = state->at_ns;
	progress->columns = vs_cli_columns(stderr);
	if (progress->columns <= 0)
		progress->columns = 80;
	if (!progress->terminal)
		progress->columns = 0;
	vs_progress_format(progress, state, text, sizeof(text));
	if (progress->terminal)
		(void)fprintf(stderr, "\r%s\033[K", text);
	else
		(void)fprintf(stderr, "%s\n", text);
	(void)fflush(stderr);
}

void vs_progress_finish(struct vs_progress *progress)
{
	if (progress->enabled && progress->terminal) {
		(void)fputs("\r\033[K", stderr);
		(void)fflush(stderr);
	}
}

void vs_progress_say(struct vs_progress *progress, const char *fmt, ...)
{
	va_list ap;

	vs_progress_finish(progress);
	va_start(ap, fmt);
	vs_cli_talk("", fmt, ap);
	va_end(ap);
}
