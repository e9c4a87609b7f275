/* volscale watch: record the kernel's counters of a device in use; no load. */
#include <math.h>

#include "cli/session.h"

struct watch_options {
	struct vs_session_options session;
};

static const struct vs_opt options[] = {
	{ "runtime", 0, VS_OPT_DURATION, offsetof(struct watch_options, session.runtime_ns), "TIME",
	  "10m", "how long to watch" },
	VS_OPT_RECORDING(struct watch_options, session),
	{ .name = NULL },
};

static const struct vs_opt volume_options[] = {
	VS_OPT_DB(struct watch_options, session.volume),
	VS_OPT_VOLUME(struct watch_options, session.volume),
	{ .name = NULL },
};

static const struct vs_opt cloud_options[] = {
	VS_OPT_CLOUD(struct watch_options, session.cloud),
	{ .name = NULL },
};

static const struct vs_opt_command command = {
	.name = "watch",
	.operands = "TARGET...",
	.summary = "record the kernel's counters of a device in use; no load",
	.text = "Records the reads that others do on the TARGETs (block devices), one sample a\n"
		"second, from the kernel's counters. Nothing is read or written. A file stands\n"
		"for the device it lies on.\n\n"
		"example:\n"
		"  volscale watch --runtime 2h /dev/nvme1n1",
	.tables = { options, volume_options, cloud_options },
	.min_operands = 1,
	.max_operands = 4096,
};

static int watch_main(int argc, char **argv, struct vs_error *err)
{
	struct watch_options values = { .session = VS_SESSION_OPTIONS_INIT };
	struct vs_session session = { .command = &command,
				      .options = &values.session,
				      .source = VS_SOURCE_WATCH };
	int rc = vs_opt_parse(&command, argc, argv, &values, &session.targets, &session.n_targets,
			      err);

	if (rc == 0)
		rc = vs_session_run(&session, err);
	else if (rc > 0)
		rc = VS_EXIT_DONE;
	vs_opt_release(&command, &values);
	return rc;
}

const struct vs_command vs_cmd_watch = { &command, watch_main };
