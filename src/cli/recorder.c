#include "cli/recorder.h"

#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define TAKE_MAX VS_RECORDER_BUFFER_MIN

/* One interval of all targets together, or one probe: what the live detector reads. */
struct reading {
	int64_t start_ns, end_ns;
	double ios;
	uint32_t inflight;
	enum vs_phase phase;
	size_t n_targets; /* that have reported */
};

struct recorder {
	const struct vs_recorder_options *opt;
	struct vs_recorder_result *result;
	struct vs_sink sink;
	struct vs_live *live;
	struct vs_item *unsaved; /* ring of opt->buffer_items */
	size_t head, n_unsaved;
	bool trouble;        /* the last save failed */
	bool moved;          /* the database's file was taken away */
	int64_t retry_at_ns; /* monotonic */
	uint64_t lost;       /* not yet recorded as an event */
	bool lost_told;      /* but the person knows */
	struct reading reading;
	double probe_last[2]; /* readings of the probe under way, the newest last */
	int n_probe;
	int64_t probe_start_ns;
	int64_t last_read_ns; /* run's time of the last interval in which something was read */
	bool ended, stopping;
};

static void write_event(struct recorder *r, int64_t at_ns, const char *kind, const char *text)
{
	json_t *line;

	if (!r->opt->events)
		return;
	line = json_pack("{s:f, s:s, s:s}", "at_s", round((double)at_ns / 1e6) / 1e3, "kind", kind,
			 "text", text);
	if (line && json_dumpf(line, r->opt->events, JSON_COMPACT | JSON_REAL_PRECISION(12)) == 0) {
		(void)fputc('\n', r->opt->events);
		(void)fflush(r->opt->events);
	}
	json_decref(line);
}

/* Keeps an item until it is saved. A full ring loses the newest: what is there is a whole prefix.
 */
static void keep(struct recorder *r, const struct vs_item *item)
{
	size_t cap = r->opt->buffer_items;

	if (r->n_unsaved == cap) {
		r->lost++;
		r->result->lost++;
		return;
	}
	r->unsaved[(r->head + r->n_unsaved) % cap] = *item;
	r->n_unsaved++;
}

static void tell(struct recorder *r, int64_t at_ns, const char *kind, const char *fmt, ...)
	VS_PRINTF(4, 5);

/* An event of the recorder's own: kept, written to --events, and said to the person. */
static void tell(struct recorder *r, int64_t at_ns, const char *kind, const char *fmt, ...)
{
	struct vs_item item = { .kind = VS_ITEM_EVENT, .at_ns = at_ns };
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(item.event.text, sizeof(item.event.text), fmt, ap);
	va_end(ap);
	(void)snprintf(item.event.kind, sizeof(item.event.kind), "%s", kind);
	keep(r, &item);
	write_event(r, at_ns, kind, item.event.text);
	vs_progress_say(r->opt->progress, "%s", item.event.text);
}

/* Said at once, because there is no room for an event until the database takes what waits. */
static void tell_lost(struct recorder *r)
{
	static const char text[] = "no room is left in memory for what the database does not "
				   "take: samples are being lost";

	if (r->lost == 0 || r->lost_told)
		return;
	r->lost_told = true;
	write_event(r, r->result->end_ns, "losing-samples", text);
	vs_progress_say(r->opt->progress, "%s", text);
}

static void stop_sampling(struct recorder *r)
{
	if (r->opt->sampler)
		vs_sampler_stop(r->opt->sampler);
}

static const char *tier_of(const struct recorder *r, double iops)
{
	uint64_t fit;

	if (!r->opt->ladder || isnan(iops))
		return NULL;
	fit = vs_ladder_fit(r->opt->ladder, iops, r->opt->block_bytes);
	if (fit == 0 || (fit & (fit - 1)) != 0)
		return NULL;
	return r->opt->ladder->tiers[__builtin_ctzll(fit)].name;
}

/* " (tier 10 -> 20)", or "" when a tier is not known */
static void format_tiers(const struct recorder *r, const struct vs_live_step *step, char *text,
			 size_t size)
{
	const char *from = tier_of(r, step->from_iops), *to = tier_of(r, step->to_iops);

	text[0] = '\0';
	if (from && to)
		(void)snprintf(text, size, ", tier %s -> %s", from, to);
	else if (to)
		(void)snprintf(text, size, ", tier %s", to);
}

