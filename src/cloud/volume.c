#include "cloud/volume.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cloud/json.h"

static void read_policies(const json_t *list, struct vs_oci_volume *out)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *policy = json_array_get(list, i);
		size_t len = strlen(out->policies);
		char type[32], max[24] = "";

		vs_cloud_json_text(policy, "autotuneType", type, sizeof(type));
		if (strcmp(type, "PERFORMANCE_BASED") == 0) {
			out->performance_based = true;
			out->max_vpus_per_gb = vs_cloud_json_number(policy, "maxVpusPerGB");
			(void)snprintf(max, sizeof(max), ":%.6g", out->max_vpus_per_gb);
		} else if (strcmp(type, "DETACHED_VOLUME") == 0) {
			out->detached_volume = true;
		}
		(void)snprintf(out->policies + len, sizeof(out->policies) - len, "%s%s%s",
			       len ? " " : "", type[0] ? type : "?", max);
	}
}

int vs_oci_read_volume(const char *text, size_t len, struct vs_oci_volume *out,
		       struct vs_error *err)
{
	json_t *root = vs_cloud_json_parse(text, len, err);

	*out = (struct vs_oci_volume){ .max_vpus_per_gb = (double)NAN };
	if (!root)
		return -1;
	vs_cloud_json_text(root, "id", out->id, sizeof(out->id));
	vs_cloud_json_text(root, "displayName", out->display_name, sizeof(out->display_name));
	vs_cloud_json_text(root, "compartmentId", out->compartment_id, sizeof(out->compartment_id));
	vs_cloud_json_text(root, "availabilityDomain", out->availability_domain,
			   sizeof(out->availability_domain));
	vs_cloud_json_text(root, "lifecycleState", out->lifecycle_state,
			   sizeof(out->lifecycle_state));
	out->size_gb = vs_cloud_json_number(root, "sizeInGBs");
	if (isnan(out->size_gb))
		out->size_gb = vs_cloud_json_number(root, "sizeInMBs") / 1024;
	if (out->size_gb <= 0)
		out->size_gb = (double)NAN;
	out->vpus_per_gb = vs_cloud_json_number(root, "vpusPerGB");
	out->auto_tuned_vpus_per_gb = vs_cloud_json_number(root, "autoTunedVpusPerGB");
	out->is_hydrated = vs_cloud_json_flag(root, "isHydrated");
	read_policies(json_object_get(root, "autotunePolicies"), out);
	json_decref(root);
	if (!out->id[0])
		return vs_error_set(err, VS_EFORMAT, 0, "the answer is not a volume: it has no id");
	return 0;
}

int vs_oci_read_attachments(const char *text, size_t len, struct vs_oci_attachments *out,
			    struct vs_error *err)
{
	json_t *root = vs_cloud_json_parse(text, len, err);

	if (!root)
		return -1;
	if (!json_is_array(root)) {
		json_decref(root);
		return vs_error_set(err, VS_EFORMAT, 0, "the answer is not a list of attachments");
	}
	for (size_t i = 0; i < json_array_size(root) && out->n < VS_OCI_ATTACHMENTS_MAX; i++) {
		const json_t *item = json_array_get(root, i);
		struct vs_oci_attachment *a = &out->items[out->n];

		*a = (struct vs_oci_attachment){ 0 };
		vs_cloud_json_text(item, "id", a->id, sizeof(a->id));
		vs_cloud_json_text(item, "instanceId", a->instance_id, sizeof(a->instance_id));
		vs_cloud_json_text(item, "attachmentType", a->type, sizeof(a->type));
		vs_cloud_json_text(item, "lifecycleState", a->lifecycle_state,
				   sizeof(a->lifecycle_state));
		vs_cloud_json_text(item, "device", a->device, sizeof(a->device));
		a->is_multipath = vs_cloud_json_flag(item, "isMultipath");
		a->is_shareable = vs_cloud_json_flag(item, "isShareable");
		if (strncmp(a->lifecycle_state, "DETACH", 6) != 0)
			out->n++;
	}
	json_decref(root);
	return 0;
}

int vs_oci_read_instance(const char *text, size_t len, struct vs_oci_instance *out,
			 struct vs_error *err)
{
	json_t *root = vs_cloud_json_parse(text, len, err);
	const json_t *config = json_object_get(root, "shapeConfig");

