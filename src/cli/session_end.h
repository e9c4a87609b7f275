/* The last thing that a session records: how it ended, and the driver's own account. */
#ifndef VS_CLI_SESSION_END_H
#define VS_CLI_SESSION_END_H

#include <stdint.h>

#include "base/error.h"
#include "base/run.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "probes/load.h"
#include "probes/sampler.h"
#include "store/store.h"

struct vs_session_end {
	struct vs_store *store;
	const struct vs_run *run; /* with its end and duration */
	struct vs_load *load;     /* NULL: there was none */
	const struct vs_sampler_totals *totals;
	struct vs_progress *progress;
	struct vs_stop *stop;
};

/*
 * A database in trouble is waited for as long as patience_ns (0: tried once), which is said; a
 * signal's second coming ends the process. -1: the run reads as crashed.
 */
int vs_session_end(const struct vs_session_end *end, int64_t patience_ns,
		   struct vs_error *err) VS_MUST_CHECK;

#endif
