/* One recording session, from options to the finished run: what observe, rehearse and watch share.
 */
#ifndef VS_CLI_SESSION_H
#define VS_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "cli/cli.h"
#include "cli/opt.h"
#include "cli/session_cloud.h"
#include "probes/pace.h"

struct vs_session_options {
	struct vs_volume_options volume;
	const char *label;
	const char *rw;
	uint64_t block_bytes, iodepth, numjobs, seed;
	int64_t runtime_ns, decay_ns; /* -1: not given */
	int64_t probe_every_ns, probe_length_ns, ramp_ns, interval_ns;
	double rate_iops; /* 0: no limit */
	const char *progress;
	const char *events;
	struct vs_opt_list reports;
	const char *durability;
	const char *resume; /* the run to go on with; NULL: a new one */
	int64_t give_up_ns;
	bool strict, force;
	struct vs_session_cloud_options cloud;
};

/* clang-format off */
#define VS_SESSION_OPTIONS_INIT { .volume = VS_VOLUME_OPTIONS_INIT, .runtime_ns = -1, .decay_ns = -1 }
/* clang-format on */

/* What the workload options are when they are not given: as the tables below say it. */
#define VS_INIT_RW         "randread"
#define VS_INIT_BS         4096
#define VS_INIT_IODEPTH    256
#define VS_INIT_NUMJOBS    4
#define VS_INIT_RUNTIME_NS INT64_C(600000000000)

/* Rows for the option tables; `type` has a struct vs_session_options as its member `field`. */
#define VS_OPT_WORKLOAD(type, field)                                                               \
 VS_OPT(VS_OPT_CHOICE, "rw", type, field.rw, "read|randread", "randread",                          \
	"sequential or random reads"),                                                             \
	 VS_OPT(VS_OPT_SIZE, "bs", type, field.block_bytes, "SIZE", "4k", "bytes a read: 4k, 1m"), \
	 VS_OPT(VS_OPT_U64, "iodepth", type, field.iodepth, "N", "256",                            \
		"reads in flight of one job"),                                                     \
	 VS_OPT(VS_OPT_U64, "numjobs", type, field.numjobs, "N", "4",                              \
		"jobs (threads) of one target"),                                                   \
	 VS_OPT(VS_OPT_DURATION, "runtime", type, field.runtime_ns, "TIME", NULL,                  \
		"length of the load phase (default 10m)"),                                         \
	 VS_OPT(VS_OPT_DURATION, "ramp-time", type, field.ramp_ns, "TIME", "0",                    \
		"load before it that is recorded but not judged"),                                 \
	 VS_OPT(VS_OPT_DURATION, "decay", type, field.decay_ns, "TIME", NULL,                      \
		"then stay idle and watch it fall, e.g. 75m (default 0)"),                         \
	 VS_OPT(VS_OPT_DURATION, "probe-every", type, field.probe_every_ns, "TIME", "60s",         \
		"while idle, a short burst this often; 0: none"),                                  \
	 VS_OPT(VS_OPT_DURATION, "probe-length", type, field.probe_length_ns, "TIME", "2s",        \
		"length of such a burst"),                                                         \
	 VS_OPT(VS_OPT_NUMBER, "rate-iops", type, field.rate_iops, "N", NULL,                      \
		"hold the load at N IOPS in all instead of as fast as it goes"),                   \
	 VS_OPT(VS_OPT_U64, "seed", type, field.seed, "N", "1", "of the random offsets")
#define VS_OPT_RECORDING(type, field)                                                         \
 VS_OPT(VS_OPT_DURATION, "interval", type, field.interval_ns, "TIME", "1s",                   \
	"length of one sample, 100ms or more"),                                               \
	 VS_OPT(VS_OPT_TEXT, "label", type, field.label, "TEXT", NULL, "a name for the run"), \
	 VS_OPT(VS_OPT_CHOICE, "progress", type, field.progress, "auto|always|never", "auto", \
		"a line that redraws itself on a terminal, a line a minute elsewhere"),       \
	 VS_OPT(VS_OPT_TEXT, "events", type, field.events, "FILE", NULL,                      \
		"write events as they happen, a JSON object a line; - is standard "           \
		"output"),                                                                    \
	 VS_OPT(VS_OPT_LIST, "report", type, field.reports, "FILE", NULL,                     \
		"at the end write a report: .html .csv .json .md .txt; may be repeated"),     \
	 VS_OPT(VS_OPT_CHOICE, "durability", type, field.durability, "normal|full", "normal", \
		"normal: a kill loses at most one interval, a power cut what the system had " \
		"not written yet, some 30 s; full: a recorded second survives that too"),     \
	 VS_OPT(VS_OPT_FLAG, "force", type, field.force, NULL, NULL,                          \
		"record even with the database on the target or on a network file "           \
		"system")

/* What differs between the three. */
struct vs_session {
	const struct vs_opt_command *command;
	const struct vs_session_options *options;
	enum vs_source source;
	char **targets; /* paths, or devices for watch */
	size_t n_targets;
	char *target_name;    /* what the record calls the only target; NULL: its path */
	struct vs_pace *pace; /* of the emulated volume; NULL otherwise */
};

/* Records, saves, prints the summary. Returns an exit code, or -1 with err before anything was
 * recorded or when the record could not be kept. */
int vs_session_run(const struct vs_session *session, struct vs_error *err) VS_MUST_CHECK;

#endif