	*out = (struct vs_oci_instance){ 0 };
	vs_cloud_json_text(root, "shape", out->shape, sizeof(out->shape));
	out->ocpus = vs_cloud_json_number(config, "ocpus");
	out->gbps = vs_cloud_json_number(config, "networkingBandwidthInGbps");
	if (root && !out->shape[0])
		(void)vs_error_set(err, VS_EFORMAT, 0, "the answer is not an instance: no shape");
	json_decref(root);
	return out->shape[0] ? 0 : -1;
}

static bool is_boot(const char *volume_id)
{
	return strncmp(volume_id, "ocid1.bootvolume.", 17) == 0;
}

int vs_oci_get_volume(struct vs_oci *oci, const char *volume_id, struct vs_oci_volume *out,
		      struct vs_error *err)
{
	struct vs_oci_call call = { .name = is_boot(volume_id) ? "GetBootVolume" : "GetVolume",
				    .method = "GET",
				    .permission = "inspect volumes" };
	struct vs_http_response response;
	char target[320];
	int rc;

	(void)snprintf(target, sizeof(target), "/20160918/%s/%s",
		       is_boot(volume_id) ? "bootVolumes" : "volumes", volume_id);
	call.target = target;
	vs_http_response_init(&response);
	rc = vs_oci_call(oci, &call, &response, err);
	if (rc == 0) {
		rc = vs_oci_read_volume(response.body.data, response.body.len, out, err);
		out->read_mono_ns = vs_clock_mono_ns() - response.elapsed_ns / 2;
		out->read_wall_ns = vs_clock_wall_ns() - response.elapsed_ns / 2;
		if (rc != 0)
			(void)vs_error_prefix(err, "%s: ", call.name);
	}
	vs_http_response_release(&response);
	return rc;
}

static void make_list_target(const struct vs_oci_volume *volume, const char *page,
			     struct vs_buf *out)
{
	bool boot = is_boot(volume->id);

	vs_buf_clear(out);
	vs_buf_addf(out, "/20160918/%s?", boot ? "bootVolumeAttachments" : "volumeAttachments");
	if (boot) {
		vs_buf_addf(out, "availabilityDomain=");
		vs_oci_add_encoded(out, volume->availability_domain);
		vs_buf_addf(out, "&");
	}
	vs_buf_addf(out, "compartmentId=");
	vs_oci_add_encoded(out, volume->compartment_id);
	vs_buf_addf(out, boot ? "&bootVolumeId=" : "&volumeId=");
	vs_oci_add_encoded(out, volume->id);
	if (page[0]) {
		vs_buf_addf(out, "&page=");
		vs_oci_add_encoded(out, page);
	}
}

int vs_oci_list_attachments(struct vs_oci *oci, const struct vs_oci_volume *volume,
			    struct vs_oci_attachments *out, struct vs_error *err)
{
	enum {
		MAX_PAGES = 50 /* a server that always has one more must not hold us */
	};
	struct vs_oci_call call = { .name = "ListVolumeAttachments",
				    .method = "GET",
				    .permission = "inspect volume-attachments" };
	struct vs_http_response response;
	struct vs_buf target;
	char page[sizeof(response.next_page)] = "";
	int rc = 0;

	out->n = 0;
	vs_buf_init(&target, 8192);
	vs_http_response_init(&response);
	for (int i = 0; rc == 0 && i < MAX_PAGES && (i == 0 || page[0]); i++) {
		make_list_target(volume, page, &target);
		call.target = target.data;
		if (target.failed)
			rc = vs_error_nomem(err);
		else
			rc = vs_oci_call(oci, &call, &response, err);
		if (rc == 0 &&
		    vs_oci_read_attachments(response.body.data, response.body.len, out, err) != 0)
			rc = vs_error_prefix(err, "%s: ", call.name);
		memcpy(page, response.next_page, sizeof(page));
	}
	vs_http_response_release(&response);
	vs_buf_release(&target);
	return rc;
}

int vs_oci_get_instance(struct vs_oci *oci, const char *instance_id, struct vs_oci_instance *out,
			struct vs_error *err)
{
	struct vs_oci_call call = { .name = "GetInstance",
				    .method = "GET",
				    .permission = "read instances" };
	struct vs_http_response response;
	char target[320];
	int rc;

	(void)snprintf(target, sizeof(target), "/20160918/instances/%s", instance_id);
	call.target = target;
	vs_http_response_init(&response);
	rc = vs_oci_call(oci, &call, &response, err);
	if (rc == 0 && vs_oci_read_instance(response.body.data, response.body.len, out, err) != 0)
		rc = vs_error_prefix(err, "%s: ", call.name);
	vs_http_response_release(&response);
	return rc;
}
