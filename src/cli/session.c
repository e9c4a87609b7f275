#include "cli/session.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/said.h"
#include "base/clock.h"
#include "base/units.h"
#include "cli/recorder.h"
#include "cli/session_end.h"
#include "cli/session_resume.h"
#include "cli/session_setup.h"
#include "cli/version.h"
#include "probes/host.h"
#include "probes/queue.h"
#include "probes/sampler.h"
#include "store/store.h"

#define DRAIN_NS      (10 * VS_NS_PER_SEC)
#define PACE_BURST_NS (100 * VS_NS_PER_MS)

/* Everything that is open while a session goes on; released in the reverse order. */
struct session_state {
	struct vs_session own;         /* the caller's, with what a resumed run brings along */
	struct vs_session_options opt; /* the same */
	struct vs_run before;          /* the run that is resumed, as it was; else empty */
	char *targets_before[VS_SAMPLER_MAX_TARGETS];
	struct vs_run run; /* head: run row and targets */
	struct vs_target_info infos[VS_SAMPLER_MAX_TARGETS];
	struct vs_findings found;
	struct vs_loaded ladder;
	struct vs_store *store;
	FILE *events;
	struct vs_stop stop;
	struct vs_pace *own_pace; /* of --rate-iops */
	struct vs_load *load;
	struct vs_queue *queue;
	struct vs_sampler *sampler;
	struct vs_session_cloud *cloud; /* NULL in a rehearsal */
	struct vs_progress progress;
	int64_t origin_ns;  /* where a resumed run goes on */
	char rescued[4200]; /* the database's new name, when its file was taken away */
};

/* The times that neither the options nor a resumed run told. */
static void default_times(struct vs_session_options *opt)
{
	if (opt->runtime_ns < 0)
		opt->runtime_ns = VS_INIT_RUNTIME_NS;
	if (opt->decay_ns < 0)
		opt->decay_ns = 0;
}

/* The targets are the recorded ones, by name and order, also when they are given. */
static int take_targets(struct session_state *s, struct vs_error *err)
{
	const struct vs_run *before = &s->before;
	bool same = s->own.n_targets == before->n_targets;

	for (size_t i = 0; same && i < before->n_targets; i++)
		same = strcmp(s->own.targets[i], before->targets[i].name) == 0;
	if (s->own.n_targets > 0 && !same)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--resume: the run's target is '%s'; name the same, or none",
				    before->n_targets > 0 ? before->targets[0].name : "");
	if (before->n_targets > VS_SAMPLER_MAX_TARGETS)
		return vs_error_set(err, VS_EUSAGE, 0, "more than %d targets",
				    VS_SAMPLER_MAX_TARGETS);
	for (size_t i = 0; i < before->n_targets; i++)
		s->targets_before[i] = before->targets[i].name;
	s->own.targets = s->targets_before;
	s->own.n_targets = before->n_targets;
	return 0;
}

static int open_store(struct session_state *s, struct vs_error *err)
{
	const struct vs_store_options options = {
		.existing = s->opt.resume != NULL,
		.durability = strcmp(s->opt.durability, "full") == 0 ? VS_DURABILITY_FULL
								     : VS_DURABILITY_NORMAL,
	};

	return vs_store_open(vs_cli_db(&s->opt.volume), &options, &s->store, err);
}

/* Options, and with --resume the run that goes on, which needs the database first. */
static int prepare(struct session_state *s, struct vs_error *err)
{
	if (s->opt.resume && (open_store(s, err) != 0 ||
			      vs_session_plan_rest(&s->opt, s->store, &s->before, err) != 0 ||
			      take_targets(s, err) != 0))
		return -1;
	if (s->opt.resume)
		vs_session_cloud_resume(&s->opt.cloud, &s->before);
	default_times(&s->opt);
	return vs_session_check(&s->own, err);
}

