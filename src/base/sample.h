/* What a probe yields: samples, observations, events. Plain data; strings are the owner's. */
#ifndef VS_BASE_SAMPLE_H
#define VS_BASE_SAMPLE_H

#include <stdint.h>

#define VS_UNKNOWN (-1) /* in a signed field that is otherwise never negative */

enum vs_phase {
	VS_PHASE_LOAD,  /* the full workload */
	VS_PHASE_IDLE,  /* no load */
	VS_PHASE_PROBE, /* a short burst inside an idle stretch */
	VS_PHASE_RAMP,  /* load before the part that counts: kept, in no plateau */
};

/* vs_sample.flags */
#define VS_SAMPLE_LATE 0x1U /* the sampler woke late; length_ns is true, so the rate is too */
#define VS_SAMPLE_BIASED \
 0x2U /* an import whose tool is known to have miscounted: no tier from it */
#define VS_SAMPLE_ZERO_FILL \
 0x4U /* the tool writes no row for a second without I/O; we put it back */

/* What one target did in one interval. */
struct vs_sample {
	int64_t end_ns;    /* end of the interval, ns since the run's start, monotonic clock */
	int64_t length_ns; /* its true length; start = end_ns - length_ns */
	double ios; /* reads completed in it; whole for our own runs, rate x length for imports */
	double resolution_ios; /* ios is known to +- this: 0 exact, 50 for "25.0k" over 1 s */
	int64_t bytes;         /* bytes read, VS_UNKNOWN when the source does not say */
	int64_t lat_p50_ns;    /* of the reads completed in it; VS_UNKNOWN without any */
	int64_t lat_p99_ns;
	int64_t lat_p999_ns;
	int64_t lat_max_ns;
	int64_t device_reads;  /* the kernel's count for the target's device, VS_UNKNOWN without one
				*/
	int64_t device_merges; /* reads merged into others before they got there */
	int64_t device_sectors; /* 512 bytes each */
	int64_t oldest_ns;      /* age of the oldest read in flight at end_ns; 0 none in flight */
	uint32_t inflight;      /* reads in flight at end_ns */
	uint32_t errors;        /* reads that failed in it; not in ios */
	uint32_t flags;
	uint16_t target; /* index into the run's targets */
	uint16_t phase;  /* enum vs_phase */
};

/* A reading that is not our own count: control plane, provider metric, host fact, import facts. */
struct vs_observation {
	int64_t at_ns; /* since the run's start */
	char *source;  /* "oci-volume", "oci-monitoring", "host", "import" */
	char *name;    /* as the source calls it: "autoTunedVpusPerGB" */
	double value;  /* NAN when the reading is a text */
	char *text;    /* NULL when it is a number */
};

struct vs_event {
	int64_t at_ns; /* since the run's start */
	char *kind;    /* one word, kebab-case: "step", "late-sample", "device-mismatch" */
	char *text;    /* one sentence */
};

#endif
