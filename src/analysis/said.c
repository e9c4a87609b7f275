#include "analysis/said.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define NEAR_INTERVALS 5    /* live and offline times of one step differ by at most so many */
#define NEAR_LEVEL     0.05 /* and their levels */
#define NEAR_SPREADS   2.0

/* A step as it was said live; corrections have been worked in. */
struct said {
	int64_t at_ns;
	int direction;             /* 1 up, -1 down, 0: the text does not say */
	double from_iops, to_iops; /* NAN: the text does not say */
	bool matched;
};

/* A count as people read it: "122,880". NAN when there is none. */
static double parse_count(const char *text, size_t len)
{
	double value = 0;
	size_t digits = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == ',')
			continue;
		if (text[i] < '0' || text[i] > '9')
			return (double)NAN;
		value = value * 10 + (text[i] - '0');
		digits++;
	}
	return digits ? value : (double)NAN;
}

static struct said parse(const struct vs_event *event)
{
	struct said s = { .at_ns = event->at_ns, .from_iops = (double)NAN, .to_iops = (double)NAN };
	const char *arrow = strstr(event->text, " -> ");
	const char *from = arrow;

	if (strncmp(event->text, "step up", 7) == 0)
		s.direction = 1;
	else if (strncmp(event->text, "step down", 9) == 0)
		s.direction = -1;
	if (!arrow)
		return s;
	while (from > event->text && from[-1] != ' ')
		from--;
	s.from_iops = parse_count(from, (size_t)(arrow - from));
	s.to_iops = parse_count(arrow + 4, strcspn(arrow + 4, " "));
	if (s.direction == 0 && s.to_iops > s.from_iops)
		s.direction = 1;
	else if (s.direction == 0 && s.to_iops < s.from_iops)
		s.direction = -1;
	return s;
}

/* A correction replaces what it corrects; one that leads back to the old level takes it back. */
static size_t collect_said(const struct vs_run *run, struct said *out)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_events; i++) {
		const struct vs_event *event = &run->events[i];
		bool correction = strcmp(event->kind, VS_SAID_CORRECTION) == 0;

		if (!correction && strcmp(event->kind, VS_SAID_STEP) != 0 &&
		    strcmp(event->kind, "step") != 0)
			continue;
		if (correction && n)
			n--;
		out[n] = parse(event);
		if (!correction || out[n].direction != 0)
			n++;
	}
	return n;
}

struct comparison {
	const struct vs_timeline *timeline;
	const struct vs_sink *sink;
	struct said *said;
	size_t n;
	size_t n_emitted;
};

static int differ(struct comparison *c, int64_t at_ns, const char *text, struct vs_error *err)
{
	const struct vs_run *run = c->timeline->run;

	for (size_t i = 0; i < run->n_events; i++)
		if (run->events[i].at_ns == at_ns &&
		    strcmp(run->events[i].kind, VS_SAID_DIFFERENCE) == 0 &&
		    strcmp(run->events[i].text, text) == 0)
			return 0;
	c->n_emitted++;
	return vs_sink_event(c->sink, at_ns, VS_SAID_DIFFERENCE, err, "%s", text);
}

/* The step told live that is this one: within reach of its bounds, the nearest. */
static struct said *find_said(const struct comparison *c, const struct vs_step *step)
{
	int64_t slack_ns = NEAR_INTERVALS * c->timeline->run->interval_ns;
	struct said *best = NULL;

	for (size_t i = 0; i < c->n; i++) {
		struct said *s = &c->said[i];

		if (s->matched || s->at_ns < step->at_low_ns - slack_ns ||
		    s->at_ns > step->at_high_ns + slack_ns)
			continue;
		if (!best || llabs(s->at_ns - step->at_ns) < llabs(best->at_ns - step->at_ns))
			best = s;
	}
	return best;
}

static bool agrees(const struct vs_plateau *to, const struct vs_step *step, const struct said *s)
{
	double apart = fabs(log(s->to_iops / to->iops));

	if (s->direction != 0 && (s->direction > 0) != (step->direction == VS_UP))
		return false;
	return isnan(apart) || apart <= NEAR_LEVEL || apart <= NEAR_SPREADS * to->spread_pct / 100;
}

static void describe(const struct said *s, char *text, size_t size)
{
	char from[VS_UNITS_TEXT_MAX], to[VS_UNITS_TEXT_MAX];

	if (isnan(s->from_iops) || isnan(s->to_iops))
		(void)snprintf(text, size, "a step at %.1f s", (double)s->at_ns / 1e9);
	else
		(void)snprintf(text, size, "a step %s at %.1f s, %s -> %s IOPS",
			       s->direction > 0 ? "up" : "down", (double)s->at_ns / 1e9,
			       vs_units_format_count(s->from_iops, from),
			       vs_units_format_count(s->to_iops, to));
}

static int compare_step(struct comparison *c, const struct vs_step *step, struct vs_error *err)
{
	const struct vs_plateau *from = &c->timeline->plateaus[step->from];
	const struct vs_plateau *to = &c->timeline->plateaus[step->to];
	struct said *s = find_said(c, step);
	struct said found = { .at_ns = step->at_ns,
			      .direction = step->direction == VS_UP ? 1 : -1,
			      .from_iops = from->iops,
			      .to_iops = to->iops };
	char whole[160], live[160], text[400];

	/* A plateau that the provider's word alone tells was never seen live. */
	if (from->samples == 0 || to->samples == 0)
		return 0;
	describe(&found, whole, sizeof(whole));
	if (s) {
		s->matched = true;
		if (agrees(to, step, s))
			return 0;
		describe(s, live, sizeof(live));
		(void)snprintf(text, sizeof(text), "live: %s; the whole recording: %s", live,
			       whole);
	} else {
		(void)snprintf(text, sizeof(text), "live: no step; the whole recording: %s", whole);
	}
	return differ(c, step->at_ns, text, err);
}

int vs_said_compare(const struct vs_timeline *timeline, const struct vs_sink *sink, size_t *n_out,
		    struct vs_error *err)
{
	struct comparison c = { .timeline = timeline, .sink = sink };
	char live[160], text[400];
	int rc = 0;

	c.said = calloc(timeline->run->n_events + 1, sizeof(*c.said));
	if (!c.said)
		return vs_error_nomem(err);
	c.n = collect_said(timeline->run, c.said);
	for (size_t k = 0; k < timeline->n_steps && rc == 0; k++)
		rc = compare_step(&c, &timeline->steps[k], err);
	for (size_t i = 0; i < c.n && rc == 0; i++) {
		if (c.said[i].matched)
			continue;
		describe(&c.said[i], live, sizeof(live));
		(void)snprintf(text, sizeof(text), "live: %s; the whole recording: no step there",
			       live);
		rc = differ(&c, c.said[i].at_ns, text, err);
	}
	free(c.said);
	*n_out = c.n_emitted;
	return rc;
}
