#include "cloud/imds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "cloud/config.h"
#include "cloud/json.h"

static const char *base_url(void)
{
	const char *env = getenv("OCI_METADATA_BASE_URL");

	return env && *env ? env : "http://169.254.169.254/opc/v2";
}

/* The firmware of every OCI instance carries this tag; a machine with another one is elsewhere. */
static bool is_elsewhere(void)
{
	const char *env = getenv("OCI_METADATA_BASE_URL");
	char *tag = NULL;
	size_t len = 0;
	struct vs_error err = { 0 };
	bool elsewhere;

	if ((env && *env) ||
	    vs_oci_read_file("/sys/class/dmi/id/chassis_asset_tag", &tag, &len, &err) != 0)
		return false;
	elsewhere = strncmp(tag, "OracleCloud.com", 15) != 0;
	free(tag);
	return elsewhere;
}

int vs_imds_get(struct vs_http *http, const char *path, struct vs_http_response *response,
		struct vs_error *err)
{
	static const char *const headers[] = { "authorization: Bearer Oracle", NULL };
	struct vs_http_request request = { .method = "GET", .headers = headers };
	char url[1024];

	if (vs_http_check_url(base_url(), true, err) != 0)
		return vs_error_prefix(err, "OCI_METADATA_BASE_URL: ");
	(void)snprintf(url, sizeof(url), "%s%s", base_url(), path);
	request.url = url;
	if (vs_http_perform(http, &request, response, err) != 0)
		return vs_error_prefix(err, "metadata service: ");
	if (response->status != 200)
		return vs_error_set(err, VS_EHTTP, response->status,
				    "metadata service: HTTP %d for %s", response->status, path);
	return 0;
}

static void read_region(const json_t *root, struct vs_imds_instance *out)
{
	const json_t *info = json_object_get(root, "regionInfo");

	vs_cloud_json_text(info, "regionIdentifier", out->region, sizeof(out->region));
	vs_cloud_json_text(info, "realmDomainComponent", out->domain, sizeof(out->domain));
	if (!out->region[0])
		vs_cloud_json_text(root, "canonicalRegionName", out->region, sizeof(out->region));
	if (!out->region[0])
		vs_cloud_json_text(root, "region", out->region, sizeof(out->region));
}

int vs_imds_read_instance(const char *text, size_t len, struct vs_imds_instance *out,
			  struct vs_error *err)
{
	json_t *root = vs_cloud_json_parse(text, len, err);
	const json_t *shape;

	*out = (struct vs_imds_instance){ .ocpus = (double)NAN,
					  .memory_gb = (double)NAN,
					  .gbps = (double)NAN };
	if (!root)
		return -1;
	vs_cloud_json_text(root, "id", out->id, sizeof(out->id));
	vs_cloud_json_text(root, "shape", out->shape, sizeof(out->shape));
	vs_cloud_json_text(root, "availabilityDomain", out->availability_domain,
			   sizeof(out->availability_domain));
	vs_cloud_json_text(root, "faultDomain", out->fault_domain, sizeof(out->fault_domain));
	read_region(root, out);
	shape = json_object_get(root, "shapeConfig");
	out->ocpus = vs_cloud_json_number(shape, "ocpus");
	out->memory_gb = vs_cloud_json_number(shape, "memoryInGBs");
	out->gbps = vs_cloud_json_number(shape, "networkingBandwidthInGbps");
	json_decref(root);
	if (!out->shape[0])
		return vs_error_set(err, VS_EFORMAT, 0,
				    "the metadata service's answer names no shape");
	return 0;
}

/* Where /instance/ has no shapeConfig of its own, its path answers. Missing is no error. */
static void read_shape(struct vs_http *http, struct vs_http_response *response,
		       struct vs_imds_instance *out)
{
	struct vs_error err = { 0 };
	json_t *root;

	if (vs_imds_get(http, "/instance/shapeConfig", response, &err) != 0)
		return;
	root = vs_cloud_json_parse(response->body.data, response->body.len, &err);
	out->ocpus = vs_cloud_json_number(root, "ocpus");
	out->memory_gb = vs_cloud_json_number(root, "memoryInGBs");
	out->gbps = vs_cloud_json_number(root, "networkingBandwidthInGbps");
	json_decref(root);
}

int vs_imds_read(struct vs_imds_instance *out, struct vs_error *err)
{
	struct vs_http_options options = { .connect_timeout_ns = 300 * VS_NS_PER_MS,
					   .timeout_ns = 500 * VS_NS_PER_MS,
					   .max_body_bytes = (size_t)1 << 20 };
	struct vs_http_response response;
	struct vs_error why = { 0 };
	struct vs_http *http;
	int rc;

	if (is_elsewhere())
		return vs_error_set(err, VS_ENOTFOUND, 0, "this machine is not an OCI instance");
	if (vs_http_open(&options, &http, err) != 0)
		return -1;
	vs_http_response_init(&response);
	rc = vs_imds_get(http, "/instance/", &response, &why);
	if (rc != 0) {
		bool passed_on = why.code == VS_EUSAGE || why.code == VS_ENOMEM;

		(void)vs_error_set(err, passed_on ? why.code : VS_ENOTFOUND, why.detail, "%s",
				   why.text);
	} else {
		rc = vs_imds_read_instance(response.body.data, response.body.len, out, err);
		if (rc == 0 && isnan(out->gbps))
			read_shape(http, &response, out);
	}
	vs_http_response_release(&response);
	vs_http_free(http);
	return rc;
}
