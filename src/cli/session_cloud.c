#include "cli/session_cloud.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cloud/describe.h"
#include "probes/oci_poller.h"

#define PATIENCE_NS \
 (5 * VS_NS_PER_SEC) /* what a run waits for the control plane before it begins */
#define MIN_POLL_NS    (100 * VS_NS_PER_MS)
#define SAME_SIZE_PART 0.01

/* Somebody waits for the run to begin: what does not come soon comes from the poller. */
static const struct vs_retry_policy describe_retry = {
	.attempts = 3,
	.base_ns = 200 * VS_NS_PER_MS,
	.cap_ns = VS_NS_PER_SEC,
	.total_ns = 4 * VS_NS_PER_SEC,
};

struct vs_session_cloud {
	const struct vs_session_cloud_options *options;
	struct vs_oci *oci; /* the describing thread's; NULL without a volume */
	pthread_t thread;
	bool joined;
	atomic_bool cancel;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool done; /* under lock; what follows is the thread's until it is joined */
	bool described;
	struct vs_error why; /* when it is not */
	bool on_instance;
	struct vs_imds_instance me;
	struct vs_oci_description description;
	struct vs_oci_poller *poller;
};

/* What a resumed run needs to know, by name; the same table writes and reads it. No secret is here.
 */
static const struct {
	const char *name;
	size_t offset; /* of a const char * in struct vs_session_cloud_options */
} plan_texts[] = {
	{ "oci-volume", offsetof(struct vs_session_cloud_options, volume) },
	{ "oci-config", offsetof(struct vs_session_cloud_options, oci.config_file) },
	{ "oci-profile", offsetof(struct vs_session_cloud_options, oci.profile) },
	{ "oci-region", offsetof(struct vs_session_cloud_options, oci.region) },
	{ "oci-auth", offsetof(struct vs_session_cloud_options, oci.auth) },
	{ "oci-endpoint", offsetof(struct vs_session_cloud_options, oci.endpoint) },
};
#define N_PLAN_TEXTS (sizeof(plan_texts) / sizeof(plan_texts[0]))

static const char **text_of(struct vs_session_cloud_options *options, size_t i)
{
	return (const char **)(void *)((char *)options + plan_texts[i].offset);
}

void vs_session_cloud_resume(struct vs_session_cloud_options *options, const struct vs_run *before)
{
	const struct vs_observation *every = vs_run_find(before, "plan", "poll_every_s");

	if (options->volume)
		return;
	for (size_t i = 0; i < N_PLAN_TEXTS; i++) {
		const struct vs_observation *obs = vs_run_find(before, "plan", plan_texts[i].name);
		const char **text = text_of(options, i);

		if (obs && obs->text && !*text)
			*text = obs->text;
	}
	if (every && every->value > 0 && every->value < 1e6)
		options->poll_every_ns = (int64_t)(every->value * 1e9);
}

static void *ask_main(void *ctx)
{
	struct vs_session_cloud *cloud = ctx;
	struct vs_oci_description *d = &cloud->description;

	if (cloud->oci)
		cloud->described =
			vs_oci_describe(cloud->oci, cloud->options->volume, d, &cloud->why) == 0;
	if (cloud->described) {
		cloud->on_instance = d->on_instance;
		cloud->me = d->me;
	} else {
		cloud->on_instance = vs_imds_read(&cloud->me, NULL) == 0;
	}
	(void)pthread_mutex_lock(&cloud->lock);
	cloud->done = true;
	(void)pthread_cond_signal(&cloud->wake);
	(void)pthread_mutex_unlock(&cloud->lock);
	return NULL;
}

/* Signals are the main thread's. */
static int start_thread(struct vs_session_cloud *cloud, struct vs_error *err)
{
	sigset_t all, before;
	int rc;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&cloud->thread, NULL, ask_main, cloud);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	cloud->joined = rc != 0;
	return rc == 0 ? 0 : vs_error_sys(err, rc, "cannot start a thread to ask the provider");
}

static int open_client(struct vs_session_cloud *cloud, struct vs_error *err)
{
	struct vs_oci_options how = cloud->options->oci;

	if (!cloud->options->volume)
		return 0;
	if (vs_oci_check_ocid(cloud->options->volume, "--oci-volume", err) != 0)
		return -1;
	if (cloud->options->poll_every_ns < MIN_POLL_NS)
		return vs_error_set(err, VS_EUSAGE, 0, "--poll-every: give 100ms or more");
	how.retry = &describe_retry;
	how.timeout_ns = 3 * VS_NS_PER_SEC;
	how.cancel = &cloud->cancel;
	return vs_oci_open(&how, &cloud->oci, err);
}

