/* volscale cloud: what the provider says of a volume, and whether we may ask. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/oci_options.h"
#include "cloud/describe.h"
#include "cloud/metric.h"

struct cloud_options {
	struct vs_oci_options oci;
	const char *volume;
};

static const struct vs_opt own_options[] = {
	{ "volume", 0, VS_OPT_TEXT, offsetof(struct cloud_options, volume), "OCID", NULL,
	  "the volume: ocid1.volume.... or ocid1.bootvolume...." },
	VS_OPT_OCI(struct cloud_options, oci),
	{ .name = NULL },
};

static const struct vs_opt_command cloud_command = {
	.name = "cloud",
	.operands = "show|check",
	.summary = "what the provider says of a volume; whether we may ask",
	.text = "show   size, VPU by default and in force, auto-tune policies, attachment, and\n"
		"       what stands in the way of a scaling run. Needs --volume.\n"
		"check  whether requests can be signed, reach the service and are accepted, and\n"
		"       with --volume which permission is missing. Exit 1 when something is.\n\n"
		"  volscale cloud check --volume ocid1.volume.oc1.phx.abc\n"
		"  volscale cloud show --oci-auth instance --volume ocid1.volume.oc1.phx.abc",
	.tables = { own_options },
	.min_operands = 1,
	.max_operands = 1,
};

static void print_text(const char *name, const char *value)
{
	(void)printf("%-18s %s\n", name, value[0] ? value : "-");
}

static void print_number(const char *name, double value, const char *unit)
{
	char text[VS_UNITS_TEXT_MAX];

	if (isnan(value))
		print_text(name, "");
	else if (value >= 1000)
		(void)printf("%-18s %s%s\n", name, vs_units_format_count(value, text), unit);
	else
		(void)printf("%-18s %.6g%s\n", name, value, unit);
}

static const char *yes_no(int flag)
{
	return flag < 0 ? "" : flag ? "yes" : "no";
}

static void print_description(const struct vs_oci_description *d)
{
	const struct vs_oci_volume *v = &d->volume;
	const struct vs_oci_attachment *a = d->attachment;

	print_text("volume", v->id);
	print_text("name", v->display_name);
	print_text("state", v->lifecycle_state);
	print_number("size", v->size_gb, " GB");
	print_number("default VPU", v->vpus_per_gb, "");
	print_number("tuned VPU", v->auto_tuned_vpus_per_gb, "");
	print_text("auto-tune", v->policies);
	print_number("IOPS at default", vs_oci_volume_iops(v->size_gb, d->min_vpu), "");
	print_number("IOPS at maximum", vs_oci_volume_iops(v->size_gb, d->max_vpu), "");
	print_text("hydrated", yes_no(v->is_hydrated));
	print_text("attachment", a ? a->type : "");
	print_text("multipath", a ? yes_no(a->is_multipath) : "");
	print_text("device", a ? a->device : "");
	print_text("instance", a ? a->instance_id : "");
	print_text("shape", d->instance.shape);
	print_number("network", d->limits.gbps, " Gbps");
	print_number("instance IOPS", d->limits.iops, "");
	for (size_t i = 0; i < d->n_warnings; i++)
		(void)printf("%s%s\n", i ? "warning: " : "\nwarning: ", d->warnings[i]);
}

static int show(const struct cloud_options *options, struct vs_error *err)
{
	struct vs_oci_description *d;
	struct vs_oci *oci = NULL;
	int rc;

	if (!options->volume)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "cloud show: give the volume's OCID with "
				    "--volume");
	d = calloc(1, sizeof(*d));
	if (!d)
		return vs_error_nomem(err);
	rc = vs_oci_open(&options->oci, &oci, err);
	if (rc == 0)
		rc = vs_oci_describe(oci, options->volume, d, err);
	if (rc == 0)
		print_description(d);
	vs_oci_free(oci);
	free(d);
	return rc == 0 ? vs_cli_flush(err) : -1;
}

/* One line a check; false when it failed. */
static bool verdict(const char *what, const struct vs_error *why, const char *good)
{
	bool ok = why->code == VS_OK;

	(void)printf("%-6s %-12s %s\n", ok ? "ok" : "FAILED", what, ok ? good : why->text);
	return ok;
}

static bool check_key(const struct vs_oci_auth *auth)
{
	const char *told = vs_oci_auth_fingerprint(auth);
	const struct vs_key *key = vs_oci_auth_key(auth);
	char own[VS_KEY_FINGERPRINT_MAX] = "";
	struct vs_error why = { 0 };
	char text[128];

	if (key)
		vs_key_fingerprint(key, own);
	if (told && own[0] && strcmp(told, own) != 0)
		(void)vs_error_set(&why, VS_EINVAL, 0,
				   "the profile's fingerprint %s is not this key's, which is %s: "
				   "name the right key_file or correct the fingerprint",
				   told, own);
	(void)snprintf(text, sizeof(text), "signs by %s", vs_oci_auth_name(auth));
	return verdict("sign", &why, text);
}

