#include "cli/session.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hist.h"
#include "base/units.h"
#include "cli/recorder.h"
#include "cli/version.h"
#include "probes/host.h"
#include "probes/load.h"
#include "probes/queue.h"
#include "probes/sampler.h"
#include "probes/target.h"
#include "store/store.h"

#define MIN_INTERVAL_NS (100 * VS_NS_PER_MS)
#define BUFFER_NS       (600 * VS_NS_PER_SEC) /* samples that may wait for a database in trouble */
#define DRAIN_NS        (10 * VS_NS_PER_SEC)
#define PACE_BURST_NS   (100 * VS_NS_PER_MS)

/* Everything that is open while a session goes on; released in the reverse order. */
struct session_state {
	const struct vs_session *session;
	const struct vs_session_options *opt;
	struct vs_run run; /* head: run row and targets */
	struct vs_loaded ladder;
	struct vs_store *store;
	FILE *events;
	sigset_t old_signals;
	int signal_fd;
	struct vs_pace *own_pace; /* of --rate-iops */
	struct vs_load *load;
	struct vs_queue *queue;
	struct vs_sampler *sampler;
	struct vs_progress progress;
	int64_t origin_ns; /* where a resumed run goes on */
};

static int check_options(const struct vs_session *session, struct vs_error *err)
{
	const struct vs_session_options *opt = session->options;

	if (opt->interval_ns < MIN_INTERVAL_NS)
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"--interval: less than 100ms measures the scheduler, not the volume");
	if (session->n_targets > VS_SAMPLER_MAX_TARGETS)
		return vs_error_set(err, VS_EUSAGE, 0, "more than %d targets",
				    VS_SAMPLER_MAX_TARGETS);
	if (opt->runtime_ns + opt->decay_ns < opt->interval_ns)
		return vs_error_set(err, VS_EUSAGE, 0, "--runtime: shorter than one interval");
	if (session->source == VS_SOURCE_WATCH)
		return 0;
	if (opt->iodepth < 1 || opt->iodepth > 65536)
		return vs_error_set(err, VS_EUSAGE, 0, "--iodepth: give 1 to 65536");
	if (opt->numjobs < 1 || opt->numjobs > 1024)
		return vs_error_set(err, VS_EUSAGE, 0, "--numjobs: give 1 to 1024");
	if (opt->block_bytes < 512 || opt->block_bytes > (64U << 20))
		return vs_error_set(err, VS_EUSAGE, 0, "--bs: give 512 to 64m");
	if ((opt->block_bytes & (opt->block_bytes - 1)) != 0 && opt->block_bytes % 4096 != 0)
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"--bs: %llu bytes are neither a power of 2 nor a multiple of 4k; "
			"give e.g. 4k",
			(unsigned long long)opt->block_bytes);
	if (opt->rate_iops < 0)
		return vs_error_set(err, VS_EUSAGE, 0, "--rate-iops: give more than 0");
	if (opt->rate_iops > 0 && session->pace)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--rate-iops: the emulated volume is the only limit in a "
				    "rehearsal");
	if (opt->decay_ns > 0 && opt->probe_every_ns > 0 &&
	    (opt->probe_length_ns < opt->interval_ns ||
	     opt->probe_length_ns >= opt->probe_every_ns))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--probe-length: give at least one interval and less than "
				    "--probe-every");
	return 0;
}

static int add_targets(struct session_state *s, struct vs_error *err)
{
	double gb = 0;

	for (size_t i = 0; i < s->session->n_targets; i++) {
		char *path = s->session->targets[i];
		struct vs_target_info info;
		struct vs_target target = { .name = path };

		if (vs_target_inspect(path, &info, err) != 0)
			return -1;
		if (s->session->source == VS_SOURCE_WATCH && !info.device[0])
			return vs_error_set(
				err, VS_EUSAGE, 0,
				"the kernel keeps no counters for '%s'; name a block device", path);
		if (s->session->source != VS_SOURCE_WATCH &&
		    vs_target_check_block(path, &info, s->opt->block_bytes, err) != 0)
			return -1;
		if (s->session->target_name)
			target.name = s->session->target_name;
		target.size_bytes = (int64_t)info.size_bytes;
		target.size_gb = (double)info.size_bytes / VS_GB_BYTES;
		target.is_device = info.is_device;
		target.device = info.device[0] ? info.device : NULL;
		if (vs_run_add_target(&s->run, &target, err) != 0)
			return -1;
		gb += target.size_gb;
	}
	if (isnan(s->run.size_gb))
		s->run.size_gb = gb / (double)s->run.n_targets;
	if (s->run.volumes == 0)
		s->run.volumes = (int64_t)s->run.n_targets;
	return 0;
}