int vs_session_cloud_open(const struct vs_session_cloud_options *options,
			  struct vs_session_cloud **out, struct vs_error *err)
{
	struct vs_session_cloud *cloud = calloc(1, sizeof(*cloud));
	pthread_condattr_t attr;

	if (!cloud)
		return vs_error_nomem(err);
	cloud->options = options;
	cloud->joined = true;
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&cloud->wake, &attr);
	(void)pthread_condattr_destroy(&attr);
	(void)pthread_mutex_init(&cloud->lock, NULL);
	if (open_client(cloud, err) != 0 || start_thread(cloud, err) != 0) {
		vs_session_cloud_free(cloud);
		return -1;
	}
	*out = cloud;
	return 0;
}

/* Until the answers are there, at most PATIENCE_NS; then what is under way is called off. */
static void join(struct vs_session_cloud *cloud)
{
	int64_t limit_ns = vs_clock_mono_ns() + PATIENCE_NS;
	struct timespec at = { .tv_sec = (time_t)(limit_ns / VS_NS_PER_SEC),
			       .tv_nsec = (long)(limit_ns % VS_NS_PER_SEC) };

	if (cloud->joined)
		return;
	(void)pthread_mutex_lock(&cloud->lock);
	while (!cloud->done && vs_clock_mono_ns() < limit_ns)
		(void)pthread_cond_timedwait(&cloud->wake, &cloud->lock, &at);
	if (!cloud->done)
		atomic_store(&cloud->cancel, true);
	(void)pthread_mutex_unlock(&cloud->lock);
	(void)pthread_join(cloud->thread, NULL);
	cloud->joined = true;
	if (!cloud->described && cloud->why.code == VS_ECANCELED) {
		vs_error_clear(&cloud->why);
		(void)vs_error_set(&cloud->why, VS_EHTTP, 0, "no answer within 5 s");
	}
}

static double gbps(const struct vs_session_cloud *cloud)
{
	struct vs_oci_limits limits = { .gbps = (double)NAN };

	if (cloud->on_instance)
		vs_oci_shape_limits(cloud->me.shape, cloud->me.ocpus, cloud->me.gbps, &limits);
	else if (cloud->described)
		return cloud->description.limits.gbps;
	return limits.gbps;
}

int vs_session_cloud_fill(struct vs_session_cloud *cloud, struct vs_run *run, struct vs_error *err)
{
	if (!cloud->options->volume)
		return 0;
	if (run->provider && strcmp(run->provider, "oci") != 0)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--oci-volume: the volume is OCI's, --provider says '%s'",
				    run->provider);
	join(cloud);
	if (!cloud->described)
		return 0;
	if (isnan(run->size_gb))
		run->size_gb = cloud->description.volume.size_gb;
	if (isnan(run->instance_gbps))
		run->instance_gbps = gbps(cloud);
	return 0;
}

/* Where to, and at which time of the run: 0, or where a resumed one goes on. What the sink refuses
 * is the queue's to count. */
struct out {
	struct vs_sink sink;
	int64_t at_ns;
};

static void put_number(const struct out *out, const char *source, const char *name, double value)
{
	if (!isnan(value))
		(void)vs_sink_number(&out->sink, out->at_ns, source, name, value, NULL);
}

static void put_text(const struct out *out, const char *source, const char *name, const char *text)
{
	if (text[0])
		(void)vs_sink_text(&out->sink, out->at_ns, source, name, text, NULL);
}

static void put_host(const struct vs_session_cloud *cloud, const struct out *out)
{
	static const char host[] = "host";
	const struct vs_imds_instance *me = &cloud->me;

	if (!cloud->on_instance)
		return;
	put_text(out, host, "shape", me->shape);
	put_number(out, host, "ocpus", me->ocpus);
	put_number(out, host, "memoryInGBs", me->memory_gb);
	put_number(out, host, "networkingBandwidthInGbps", gbps(cloud));
	put_text(out, host, "region", me->region);
	put_text(out, host, "availabilityDomain", me->availability_domain);
	put_text(out, host, "faultDomain", me->fault_domain);
}

static void put_plan(const struct vs_session_cloud *cloud, const struct out *out)
{
	struct vs_session_cloud_options copy = *cloud->options;

	for (size_t i = 0; i < N_PLAN_TEXTS; i++)
		if (*text_of(&copy, i))
			put_text(out, "plan", plan_texts[i].name, *text_of(&copy, i));
	put_number(out, "plan", "poll_every_s", (double)copy.poll_every_ns / 1e9);
}