/* A 404 to a question that needs no permission to be refused proves that the signature passed. */
static bool check_reach(struct vs_oci *oci)
{
	const char *tenancy = vs_oci_auth_tenancy(vs_oci_get_auth(oci));
	struct vs_oci_call call = { .name = "ListVolumeAttachments",
				    .method = "GET",
				    .permission = "inspect volume-attachments" };
	struct vs_http_response response;
	struct vs_error why = { 0 };
	struct vs_buf target;
	char base[640], text[768];

	vs_buf_init(&target, 2048);
	vs_buf_addf(&target, "/20160918/volumeAttachments?compartmentId=");
	vs_oci_add_encoded(&target, tenancy ? tenancy : "ocid1.tenancy.oc1..unknown");
	vs_buf_addf(&target, "&limit=1");
	call.target = target.data;
	vs_http_response_init(&response);
	if (target.failed)
		(void)vs_error_nomem(&why);
	else if (vs_oci_call(oci, &call, &response, &why) != 0 && why.code == VS_EHTTP &&
		 (why.detail == 404 || why.detail == 403 || why.detail == 400))
		vs_error_clear(&why);
	vs_oci_base_url(oci, VS_OCI_CORE, base, sizeof(base));
	(void)snprintf(text, sizeof(text), "%s answers and accepts the signature", base);
	vs_http_response_release(&response);
	vs_buf_release(&target);
	return verdict("reach", &why, text);
}

static bool check_metrics(struct vs_oci *oci, const struct vs_oci_volume *volume)
{
	const struct vs_oci_metric metric = { "VolumeGuaranteedVPUsPerGB", "mean" };
	int64_t now_ms = vs_clock_wall_ns() / VS_NS_PER_MS;
	struct vs_oci_points *points = calloc(1, sizeof(*points));
	struct vs_error why = { 0 };
	char text[96];

	if (!points)
		(void)vs_error_nomem(&why);
	else if (vs_oci_get_metric(oci, volume->compartment_id, volume->id, &metric,
				   now_ms - INT64_C(3600000), now_ms, points, &why) == 0)
		(void)snprintf(text, sizeof(text), "%zu minutes of the last hour", points->n);
	free(points);
	return verdict("metrics", &why, text);
}

static bool check_volume(struct vs_oci *oci, const char *volume_id)
{
	struct vs_oci_attachments attachments;
	struct vs_oci_volume volume;
	struct vs_oci_instance instance;
	struct vs_error why = { 0 };
	char text[320];
	bool ok;

	if (vs_oci_get_volume(oci, volume_id, &volume, &why) == 0)
		(void)snprintf(text, sizeof(text), "%.6g GB, VPU %.6g", volume.size_gb,
			       volume.vpus_per_gb);
	if (!verdict("volume", &why, text))
		return false;
	attachments.n = 0;
	if (vs_oci_list_attachments(oci, &volume, &attachments, &why) == 0)
		(void)snprintf(text, sizeof(text), "%zu", attachments.n);
	ok = verdict("attachments", &why, text);
	if (attachments.n && vs_oci_check_ocid(attachments.items[0].instance_id, "", NULL) == 0) {
		if (vs_oci_get_instance(oci, attachments.items[0].instance_id, &instance, &why) ==
		    0)
			(void)snprintf(text, sizeof(text), "%s", instance.shape);
		ok &= verdict("instance", &why, text);
	}
	return check_metrics(oci, &volume) && ok;
}

/* Somebody waits for the answer: fewer attempts than a run would make. */
static const struct vs_retry_policy check_retry = {
	.attempts = 3,
	.base_ns = VS_NS_PER_SEC / 2,
	.cap_ns = 5 * VS_NS_PER_SEC,
	.total_ns = 20 * VS_NS_PER_SEC,
};

static int check(const struct cloud_options *options, struct vs_error *err)
{
	struct vs_oci_options how = options->oci;
	struct vs_error why = { 0 };
	struct vs_oci *oci = NULL;
	bool ok;

	if (options->volume && vs_oci_check_ocid(options->volume, "--volume", err) != 0)
		return -1;
	how.retry = &check_retry;
	if (vs_oci_open(&how, &oci, &why) != 0) {
		if (why.code == VS_EUSAGE)
			return vs_error_set(err, why.code, why.detail, "%s", why.text);
		(void)verdict("configure", &why, "");
		return vs_cli_flush(err) < 0 ? -1 : VS_EXIT_FAILED;
	}
	(void)verdict("configure", &why, "configuration and key are readable");
	ok = check_key(vs_oci_get_auth(oci));
	if (check_reach(oci))
		ok &= options->volume ? check_volume(oci, options->volume) : true;
	else
		ok = false;
	vs_oci_free(oci);
	if (vs_cli_flush(err) < 0)
		return -1;
	return ok ? VS_EXIT_DONE : VS_EXIT_FAILED;
}

static int cloud_main(int argc, char **argv, struct vs_error *err)
{
	struct cloud_options options = { 0 };
	char **operands;
	size_t n;
	int rc = vs_opt_parse(&cloud_command, argc, argv, &options, &operands, &n, err);

	if (rc != 0)
		return rc > 0 ? VS_EXIT_DONE : -1;
	if (strcmp(operands[0], "show") == 0)
		rc = show(&options, err);
	else if (strcmp(operands[0], "check") == 0)
		rc = check(&options, err);
	else
		rc = vs_error_set(err, VS_EUSAGE, 0, "cloud: '%s' is neither show nor check",
				  operands[0]);
	vs_opt_release(&cloud_command, &options);
	return rc;
}

const struct vs_command vs_cmd_cloud = { &cloud_command, cloud_main };
