/* The machine interface: the fields of the design, in its order, null for what is not known. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/facts.h"
#include "reports/formats.h"
#include "reports/json.h"

static void put_seconds(struct vs_json *json, const char *key, int64_t ns)
{
	if (ns < 0)
		vs_json_null(json, key);
	else
		vs_json_number(json, key, (double)ns / 1e9, 6);
}

static void put_known(struct vs_json *json, const char *key, int64_t value)
{
	if (value < 0)
		vs_json_null(json, key);
	else
		vs_json_int(json, key, value);
}

static bool is_host(const struct vs_observation *obs)
{
	return strcmp(obs->source, "host") == 0;
}

static void put_host(const struct vs_run *run, struct vs_json *json)
{
	vs_json_open(json, "host", '{');
	for (size_t i = 0; i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];
		/* a name told twice: its last value, because a key stands once in an object */
		if (!is_host(obs) || vs_run_find(run, "host", obs->name) != obs)
			continue;
		if (obs->text)
			vs_json_text(json, obs->name, obs->text);
		else
			vs_json_number(json, obs->name, obs->value, 6);
	}
	vs_json_close(json);
}

static void put_workload(const struct vs_workload *workload, struct vs_json *json)
{
	vs_json_open(json, "workload", '{');
	vs_json_text(json, "rw", workload->rw);
	put_known(json, "block_bytes", workload->block_bytes);
	put_known(json, "iodepth", workload->iodepth);
	put_known(json, "numjobs", workload->numjobs);
	vs_json_close(json);
}

static void put_run(const struct vs_run *run, struct vs_json *json)
{
	char text[VS_UNITS_TEXT_MAX];

	vs_json_open(json, "run", '{');
	vs_json_int(json, "id", run->id);
	vs_json_text(json, "uuid", run->uuid[0] ? run->uuid : NULL);
	vs_json_text(json, "source", vs_source_name(run->source));
	vs_json_bool(json, "emulated", run->emulated);
	vs_json_text(json, "label", run->label);
	vs_json_text(json, "started_at", vs_units_format_utc(run->started_wall_ms, text));
	put_seconds(json, "duration_s", run->duration_ns);
	put_seconds(json, "interval_s", run->interval_ns);
	vs_json_text(json, "end", vs_end_name(run->end));
	put_host(run, json);
	vs_json_open(json, "targets", '[');
	for (size_t i = 0; i < run->n_targets; i++) {
		vs_json_open(json, NULL, '{');
		vs_json_text(json, "name", run->targets[i].name);
		put_known(json, "size_bytes", run->targets[i].size_bytes);
		vs_json_number(json, "size_gb", run->targets[i].size_gb, 3);
		vs_json_close(json);
	}
	vs_json_close(json);
	put_workload(&run->workload, json);
	vs_json_close(json);
}

static void put_totals(const struct vs_totals *totals, struct vs_json *json)
{
	vs_json_open(json, "totals", '{');
	vs_json_int(json, "samples", (int64_t)totals->samples);
	vs_json_int(json, "missing", (int64_t)totals->missing);
	vs_json_number(json, "ios", totals->ios, 0);
	vs_json_number(json, "bytes", totals->bytes, 0);
	vs_json_number(json, "errors", totals->errors, 0);
	vs_json_close(json);
}

static void put_us(struct vs_json *json, const char *key, int64_t ns)
{
	vs_json_number(json, key, ns < 0 ? (double)NAN : (double)ns / 1e3, 3);
}

static void put_latency(const struct vs_latency *latency, struct vs_json *json)
{
	vs_json_open(json, "latency_us", '{');
	put_us(json, "p50", latency->p50_ns);
	put_us(json, "p99", latency->p99_ns);
	put_us(json, "p999", latency->p999_ns);
	put_us(json, "max", latency->max_ns);
	vs_json_close(json);
}

static void put_tiers(const struct vs_timeline *timeline, size_t i, struct vs_json *json)
{
	const struct vs_plateau *p = &timeline->plateaus[i];

	vs_json_text(json, "tier", vs_facts_tier(timeline, i));
	vs_json_open(json, "tiers", '[');
	for (size_t t = 0; timeline->ladder && t < timeline->ladder->n_tiers; t++)
		if (p->tiers >> t & 1)
			vs_json_text(json, NULL, timeline->ladder->tiers[t].name);
	vs_json_close(json);
	vs_json_number(json, "error_pct", p->error_pct, 2);
	if (p->confirmed == VS_CONFIRMED_UNKNOWN)
		vs_json_null(json, "confirmed");
	else
		vs_json_bool(json, "confirmed", p->confirmed == VS_CONFIRMED_YES);
}

static void put_plateaus(const struct vs_timeline *timeline, struct vs_json *json)
{
	vs_json_open(json, "plateaus", '[');
	for (size_t i = 0; i < timeline->n_plateaus; i++) {
		const struct vs_plateau *p = &timeline->plateaus[i];

		vs_json_open(json, NULL, '{');
		vs_json_int(json, "index", (int64_t)i);
		vs_json_text(json, "phase", vs_phase_name(p->phase));
		put_seconds(json, "start_s", p->start_ns);
		put_seconds(json, "end_s", p->end_ns);
		vs_json_int(json, "samples", (int64_t)p->samples);
		vs_json_number(json, "iops", p->iops, 2);
		vs_json_number(json, "iops_mean", p->iops_mean, 2);
		vs_json_open(json, "iops_ci95", '[');
		vs_json_number(json, NULL, p->iops_ci95[0], 2);
		vs_json_number(json, NULL, p->iops_ci95[1], 2);
		vs_json_close(json);
		vs_json_number(json, "spread_pct", p->spread_pct, 3);
		vs_json_number(json, "mbps", p->mbps, 3);
		put_latency(&p->latency, json);
		vs_json_bool(json, "drifting", p->drifting);
		vs_json_number(json, "vpu_estimate", p->vpu_estimate, 2);
		put_tiers(timeline, i, json);
		vs_json_text(json, "bound_by", vs_bound_name(p->bound_by));
		vs_json_close(json);
	}
	vs_json_close(json);
}