static int fill_head(struct session_state *s, struct vs_error *err)
{
	const struct vs_session_options *opt = s->opt;
	struct vs_run *run = &s->run;
	bool reads = s->session->source != VS_SOURCE_WATCH;

	vs_run_make_uuid(run->uuid);
	run->source = s->session->source;
	run->end = VS_END_RUNNING;
	run->emulated = s->session->source == VS_SOURCE_REHEARSE;
	run->started_wall_ms = vs_clock_wall_ns() / VS_NS_PER_MS;
	run->interval_ns = opt->interval_ns;
	if (vs_run_set_text(&run->label, opt->label, err) != 0 ||
	    vs_cli_apply_volume(&opt->volume, run, err) != 0 || add_targets(s, err) != 0)
		return -1;
	if (!reads)
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
	return vs_cli_analyse(&s->opt->volume, &(struct vs_analysis_options){ 0 }, &s->ladder, err);
}

static int open_store(struct session_state *s, struct vs_error *err)
{
	const struct vs_store_options options = {
		.durability = strcmp(s->opt->durability, "full") == 0 ? VS_DURABILITY_FULL
								      : VS_DURABILITY_NORMAL,
	};
	const char *path = vs_cli_db(&s->opt->volume);
	struct vs_sink sink;
	int64_t id;

	if (vs_store_open(path, &options, &s->store, err) != 0)
		return -1;
	if (vs_store_begin(s->store, err) != 0 ||
	    vs_store_run_create(s->store, &s->run, &id, err) != 0)
		return -1;
	s->run.id = id;
	sink = vs_store_sink(s->store, id);
	if (vs_host_describe(&sink, err) != 0 ||
	    vs_sink_text(&sink, 0, "host", "volscale", VS_VERSION, err) != 0)
		return -1;
	return vs_store_commit(s->store, err);
}

/* Before any thread starts, so that all inherit it; signals are read from the descriptor only. */
static int block_signals(struct session_state *s, struct vs_error *err)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	VS_ASSERT(pthread_sigmask(SIG_BLOCK, &set, &s->old_signals) == 0);
	s->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->signal_fd < 0)
		return vs_error_sys(err, errno, "cannot make a signalfd");
	return 0;
}

static int open_load(struct session_state *s, struct vs_error *err)
{
	struct vs_load_target targets[VS_SAMPLER_MAX_TARGETS];
	struct vs_load_options options = {
		.random = strcmp(s->opt->rw, "randread") == 0,
		.block_bytes = (uint32_t)s->opt->block_bytes,
		.iodepth = (uint32_t)s->opt->iodepth,
		.numjobs = (uint32_t)s->opt->numjobs,
		.seed = s->opt->seed,
		.pace = s->session->pace,
	};

	if (s->opt->rate_iops > 0) {
		if (vs_pace_open(s->opt->rate_iops, PACE_BURST_NS, &s->own_pace, err) != 0)
			return -1;
		options.pace = s->own_pace;
	}
	for (size_t i = 0; i < s->run.n_targets; i++)
		targets[i] = (struct vs_load_target){
			.path = s->session->targets[i],
			.size_bytes = (uint64_t)s->run.targets[i].size_bytes,
		};
	return vs_load_open(&options, targets, s->run.n_targets, &s->load, err);
}

static size_t buffer_items(const struct session_state *s)
{
	return (size_t)(BUFFER_NS / s->opt->interval_ns + 1) * s->run.n_targets + 1024;
}

static int open_sampler(struct session_state *s, struct vs_error *err)
{
	const struct vs_schedule schedule = {
		.ramp_ns = s->opt->ramp_ns,
		.load_ns = s->opt->runtime_ns,
		.decay_ns = s->opt->decay_ns,
		.probe_every_ns = s->opt->probe_every_ns,
		.probe_length_ns = s->opt->probe_length_ns,
	};
	struct vs_sampler_options options = {
		.interval_ns = s->opt->interval_ns,
		.schedule = schedule,
		.origin_ns = s->origin_ns,
		.targets = s->run.targets,
		.n_targets = s->run.n_targets,
		.load = s->load,
		.n_workers = s->load ? (uint32_t)(s->opt->numjobs * s->run.n_targets) : 0,
	};

	if (vs_queue_open(buffer_items(s), &s->queue, err) != 0)
		return -1;
	options.queue = s->queue;
	vs_progress_init(&s->progress, s->opt->progress, vs_schedule_total_ns(&schedule));
	return vs_sampler_open(&options, &s->sampler, err);
}

static int open_events(struct session_state *s, struct vs_error *err)
{
	const char *path = s->opt->events;

	if (!path)
		return 0;
	s->events = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	if (!s->events)
		return vs_error_sys(err, errno, "cannot write '%s'", path);
	return 0;
}

