#include "probes/trouble.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define TOLD_MAX  8
#define LOST_NS   (2 * VS_NS_PER_SEC)
#define QUIET_NS  (10 * VS_NS_PER_SEC) /* without an error: the episode is over */
#define HANG_NS   (10 * VS_NS_PER_SEC)
#define CALM      2   /* intervals at the old rate: the catch-up is over */
#define REST_MAX  10  /* intervals; what goes on for longer is a new level */
#define EXCESS    1.1 /* of the rate before: a catch-up */
#define WINDOW_NS (5 * VS_NS_PER_SEC)
#define MISMATCH  0.01 /* of our count */
#define WINDOWS   2    /* in a row */

bool vs_trouble_is_told(struct vs_trouble_times *times)
{
	times->n++;
	return times->n <= TOLD_MAX || (times->n & (times->n - 1)) == 0;
}

/* Behind what is not told each time: " (the 32nd time)", without the grammar. */
static const char *format_times(const struct vs_trouble_times *times, char text[40])
{
	text[0] = '\0';
	if (times->n > TOLD_MAX)
		(void)snprintf(text, 40, " (time no. %llu)", (unsigned long long)times->n);
	return text;
}

void vs_trouble_init(struct vs_trouble *t, const char *name, uint32_t block_bytes, bool is_device,
		     uint64_t split_bytes, uint64_t size_bytes)
{
	*t = (struct vs_trouble){ .name = name,
				  .block_bytes = block_bytes,
				  .split_bytes = split_bytes,
				  .is_device = is_device,
				  .size_bytes = size_bytes };
}

static uint64_t count_of(const struct vs_load_failures *failures, int errnum)
{
	for (size_t i = 0; i < VS_LOAD_ERRNOS; i++)
		if (failures[i].count > 0 && failures[i].errnum == errnum)
			return failures[i].count;
	return 0;
}

/* "1,200 Input/output error, 34 came back short": what has failed since `before` (NULL: ever). */
static uint64_t format_failures(const struct vs_load_failures *now,
				const struct vs_load_failures *before, char *text, size_t size)
{
	char reason[80], count[VS_UNITS_TEXT_MAX];
	uint64_t total = 0;
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < VS_LOAD_ERRNOS && len < size; i++) {
		uint64_t n = now[i].count;
		const char *why;

		if (before)
			n -= count_of(before, now[i].errnum);
		if (n == 0)
			continue;
		why = now[i].errnum == VS_LOAD_SHORT ? "came back short"
		      : now[i].errnum == 0           ? "of further kinds"
					   : strerror_r(now[i].errnum, reason, sizeof(reason));
		len += (size_t)snprintf(text + len, size - len, "%s%s %s", total ? ", " : "",
					vs_units_format_count((double)n, count), why);
		total += n;
	}
	return total;
}

static void begin_errors(struct vs_trouble *t, const struct vs_trouble_reading *r,
			 const struct vs_sink *sink)
{
	char kinds[160], times[40];

	t->failing = true;
	t->failing_since_ns = r->sample->end_ns - r->sample->length_ns;
	if (!vs_trouble_is_told(&t->errors_told))
		return;
	(void)format_failures(r->load->failures, t->before, kinds, sizeof(kinds));
	(void)vs_sink_event(sink, r->sample->end_ns, "io-error", NULL,
			    "reads of '%.100s' fail (%s); the run goes on and tries again%s",
			    t->name, kinds, format_times(&t->errors_told, times));
}

static void end_errors(struct vs_trouble *t, const struct vs_trouble_reading *r,
		       const struct vs_sink *sink)
{
	char kinds[160], span[VS_UNITS_TEXT_MAX], times[40];
	struct vs_trouble_times *told = t->lost ? &t->back_told : &t->over_told;
	int64_t length_ns = t->failed_last_ns - t->failing_since_ns;

	(void)format_failures(r->load->failures, t->before, kinds, sizeof(kinds));
	if (vs_trouble_is_told(told))
		(void)vs_sink_event(sink, r->sample->end_ns,
				    t->lost ? "target-back" : "io-error-over", NULL,
				    "'%.100s' is read %s: within %s failed %s%s", t->name,
				    t->lost ? "again" : "without errors again",
				    vs_units_format_duration(length_ns, span), kinds,
				    format_times(told, times));
	memcpy(t->before, r->load->failures, sizeof(t->before));
	t->failing = t->lost = false;
}