static void announce(struct recorder *r, const struct vs_live_step *step)
{
	char from[VS_UNITS_TEXT_MAX], to[VS_UNITS_TEXT_MAX], tiers[80];
	double at_s = (double)step->at_ns / 1e9;
	const char *direction = step->to_iops > step->from_iops ? "up" : "down";

	format_tiers(r, step, tiers, sizeof(tiers));
	(void)vs_units_format_count(step->from_iops, from);
	(void)vs_units_format_count(step->to_iops, to);
	switch (step->news) {
	case VS_LIVE_NOTHING:
		break;
	case VS_LIVE_SUSPECT:
		write_event(r, step->at_ns, "suspect", "the level may be changing");
		break;
	case VS_LIVE_CONFIRMED:
		tell(r, step->at_ns, "live-step", "step %s at %.1f s: %s -> %s IOPS%s", direction,
		     at_s, from, to, tiers);
		break;
	case VS_LIVE_CORRECTED:
		tell(r, step->at_ns, "live-correction",
		     "correction: the step at %.1f s went %s -> %s IOPS%s", at_s, from, to, tiers);
		break;
	}
}

/* A detector that fails costs the announcements and not the recording. */
static void detect(struct recorder *r, int64_t start_ns, int64_t end_ns, double iops)
{
	struct vs_live_step step = { .news = VS_LIVE_NOTHING };
	struct vs_error why = { 0 };

	if (!r->live)
		return;
	if (vs_live_put(r->live, start_ns, end_ns, iops, &step, &why) == 0) {
		announce(r, &step);
		return;
	}
	vs_live_free(r->live);
	r->live = NULL;
	tell(r, end_ns, "live-detection-ended",
	     "steps are no longer announced (%s); the report will have them", why.text);
}

/* A probe's value is taken after its opening burst: the lower of the last two readings. */
static void finish_probe(struct recorder *r, int64_t end_ns)
{
	double iops = r->probe_last[1];

	if (r->n_probe > 1)
		iops = fmin(iops, r->probe_last[0]);
	r->n_probe = 0;
	detect(r, r->probe_start_ns, end_ns, iops);
}

static void put_reading(struct recorder *r, const struct reading *in)
{
	double length_s = (double)(in->end_ns - in->start_ns) / 1e9;
	double iops = length_s > 0 ? in->ios / length_s : 0;
	struct vs_progress_state state = {
		.at_ns = in->end_ns, .phase = in->phase, .iops = iops, .errors = r->result->errors
	};

	if (in->ios > 0 || in->phase == VS_PHASE_IDLE)
		r->last_read_ns = in->end_ns;
	if (in->phase == VS_PHASE_PROBE) {
		if (r->n_probe == 0)
			r->probe_start_ns = in->start_ns;
		r->probe_last[0] = r->probe_last[1];
		r->probe_last[1] = iops;
		r->n_probe++;
	} else if (r->n_probe > 0) {
		finish_probe(r, in->start_ns);
	}
	if (in->phase == VS_PHASE_LOAD)
		detect(r, in->start_ns, in->end_ns, iops);
	state.level_iops = r->live ? vs_live_level(r->live) : (double)NAN;
	state.tier = tier_of(r, state.level_iops);
	vs_progress_put(r->opt->progress, &state);
}

/* Samples of one interval come one a target, one after another. */
static void add_sample(struct recorder *r, const struct vs_sample *sample)
{
	struct reading *in = &r->reading;

	r->result->end_ns = sample->end_ns;
	r->result->ios += sample->ios;
	r->result->errors += sample->errors;
	if (in->n_targets > 0 && in->end_ns != sample->end_ns)
		*in = (struct reading){ 0 };
	in->start_ns = sample->end_ns - sample->length_ns;
	in->end_ns = sample->end_ns;
	in->phase = (enum vs_phase)sample->phase;
	in->ios += sample->ios;
	if (++in->n_targets < r->opt->n_targets)
		return;
	in->n_targets = 0;
	put_reading(r, in);
	*in = (struct reading){ 0 };
}

