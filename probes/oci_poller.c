#include "probes/oci_poller.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"
#include "cloud/metric.h"
#include "cloud/volume.h"

#define MINUTE_MS INT64_C(60000)

static const char volume_source[] = "oci-volume";
static const char metric_source[] = "oci-monitoring";

static const struct vs_oci_metric metrics[] = {
	{ "VolumeGuaranteedVPUsPerGB", "mean" },
	{ "VolumeGuaranteedIOPS", "mean" },
	{ "VolumeThrottledIOs", "sum" },
	{ "VolumeReadOps", "sum" },
};

#define N_METRICS (sizeof(metrics) / sizeof(metrics[0]))

/* A poll that is lost is followed by the next one: these only bridge what is short. */
static const struct vs_retry_policy short_retry = {
	.attempts = 3,
	.base_ns = VS_NS_PER_SEC / 2,
	.cap_ns = 30 * VS_NS_PER_SEC,
	.total_ns = 60 * VS_NS_PER_SEC,
};

/* A failure goes on until a success: one event at its beginning, one at its end. */
struct trouble {
	const char *what;
	int64_t since_ns; /* monotonic; 0 none */
};

struct vs_oci_poller {
	struct vs_oci_poller_options options;
	struct vs_sink sink;
	struct vs_oci *oci;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop; /* under lock; cancel is the same for the client */
	atomic_bool cancel;
	struct trouble volume_trouble, metric_trouble;
	bool seen;
	struct vs_oci_volume last;
	int64_t next_minute_ms[N_METRICS]; /* first minute not yet emitted */
	struct vs_oci_points points;
};

static int64_t run_time(const struct vs_oci_poller *p, int64_t mono_ns)
{
	int64_t at_ns = mono_ns - p->options.start_mono_ns;

	return at_ns > 0 ? at_ns : 0;
}

static void note_failure(struct vs_oci_poller *p, struct trouble *trouble,
			 const struct vs_error *why)
{
	if (why->code == VS_ECANCELED || trouble->since_ns)
		return;
	trouble->since_ns = vs_clock_mono_ns();
	(void)vs_sink_event(&p->sink, run_time(p, trouble->since_ns), "cloud-error", NULL,
			    "%s not known from here on: %s", trouble->what, why->text);
}

static void note_success(struct vs_oci_poller *p, struct trouble *trouble)
{
	int64_t now_ns = vs_clock_mono_ns();
	char text[VS_UNITS_TEXT_MAX];

	if (!trouble->since_ns)
		return;
	(void)vs_sink_event(&p->sink, run_time(p, now_ns), "cloud-back", NULL,
			    "%s known again, after %s", trouble->what,
			    vs_units_format_duration(now_ns - trouble->since_ns, text));
	trouble->since_ns = 0;
}

static void put_number(struct vs_oci_poller *p, int64_t at_ns, const char *name, double value)
{
	if (!isnan(value))
		(void)vs_sink_number(&p->sink, at_ns, volume_source, name, value, NULL);
}

static bool differs(double a, double b)
{
	return isnan(a) != isnan(b) || a < b || a > b;
}

static void tell_tuned(struct vs_oci_poller *p, int64_t at_ns, const char *direction,
		       const struct vs_oci_volume *v)
{
	(void)vs_sink_event(&p->sink, at_ns, "cloud-tuned", NULL,
			    "the control plane tuned the volume %s: VPU %.6g -> %.6g", direction,
			    p->last.auto_tuned_vpus_per_gb, v->auto_tuned_vpus_per_gb);
}

static void emit_volume(struct vs_oci_poller *p, const struct vs_oci_volume *v)
{
	int64_t at_ns = run_time(p, v->read_mono_ns);
	const struct vs_oci_volume *last = &p->last;
	bool first = !p->seen;

	put_number(p, at_ns, "autoTunedVpusPerGB", v->auto_tuned_vpus_per_gb);
	if (!first && last->auto_tuned_vpus_per_gb < v->auto_tuned_vpus_per_gb)
		tell_tuned(p, at_ns, "up", v);
	else if (!first && last->auto_tuned_vpus_per_gb > v->auto_tuned_vpus_per_gb)
		tell_tuned(p, at_ns, "down", v);
	if (first || differs(v->vpus_per_gb, last->vpus_per_gb))
		put_number(p, at_ns, "vpusPerGB", v->vpus_per_gb);
	if (first || differs(v->size_gb, last->size_gb))
		put_number(p, at_ns, "sizeInGBs", v->size_gb);
	if (v->is_hydrated >= 0 && (first || v->is_hydrated != last->is_hydrated))
		put_number(p, at_ns, "isHydrated", v->is_hydrated);
	if (first || strcmp(v->lifecycle_state, last->lifecycle_state) != 0)
		(void)vs_sink_text(&p->sink, at_ns, volume_source, "lifecycleState",
				   v->lifecycle_state, NULL);
	if (first || strcmp(v->policies, last->policies) != 0)
		(void)vs_sink_text(&p->sink, at_ns, volume_source, "autotunePolicies", v->policies,
				   NULL);
	p->last = *v;
	p->seen = true;
}

static void poll_volume(struct vs_oci_poller *p)
{
	struct vs_oci_volume volume;
	struct vs_error err = { 0 };

	if (vs_oci_get_volume(p->oci, p->options.volume_id, &volume, &err) != 0) {
		note_failure(p, &p->volume_trouble, &err);
		return;
	}
	note_success(p, &p->volume_trouble);
	emit_volume(p, &volume);
}

