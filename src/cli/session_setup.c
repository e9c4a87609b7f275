#include "cli/session_setup.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "probes/sampler.h"
#include "store/store.h"

#define MIN_INTERVAL_NS (100 * VS_NS_PER_MS)
#define MAX_RUN_NS      (INT64_C(366) * 24 * 3600 * VS_NS_PER_SEC)

static int check_times(const struct vs_session_options *opt, struct vs_error *err)
{
	if (opt->interval_ns < MIN_INTERVAL_NS)
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"--interval: less than 100ms measures the scheduler, not the volume");
	if (opt->runtime_ns > MAX_RUN_NS || opt->decay_ns > MAX_RUN_NS || opt->ramp_ns > MAX_RUN_NS)
		return vs_error_set(err, VS_EUSAGE, 0, "a phase lasts at most a year; give less");
	if (opt->runtime_ns + opt->decay_ns < opt->interval_ns)
		return vs_error_set(err, VS_EUSAGE, 0, "--runtime: shorter than one interval");
	if (opt->decay_ns > 0 && opt->probe_every_ns > 0 &&
	    (opt->probe_length_ns < opt->interval_ns ||
	     opt->probe_length_ns >= opt->probe_every_ns))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--probe-length: give at least one interval and less than "
				    "--probe-every");
	return 0;
}

int vs_session_check(const struct vs_session *session, struct vs_error *err)
{
	const struct vs_session_options *opt = session->options;

	if (session->n_targets == 0)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "no target; name a block device or a file, as in "
				    "'volscale %s /dev/nvme1n1'",
				    session->command->name);
	if (session->n_targets > VS_SAMPLER_MAX_TARGETS)
		return vs_error_set(err, VS_EUSAGE, 0, "more than %d targets",
				    VS_SAMPLER_MAX_TARGETS);
	if (check_times(opt, err) != 0)
		return -1;
	if (session->source == VS_SOURCE_WATCH)
		return 0;
	if (opt->iodepth < 1 || opt->iodepth > VS_LOAD_DEPTH_MAX)
		return vs_error_set(err, VS_EUSAGE, 0, "--iodepth: give 1 to %u",
				    VS_LOAD_DEPTH_MAX);
	if (opt->numjobs < 1 || opt->numjobs > VS_LOAD_JOBS_MAX)
		return vs_error_set(err, VS_EUSAGE, 0, "--numjobs: give 1 to %u", VS_LOAD_JOBS_MAX);
	if (opt->block_bytes < 512 || opt->block_bytes > (64U << 20))
		return vs_error_set(err, VS_EUSAGE, 0, "--bs: give 512 to 64m");
	if ((opt->block_bytes & (opt->block_bytes - 1)) != 0 && opt->block_bytes % 4096 != 0)
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"--bs: %llu bytes are neither a power of 2 nor a multiple of 4k; "
			"give e.g. 4k",
			(unsigned long long)opt->block_bytes);
	if (!(opt->rate_iops >= 0))
		return vs_error_set(err, VS_EUSAGE, 0, "--rate-iops: give more than 0");
	if (opt->rate_iops > 0 && session->pace)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--rate-iops: the emulated volume is the only limit in a "
				    "rehearsal");
	return 0;
}

static int add_target(const struct vs_session *session, char *path, struct vs_target_info *info,
		      struct vs_run *run, struct vs_error *err)
{
	struct vs_target target = { .name = session->target_name ? session->target_name : path };

	if (vs_target_inspect(path, info, err) != 0)
		return -1;
	if (session->source == VS_SOURCE_WATCH && !info->device[0])
		return vs_error_set(err, VS_EUSAGE, 0,
				    "the kernel keeps no counters for '%s'; name a block device",
				    path);
	if (session->source != VS_SOURCE_WATCH &&
	    vs_target_check_block(path, info, session->options->block_bytes, err) != 0)
		return -1;
	target.size_bytes = (int64_t)info->size_bytes;
	target.size_gb = (double)info->size_bytes / VS_GB_BYTES;
	target.is_device = info->is_device;
	target.device = info->device[0] ? info->device : NULL;
	return vs_run_add_target(run, &target, err);
}

int vs_session_add_targets(const struct vs_session *session, struct vs_run *run,
			   struct vs_target_info *infos, struct vs_error *err)
{
	double gb = 0;

	for (size_t i = 0; i < session->n_targets; i++) {
		if (add_target(session, session->targets[i], &infos[i], run, err) != 0)
			return -1;
		gb += run->targets[i].size_gb;
	}
	if (isnan(run->size_gb))
		run->size_gb = gb / (double)run->n_targets;
	if (run->volumes == 0)
		run->volumes = (int64_t)run->n_targets;
	return 0;
}

struct vs_load_options vs_session_load_options(const struct vs_session *session)
{
	const struct vs_session_options *opt = session->options;

	return (struct vs_load_options){
		.random = strcmp(opt->rw, "randread") == 0,
		.block_bytes = (uint32_t)opt->block_bytes,
		.iodepth = (uint32_t)opt->iodepth,
		.numjobs = (uint32_t)opt->numjobs,
		.seed = opt->seed,
		.pace = session->pace,
	};
}

/* The most that the ladder promises at this block size. */
static double most_iops(const struct vs_session_options *opt, const struct vs_ladder *ladder)
{
	double most = 0;

	if (opt->rate_iops > 0)
		return opt->rate_iops;
	for (size_t i = 0; ladder && i < ladder->n_tiers; i++)
		most = fmax(most,
			    vs_tier_ceiling_iops(&ladder->tiers[i], (int64_t)opt->block_bytes));
	return most;
}

static int check_place(const struct vs_session *session, struct vs_findings *found,
		       struct vs_error *err)
{
	const char *db = vs_cli_db(&session->options->volume);
	char notice[VS_STORE_NOTICE_MAX];
	struct vs_error why = { 0 };

	if (vs_store_check_place(db, (const char *const *)session->targets, session->n_targets,
				 notice, &why) == 0) {
		if (notice[0])
			vs_findings_add(found, false, "database-place", "%s", notice);
		return 0;
	}
	if (!session->options->force) {
		*err = why;
		return -1;
	}
	vs_findings_add(found, false, "database-place", "%s", why.text);
	return 0;
}

int vs_session_preflight(const struct vs_session *session, const struct vs_target_info *infos,
			 const struct vs_ladder *ladder, struct vs_findings *found,
			 struct vs_error *err)
{
	const struct vs_load_options load = vs_session_load_options(session);
	const struct vs_preflight preflight = {
		.load = &load,
		.paths = (const char *const *)session->targets,
		.infos = infos,
		.n_targets = session->n_targets,
		.expected_iops = most_iops(session->options, ladder),
		.own_files = session->source == VS_SOURCE_REHEARSE,
	};

	*found = (struct vs_findings){ 0 };
	if (session->source != VS_SOURCE_WATCH)
		vs_preflight_check(&preflight, found);
	/* a rehearsal's file is our own: the database beside it spoils nothing */
	if (session->source != VS_SOURCE_REHEARSE && check_place(session, found, err) != 0)
		return -1;
	for (size_t i = 0; i < found->n; i++)
		if (found->items[i].refuse)
			return vs_error_set(err, VS_EUSAGE, 0, "%s", found->items[i].text);
	if (session->options->strict && found->n > 0)
		return vs_error_set(err, VS_EUSAGE, 0, "%s (refused because of --strict)",
				    found->items[0].text);
	return 0;
}
