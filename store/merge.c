/* Several recordings of the same thing, one after the other, become one run. */
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "store/db.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static int by_start(const void *a, const void *b)
{
	const struct vs_run *x = a, *y = b;

	return (x->started_wall_ms > y->started_wall_ms) -
	       (x->started_wall_ms < y->started_wall_ms);
}

/* What of two recordings is not the same though it must be; NULL: nothing. */
static const char *difference(const struct vs_run *a, const struct vs_run *b)
{
	if (a->source != b->source)
		return "source";
	if (a->emulated != b->emulated)
		return "emulation";
	if (a->interval_ns != b->interval_ns)
		return "interval";
	if (!same_text(a->workload.rw, b->workload.rw))
		return "access pattern";
	if (a->workload.block_bytes != b->workload.block_bytes)
		return "block size";
	if (a->workload.iodepth != b->workload.iodepth)
		return "depth";
	if (a->workload.numjobs != b->workload.numjobs)
		return "number of jobs";
	if (!same_text(a->provider, b->provider))
		return "provider";
	return NULL;
}

static int64_t end_wall_ms(const struct vs_run *run)
{
	return run->started_wall_ms + run->duration_ns / VS_NS_PER_MS;
}

/* In the order of their start: all made the same way, none while the one before it went on. */
static int check_fit(const struct vs_run *heads, size_t n, struct vs_error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (heads[i].end == VS_END_RUNNING)
			return vs_error_set(err, VS_EUSAGE, 0,
					    "run %" PRId64 " is still being recorded; merge it "
					    "when it has ended",
					    heads[i].id);
		if (i == 0)
			continue;
		const char *what = difference(&heads[0], &heads[i]);

		if (what)
			return vs_error_set(err, VS_EUSAGE, 0,
					    "runs %" PRId64 " and %" PRId64
					    " cannot be merged: they differ in %s",
					    heads[0].id, heads[i].id, what);
		if (heads[i].id == heads[i - 1].id)
			return vs_error_set(err, VS_EUSAGE, 0, "run %" PRId64 " is named twice",
					    heads[i].id);
		if (heads[i].started_wall_ms < end_wall_ms(&heads[i - 1]))
			return vs_error_set(err, VS_EUSAGE, 0,
					    "runs %" PRId64 " and %" PRId64
					    " cannot be merged: they overlap in time",
					    heads[i - 1].id, heads[i].id);
	}
	return 0;
}

/* The place of a target in the merged run, by name; added when it is new. -1: out of memory. */
static int64_t place_of(struct vs_run *merged, const struct vs_target *target, struct vs_error *err)
{
	for (size_t i = 0; i < merged->n_targets; i++)
		if (strcmp(merged->targets[i].name, target->name) == 0)
			return (int64_t)i;
	if (vs_run_add_target(merged, target, err) != 0)
		return -1;
	return (int64_t)merged->n_targets - 1;
}

/* ?1 the merged run, ?2 the old one, ?3 its shift, ?4 and ?5 a target's new and old place. */
static int copy_rows(struct vs_store *store, const char *sql, const int64_t values[5], int n,
		     struct vs_error *err)
{
	sqlite3_stmt *stmt;
	int rc;

	if (vs_db_prepare(store, sql, &stmt, err) != 0)
		return -1;
	for (int i = 0; i < n; i++)
		(void)sqlite3_bind_int64(stmt, i + 1, values[i]);
	rc = vs_db_run(store, stmt, "be written", err);
	(void)sqlite3_finalize(stmt);
	return rc;
}

static int copy_run(struct vs_store *store, struct vs_run *merged, const struct vs_run *from,
		    struct vs_error *err)
{
	static const char *const sql[] = {
		"INSERT INTO phase (run_id, start_ns, phase) SELECT ?1, start_ns + ?3, phase "
		"FROM phase WHERE run_id = ?2 ORDER BY start_ns, id",
		"INSERT INTO observation (run_id, at_ns, source, name, value, text) "
		"SELECT ?1, at_ns + ?3, source, name, value, text FROM observation "
		"WHERE run_id = ?2 ORDER BY at_ns, id",
		"INSERT INTO event (run_id, at_ns, kind, text) SELECT ?1, at_ns + ?3, kind, text "
		"FROM event WHERE run_id = ?2 ORDER BY at_ns, id",
	};
	int64_t values[5] = { merged->id, from->id,
			      (from->started_wall_ms - merged->started_wall_ms) * VS_NS_PER_MS };