static void watch_errors(struct vs_trouble *t, const struct vs_trouble_reading *r,
			 const struct vs_sink *sink)
{
	char kinds[160], span[VS_UNITS_TEXT_MAX], times[40];
	int64_t now_ns = r->sample->end_ns;
	bool all_fail = r->failing_since_ns >= 0;

	if (r->sample->errors > 0) {
		t->failed_last_ns = now_ns;
		if (!t->failing)
			begin_errors(t, r, sink);
	}
	if (!t->failing)
		return;
	if (all_fail && !t->lost && now_ns - r->failing_since_ns >= LOST_NS) {
		t->lost = true;
		(void)format_failures(r->load->failures, t->before, kinds, sizeof(kinds));
		if (vs_trouble_is_told(&t->lost_told))
			(void)vs_sink_event(
				sink, now_ns, "target-lost", NULL,
				"every read of '%.100s' has failed for %s (%s); it is tried again "
				"once a second and taken up when it is back%s",
				t->name,
				vs_units_format_duration(now_ns - r->failing_since_ns, span), kinds,
				format_times(&t->lost_told, times));
	} else if (t->lost && !all_fail && r->sample->ios > 0) {
		end_errors(t, r, sink);
	} else if (!all_fail && now_ns - t->failed_last_ns >= QUIET_NS) {
		end_errors(t, r, sink);
	}
}

static void watch_size(struct vs_trouble *t, const struct vs_trouble_reading *r,
		       const struct vs_sink *sink)
{
	uint64_t size = r->load->size_bytes;
	bool shrank = size < t->size_bytes;
	char times[40];

	if (size == t->size_bytes)
		return;
	if (vs_trouble_is_told(&t->size_told))
		(void)vs_sink_event(sink, r->sample->end_ns,
				    shrank ? "target-shrank" : "target-grew", NULL,
				    "'%.100s' %s from %llu to %llu bytes; %s%s", t->name,
				    shrank ? "shrank" : "is back",
				    (unsigned long long)t->size_bytes, (unsigned long long)size,
				    shrank ? "reads stay below its new end" : "all of it is read",
				    format_times(&t->size_told, times));
	t->size_bytes = size;
}

static void tell_hang(struct vs_trouble *t, const struct vs_sample *s, const struct vs_sink *sink)
{
	char span[VS_UNITS_TEXT_MAX], times[40];

	t->hang_told = true;
	if (vs_trouble_is_told(&t->hang_told_n))
		(void)vs_sink_event(
			sink, s->end_ns, "hang", NULL,
			"no read of '%.100s' has completed for %s and %u are in flight; "
			"the run waits for them ('dmesg' may say why)%s",
			t->name, vs_units_format_duration(s->end_ns - t->stall_since_ns, span),
			s->inflight, format_times(&t->hang_told_n, times));
}

static void end_stall(struct vs_trouble *t, const struct vs_sample *s, const struct vs_sink *sink)
{
	char span[VS_UNITS_TEXT_MAX], since[VS_UNITS_TEXT_MAX], rest[96] = "", times[40];

	if (t->rest > 0 && t->rate_iops > 0)
		(void)snprintf(
			rest, sizeof(rest),
			"; the %d intervals behind it caught up, at up to %.1f times the rate",
			t->rest, t->peak_iops / t->rate_iops);
	if (vs_trouble_is_told(&t->stall_told))
		(void)vs_sink_event(sink, s->end_ns, "stall", NULL,
				    "'%.100s' stalled at %s: no read completed for %s, %u were in "
				    "flight%s%s",
				    t->name, vs_units_format_duration(t->stall_since_ns, since),
				    vs_units_format_duration(t->stall_length_ns, span),
				    t->stall_inflight, rest, format_times(&t->stall_told, times));
	t->stalled = false;
}

static void put_stall(struct vs_trouble *t, const struct vs_sample *s, const struct vs_sink *sink)
{
	int64_t length_ns;

	if (!t->stalled) {
		t->stalled = true;
		t->hang_told = false;
		t->stall_since_ns = s->end_ns - s->length_ns;
		t->stall_length_ns = 0;
		t->stall_inflight = s->inflight;
		t->rest = 0;
		t->peak_iops = 0;
	}
	length_ns = s->end_ns - t->stall_since_ns;
	t->stall_length_ns = s->oldest_ns > length_ns ? s->oldest_ns : length_ns;
	if (s->inflight > t->stall_inflight)
		t->stall_inflight = s->inflight;
	t->calm = 0;
	if (!t->hang_told && length_ns >= HANG_NS)
		tell_hang(t, s, sink);
}