/* The driver's own account, beside the samples': they must agree. */
static int record_totals(struct session_state *s, const struct vs_sampler_totals *totals,
			 const struct vs_recorder_result *result, struct vs_error *err)
{
	const struct vs_sink sink = vs_store_sink(s->store, s->run.id);
	static struct vs_load_counters counters;
	uint64_t reads = 0;
	int rc = 0;

	for (size_t i = 0; s->load && i < s->run.n_targets; i++) {
		vs_load_read(s->load, i, &counters);
		reads += vs_hist_total(&counters.latency);
	}
	if (s->load)
		rc = vs_sink_number(&sink, result->end_ns, "generator", "reads", (double)reads,
				    err);
	if (rc == 0)
		rc = vs_sink_number(&sink, result->end_ns, "generator", "cpu_saturated_pct",
				    totals->cpu_saturated_pct, err);
	if (rc == 0)
		rc = vs_sink_number(&sink, result->end_ns, "generator", "sampler_late_p99_us",
				    (double)totals->lateness_p99_ns / 1e3, err);
	if (rc == 0)
		rc = vs_sink_number(&sink, result->end_ns, "generator", "sampler_late_max_us",
				    (double)totals->lateness_max_ns / 1e3, err);
	return rc;
}

static int close_run(struct session_state *s, const struct vs_recorder_result *result,
		     const struct vs_sampler_totals *totals, struct vs_error *err)
{
	s->run.end = result->end;
	s->run.duration_ns = result->end_ns;
	if (vs_store_begin(s->store, err) != 0 || record_totals(s, totals, result, err) != 0 ||
	    vs_store_run_update(s->store, &s->run, err) != 0)
		return -1;
	return vs_store_commit(s->store, err);
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
		.signal_fd = s->signal_fd,
		.give_up_ns = s->opt->give_up_ns,
	};
	struct vs_recorder_result result;
	struct vs_sampler_totals totals;
	struct vs_error drain = { 0 };
	int rc;

	if (open_sampler(s, err) != 0)
		return -1;
	options.queue = s->queue;
	options.sampler = s->sampler;
	rc = vs_recorder_run(&options, &result, err);
	vs_sampler_free(s->sampler, &totals);
	s->sampler = NULL;
	if (s->load && vs_load_stop(s->load, DRAIN_NS, &drain) != 0)
		vs_cli_note("%s", drain.text);
	if (close_run(s, &result, &totals, err) != 0)
		rc = -1;
	return rc;
}

static int open_all(struct session_state *s, struct vs_error *err)
{
	if (check_options(s->session, err) != 0 || fill_head(s, err) != 0 ||
	    make_ladder(s, err) != 0 || open_events(s, err) != 0 || block_signals(s, err) != 0)
		return -1;
	if (s->session->source != VS_SOURCE_WATCH && open_load(s, err) != 0)
		return -1;
	return open_store(s, err);
}

static void close_all(struct session_state *s)
{
	vs_sampler_free(s->sampler, NULL);
	vs_queue_free(s->queue);
	/* after an early failure the workers still wait, parked */
	if (s->load && vs_load_stop(s->load, DRAIN_NS, NULL) != 0)
		vs_cli_note("reads that never came back were left behind");
	vs_load_free(s->load);
	vs_pace_free(s->own_pace);
	vs_store_free(s->store);
	if (s->events && s->events != stdout && fclose(s->events) != 0)
		vs_cli_note("cannot write '%s': %s", s->opt->events, "the file is incomplete");
	if (s->signal_fd >= 0) {
		(void)close(s->signal_fd);
		(void)pthread_sigmask(SIG_SETMASK, &s->old_signals, NULL);
	}
	vs_loaded_release(&s->ladder);
	vs_run_release(&s->run);
}

/* The record read back, as anybody else would read it: summary on stdout, and the files asked for.
 */
static int report(const struct session_state *s, struct vs_error *err)
{
	const struct vs_opt_list *files = &s->opt->reports;
	struct vs_loaded loaded;
	char ref[24];
	int rc;

	(void)snprintf(ref, sizeof(ref), "%lld", (long long)s->run.id);
	rc = vs_cli_load(&s->opt->volume, ref, &(struct vs_analysis_options){ 0 }, &loaded, err);
	if (rc == 0 && s->events != stdout)
		rc = vs_cli_write_report(&loaded.timeline, "text", NULL, false, NULL, err);
	for (size_t i = 0; rc == 0 && i < files->n; i++)
		rc = vs_cli_write_report(&loaded.timeline, NULL, files->items[i], false, NULL, err);
	vs_loaded_release(&loaded);
	return rc;
}

int vs_session_run(const struct vs_session *session, struct vs_error *err)
{
	struct session_state s = { .session = session, .opt = session->options, .signal_fd = -1 };
	enum vs_end end;
	int rc;

	vs_run_init(&s.run);
	rc = open_all(&s, err);
	if (rc == 0)
		rc = record(&s, err);
	if (s.run.id > 0 && report(&s, rc == 0 ? err : NULL) != 0)
		rc = -1;
	end = s.run.end;
	close_all(&s);
	if (rc != 0)
		return -1;
	if (end == VS_END_INTERRUPTED)
		return VS_EXIT_INTERRUPTED;
	return end == VS_END_COMPLETED ? VS_EXIT_DONE : VS_EXIT_FAILED;
}
