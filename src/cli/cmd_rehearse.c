/* volscale rehearse: the same as observe on an emulated volume: no cloud, no root. */
#include <math.h>

#include "cli/session.h"
#include "probes/emulated.h"
#include "probes/scratch.h"

#define DEFAULT_SIZE_GB 50.0

struct rehearse_options {
	struct vs_session_options session;
	const char *min_tier, *max_tier, *scratch_dir;
	uint64_t scratch_bytes;
	int64_t first_fall_ns;
	double speed;
};

static const struct vs_opt options[] = {
	{ "min-tier", 0, VS_OPT_TEXT, offsetof(struct rehearse_options, min_tier), "TIER", "10",
	  "the tier it starts at and falls back to" },
	{ "max-tier", 0, VS_OPT_TEXT, offsetof(struct rehearse_options, max_tier), "TIER", "120",
	  "the highest tier it climbs to" },
	{ "first-fall", 0, VS_OPT_DURATION, offsetof(struct rehearse_options, first_fall_ns),
	  "TIME", "25m", "idleness before the first step down" },
	{ "speed", 0, VS_OPT_NUMBER, offsetof(struct rehearse_options, speed), "N", "1",
	  "divide all times of the volume by N; take a shorter --interval too" },
	{ "scratch", 0, VS_OPT_TEXT, offsetof(struct rehearse_options, scratch_dir), "DIR", ".",
	  "where the file that is read is laid out; it must take direct reads" },
	{ "scratch-size", 0, VS_OPT_SIZE, offsetof(struct rehearse_options, scratch_bytes), "SIZE",
	  "64m", "size of that file" },
	{ .name = NULL },
};

static const struct vs_opt session_options[] = {
	VS_OPT_WORKLOAD(struct rehearse_options, session),
	VS_OPT_RECORDING(struct rehearse_options, session),
	{ .name = NULL },
};

static const struct vs_opt volume_options[] = {
	VS_OPT_DB(struct rehearse_options, session.volume),
	VS_OPT_VOLUME(struct rehearse_options, session.volume),
	{ .name = NULL },
};

static const struct vs_opt_command command = {
	.name = "rehearse",
	.operands = "",
	.summary = "the same as observe on an emulated volume: no cloud, no root",
	.text = "Reads a scratch file behind a ceiling that climbs a provider's ladder: one\n"
		"tier after about 25 s of demand at the ceiling, with a second of overshoot at\n"
		"each rise; when idle it falls first after --first-fall, then a tier a minute.\n"
		"Everything else is the real thing. The run is marked as emulated in every\n"
		"report.\n\n"
		"example:\n"
		"  volscale rehearse --size-gb 50 --speed 20 --interval 100ms --runtime 16s \\\n"
		"      --first-fall 4m --decay 48s --probe-every 1s --probe-length 300ms",
	.tables = { options, session_options, volume_options },
	.min_operands = 0,
	.max_operands = 0,
};

static int open_volume(const struct rehearse_options *values, struct vs_emulated **out,
		       struct vs_error *err)
{
	const struct vs_volume_options *volume = &values->session.volume;
	struct vs_ladder_query query = { .provider = volume->provider ? volume->provider : "oci",
					 .size_gb = volume->size_gb,
					 .volumes = (int64_t)volume->volumes };
	struct vs_catalogue *catalogue;
	struct vs_ladder ladder;
	struct vs_emulated_options emulated = { .ladder = &ladder,
						.min_tier = values->min_tier,
						.max_tier = values->max_tier,
						.block_bytes = (int64_t)values->session.block_bytes,
						.first_fall_ns = values->first_fall_ns,
						.speed = values->speed };
	int rc;

	if (vs_catalogue_open(volume->catalogue, &catalogue, err) != 0)
		return -1;
	rc = vs_catalogue_ladder(catalogue, &query, &ladder, err);
	if (rc == 0)
		rc = vs_emulated_open(&emulated, out, err);
	vs_catalogue_free(catalogue);
	return rc;
}

static int rehearse(struct rehearse_options *values, struct vs_error *err)
{
	struct vs_scratch scratch;
	struct vs_emulated *volume = NULL;
	char name[64];
	char *targets[] = { scratch.path };
	struct vs_session session = { .command = &command,
				      .options = &values->session,
				      .source = VS_SOURCE_REHEARSE,
				      .targets = targets,
				      .n_targets = 1,
				      .target_name = name };
	int rc;

	if (isnan(values->session.volume.size_gb))
		values->session.volume.size_gb = DEFAULT_SIZE_GB;
	(void)snprintf(name, sizeof(name), "emulated %g GB volume", values->session.volume.size_gb);
	if (open_volume(values, &volume, err) != 0)
		return -1;
	session.pace = vs_emulated_pace(volume);
	rc = vs_scratch_open(values->scratch_dir, values->scratch_bytes, &scratch, err);
	if (rc == 0) {
		rc = vs_session_run(&session, err);
		vs_scratch_release(&scratch);
	}
	vs_emulated_free(volume);
	return rc;
}

static int rehearse_main(int argc, char **argv, struct vs_error *err)
{
	struct rehearse_options values = { .session = VS_SESSION_OPTIONS_INIT };
	char **operands;
	size_t n_operands;
	int rc = vs_opt_parse(&command, argc, argv, &values, &operands, &n_operands, err);

	if (rc == 0)
		rc = rehearse(&values, err);
	else if (rc > 0)
		rc = VS_EXIT_DONE;
	vs_opt_release(&command, &values);
	return rc;
}

const struct vs_command vs_cmd_rehearse = { &command, rehearse_main };
