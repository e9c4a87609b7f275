/* The instance metadata service: what this machine is. */
#ifndef VS_CLOUD_IMDS_H
#define VS_CLOUD_IMDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cloud/http.h"

/* "" and NAN: not told. Keys, user data and tags are not read. */
struct vs_imds_instance {
	char id[256];
	char shape[64];
	char region[64];  /* "us-phoenix-1" */
	char domain[128]; /* the realm's */
	char availability_domain[64];
	char fault_domain[64];
	double ocpus;
	double memory_gb;
	double gbps; /* network */
};

/*
 * Asks at most 1 s in all. VS_ENOTFOUND: not on an OCI instance (at once where the machine's asset
 * tag says so). OCI_METADATA_BASE_URL, when set, is asked instead of the link-local address.
 */
int vs_imds_read(struct vs_imds_instance *out, struct vs_error *err) VS_MUST_CHECK;

/* The reader of GET /instance/. */
int vs_imds_read_instance(const char *text, size_t len, struct vs_imds_instance *out,
			  struct vs_error *err) VS_MUST_CHECK;

/* GET path ("/identity/cert.pem") with http; any status but 200 is an error. One attempt. */
int vs_imds_get(struct vs_http *http, const char *path, struct vs_http_response *response,
		struct vs_error *err) VS_MUST_CHECK;

#endif