/* What the poller does not see again and again. */
static void put_description(const struct vs_session_cloud *cloud, const struct out *out)
{
	const struct vs_oci_description *d = &cloud->description;
	const struct vs_oci_attachment *a = d->attachment;

	put_number(out, "oci-volume", "sizeInGBs", d->volume.size_gb);
	put_number(out, "oci-volume", "vpusPerGB", d->volume.vpus_per_gb);
	put_number(out, "oci-volume", "maxVpusPerGB", d->max_vpu);
	put_text(out, "oci-volume", "availabilityDomain", d->volume.availability_domain);
	if (a) {
		put_text(out, "oci-attachment", "attachmentType", a->type);
		put_text(out, "oci-attachment", "device", a->device);
		if (a->is_multipath >= 0)
			put_number(out, "oci-attachment", "isMultipath", a->is_multipath);
	}
	put_text(out, "oci-instance", "shape", d->instance.shape);
	put_number(out, "oci-instance", "ocpus", d->instance.ocpus);
	put_number(out, "oci-instance", "networkingBandwidthInGbps", d->limits.gbps);
	put_number(out, "oci-instance", "iops", d->limits.iops);
}

/* A target of another size is perhaps another volume. */
static void warn_of_size(const struct vs_session_cloud *cloud, const struct vs_run *run,
			 const struct out *out)
{
	double told = cloud->description.volume.size_gb;
	const struct vs_target *target = run->targets;

	if (isnan(told) || run->n_targets != 1 || !target->is_device || isnan(target->size_gb) ||
	    fabs(target->size_gb - told) <= SAME_SIZE_PART * told)
		return;
	(void)vs_sink_event(
		&out->sink, out->at_ns, "cloud-warning", NULL,
		"the volume of --oci-volume has %.6g GB, '%s' has %.4g: it may be another "
		"volume",
		told, target->name, target->size_gb);
}

static void start_poller(struct vs_session_cloud *cloud, const struct out *out,
			 int64_t start_mono_ns)
{
	const struct vs_oci_poller_options options = {
		.oci = cloud->options->oci,
		.volume_id = cloud->options->volume,
		.every_ns = cloud->options->poll_every_ns,
		.start_mono_ns = start_mono_ns,
	};
	struct vs_error err = { 0 };

	if (vs_oci_poller_open(&options, &out->sink, &cloud->poller, &err) != 0)
		(void)vs_sink_event(&out->sink, out->at_ns, "cloud-error", NULL,
				    "the control plane is not asked in this run: %s", err.text);
}

void vs_session_cloud_start(struct vs_session_cloud *cloud, struct vs_run *run,
			    struct vs_queue *queue, int64_t start_mono_ns)
{
	int64_t passed_ns = vs_clock_mono_ns() - start_mono_ns;
	const struct out to = { .sink = vs_queue_sink(queue),
				.at_ns = passed_ns < VS_NS_PER_SEC ? 0 : passed_ns };
	const struct out *out = &to;
	const struct vs_oci_description *d = &cloud->description;

	join(cloud);
	if (isnan(run->instance_gbps) && run->provider && strcmp(run->provider, "oci") == 0)
		run->instance_gbps = gbps(cloud);
	put_host(cloud, out);
	if (!cloud->options->volume)
		return;
	put_plan(cloud, out);
	if (cloud->described) {
		put_description(cloud, out);
		warn_of_size(cloud, run, out);
		for (size_t i = 0; i < d->n_warnings; i++)
			(void)vs_sink_event(&out->sink, out->at_ns, "cloud-warning", NULL, "%s",
					    d->warnings[i]);
	} else {
		(void)vs_sink_event(&out->sink, out->at_ns, "cloud-error", NULL,
				    "what may stand in the way of a scaling run is not known: %s",
				    cloud->why.text);
	}
	start_poller(cloud, out, start_mono_ns);
}

void vs_session_cloud_stop(struct vs_session_cloud *cloud)
{
	vs_oci_poller_free(cloud->poller);
	cloud->poller = NULL;
}

void vs_session_cloud_free(struct vs_session_cloud *cloud)
{
	if (!cloud)
		return;
	atomic_store(&cloud->cancel, true);
	join(cloud);
	vs_session_cloud_stop(cloud);
	vs_oci_free(cloud->oci);
	(void)pthread_cond_destroy(&cloud->wake);
	(void)pthread_mutex_destroy(&cloud->lock);
	free(cloud);
}
