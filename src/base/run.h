/* One recording in memory: what the store loads and the analysis reads. */
#ifndef VS_BASE_RUN_H
#define VS_BASE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/sample.h"

enum vs_source {
	VS_SOURCE_OBSERVE,
	VS_SOURCE_WATCH,
	VS_SOURCE_REHEARSE,
	VS_SOURCE_IMPORT
};

enum vs_end {
	VS_END_RUNNING,
	VS_END_COMPLETED,
	VS_END_INTERRUPTED,
	VS_END_FAILED,
	VS_END_CRASHED, /* no end was written and its writer is gone */
};

/* The words of the JSON contract and of the database. */
const char *vs_source_name(enum vs_source source);
const char *vs_end_name(enum vs_end end);
const char *vs_phase_name(enum vs_phase phase);
/* The value of a word; -1 when there is no such word. */
int vs_source_value(const char *name);
int vs_end_value(const char *name);
int vs_phase_value(const char *name);

struct vs_target {
	char *name;         /* as the user gave it */
	int64_t size_bytes; /* VS_UNKNOWN when not known */
	double size_gb; /* the volume's size as its provider counts it (GB = 2^30); NAN unknown */
	bool is_device; /* a block device: then the kernel's counts are the volume's */
	char *device;   /* "259:0" whose counters are the witness; NULL none */
};

/* A negative number or NULL: not known. */
struct vs_workload {
	char *rw; /* "read", "randread"; an import may have others */
	int64_t block_bytes;
	int64_t iodepth;  /* of one job */
	int64_t numjobs;  /* of one target */
	double rate_iops; /* the asked limit */
};

/* When a phase began; it lasts until the next begins or the run ends. */
struct vs_phase_mark {
	int64_t start_ns;
	enum vs_phase phase; /* LOAD, IDLE or RAMP; probes are told by the samples */
};

/*
 * Open data. Everything that is a pointer is owned by the run and freed by vs_run_release().
 * Samples stand in the order of their end_ns, several targets' side by side.
 */
struct vs_run {
	int64_t id;
	char uuid[37];
	enum vs_source source;
	enum vs_end end;
	bool emulated;
	char *label;             /* NULL none */
	int64_t started_wall_ms; /* UTC, ms since 1970 */
	int64_t duration_ns;     /* of the recording so far */
	int64_t interval_ns;     /* the asked one */
	char *provider;          /* "oci"; NULL not told */
	double size_gb;          /* of one volume, as its provider counts; NAN not known */
	int64_t volumes; /* that the targets are made of: striping, several targets; 0 not told */
	double instance_gbps; /* network limit of the instance; NAN not known */
	struct vs_workload workload;

	struct vs_target *targets;
	size_t n_targets;
	struct vs_phase_mark *phases;
	size_t n_phases;
	struct vs_sample *samples;
	size_t n_samples;
	struct vs_observation *observations; /* in the order of at_ns */
	size_t n_observations;
	struct vs_event *events; /* in the order of at_ns */
	size_t n_events;
};

/* An empty run: everything unknown. */
void vs_run_init(struct vs_run *run);
void vs_run_release(struct vs_run *run);

/* Each adds a copy at the end; arrays grow by doubling. */
int vs_run_add_target(struct vs_run *run, const struct vs_target *target,
		      struct vs_error *err) VS_MUST_CHECK;
int vs_run_add_phase(struct vs_run *run, int64_t start_ns, enum vs_phase phase,
		     struct vs_error *err) VS_MUST_CHECK;
int vs_run_add_sample(struct vs_run *run, const struct vs_sample *sample,
		      struct vs_error *err) VS_MUST_CHECK;
int vs_run_add_observation(struct vs_run *run, const struct vs_observation *obs,
			   struct vs_error *err) VS_MUST_CHECK;
int vs_run_add_event(struct vs_run *run, const struct vs_event *event,
		     struct vs_error *err) VS_MUST_CHECK;

/* Replaces *field by a copy of text (NULL allowed). */
int vs_run_set_text(char **field, const char *text, struct vs_error *err) VS_MUST_CHECK;
/* The last observation of source and name; NULL when there is none. Borrowed. */
const struct vs_observation *vs_run_find(const struct vs_run *run, const char *source,
					 const char *name);
/* A random version 4 UUID as text. */
void vs_run_make_uuid(char uuid[37]);

#endif
