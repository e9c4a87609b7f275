/* The provider beside a session: what it says of the volume and of this machine, before and during
 * a run. */
#ifndef VS_CLI_SESSION_CLOUD_H
#define VS_CLI_SESSION_CLOUD_H

#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "cli/cli.h"
#include "cli/oci_options.h"
#include "probes/queue.h"

struct vs_session_cloud_options {
	struct vs_oci_options oci;
	const char *volume; /* OCID; NULL: the control plane is not asked */
	int64_t poll_every_ns;
};

/* Rows for the option tables; `type` has a struct vs_session_cloud_options as its member `field`.
 */
#define VS_OPT_CLOUD(type, field)                                                        \
 VS_OPT(VS_OPT_TEXT, "oci-volume", type, field.volume, "OCID", NULL,                     \
	"record beside the load what OCI's control plane says of this volume"),          \
	 VS_OPT(VS_OPT_DURATION, "poll-every", type, field.poll_every_ns, "TIME", "10s", \
		"how often it is asked; the metrics once a minute"),                     \
	 VS_OPT_OCI(type, field.oci)

/* A resumed run asks as it did before, unless another volume is given. Strings are before's. */
void vs_session_cloud_resume(struct vs_session_cloud_options *options, const struct vs_run *before);

struct vs_session_cloud;

/*
 * Starts to ask, in a thread: the metadata service what this machine is and, with a volume, the
 * control plane. Call it early, so that the answers are there when they are needed. Fails only for
 * options that cannot be meant and for a configuration that nobody could sign with; a server that
 * does not answer is an event later.
 */
int vs_session_cloud_open(const struct vs_session_cloud_options *options,
			  struct vs_session_cloud **out, struct vs_error *err) VS_MUST_CHECK;
/*
 * Waits for the control plane's answer (5 s at most; not at all without a volume) and fills in what
 * neither the user nor the run says: provider, size, the instance's network.
 */
int vs_session_cloud_fill(struct vs_session_cloud *cloud, struct vs_run *run,
			  struct vs_error *err) VS_MUST_CHECK;
/*
 * The run's time 0 is start_mono_ns, and it begins (or, resumed, goes on) now: puts the host's
 * facts, the volume's and the warnings into the queue, and starts the poller, which goes on
 * putting.
 */
void vs_session_cloud_start(struct vs_session_cloud *cloud, struct vs_run *run,
			    struct vs_queue *queue, int64_t start_mono_ns);
/* No more is put into the queue after it. */
void vs_session_cloud_stop(struct vs_session_cloud *cloud);
void vs_session_cloud_free(struct vs_session_cloud *cloud); /* NULL allowed */

#endif
