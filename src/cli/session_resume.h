/* Going on with a run that crashed, failed or was interrupted: same targets, same workload. */
#ifndef VS_CLI_SESSION_RESUME_H
#define VS_CLI_SESSION_RESUME_H

#include "base/error.h"
#include "base/run.h"
#include "base/sink.h"
#include "cli/session.h"
#include "store/store.h"

/* What the run was asked to do, as observations of source "plan", for a resume. */
int vs_session_record_plan(const struct vs_session_options *options, const struct vs_sink *sink,
			   struct vs_error *err) VS_MUST_CHECK;
/*
 * Loads the run that options->resume names into before (initialised; the caller releases), and sets
 * in options its workload, and the times that were not given to what is left of the plan: a
 * phase's length less what is recorded of it. VS_EUSAGE when an option differs from the run's,
 * when nothing is left, or when it is none that can be resumed.
 */
int vs_session_plan_rest(struct vs_session_options *options, struct vs_store *store,
			 struct vs_run *before, struct vs_error *err) VS_MUST_CHECK;

#endif