static int poll_metric(struct vs_oci_poller *p, size_t i, int64_t to_ms, struct vs_error *err)
{
	int64_t now_wall_ns = vs_clock_wall_ns(), now_ns = vs_clock_mono_ns();

	if (p->next_minute_ms[i] >= to_ms)
		return 0;
	if (vs_oci_get_metric(p->oci, p->last.compartment_id, p->options.volume_id, &metrics[i],
			      p->next_minute_ms[i], to_ms, &p->points, err) != 0)
		return -1;
	for (size_t k = 0; k < p->points.n; k++) {
		const struct vs_oci_point *point = &p->points.items[k];
		int64_t at_ns = now_ns - p->options.start_mono_ns -
				(now_wall_ns - point->wall_ms * VS_NS_PER_MS);
		if (point->wall_ms < p->next_minute_ms[i] || point->wall_ms >= to_ms)
			continue;
		p->next_minute_ms[i] = point->wall_ms + MINUTE_MS;
		if (at_ns >= 0) /* what was before the run is not the run's */
			(void)vs_sink_number(&p->sink, at_ns, metric_source, metrics[i].name,
					     point->value, NULL);
	}
	return 0;
}

static void poll_metrics(struct vs_oci_poller *p)
{
	/* the minute that is still running has no sum yet */
	int64_t to_ms = vs_clock_wall_ns() / VS_NS_PER_MS / MINUTE_MS * MINUTE_MS;
	struct vs_error err = { 0 };

	if (!p->seen || !p->last.compartment_id[0])
		return;
	for (size_t i = 0; i < N_METRICS; i++)
		if (poll_metric(p, i, to_ms, &err) != 0) {
			note_failure(p, &p->metric_trouble, &err);
			return;
		}
	note_success(p, &p->metric_trouble);
}

/* Until the deadline, or until told to stop: then false. */
static bool wait_until(struct vs_oci_poller *p, int64_t deadline_ns)
{
	struct timespec at = { .tv_sec = (time_t)(deadline_ns / VS_NS_PER_SEC),
			       .tv_nsec = (long)(deadline_ns % VS_NS_PER_SEC) };
	bool stop;

	(void)pthread_mutex_lock(&p->lock);
	while (!p->stop && vs_clock_mono_ns() < deadline_ns)
		(void)pthread_cond_timedwait(&p->wake, &p->lock, &at);
	stop = p->stop;
	(void)pthread_mutex_unlock(&p->lock);
	return !stop;
}

static void *poller_main(void *ctx)
{
	struct vs_oci_poller *p = ctx;
	int64_t start_ns = vs_clock_mono_ns(), now_ns;
	int64_t next_ns = start_ns, next_metrics_ns = start_ns + p->options.metrics_every_ns;

	while (wait_until(p, next_ns)) {
		poll_volume(p);
		if (vs_clock_mono_ns() >= next_metrics_ns) {
			poll_metrics(p);
			next_metrics_ns = vs_clock_mono_ns() + p->options.metrics_every_ns;
		}
		/* polls that a slow answer made us miss are not made up for */
		now_ns = vs_clock_mono_ns();
		next_ns += ((now_ns - next_ns) / p->options.every_ns + 1) * p->options.every_ns;
	}
	return NULL;
}

/* Signals are the main thread's. */
static int start_thread(struct vs_oci_poller *p, struct vs_error *err)
{
	sigset_t all, before;
	int rc;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&p->thread, NULL, poller_main, p);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc == 0 ? 0 : vs_error_sys(err, rc, "cannot start the control-plane poller");
}

static void init_locks(struct vs_oci_poller *p)
{
	pthread_condattr_t attr;

	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&p->wake, &attr);
	(void)pthread_condattr_destroy(&attr);
	(void)pthread_mutex_init(&p->lock, NULL);
}

static void release(struct vs_oci_poller *p)
{
	vs_oci_free(p->oci);
	(void)pthread_cond_destroy(&p->wake);
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
}

int vs_oci_poller_open(const struct vs_oci_poller_options *options, const struct vs_sink *sink,
		       struct vs_oci_poller **out, struct vs_error *err)
{
	struct vs_oci_poller *p;
	int64_t start_wall_ms;

	if (vs_oci_check_ocid(options->volume_id, "--oci-volume", err) != 0)
		return -1;
	p = calloc(1, sizeof(*p));
	if (!p)
		return vs_error_nomem(err);
	init_locks(p);
	p->options = *options;
	p->sink = *sink;
	p->volume_trouble.what = "the control plane's view is";
	p->metric_trouble.what = "the provider's metrics are";
	if (p->options.every_ns <= 0)
		p->options.every_ns = 10 * VS_NS_PER_SEC;
	if (p->options.metrics_every_ns <= 0)
		p->options.metrics_every_ns = 60 * VS_NS_PER_SEC;
	if (!p->options.oci.retry)
		p->options.oci.retry = &short_retry;
	if (!p->options.oci.timeout_ns)
		p->options.oci.timeout_ns = 10 * VS_NS_PER_SEC;
	p->options.oci.cancel = &p->cancel;
	start_wall_ms =
		(vs_clock_wall_ns() - (vs_clock_mono_ns() - options->start_mono_ns)) / VS_NS_PER_MS;
	for (size_t i = 0; i < N_METRICS; i++)
		p->next_minute_ms[i] = start_wall_ms / MINUTE_MS * MINUTE_MS;
	if (vs_oci_open(&p->options.oci, &p->oci, err) != 0 || start_thread(p, err) != 0) {
		release(p);
		return -1;
	}
	*out = p;
	return 0;
}

void vs_oci_poller_free(struct vs_oci_poller *p)
{
	if (!p)
		return;
	atomic_store_explicit(&p->cancel, true, memory_order_relaxed);
	(void)pthread_mutex_lock(&p->lock);
	p->stop = true;
	(void)pthread_cond_signal(&p->wake);
	(void)pthread_mutex_unlock(&p->lock);
	(void)pthread_join(p->thread, NULL);
	release(p);
}