static int fill_head(struct session_state *s, struct vs_error *err)
{
	const struct vs_session_options *opt = &s->opt;
	const char *label = opt->label ? opt->label : s->before.label;
	struct vs_run *run = &s->run;

	vs_run_make_uuid(run->uuid);
	run->source = s->own.source;
	run->end = VS_END_RUNNING;
	run->emulated = s->own.source == VS_SOURCE_REHEARSE;
	run->started_wall_ms = vs_clock_wall_ns() / VS_NS_PER_MS;
	run->interval_ns = opt->interval_ns;
	run->size_gb = s->before.size_gb;
	run->volumes = s->before.volumes;
	run->instance_gbps = s->before.instance_gbps;
	if (vs_run_set_text(&run->label, label, err) != 0 ||
	    vs_run_set_text(&run->provider, s->before.provider, err) != 0 ||
	    vs_cli_apply_volume(&opt->volume, run, err) != 0 ||
	    (s->cloud && vs_session_cloud_fill(s->cloud, run, err) != 0) ||
	    vs_session_add_targets(&s->own, run, s->infos, err) != 0)
		return -1;
	if (s->own.source == VS_SOURCE_WATCH)
		return 0;
	run->workload.block_bytes = (int64_t)opt->block_bytes;
	run->workload.iodepth = (int64_t)opt->iodepth;
	run->workload.numjobs = (int64_t)opt->numjobs;
	if (opt->rate_iops > 0)
		run->workload.rate_iops = opt->rate_iops;
	return vs_run_set_text(&run->workload.rw, opt->rw, err);
}

/* The ladder for what is said live. It has a struct of its own because the run is not over yet. */
static int make_ladder(struct session_state *s, struct vs_error *err)
{
	vs_run_init(&s->ladder.run);
	if (vs_run_set_text(&s->ladder.run.provider, s->run.provider, err) != 0)
		return -1;
	s->ladder.run.size_gb = s->run.size_gb;
	s->ladder.run.volumes = s->run.volumes;
	return vs_cli_analyse(&s->opt.volume, &(struct vs_analysis_options){ 0 }, &s->ladder, err);
}

/* What the preflight found is said when all is open, and is in the record too. */
static int record_found(struct session_state *s, struct vs_error *err)
{
	const struct vs_sink sink = vs_store_sink(s->store, s->run.id);

	for (size_t i = 0; i < s->found.n; i++) {
		vs_cli_note("notice: %s", s->found.items[i].text);
		if (vs_sink_event(&sink, s->origin_ns, s->found.items[i].kind, err, "%s",
				  s->found.items[i].text) != 0)
			return -1;
	}
	return 0;
}

/* The resumed run is running again; new samples go on where its clock stands now. */
static int reopen_run(struct session_state *s, struct vs_error *err)
{
	struct vs_run head;
	int rc;

	vs_run_init(&head);
	rc = vs_store_run_reopen(s->store, s->before.id, &head, err);
	if (rc == 0) {
		s->run.id = head.id;
		memcpy(s->run.uuid, head.uuid, sizeof(s->run.uuid));
		s->run.started_wall_ms = head.started_wall_ms;
		s->origin_ns = head.duration_ns;
	}
	vs_run_release(&head);
	return rc == 0 ? record_found(s, err) : rc;
}

static int create_run(struct session_state *s, struct vs_error *err)
{
	struct vs_sink sink;
	int64_t id;

	if (vs_store_begin(s->store, err) != 0 ||
	    vs_store_run_create(s->store, &s->run, &id, err) != 0)
		return -1;
	s->run.id = id;
	sink = vs_store_sink(s->store, id);
	if (vs_host_describe(&sink, err) != 0 ||
	    vs_sink_text(&sink, 0, "host", "volscale", VS_VERSION, err) != 0 ||
	    vs_session_record_plan(&s->opt, &sink, err) != 0 || record_found(s, err) != 0)
		return -1;
	return vs_store_commit(s->store, err);
}

static int open_load(struct session_state *s, struct vs_error *err)
{
	struct vs_load_target targets[VS_SAMPLER_MAX_TARGETS];
	struct vs_load_options options = vs_session_load_options(&s->own);

	if (s->opt.rate_iops > 0) {
		if (vs_pace_open(s->opt.rate_iops, PACE_BURST_NS, &s->own_pace, err) != 0)
			return -1;
		options.pace = s->own_pace;
	}
	for (size_t i = 0; i < s->run.n_targets; i++)
		targets[i] = (struct vs_load_target){
			.path = s->own.targets[i],
			.size_bytes = (uint64_t)s->run.targets[i].size_bytes,
		};
	return vs_load_open(&options, targets, s->run.n_targets, &s->load, err);
}

static size_t buffer_items(const struct session_state *s)
{
	return (size_t)(VS_RECORDER_PATIENCE_NS / s->opt.interval_ns + 1) * s->run.n_targets + 1024;
}

