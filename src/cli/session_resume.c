#include "cli/session_resume.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"

#define PLAN "plan"

/* The phases' lengths by name; the same table writes and reads them. */
struct plan_field {
	const char *name;
	size_t offset; /* of an int64_t in struct vs_session_options */
};

static const struct plan_field fields[] = {
	{ "ramp_s", offsetof(struct vs_session_options, ramp_ns) },
	{ "runtime_s", offsetof(struct vs_session_options, runtime_ns) },
	{ "decay_s", offsetof(struct vs_session_options, decay_ns) },
	{ "probe_every_s", offsetof(struct vs_session_options, probe_every_ns) },
	{ "probe_length_s", offsetof(struct vs_session_options, probe_length_ns) },
};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

static int64_t *field_of(struct vs_session_options *options, size_t i)
{
	return (int64_t *)(void *)((char *)options + fields[i].offset);
}

int vs_session_record_plan(const struct vs_session_options *options, const struct vs_sink *sink,
			   struct vs_error *err)
{
	struct vs_session_options copy = *options;

	for (size_t i = 0; i < N_FIELDS; i++)
		if (vs_sink_number(sink, 0, PLAN, fields[i].name, (double)*field_of(&copy, i) / 1e9,
				   err) != 0)
			return -1;
	return vs_sink_number(sink, 0, PLAN, "seed", (double)options->seed, err);
}

/* The value of a workload option is the run's; another one that was given is an error. */
static int keep_number(const char *name, uint64_t *value, uint64_t init, int64_t recorded,
		       struct vs_error *err)
{
	if (recorded <= 0)
		return 0;
	if (*value != init && *value != (uint64_t)recorded)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--%s: the run was recorded with %" PRId64
				    " and goes on so; leave "
				    "the option out",
				    name, recorded);
	*value = (uint64_t)recorded;
	return 0;
}

static int keep_workload(struct vs_session_options *options, const struct vs_run *before,
			 struct vs_error *err)
{
	const struct vs_workload *work = &before->workload;
	const struct vs_observation *seed = vs_run_find(before, PLAN, "seed");

	if (work->rw && strcmp(options->rw, VS_INIT_RW) != 0 && strcmp(options->rw, work->rw) != 0)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--rw: the run was recorded with %s and goes on so; leave the "
				    "option out",
				    work->rw);
	if (work->rw)
		options->rw = work->rw;
	if (!isnan(work->rate_iops) && work->rate_iops > 0)
		options->rate_iops = work->rate_iops;
	if (seed && seed->value >= 0)
		options->seed = (uint64_t)seed->value;
	options->interval_ns = before->interval_ns;
	if (keep_number("bs", &options->block_bytes, VS_INIT_BS, work->block_bytes, err) != 0 ||
	    keep_number("iodepth", &options->iodepth, VS_INIT_IODEPTH, work->iodepth, err) != 0)
		return -1;
	return keep_number("numjobs", &options->numjobs, VS_INIT_NUMJOBS, work->numjobs, err);
}

/* How much of each phase is recorded: RAMP, LOAD, and IDLE with its probes. */
static void add_up(const struct vs_run *before, int64_t done_ns[3])
{
	done_ns[0] = done_ns[1] = done_ns[2] = 0;
	for (size_t i = 0; i < before->n_samples; i++) {
		const struct vs_sample *sample = &before->samples[i];

		if (sample->target != 0)
			continue;
		done_ns[sample->phase == VS_PHASE_RAMP   ? 0
			: sample->phase == VS_PHASE_LOAD ? 1
							 : 2] += sample->length_ns;
	}
}

static int64_t rest(int64_t planned_ns, int64_t done_ns)
{
	return planned_ns > done_ns ? planned_ns - done_ns : 0;
}

static int plan_times(struct vs_session_options *options, const struct vs_run *before,
		      struct vs_error *err)
{
	bool given = options->runtime_ns >= 0 || options->decay_ns >= 0;
	int64_t done_ns[3];

	add_up(before, done_ns);
	for (size_t i = 0; i < N_FIELDS; i++) {
		const struct vs_observation *obs = vs_run_find(before, PLAN, fields[i].name);

		if (!given && obs && isfinite(obs->value))
			*field_of(options, i) = (int64_t)llround(obs->value * 1e9);
	}
	if (given) {
		options->runtime_ns = options->runtime_ns > 0 ? options->runtime_ns : 0;
		options->decay_ns = options->decay_ns > 0 ? options->decay_ns : 0;
		return 0;
	}
	options->ramp_ns = rest(options->ramp_ns, done_ns[0]);
	options->runtime_ns = rest(options->runtime_ns, done_ns[1]);
	options->decay_ns = rest(options->decay_ns, done_ns[2]);
	if (options->ramp_ns + options->runtime_ns + options->decay_ns < options->interval_ns)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "nothing is left to record of run %" PRId64
				    "; give --runtime or --decay to go on with it",
				    before->id);
	return 0;
}

int vs_session_plan_rest(struct vs_session_options *options, struct vs_store *store,
			 struct vs_run *before, struct vs_error *err)
{
	int64_t id;

	if (vs_store_run_find(store, options->resume, &id, err) != 0 ||
	    vs_store_run_load(store, id, before, err) != 0)
		return -1;
	if (before->source != VS_SOURCE_OBSERVE)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--resume: run %" PRId64
				    " is of '%s'; only a run of observe can "
				    "be resumed",
				    id, vs_source_name(before->source));
	if (keep_workload(options, before, err) != 0)
		return -1;
	return plan_times(options, before, err);
}