static void watch_stall(struct vs_trouble *t, const struct vs_trouble_reading *r,
			const struct vs_sink *sink)
{
	const struct vs_sample *s = r->sample;
	double rate = s->ios * 1e9 / (double)s->length_ns;
	bool active = s->phase != VS_PHASE_IDLE;

	/* in flight for the whole interval, with some room for how exactly it was cut */
	if (!(s->ios > 0) && s->errors == 0 && s->inflight > 0 &&
	    s->oldest_ns >= s->length_ns - s->length_ns / 10) {
		put_stall(t, s, sink);
		return;
	}
	if (!t->stalled) {
		if (active && s->ios > 0) {
			t->rate_iops = fmax(rate, t->rate_last_iops);
			t->rate_last_iops = rate;
		}
		return;
	}
	/* the reads that hung say how long it was, finer than the intervals do */
	if (t->rest == 0 && t->calm == 0 && s->lat_max_ns > t->stall_length_ns)
		t->stall_length_ns = s->lat_max_ns;
	if (active && t->rate_iops > 0 && rate > EXCESS * t->rate_iops && t->rest < REST_MAX) {
		t->rest++;
		t->peak_iops = fmax(t->peak_iops, rate);
		t->calm = 0;
	} else if (++t->calm >= CALM || !active) {
		end_stall(t, s, sink);
	}
}

static void tell_mismatch(struct vs_trouble *t, const struct vs_sample *s,
			  const struct vs_sink *sink)
{
	const char *why = "somebody else reads it as well, and shares its ceiling";
	char ours[VS_UNITS_TEXT_MAX], theirs[VS_UNITS_TEXT_MAX], times[40], split[120];

	if (t->theirs < t->ours)
		why = t->merges > 0 ? "neighbouring reads are merged on the way"
				    : "some are answered on the way";
	else if (t->split_bytes > 0 && t->block_bytes > t->split_bytes) {
		(void)snprintf(split, sizeof(split),
			       "the kernel splits each, it reads at most %llu KiB at a time; "
			       "'--bs %lluk' makes one of one",
			       (unsigned long long)t->split_bytes >> 10,
			       (unsigned long long)t->split_bytes >> 10);
		why = split;
	}
	if (vs_trouble_is_told(&t->mismatch_told))
		(void)vs_sink_event(
			sink, s->end_ns, "device-mismatch", NULL,
			"of '%.100s' the kernel counted %s reads where %s were ours: %s; "
			"plateaus are judged by the device's count%s",
			t->name, vs_units_format_count((double)t->theirs, theirs),
			vs_units_format_count((double)t->ours, ours), why,
			format_times(&t->mismatch_told, times));
}

/*
 * The two counts are of moments that lie a little apart, by up to all reads in flight; so a window
 * may be out by that, and one alone says nothing.
 */
static void watch_device(struct vs_trouble *t, const struct vs_trouble_reading *r,
			 const struct vs_sink *sink)
{
	const struct vs_sample *s = r->sample;
	double slack;

	if (!t->is_device || s->device_reads < 0 || s->phase == VS_PHASE_IDLE)
		return;
	t->ours += (uint64_t)s->ios;
	t->failed += s->errors;
	t->theirs += (uint64_t)s->device_reads;
	t->merges += s->device_merges > 0 ? (uint64_t)s->device_merges : 0;
	t->counted_ns += s->length_ns;
	if (s->inflight > t->inflight_max)
		t->inflight_max = s->inflight;
	if (t->counted_ns < WINDOW_NS)
		return;
	slack = MISMATCH * (double)t->ours + (double)t->inflight_max;
	if ((double)t->theirs < (double)t->ours - slack ||
	    (double)t->theirs > (double)(t->ours + t->failed) + slack) {
		if (++t->mismatches == WINDOWS)
			tell_mismatch(t, s, sink);
	} else {
		t->mismatches = 0;
	}
	t->ours = t->failed = t->theirs = t->merges = 0;
	t->counted_ns = 0;
	t->inflight_max = 0;
}

void vs_trouble_watch(struct vs_trouble *t, const struct vs_trouble_reading *reading,
		      const struct vs_sink *sink)
{
	watch_errors(t, reading, sink);
	watch_size(t, reading, sink);
	watch_stall(t, reading, sink);
	watch_device(t, reading, sink);
}

void vs_trouble_finish(struct vs_trouble *t, const struct vs_trouble_reading *reading,
		       const struct vs_sink *sink)
{
	char kinds[240], total[VS_UNITS_TEXT_MAX];
	uint64_t n;

	if (t->stalled)
		end_stall(t, reading->sample, sink);
	n = format_failures(reading->load->failures, NULL, kinds, sizeof(kinds));
	if (n > 0)
		(void)vs_sink_event(sink, reading->sample->end_ns, "io-error-total", NULL,
				    "%s reads of '%.60s' failed in all: %s",
				    vs_units_format_count((double)n, total), t->name, kinds);
}