static int open_sampler(struct session_state *s, struct vs_error *err)
{
	const struct vs_schedule schedule = {
		.ramp_ns = s->opt.ramp_ns,
		.load_ns = s->opt.runtime_ns,
		.decay_ns = s->opt.decay_ns,
		.probe_every_ns = s->opt.probe_every_ns,
		.probe_length_ns = s->opt.probe_length_ns,
	};
	struct vs_sampler_options options = {
		.interval_ns = s->opt.interval_ns,
		.schedule = schedule,
		.origin_ns = s->origin_ns,
		.targets = s->run.targets,
		.n_targets = s->run.n_targets,
		.load = s->load,
		.n_workers = s->load ? (uint32_t)(s->opt.numjobs * s->run.n_targets) : 0,
	};

	if (vs_queue_open(buffer_items(s), &s->queue, err) != 0)
		return -1;
	options.queue = s->queue;
	vs_progress_init(&s->progress, s->opt.progress,
			 s->origin_ns + vs_schedule_total_ns(&schedule));
	return vs_sampler_open(&options, &s->sampler, err);
}

static int open_events(struct session_state *s, struct vs_error *err)
{
	return s->opt.events ? vs_cli_open_output(s->opt.events, &s->events, err) : 0;
}

/*
 * The time of day of the sampler's time 0; opening everything took its time since the row was made.
 * A database in trouble gets it at the end of the run, when the row is written again.
 */
static int set_start(struct session_state *s, struct vs_error *err)
{
	int64_t since_ns = vs_clock_mono_ns() - vs_sampler_start_ns(s->sampler);
	struct vs_error why = { 0 };

	s->run.started_wall_ms = (vs_clock_wall_ns() - since_ns) / VS_NS_PER_MS;
	if (vs_store_run_update(s->store, &s->run, &why) == 0 || vs_store_error_is_retryable(&why))
		return 0;
	*err = why;
	return -1;
}

/* Somebody removed or replaced the file: a copy of what is still open is the database from here on.
 */
static int rescue(struct session_state *s, struct vs_error *err)
{
	(void)snprintf(s->rescued, sizeof(s->rescued), "%s.%.8s", vs_cli_db(&s->opt.volume),
		       s->run.uuid);
	if (vs_store_copy(s->store, s->rescued, err) != 0)
		return -1;
	vs_cli_note(
		"the database '%s' was removed or replaced; the run, and what was in it, is now "
		"in '%s'",
		vs_cli_db(&s->opt.volume), s->rescued);
	vs_store_free(s->store);
	s->store = NULL;
	s->opt.volume.db = s->rescued;
	return open_store(s, err);
}

static int record(struct session_state *s, struct vs_error *err)
{
	struct vs_recorder_options options = {
		.store = s->store,
		.run_id = s->run.id,
		.ladder = s->ladder.has_ladder ? &s->ladder.ladder : NULL,
		.block_bytes = s->run.workload.block_bytes,
		.n_targets = s->run.n_targets,
		.progress = &s->progress,
		.events = s->events,
		.buffer_items = buffer_items(s),
		.stop = &s->stop,
		.give_up_ns = s->opt.give_up_ns,
	};
	struct vs_recorder_result result;
	struct vs_sampler_totals totals;
	const struct vs_session_end end = { .store = s->store,
					    .run = &s->run,
					    .load = s->load,
					    .totals = &totals,
					    .progress = &s->progress,
					    .stop = &s->stop };
	struct vs_error drain = { 0 };
	int rc;

	if (open_sampler(s, err) != 0)
		return -1;
	options.queue = s->queue;
	options.sampler = s->sampler;
	if (!s->opt.resume && set_start(s, err) != 0)
		return -1;
	if (s->cloud)
		vs_session_cloud_start(s->cloud, &s->run, s->queue,
				       vs_sampler_start_ns(s->sampler));
	rc = vs_recorder_run(&options, &result, err);
	vs_stop_let_go(&s->stop);
	if (s->cloud)
		vs_session_cloud_stop(s->cloud);
	vs_sampler_free(s->sampler, &totals);
	s->sampler = NULL;
	if (s->load && vs_load_stop(s->load, DRAIN_NS, &drain) != 0)
		vs_cli_note("%s", drain.text);
	s->run.end = result.end;
	s->run.duration_ns = result.end_ns;
	if (vs_session_end(&end, rc == 0 ? VS_RECORDER_PATIENCE_NS : 0, rc == 0 ? err : NULL) != 0)
		rc = -1;
	vs_stop_close(&s->stop);
	if (vs_store_has_moved(s->store) && rescue(s, rc == 0 ? err : NULL) != 0)
		rc = -1;
	return rc;
}

