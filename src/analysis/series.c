#include "analysis/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/median.h"

#define MOST_IOS         1e15
#define JUDGED_BY_DEVICE 0.01 /* the counts differ by more: the device's holds */

/* The samples of one interval, one a target. */
struct group {
	double iops, err_iops;
	int64_t start_ns, end_ns;
	size_t members;
	uint32_t flags;
	uint16_t phase;
	bool valid;
	bool tells_nothing;
};

struct span {
	int64_t first_ns, last_ns;
	bool used;
};

struct builder {
	const struct vs_run *run;
	struct vs_series_set *set;
	struct vs_totals *totals;
	struct span *targets;
	uint64_t *in_group; /* number of the group that a target was last seen in */
	uint64_t group_no;
	struct group group;
	int64_t interval_ns;
	int64_t covered_ns; /* end of the last complete interval; < 0: none yet */
	struct vs_probes probes;
	size_t probe_room;
	bool probing;  /* the probe under way is open */
	bool separate; /* an idle sample came: the next load sample begins a series */
};

static void *grown(void *array, size_t room, size_t item_bytes)
{
	return reallocarray(array, room, item_bytes);
}

/* Rooms are powers of two from 64 on; this one holds item n. */
static size_t room_for(size_t n)
{
	size_t room = 64;

	while (room <= n)
		room *= 2;
	return room;
}

int vs_series_append(struct vs_series *s, double iops, int64_t start_ns, int64_t end_ns,
		     double err_iops, struct vs_error *err)
{
	double base = iops > 1 ? iops : 1;
	size_t room = room_for(s->n);

	if (s->n == 0 || s->n * 2 == room) {
		double *a = grown(s->iops, room, sizeof(*a));
		int64_t *b = grown(s->start_ns, room, sizeof(*b));
		int64_t *c = grown(s->end_ns, room, sizeof(*c));
		float *d = s->err ? grown(s->err, room, sizeof(*d)) : NULL;
		bool failed = !a || !b || !c || (s->err && !d);

		s->iops = a ? a : s->iops;
		s->start_ns = b ? b : s->start_ns;
		s->end_ns = c ? c : s->end_ns;
		s->err = d ? d : s->err;
		if (failed)
			return vs_error_nomem(err);
	}
	if (err_iops > 0 && !s->err) {
		s->err = calloc(room, sizeof(*s->err));
		if (!s->err)
			return vs_error_nomem(err);
	}
	s->iops[s->n] = iops;
	s->start_ns[s->n] = start_ns;
	s->end_ns[s->n] = end_ns;
	if (s->err)
		s->err[s->n] = (float)(err_iops / base);
	s->n++;
	return 0;
}

void vs_series_release(struct vs_series *s)
{
	free(s->iops);
	free(s->start_ns);
	free(s->end_ns);
	free(s->err);
	*s = (struct vs_series){ .noise = (double)NAN };
}

void vs_series_set_release(struct vs_series_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		vs_series_release(&set->at[i]);
	free(set->at);
	*set = (struct vs_series_set){ .n = 0 };
}

static struct vs_series *new_series(struct builder *b, enum vs_phase phase, struct vs_error *err)
{
	struct vs_series *at = grown(b->set->at, b->set->n + 1, sizeof(*at));

	if (!at) {
		(void)vs_error_nomem(err);
		return NULL;
	}
	b->set->at = at;
	at = &at[b->set->n++];
	*at = (struct vs_series){ .phase = phase, .noise = (double)NAN };
	return at;
}

/* Noise of a reading under load: probes are read by it. NAN without load. */
static double load_noise(const struct builder *b)
{
	double noise = (double)NAN;

	for (size_t k = 0; k < b->set->n; k++) {
		const struct vs_series *s = &b->set->at[k];
		double *d;
		size_t m = 0;

		if (s->phase != VS_PHASE_LOAD || s->n < 10 || !(d = malloc(s->n * sizeof(*d))))
			continue;
		for (size_t i = 1; i < s->n; i++)
			if (s->iops[i] > 0 && s->iops[i - 1] > 0)
				d[m++] = fabs(log(s->iops[i] / s->iops[i - 1]));
		if (m)
			noise = 1.4826 / M_SQRT2 * vs_median(d, m);
		free(d);
	}
	return noise;
}

