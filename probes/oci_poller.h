/* The control plane beside the load: what OCI says of the volume, as observations, at its own pace.
 */
#ifndef VS_PROBES_OCI_POLLER_H
#define VS_PROBES_OCI_POLLER_H

#include <stdint.h>

#include "base/error.h"
#include "base/sink.h"
#include "cloud/client.h"

/* Strings are borrowed and outlive the poller. */
struct vs_oci_poller_options {
	struct vs_oci_options oci; /* cancel is ignored; retry and timeout_ns: NULL and 0 take the
				      poller's own, which are shorter than the client's */
	const char *volume_id;
	int64_t every_ns;         /* 0: 10 s */
	int64_t metrics_every_ns; /* 0: 60 s; the metrics have no finer grain than a minute */
	int64_t start_mono_ns;    /* the run's start on vs_clock_mono_ns() */
};

struct vs_oci_poller;

/*
 * Reads the configuration (what is wrong with it is the error) and starts the thread, which polls
 * at once and then every every_ns. It calls the sink from there:
 *   source "oci-volume":     autoTunedVpusPerGB at each poll; vpusPerGB, sizeInGBs, isHydrated (0,
 * 1), lifecycleState, autotunePolicies at the first and when they change; source "oci-monitoring":
 * VolumeGuaranteedVPUsPerGB, VolumeGuaranteedIOPS, VolumeThrottledIOs, VolumeReadOps, a value a
 * minute, at the provider's time stamp; events "cloud-tuned" when the tuned VPU has changed,
 * "cloud-error", once a failure begins, and "cloud-back" when it is over. at_ns of a poll is the
 * middle of the exchange. What the sink refuses is the sink's to tell.
 */
int vs_oci_poller_open(const struct vs_oci_poller_options *options, const struct vs_sink *sink,
		       struct vs_oci_poller **out, struct vs_error *err) VS_MUST_CHECK;
/* Ends the thread, within about a second also when the server hangs. NULL allowed. */
void vs_oci_poller_free(struct vs_oci_poller *p);

#endif
