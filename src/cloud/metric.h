/* The provider's metrics of a volume: SummarizeMetricsData, one minute the finest grain. */
#ifndef VS_CLOUD_METRIC_H
#define VS_CLOUD_METRIC_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cloud/client.h"

struct vs_oci_point {
	int64_t wall_ms; /* of the minute, as the provider stamps it */
	double value;
};

#define VS_OCI_POINTS_MAX 1440

struct vs_oci_points {
	struct vs_oci_point items[VS_OCI_POINTS_MAX]; /* in the order of time */
	size_t n;
};

struct vs_oci_metric {
	const char *name;      /* "VolumeGuaranteedIOPS" */
	const char *statistic; /* "mean", "sum" */
};

/* The minutes of [from, to) of one metric; several streams (attachments) of it are added up. */
int vs_oci_get_metric(struct vs_oci *oci, const char *compartment_id, const char *volume_id,
		      const struct vs_oci_metric *metric, int64_t from_wall_ms, int64_t to_wall_ms,
		      struct vs_oci_points *out, struct vs_error *err) VS_MUST_CHECK;

/* The reader of the answer. */
int vs_oci_read_metric(const char *text, size_t len, struct vs_oci_points *out,
		       struct vs_error *err) VS_MUST_CHECK;
/* "2026-02-01T01:02:00.000Z" (also without fraction, also "+00:00") as ms; -1 when it is none. */
int64_t vs_oci_read_time(const char *text);

#endif