static int end_idle(struct builder *b, struct vs_error *err)
{
	struct vs_series *s;
	int rc = 0;

	b->probing = false;
	if (b->probes.n) {
		s = new_series(b, VS_PHASE_IDLE, err);
		rc = s ? vs_probes_reduce(&b->probes, b->interval_ns, load_noise(b), s, err) : -1;
	}
	vs_series_release(&b->probes.readings);
	b->probes.n = 0;
	return rc;
}

static int put_load(struct builder *b, struct vs_error *err)
{
	const struct group *g = &b->group;
	struct vs_series *s = b->set->n ? &b->set->at[b->set->n - 1] : NULL;

	if (b->probes.n && end_idle(b, err) != 0)
		return -1;
	if (b->separate || !s || s->phase != VS_PHASE_LOAD)
		s = new_series(b, VS_PHASE_LOAD, err);
	b->separate = false;
	if (!s || vs_series_append(s, g->iops, g->start_ns, g->end_ns, g->err_iops, err) != 0)
		return -1;
	s->biased += (g->flags & VS_SAMPLE_BIASED) != 0;
	return 0;
}

static int put_probe(struct builder *b, struct vs_error *err)
{
	const struct group *g = &b->group;

	if (!b->probing) {
		if (b->probes.n + 2 > b->probe_room) {
			size_t room = b->probe_room ? b->probe_room * 2 : 64;
			size_t *first = grown(b->probes.first, room, sizeof(*first));

			if (!first)
				return vs_error_nomem(err);
			b->probes.first = first;
			b->probe_room = room;
		}
		b->probes.first[b->probes.n++] = b->probes.readings.n;
	}
	b->probing = true;
	b->separate = true;
	if (vs_series_append(&b->probes.readings, g->iops, g->start_ns, g->end_ns, g->err_iops,
			     err) != 0)
		return -1;
	b->probes.first[b->probes.n] = b->probes.readings.n;
	return 0;
}

static void begin_idle(struct builder *b)
{
	b->probing = false;
	b->separate = true;
	if (!b->set->idle)
		b->set->idle_ns = b->group.start_ns;
	b->set->idle = true;
}

/* Targets that were being sampled then: a group without one of them is no sum. */
static size_t expected(const struct builder *b, int64_t end_ns)
{
	int64_t slack_ns = b->interval_ns / 2;
	size_t n = 0;

	for (size_t i = 0; i < b->run->n_targets; i++)
		n += b->targets[i].used && end_ns >= b->targets[i].first_ns - slack_ns &&
		     end_ns <= b->targets[i].last_ns + slack_ns;
	return n;
}

static void count_gap(struct builder *b, int64_t start_ns)
{
	int64_t gap_ns = start_ns - b->covered_ns;

	if (b->covered_ns >= 0 && gap_ns > b->interval_ns / 2)
		b->totals->missing += (size_t)((gap_ns + b->interval_ns / 2) / b->interval_ns);
}

static int close_group(struct builder *b, struct vs_error *err)
{
	struct group *g = &b->group;

	if (g->members == 0)
		return 0;
	b->group_no++;
	if (!g->valid || g->members < expected(b, g->end_ns)) {
		g->members = 0;
		return 0; /* the gap is counted when the next one closes */
	}
	g->members = 0;
	count_gap(b, g->start_ns);
	b->covered_ns = g->end_ns;
	b->totals->samples++;
	if (g->tells_nothing && g->phase != VS_PHASE_IDLE)
		return 0;
	switch ((enum vs_phase)g->phase) {
	case VS_PHASE_LOAD:
		return put_load(b, err);
	case VS_PHASE_PROBE:
		return put_probe(b, err);
	case VS_PHASE_IDLE:
		begin_idle(b);
		return 0;
	case VS_PHASE_RAMP:
		return 0;
	}
	return 0;
}

static bool judged_by_device(const struct builder *b, const struct vs_sample *sample)
{
	/* a device may or may not count reads that failed: there ours is the better count */
	return b->totals->by_device && b->run->targets[sample->target].is_device &&
	       sample->errors == 0;
}

