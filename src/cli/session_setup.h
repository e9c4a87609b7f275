/* What stands between the options and the first read: are they sensible, what are the targets, what
 * would spoil the run. Nothing is changed.
 */
#ifndef VS_CLI_SESSION_SETUP_H
#define VS_CLI_SESSION_SETUP_H

#include "base/error.h"
#include "base/run.h"
#include "cli/session.h"
#include "model/catalogue.h"
#include "probes/load.h"
#include "probes/preflight.h"
#include "probes/target.h"

/* VS_EUSAGE names the option and the remedy. */
int vs_session_check(const struct vs_session *session, struct vs_error *err) VS_MUST_CHECK;
/*
 * Inspects the targets into infos (room for session->n_targets) and adds them to run, which gets
 * its size and number of volumes from them where the options gave none.
 */
int vs_session_add_targets(const struct vs_session *session, struct vs_run *run,
			   struct vs_target_info *infos, struct vs_error *err) VS_MUST_CHECK;
/* What the driver is asked to do; the pace is the session's or NULL. */
struct vs_load_options vs_session_load_options(const struct vs_session *session);
/*
 * Looks for what would spoil the run; found has the notices, which the session says and records.
 * An error: what cannot work, a database on the target (unless forced), and with --strict any
 * notice. ladder may be NULL.
 */
int vs_session_preflight(const struct vs_session *session, const struct vs_target_info *infos,
			 const struct vs_ladder *ladder, struct vs_findings *found,
			 struct vs_error *err) VS_MUST_CHECK;

#endif