	for (size_t i = 0; i < sizeof(sql) / sizeof(sql[0]); i++)
		if (copy_rows(store, sql[i], values, 3, err) != 0)
			return -1;
	for (size_t i = 0; i < from->n_targets; i++) {
		values[3] = place_of(merged, &from->targets[i], err);
		values[4] = (int64_t)i;
		if (values[3] < 0 ||
		    copy_rows(store,
			      "INSERT INTO sample SELECT ?1, end_ns + ?3, ?4, length_ns, phase, "
			      "ios, resolution_ios, bytes, lat_p50_ns, lat_p99_ns, lat_p999_ns, "
			      "lat_max_ns, device_reads, device_merges, device_sectors, oldest_ns, "
			      "inflight, errors, flags FROM sample "
			      "WHERE run_id = ?2 AND target = ?5 ORDER BY end_ns",
			      values, 5, err) != 0)
			return -1;
	}
	return 0;
}

static int add_gap(struct vs_store *store, const struct vs_run *merged, const struct vs_run *before,
		   const struct vs_run *after, struct vs_error *err)
{
	int64_t start_ms = end_wall_ms(before) - merged->started_wall_ms;
	int64_t length_ms = after->started_wall_ms - end_wall_ms(before);
	char gap[VS_UNITS_TEXT_MAX], text[128];

	if (length_ms * VS_NS_PER_MS <= merged->interval_ns)
		return 0;
	(void)snprintf(text, sizeof(text),
		       "nothing was recorded for %s, between run %" PRId64 " (%s) and run %" PRId64,
		       vs_units_format_duration(length_ms * VS_NS_PER_MS, gap), before->id,
		       vs_end_name(before->end), after->id);
	return vs_db_add_event(store, merged->id, start_ms * VS_NS_PER_MS, "gap", text, err);
}

static int make_head(const struct vs_run *heads, size_t n, const char *label, struct vs_run *merged,
		     struct vs_error *err)
{
	const struct vs_run *first = &heads[0], *last = &heads[n - 1];

	vs_run_make_uuid(merged->uuid);
	merged->source = first->source;
	merged->emulated = first->emulated;
	merged->started_wall_ms = first->started_wall_ms;
	merged->interval_ns = first->interval_ns;
	merged->size_gb = first->size_gb;
	merged->volumes = first->volumes;
	merged->instance_gbps = first->instance_gbps;
	merged->workload = first->workload;
	merged->workload.rw = NULL;
	merged->end = last->end;
	merged->duration_ns =
		(last->started_wall_ms - first->started_wall_ms) * VS_NS_PER_MS + last->duration_ns;
	if (vs_run_set_text(&merged->label, label ? label : first->label, err) != 0 ||
	    vs_run_set_text(&merged->provider, first->provider, err) != 0 ||
	    vs_run_set_text(&merged->workload.rw, first->workload.rw, err) != 0)
		return -1;
	return 0;
}

static int merge(struct vs_store *store, const struct vs_run *heads, size_t n, const char *label,
		 struct vs_run *merged, struct vs_error *err)
{
	if (check_fit(heads, n, err) != 0 || make_head(heads, n, label, merged, err) != 0 ||
	    vs_store_run_create(store, merged, &merged->id, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (copy_run(store, merged, &heads[i], err) != 0 ||
		    (i > 0 && add_gap(store, merged, &heads[i - 1], &heads[i], err) != 0))
			return -1;
	}
	return vs_store_run_update(store, merged, err); /* with the targets that came together */
}

static int merge_all(struct vs_store *store, const int64_t *ids, size_t n, const char *label,
		     struct vs_run *merged, struct vs_error *err)
{
	struct vs_run *heads = calloc(n, sizeof(*heads));
	int rc = 0;

	if (!heads)
		return vs_error_nomem(err);
	for (size_t i = 0; i < n; i++)
		vs_run_init(&heads[i]);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = vs_read_head(store, ids[i], &heads[i], NULL, err);
	if (rc == 0) {
		qsort(heads, n, sizeof(*heads), by_start);
		rc = merge(store, heads, n, label, merged, err);
	}
	for (size_t i = 0; i < n; i++)
		vs_run_release(&heads[i]);
	free(heads);
	return rc;
}

int vs_store_run_merge(struct vs_store *store, const int64_t *ids, size_t n, const char *label,
		       int64_t *id_out, struct vs_error *err)
{
	struct vs_run merged;
	bool own;
	int rc;

	if (n < 2)
		return vs_error_set(err, VS_EUSAGE, 0, "a merge takes two runs or more");
	if (vs_db_begin_own(store, &own, err) != 0)
		return -1;
	vs_run_init(&merged);
	rc = merge_all(store, ids, n, label, &merged, err);
	rc = vs_db_end_own(store, own, rc, err);
	if (rc == 0)
		*id_out = merged.id;
	vs_run_release(&merged);
	return rc;
}