static int put_sample(struct builder *b, const struct vs_sample *sample, struct vs_error *err)
{
	struct group *g = &b->group;
	double ios = judged_by_device(b, sample) ? (double)sample->device_reads : sample->ios;
	bool fresh = g->members == 0 || g->phase != sample->phase ||
		     b->in_group[sample->target] == b->group_no ||
		     sample->end_ns - g->end_ns > b->interval_ns / 2;

	if (fresh) {
		if (close_group(b, err) != 0)
			return -1;
		*g = (struct group){ .start_ns = sample->end_ns - sample->length_ns,
				     .end_ns = sample->end_ns,
				     .phase = sample->phase,
				     .valid = true };
	}
	b->in_group[sample->target] = b->group_no;
	g->members++;
	g->flags |= sample->flags;
	g->tells_nothing = g->tells_nothing || vs_sample_tells_nothing(b->run, sample);
	/* More than 10^15 in an interval were counted by nobody. */
	if (sample->length_ns <= 0 || !(ios >= 0) || !(ios <= MOST_IOS)) {
		g->valid = false;
		return 0;
	}
	g->iops += ios * 1e9 / (double)sample->length_ns;
	if (sample->resolution_ios > 0 && isfinite(sample->resolution_ios))
		g->err_iops += sample->resolution_ios * 1e9 / (double)sample->length_ns;
	return 0;
}

/* Sums of everything, and the device's count against ours over the load. */
static void sum_up(const struct vs_run *run, struct vs_totals *totals, struct span *targets)
{
	double ours = 0;
	double device = 0;
	bool all_known = true;

	totals->bytes = 0;
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct vs_sample *s = &run->samples[i];
		struct span *span;

		if (s->target >= run->n_targets)
			continue;
		span = &targets[s->target];
		if (!span->used)
			*span = (struct span){ .first_ns = s->end_ns, .used = true };
		span->last_ns = s->end_ns;
		totals->errors += s->errors;
		if (s->ios >= 0 && isfinite(s->ios))
			totals->ios += s->ios;
		if (s->bytes >= 0)
			totals->bytes += (double)s->bytes;
		else
			all_known = false;
		if (s->phase != VS_PHASE_LOAD || !run->targets[s->target].is_device ||
		    s->device_reads < 0 || s->errors > 0)
			continue;
		ours += s->ios;
		device += (double)s->device_reads;
	}
	if (!all_known)
		totals->bytes = (double)NAN;
	if (ours > 0) {
		totals->device_ratio = device / ours;
		totals->by_device = fabs(totals->device_ratio - 1) > JUDGED_BY_DEVICE;
	}
}

static int build(struct builder *b, struct vs_error *err)
{
	sum_up(b->run, b->totals, b->targets);
	for (size_t i = 0; i < b->run->n_samples; i++)
		if (b->run->samples[i].target < b->run->n_targets &&
		    put_sample(b, &b->run->samples[i], err) != 0)
			return -1;
	if (close_group(b, err) != 0)
		return -1;
	return end_idle(b, err);
}

int vs_series_build(const struct vs_run *run, struct vs_series_set *out, struct vs_totals *totals,
		    struct vs_error *err)
{
	struct builder b = { .run = run,
			     .set = out,
			     .totals = totals,
			     .group_no = 1,
			     .covered_ns = -1,
			     .interval_ns = run->interval_ns > 0 ? run->interval_ns : 1000000000 };
	int rc;

	*out = (struct vs_series_set){ .n = 0 };
	*totals = (struct vs_totals){ .bytes = (double)NAN, .device_ratio = (double)NAN };
	b.targets = calloc(run->n_targets + 1, sizeof(*b.targets));
	b.in_group = calloc(run->n_targets + 1, sizeof(*b.in_group));
	rc = b.targets && b.in_group ? build(&b, err) : vs_error_nomem(err);
	free(b.targets);
	free(b.in_group);
	free(b.probes.first);
	vs_series_release(&b.probes.readings);
	if (rc != 0)
		vs_series_set_release(out);
	return rc;
}