static void take_item(struct recorder *r, const struct vs_item *item)
{
	char text[64];

	switch (item->kind) {
	case VS_ITEM_END:
		r->ended = true;
		break;
	case VS_ITEM_SAMPLE:
		keep(r, item);
		add_sample(r, &item->sample);
		break;
	case VS_ITEM_PHASE:
		keep(r, item);
		(void)snprintf(text, sizeof(text), "%s begins", vs_phase_name(item->phase));
		write_event(r, item->at_ns, "phase", text);
		break;
	case VS_ITEM_EVENT:
		keep(r, item);
		write_event(r, item->at_ns, item->event.kind, item->event.text);
		vs_progress_say(r->opt->progress, "%s", item->event.text);
		break;
	case VS_ITEM_OBSERVATION:
		keep(r, item);
		break;
	}
}

/* An item may bring an event of the recorder's own with it, so each takes two places. */
static size_t may_take(const struct recorder *r)
{
	size_t places = (r->opt->buffer_items - r->n_unsaved) / 2;

	return r->trouble || places > TAKE_MAX ? TAKE_MAX : places;
}

static void drain(struct recorder *r)
{
	static struct vs_item items[TAKE_MAX];
	uint64_t dropped;
	size_t n, most;

	/* while the database is well, what comes faster than it is saved waits in the queue */
	while ((most = may_take(r)) > 0 && (n = vs_queue_take(r->opt->queue, items, most)) > 0)
		for (size_t i = 0; i < n; i++)
			take_item(r, &items[i]);
	dropped = vs_queue_take_dropped(r->opt->queue);
	r->lost += dropped;
	r->result->lost += dropped;
	tell_lost(r);
}

static int save_item(struct recorder *r, const struct vs_item *item, struct vs_error *err)
{
	const struct vs_phase_mark mark = { .start_ns = item->at_ns, .phase = item->phase };

	if (item->kind == VS_ITEM_PHASE)
		return vs_store_add_phase(r->opt->store, r->opt->run_id, &mark, err);
	return vs_item_emit(item, &r->sink, err);
}

static int save_all(struct recorder *r, struct vs_error *err)
{
	uint64_t samples = 0;

	if (vs_store_begin(r->opt->store, err) != 0)
		return -1;
	for (size_t i = 0; i < r->n_unsaved; i++) {
		const struct vs_item *item = &r->unsaved[(r->head + i) % r->opt->buffer_items];
		if (save_item(r, item, err) != 0)
			goto fail;
		samples += item->kind == VS_ITEM_SAMPLE;
	}
	if (vs_store_commit(r->opt->store, err) != 0)
		goto fail;
	r->result->samples += samples;
	r->head = (r->head + r->n_unsaved) % r->opt->buffer_items;
	r->n_unsaved = 0;
	return 0;
fail:
	vs_store_rollback(r->opt->store);
	return -1;
}

/* All that waited is saved: say so, and record what did not wait because there was no room. */
static void tell_recovered(struct recorder *r)
{
	if (r->trouble)
		tell(r, r->result->end_ns, "database-recovered",
		     "the database takes samples again; what had waited is saved");
	r->trouble = false;
	if (r->lost > 0)
		tell(r, r->result->end_ns, "samples-lost",
		     "%llu records found no place while the database was in trouble",
		     (unsigned long long)r->lost);
	r->lost = 0;
	r->lost_told = false;
}

/* Recording goes on in a file that has no name any more; the session copies it at the end. */
static void check_place(struct recorder *r)
{
	if (r->moved || !vs_store_has_moved(r->opt->store))
		return;
	r->moved = true;
	tell(r, r->result->end_ns, "database-moved",
	     "the database's file was removed or replaced; the run goes on and will be kept in "
	     "another file");
}

/* Saves what waits. 0: all is saved, or will be tried again; -1: it never will. */
static int save(struct recorder *r, struct vs_error *err)
{
	struct vs_error why = { 0 };
	int64_t now_ns = vs_clock_mono_ns();

	if ((r->n_unsaved == 0 && r->lost == 0) || (r->trouble && now_ns < r->retry_at_ns))
		return 0;
	if (save_all(r, &why) == 0) {
		tell_recovered(r);
		check_place(r);
		return 0;
	}
	if (!vs_store_error_is_retryable(&why)) {
		*err = why;
		return vs_error_prefix(err, "%zu records are lost: ", r->n_unsaved);
	}
	r->retry_at_ns = now_ns + VS_RECORDER_RETRY_NS;
	if (!r->trouble) {
		r->trouble = true;
		tell(r, r->result->end_ns, "database-trouble",
		     "the database does not take samples (%s); they wait in memory", why.text);
	}
	return 0;
}

