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
#include "probes/pace.h"

struct vs_session_options {
	struct vs_volume_options volume;
	const char *label;
	const char *rw;
	uint64_t block_bytes, iodepth, numjobs, seed;
	int64_t runtime_ns, decay_ns, probe_every_ns, probe_length_ns, ramp_ns, interval_ns;
	double rate_iops; /* 0: no limit */
	const char *progress;
	const char *events;
	struct vs_opt_list reports;
	const char *durability;
	const char *resume;
	int64_t give_up_ns;
	bool strict, force;
};

/* Rows for the option tables; `type` has a struct vs_session_options as its member `field`. */
#define VS_OPT_WORKLOAD(type, field)                                                             \
 { "rw",                                                                                         \
   0,                                                                                            \
   VS_OPT_CHOICE,                                                                                \
   offsetof(type, field.rw),                                                                     \
   "read|randread",                                                                              \
   "randread",                                                                                   \
   "sequential or random reads" },                                                               \
	 { "bs",   0,    VS_OPT_SIZE,           offsetof(type, field.block_bytes),               \
	   "SIZE", "4k", "bytes a read: 4k, 1m" },                                               \
	 { "iodepth",                                                                            \
	   0,                                                                                    \
	   VS_OPT_U64,                                                                           \
	   offsetof(type, field.iodepth),                                                        \
	   "N",                                                                                  \
	   "256",                                                                                \
	   "reads in flight of one job" },                                                       \
	 { "numjobs",                                                                            \
	   0,                                                                                    \
	   VS_OPT_U64,                                                                           \
	   offsetof(type, field.numjobs),                                                        \
	   "N",                                                                                  \
	   "4",                                                                                  \
	   "jobs (threads) of one target" },                                                     \
	 { "runtime", 0,     VS_OPT_DURATION,           offsetof(type, field.runtime_ns),        \
	   "TIME",    "10m", "length of the load phase" },                                       \
	 { "ramp-time",                                                                          \
	   0,                                                                                    \
	   VS_OPT_DURATION,                                                                      \
	   offsetof(type, field.ramp_ns),                                                        \
	   "TIME",                                                                               \
	   "0",                                                                                  \
	   "load before it that is recorded but not judged" },                                   \
	 { "decay",                                                                              \
	   0,                                                                                    \
	   VS_OPT_DURATION,                                                                      \
	   offsetof(type, field.decay_ns),                                                       \
	   "TIME",                                                                               \
	   "0",                                                                                  \
	   "then stay idle and watch it fall, e.g. 75m" },                                       \
	 { "probe-every",                                                                        \
	   0,                                                                                    \
	   VS_OPT_DURATION,                                                                      \
	   offsetof(type, field.probe_every_ns),                                                 \
	   "TIME",                                                                               \
	   "60s",                                                                                \
	   "while idle, a short burst this often; 0: none" },                                    \
	 { "probe-length", 0,    VS_OPT_DURATION,         offsetof(type, field.probe_length_ns), \
	   "TIME",         "2s", "length of such a burst" },                                     \
	 { "rate-iops",                                                                          \
	   0,                                                                                    \
	   VS_OPT_NUMBER,                                                                        \
	   offsetof(type, field.rate_iops),                                                      \
	   "N",                                                                                  \
	   NULL,                                                                                 \
	   "hold the load at N IOPS in all instead of as fast as it goes" },                     \
 {                                                                                               \
  "seed", 0, VS_OPT_U64, offsetof(type, field.seed), "N", "1", "of the random offsets"           \
 }
#define VS_OPT_RECORDING(type, field)                                                                  \
 { "interval",                                                                                         \
   0,                                                                                                  \
   VS_OPT_DURATION,                                                                                    \
   offsetof(type, field.interval_ns),                                                                  \
   "TIME",                                                                                             \
   "1s",                                                                                               \
   "length of one sample, 100ms or more" },                                                            \
	 { "label", 0, VS_OPT_TEXT, offsetof(type, field.label), "TEXT", NULL, "a name for the run" }, \
	 { "progress",                                                                                 \
	   0,                                                                                          \
	   VS_OPT_CHOICE,                                                                              \
	   offsetof(type, field.progress),                                                             \
	   "auto|always|never",                                                                        \
	   "auto",                                                                                     \
	   "a line that redraws itself on a terminal, a line a minute elsewhere" },                    \
	 { "events",                                                                                   \
	   0,                                                                                          \
	   VS_OPT_TEXT,                                                                                \
	   offsetof(type, field.events),                                                               \
	   "FILE",                                                                                     \
	   NULL,                                                                                       \
	   "write events as they happen, a JSON object a line; - is standard output" },                \
	 { "report",                                                                                   \
	   0,                                                                                          \
	   VS_OPT_LIST,                                                                                \
	   offsetof(type, field.reports),                                                              \
	   "FILE",                                                                                     \
	   NULL,                                                                                       \
	   "at the end write a report: .html .csv .json .md .txt; may be repeated" },                  \
	 { "durability",                                                                               \
	   0,                                                                                          \
	   VS_OPT_CHOICE,                                                                              \
	   offsetof(type, field.durability),                                                           \
	   "normal|full",                                                                              \
	   "normal",                                                                                   \
	   "normal: a kill loses at most one interval, a power cut a few; full: a "                    \
	   "recorded second survives a power cut too" },                                               \
 {                                                                                                     \
  "force", 0, VS_OPT_FLAG, offsetof(type, field.force), NULL, NULL,                                    \
	  "record even with the database on the target or on a network file system"                    \
 }

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