static void put_steps(const struct vs_timeline *timeline, struct vs_json *json)
{
	vs_json_open(json, "steps", '[');
	for (size_t i = 0; i < timeline->n_steps; i++) {
		const struct vs_step *s = &timeline->steps[i];

		vs_json_open(json, NULL, '{');
		vs_json_int(json, "index", (int64_t)i);
		vs_json_text(json, "direction", vs_direction_name(s->direction));
		put_seconds(json, "at_s", s->at_ns);
		put_seconds(json, "at_low_s", s->at_low_ns);
		put_seconds(json, "at_high_s", s->at_high_ns);
		vs_json_number(json, "from_iops", timeline->plateaus[s->from].iops, 2);
		vs_json_number(json, "to_iops", timeline->plateaus[s->to].iops, 2);
		vs_json_text(json, "from_tier", vs_facts_tier(timeline, s->from));
		vs_json_text(json, "to_tier", vs_facts_tier(timeline, s->to));
		put_seconds(json, "dwell_s", s->dwell_ns);
		vs_json_number(json, "overshoot_pct", s->overshoot_pct, 2);
		put_seconds(json, "provider_at_s", s->provider_at_ns);
		if (s->provider_at_ns < 0)
			vs_json_null(json, "lag_s");
		else
			vs_json_number(json, "lag_s", (double)(s->at_ns - s->provider_at_ns) / 1e9,
				       6);
		vs_json_close(json);
	}
	vs_json_close(json);
}

static void put_rest(const struct vs_timeline *timeline, struct vs_json *json)
{
	vs_json_open(json, "dips", '[');
	for (size_t i = 0; i < timeline->n_dips; i++) {
		vs_json_open(json, NULL, '{');
		put_seconds(json, "at_s", timeline->dips[i].at_ns);
		put_seconds(json, "duration_s", timeline->dips[i].duration_ns);
		vs_json_number(json, "iops_min", timeline->dips[i].iops_min, 2);
		vs_json_close(json);
	}
	vs_json_close(json);
	if (timeline->pending.present) {
		vs_json_open(json, "pending", '{');
		put_seconds(json, "start_s", timeline->pending.start_ns);
		vs_json_number(json, "iops", timeline->pending.iops, 2);
		vs_json_close(json);
	} else {
		vs_json_null(json, "pending");
	}
	vs_json_ladder(json, "ladder", timeline->ladder);
	vs_json_open(json, "cost", '{');
	vs_json_text(json, "currency", timeline->cost.currency[0] ? timeline->cost.currency : NULL);
	vs_json_number(json, "observed", timeline->cost.observed, 6);
	vs_json_number(json, "month_at_top", timeline->cost.month_at_top, 4);
	vs_json_number(json, "month_at_bottom", timeline->cost.month_at_bottom, 4);
	vs_json_close(json);
}

static void put_lists(const struct vs_run *run, struct vs_json *json)
{
	vs_json_open(json, "observations", '[');
	for (size_t i = 0; i < run->n_observations; i++) {
		const struct vs_observation *obs = &run->observations[i];

		if (is_host(obs))
			continue;
		vs_json_open(json, NULL, '{');
		put_seconds(json, "at_s", obs->at_ns);
		vs_json_text(json, "source", obs->source);
		vs_json_text(json, "name", obs->name);
		if (obs->text)
			vs_json_text(json, "value", obs->text);
		else
			vs_json_number(json, "value", obs->value, 6);
		vs_json_close(json);
	}
	vs_json_close(json);
	vs_json_open(json, "events", '[');
	for (size_t i = 0; i < run->n_events; i++) {
		vs_json_open(json, NULL, '{');
		put_seconds(json, "at_s", run->events[i].at_ns);
		vs_json_text(json, "kind", run->events[i].kind);
		vs_json_text(json, "text", run->events[i].text);
		vs_json_close(json);
	}
	vs_json_close(json);
}

void vs_report_json_timeline(const struct vs_timeline *timeline, struct vs_json *json,
			     const char *key, bool with_lists)
{
	const struct vs_run *run = timeline->run;

	vs_json_open(json, key, '{');
	vs_json_int(json, "schema_version", 1);
	vs_json_open(json, "tool", '{');
	vs_json_text(json, "name", "volscale");
	vs_json_text(json, "version", VS_VERSION);
	vs_json_close(json);
	put_run(run, json);
	vs_json_open(json, "provider", '{');
	vs_json_text(json, "id", run->provider);
	vs_json_number(json, "size_gb", run->size_gb, 3);
	vs_json_close(json);
	put_totals(&timeline->totals, json);
	put_plateaus(timeline, json);
	put_steps(timeline, json);
	put_rest(timeline, json);
	if (with_lists)
		put_lists(run, json);
	vs_json_close(json);
}

int vs_report_json(const struct vs_timeline *timeline, const struct vs_report_options *options,
		   FILE *out, struct vs_error *err)
{
	struct vs_json json;

	(void)options;
	(void)err;
	vs_json_init(&json, out, 2);
	vs_report_json_timeline(timeline, &json, NULL, true);
	return 0;
}
