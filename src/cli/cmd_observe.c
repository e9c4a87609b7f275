/* volscale observe: drive a fixed read workload, sample, record, detect live. */
#include <math.h>

#include "cli/session.h"

struct observe_options {
	struct vs_session_options session;
};

static const struct vs_opt options[] = {
	VS_OPT_WORKLOAD(struct observe_options, session),
	VS_OPT_RECORDING(struct observe_options, session),
	{ "give-up-after", 0, VS_OPT_DURATION, offsetof(struct observe_options, session.give_up_ns),
	  "TIME", "0", "end the run when nothing could be read for this long; 0: never" },
	{ "strict", 0, VS_OPT_FLAG, offsetof(struct observe_options, session.strict), NULL, NULL,
	  "take what is only a notice (mounted, held, few CPUs) as a refusal" },
	{ "resume", 0, VS_OPT_TEXT, offsetof(struct observe_options, session.resume), "RUN", NULL,
	  "go on with a run that crashed, failed or was interrupted: the same targets and workload, "
	  "for what is left of its phases or for --runtime and --decay when given" },
	{ .name = NULL },
};

static const struct vs_opt volume_options[] = {
	VS_OPT_DB(struct observe_options, session.volume),
	VS_OPT_VOLUME(struct observe_options, session.volume),
	{ .name = NULL },
};

static const struct vs_opt cloud_options[] = {
	VS_OPT_CLOUD(struct observe_options, session.cloud),
	{ .name = NULL },
};

static const struct vs_opt_command command = {
	.name = "observe",
	.operands = "TARGET...",
	.summary = "drive a fixed read workload, sample, record, detect live",
	.text = "Reads the TARGETs (block devices or files) with O_DIRECT and records one\n"
		"sample a second for each. Targets are opened read-only; nothing is ever\n"
		"written to them. Workload options have fio's names. Ctrl-C ends the run and\n"
		"keeps everything; a second one ends at once.\n\n"
		"examples:\n"
		"  volscale observe /dev/nvme1n1\n"
		"      ten minutes of 4 KiB random reads, 4 jobs x depth 256\n"
		"  volscale observe --runtime 10m --decay 75m --report run.html /dev/nvme1n1\n"
		"      ... then watch it fall with a 2-second probe a minute, and write a report\n"
		"  volscale observe --resume last\n"
		"      after a crash or Ctrl-C: go on in the same run",
	.tables = { options, volume_options, cloud_options },
	.min_operands = 0,
	.max_operands = 4096,
};

static int observe_main(int argc, char **argv, struct vs_error *err)
{
	struct observe_options values = { .session = VS_SESSION_OPTIONS_INIT };
	struct vs_session session = { .command = &command,
				      .options = &values.session,
				      .source = VS_SOURCE_OBSERVE };
	int rc = vs_opt_parse(&command, argc, argv, &values, &session.targets, &session.n_targets,
			      err);

	if (rc == 0)
		rc = vs_session_run(&session, err);
	else if (rc > 0)
		rc = VS_EXIT_DONE;
	vs_opt_release(&command, &values);
	return rc;
}

const struct vs_command vs_cmd_observe = { &command, observe_main };
