/* A comparison for machines: null for what is not known, and never 0 for a missing price. */
#include <math.h>

#include "reports/compare_report.h"
#include "reports/facts.h"
#include "reports/json.h"

static void put_us(struct vs_json *json, const char *key, int64_t ns)
{
	vs_json_number(json, key, ns < 0 ? (double)NAN : (double)ns / 1e3, 3);
}

static void put_known(struct vs_json *json, const char *key, int64_t value)
{
	vs_json_number(json, key, value < 0 ? (double)NAN : (double)value, 0);
}

static void put_tier(struct vs_json *json, const char *key, const struct vs_comparison_row *row,
		     int tier)
{
	vs_json_text(json, key, tier < 0 ? NULL : row->timeline->ladder->tiers[tier].name);
}

static void put_run(const struct vs_run *run, struct vs_json *json)
{
	vs_json_int(json, "id", run->id);
	vs_json_text(json, "uuid", run->uuid[0] ? run->uuid : NULL);
	vs_json_text(json, "label", run->label);
	vs_json_text(json, "source", vs_source_name(run->source));
	vs_json_bool(json, "emulated", run->emulated);
	vs_json_text(json, "provider", run->provider);
	vs_json_number(json, "size_gb", run->size_gb, 3);
	vs_json_number(json, "volumes", run->volumes > 0 ? (double)run->volumes : (double)NAN, 0);
	vs_json_number(json, "instance_gbps", run->instance_gbps, 3);
	vs_json_text(json, "rw", run->workload.rw);
	put_known(json, "block_bytes", run->workload.block_bytes);
	put_known(json, "iodepth", run->workload.iodepth);
	put_known(json, "numjobs", run->workload.numjobs);
	vs_json_number(json, "duration_s", (double)run->duration_ns / 1e9, 6);
}

/* All tiers that fit the level. */
static void put_tiers(const struct vs_comparison_row *row, struct vs_json *json)
{
	const struct vs_ladder *ladder = row->timeline->ladder;

	vs_json_open(json, "tiers", '[');
	for (size_t t = 0; ladder && row->plateau >= 0 && t < ladder->n_tiers; t++)
		if (row->timeline->plateaus[row->plateau].tiers >> t & 1)
			vs_json_text(json, NULL, ladder->tiers[t].name);
	vs_json_close(json);
}

static void put_row(const struct vs_comparison_row *row, struct vs_json *json)
{
	const struct vs_ladder *ladder = row->timeline->ladder;

	vs_json_open(json, NULL, '{');
	vs_json_text(json, "name", row->name);
	put_run(row->timeline->run, json);
	vs_json_number(json, "ceiling_iops", row->ceiling_iops, 2);
	vs_json_number(json, "ceiling_mbps", row->ceiling_mbps, 3);
	vs_json_open(json, "latency_us", '{');
	put_us(json, "p50", row->latency.p50_ns);
	put_us(json, "p99", row->latency.p99_ns);
	put_us(json, "p999", row->latency.p999_ns);
	put_us(json, "max", row->latency.max_ns);
	vs_json_close(json);
	put_tier(json, "tier", row, row->tier);
	vs_json_bool(json, "tier_told", row->tier_told);
	put_tiers(row, json);
	vs_json_number(json, "promised_iops", row->promised_iops, 2);
	vs_json_text(json, "bound_by", vs_bound_name(row->bound_by));
	vs_json_text(json, "currency", ladder && ladder->currency[0] ? ladder->currency : NULL);
	vs_json_number(json, "price_month", row->price_month, 4);
	vs_json_number(json, "price_per_1000_iops", row->price_per_kiops, 4);
	put_tier(json, "sufficient_tier", row, row->sufficient);
	vs_json_number(json, "saving_month", row->saving_month, 4);
	put_tier(json, "cheaper_tier", row, row->cheaper);
	vs_json_number(json, "cheaper_iops", row->cheaper_iops, 2);
	vs_json_number(json, "cheaper_saving_month", row->cheaper_saving, 4);
	vs_json_close(json);
}

void vs_compare_json_object(const struct vs_comparison *cmp, struct vs_json *json, const char *key)
{
	vs_json_open(json, key, '{');
	vs_json_int(json, "schema_version", 1);
	vs_json_open(json, "tool", '{');
	vs_json_text(json, "name", "volscale");
	vs_json_text(json, "version", VS_VERSION);
	vs_json_close(json);
	vs_json_text(json, "currency", cmp->currency[0] ? cmp->currency : NULL);
	vs_json_open(json, "runs", '[');
	for (size_t i = 0; i < cmp->n_rows; i++)
		put_row(&cmp->rows[i], json);
	vs_json_close(json);
	vs_json_bool(json, "same_ceiling", cmp->same_ceiling);
	if (cmp->cheapest < 0)
		vs_json_null(json, "cheapest_per_iops");
	else
		vs_json_int(json, "cheapest_per_iops", cmp->rows[cmp->cheapest].timeline->run->id);
	vs_json_text(json, "decision", cmp->decision);
	vs_json_close(json);
}