static int open_all(struct session_state *s, struct vs_error *err)
{
	const struct vs_ladder *ladder;

	if (prepare(s, err) != 0)
		return -1;
	if (s->own.source != VS_SOURCE_REHEARSE &&
	    vs_session_cloud_open(&s->opt.cloud, &s->cloud, err) != 0)
		return -1;
	if (fill_head(s, err) != 0 || make_ladder(s, err) != 0)
		return -1;
	ladder = s->ladder.has_ladder ? &s->ladder.ladder : NULL;
	if (vs_session_preflight(&s->own, s->infos, ladder, &s->found, err) != 0 ||
	    open_events(s, err) != 0 || vs_stop_open(&s->stop, err) != 0)
		return -1;
	if (s->own.source != VS_SOURCE_WATCH && open_load(s, err) != 0)
		return -1;
	if (s->opt.resume)
		return reopen_run(s, err);
	return open_store(s, err) != 0 ? -1 : create_run(s, err);
}

static void close_all(struct session_state *s)
{
	if (s->sampler)
		vs_sampler_stop(s->sampler);
	vs_sampler_free(s->sampler, NULL);
	vs_session_cloud_free(s->cloud);
	vs_queue_free(s->queue);
	/* after an early failure the workers still wait, parked */
	if (s->load && vs_load_stop(s->load, DRAIN_NS, NULL) != 0)
		vs_cli_note("reads that never came back were left behind");
	vs_load_free(s->load);
	vs_pace_free(s->own_pace);
	vs_store_free(s->store);
	vs_stop_close(&s->stop);
	vs_loaded_release(&s->ladder);
	vs_run_release(&s->run);
	vs_run_release(&s->before);
}

/* Where the whole recording shows something else than what was said live, the record has both. */
static int record_differences(struct session_state *s, const struct vs_timeline *timeline,
			      size_t *n_out, struct vs_error *err)
{
	const struct vs_sink sink = vs_store_sink(s->store, s->run.id);

	if (vs_store_begin(s->store, err) != 0)
		return -1;
	if (vs_said_compare(timeline, &sink, n_out, err) != 0) {
		vs_store_rollback(s->store);
		return -1;
	}
	return vs_store_commit(s->store, err);
}

static int load_report(const struct session_state *s, struct vs_loaded *loaded,
		       struct vs_error *err)
{
	char ref[24];

	(void)snprintf(ref, sizeof(ref), "%lld", (long long)s->run.id);
	return vs_cli_load(&s->opt.volume, ref, &(struct vs_analysis_options){ 0 }, loaded, err);
}

/* The record read back, as anybody else would read it: summary on stdout, and the files asked for.
 */
static int report(struct session_state *s, struct vs_error *err)
{
	const struct vs_opt_list *files = &s->opt.reports;
	struct vs_loaded loaded;
	struct vs_error why = { 0 };
	size_t n_differences = 0;
	int rc = load_report(s, &loaded, err);

	/* a database that takes no more must not cost the report */
	if (rc == 0 && record_differences(s, &loaded.timeline, &n_differences, &why) != 0)
		vs_cli_note("what was said live is not compared in the record: %s", why.text);
	if (rc == 0 && n_differences > 0) {
		vs_loaded_release(&loaded);
		rc = load_report(s, &loaded, err);
	}
	if (rc == 0 && s->events != stdout)
		rc = vs_cli_write_report(&loaded.timeline, "text", NULL, false, NULL, err);
	for (size_t i = 0; rc == 0 && i < files->n; i++)
		rc = vs_cli_write_report(&loaded.timeline, NULL, files->items[i], false, NULL, err);
	vs_loaded_release(&loaded);
	return rc;
}

int vs_session_run(const struct vs_session *session, struct vs_error *err)
{
	struct session_state *s = calloc(1, sizeof(*s));
	enum vs_end end;
	int rc;

	if (!s)
		return vs_error_nomem(err);
	s->own = *session;
	s->opt = *session->options;
	s->own.options = &s->opt;
	s->stop.fd = -1;
	vs_run_init(&s->run);
	vs_run_init(&s->before);
	rc = open_all(s, err);
	if (rc == 0)
		rc = record(s, err);
	if (s->run.id > 0 && s->store && report(s, rc == 0 ? err : NULL) != 0)
		rc = -1;
	if (s->events && vs_cli_close_output(s->opt.events, s->events, rc == 0 ? err : NULL) != 0)
		rc = -1;
	end = s->run.end;
	close_all(s);
	free(s);
	if (rc != 0)
		return -1;
	if (end == VS_END_INTERRUPTED)
		return VS_EXIT_INTERRUPTED;
	return end == VS_END_COMPLETED ? VS_EXIT_DONE : VS_EXIT_FAILED;
}
