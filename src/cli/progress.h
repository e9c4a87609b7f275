/* What a person sees while a run goes on: one line that redraws itself, or a plain line a minute.
 */
#ifndef VS_CLI_PROGRESS_H
#define VS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sample.h"
#include "model/catalogue.h"

#define VS_PROGRESS_SPARKS 20

struct vs_progress {
	bool enabled;
	bool terminal;                    /* redraw one line; else a line a minute */
	bool utf8;                        /* block characters for the sparkline */
	int64_t total_ns;                 /* of the run; 0: no end is known */
	int64_t told_ns;                  /* run's time of the last plain line */
	int64_t drawn_ns;                 /* run's time of the last redraw */
	int columns;                      /* of the terminal, asked at each redraw; 0: no limit */
	double spark[VS_PROGRESS_SPARKS]; /* the last readings, IOPS, oldest first */
	int n_sparks;
};

struct vs_progress_state {
	int64_t at_ns; /* run's time */
	enum vs_phase phase;
	double iops;       /* now */
	double level_iops; /* the plateau; NAN before there is one */
	const char *tier;  /* its tier; NULL not known */
	uint64_t errors;
};

/* mode: "auto" (a terminal redraws, else plain lines), "always" (redraw), "never". */
void vs_progress_init(struct vs_progress *progress, const char *mode, int64_t total_ns);
/* Call with every reading. */
void vs_progress_put(struct vs_progress *progress, const struct vs_progress_state *state);
/* A line of its own above the progress line; also without progress. */
void vs_progress_say(struct vs_progress *progress, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Clears the line. */
void vs_progress_finish(struct vs_progress *progress);
/* The line's text, shorter than progress->columns, into text; for the terminal and for tests. */
void vs_progress_format(const struct vs_progress *progress, const struct vs_progress_state *state,
			char *text, size_t size);

#endif