static void take_signal(struct recorder *r)
{
	static const char text[] = "ending the run and saving it; interrupt again to end at once";

	if (!vs_stop_take(r->opt->stop))
		return;
	if (r->ended || r->stopping) { /* all that will be measured is there */
		vs_progress_say(r->opt->progress, "%s", text);
		return;
	}
	r->stopping = true;
	r->result->end = VS_END_INTERRUPTED;
	tell(r, r->result->end_ns, "interrupted", "%s", text);
	stop_sampling(r);
}

static void check_give_up(struct recorder *r)
{
	char span[VS_UNITS_TEXT_MAX];

	if (r->stopping || r->opt->give_up_ns <= 0 ||
	    r->result->end_ns - r->last_read_ns < r->opt->give_up_ns)
		return;
	r->stopping = true;
	r->result->end = VS_END_FAILED;
	tell(r, r->result->end_ns, "gave-up", "nothing was read for %s; giving up",
	     vs_units_format_duration(r->opt->give_up_ns, span));
	stop_sampling(r);
}

static int loop(struct recorder *r, struct vs_error *err)
{
	while (!r->ended) {
		struct pollfd fds[] = { { .fd = vs_queue_fd(r->opt->queue), .events = POLLIN },
					{ .fd = r->opt->stop->fd, .events = POLLIN } };

		(void)poll(fds, 2, r->trouble ? (int)(VS_RECORDER_RETRY_NS / VS_NS_PER_MS) : -1);
		if (fds[1].revents & POLLIN)
			take_signal(r);
		drain(r);
		if (save(r, err) != 0)
			return -1;
		check_give_up(r);
	}
	if (r->n_probe > 0)
		finish_probe(r, r->result->end_ns);
	return 0;
}

/* After the last sample: nothing is given up before the patience ends, or by a second signal. */
static int save_rest(struct recorder *r, struct vs_error *err)
{
	int64_t limit_ns = vs_clock_mono_ns() + VS_RECORDER_PATIENCE_NS;

	if (save(r, err) != 0)
		return -1;
	while (r->n_unsaved > 0) {
		struct pollfd fd = { .fd = r->opt->stop->fd, .events = POLLIN };

		if (vs_clock_mono_ns() > limit_ns)
			return vs_error_set(
				err, VS_EDB, 0,
				"%zu records could not be written: the database stayed shut",
				r->n_unsaved);
		if (poll(&fd, 1, (int)(VS_RECORDER_RETRY_NS / VS_NS_PER_MS)) > 0)
			take_signal(r);
		if (save(r, err) != 0)
			return -1;
	}
	return 0;
}

int vs_recorder_run(const struct vs_recorder_options *options, struct vs_recorder_result *result,
		    struct vs_error *err)
{
	struct recorder r = { .opt = options, .result = result };
	int rc;

	VS_ASSERT(options->buffer_items >= VS_RECORDER_BUFFER_MIN);
	*result = (struct vs_recorder_result){ .end = VS_END_COMPLETED };
	r.sink = vs_store_sink(options->store, options->run_id);
	vs_store_set_busy_timeout(options->store, VS_RECORDER_BUSY_NS);
	r.unsaved = calloc(options->buffer_items, sizeof(r.unsaved[0]));
	if (!r.unsaved)
		return vs_error_nomem(err);
	rc = vs_live_open(options->ladder, options->block_bytes, &r.live, err);
	if (rc == 0)
		rc = loop(&r, err);
	if (!r.ended)
		stop_sampling(&r);
	if (rc == 0)
		rc = save_rest(&r, err);
	vs_store_set_busy_timeout(options->store, 0);
	result->lost += r.n_unsaved;
	if (rc != 0)
		result->end = VS_END_FAILED;
	vs_progress_finish(options->progress);
	vs_live_free(r.live);
	free(r.unsaved);
	return rc;
}
