/* Signed calls to the provider's services: retried, renewed, and explained when they fail. */
#ifndef VS_CLOUD_CLIENT_H
#define VS_CLOUD_CLIENT_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/error.h"
#include "cloud/auth.h"
#include "cloud/http.h"
#include "cloud/retry.h"

/* Strings are borrowed and must outlive the client. Zero-initialised is a good default. */
struct vs_oci_options {
	const char *config_file; /* NULL: ~/.oci/config and the other usual places */
	const char *profile;     /* NULL: OCI_CLI_PROFILE, else DEFAULT */
	const char *region;      /* NULL: the profile's */
	const char *auth; /* "config", "instance", "token"; NULL: OCI_CLI_AUTH, else config */
	const char
		*endpoint; /* base URL of every service; NULL: OCI_CLI_ENDPOINT, else by region */
	const struct vs_retry_policy *retry; /* NULL: vs_retry_default */
	int64_t timeout_ns;                  /* of one exchange; 0: 20 s */
	const atomic_bool *cancel;           /* true ends a call within a second; NULL never */
};

enum vs_oci_service {
	VS_OCI_CORE,       /* iaas, /20160918 */
	VS_OCI_MONITORING, /* telemetry, /20180401 */
};

struct vs_oci_call {
	const char *name; /* "GetVolume", for messages */
	enum vs_oci_service service;
	const char *method;
	const char *target;     /* path and query, encoded */
	const char *body;       /* JSON; NULL none */
	const char *permission; /* "inspect volumes": what a 404 may be for want of */
};

struct vs_oci;

/*
 * Reads configuration and key; asks nothing but, for --oci-auth instance, the metadata service.
 * Belongs to one thread. VS_EUSAGE for options that cannot be meant.
 */
int vs_oci_open(const struct vs_oci_options *options, struct vs_oci **out,
		struct vs_error *err) VS_MUST_CHECK;
void vs_oci_free(struct vs_oci *oci); /* NULL allowed */

/*
 * Sends the call, again where that may help. 0: a 2xx came, in response. -1: VS_EHTTP with the last
 * status as detail, VS_ECANCELED, or what signing said. No message holds a secret.
 */
int vs_oci_call(struct vs_oci *oci, const struct vs_oci_call *call,
		struct vs_http_response *response, struct vs_error *err) VS_MUST_CHECK;

/* Borrowed. The auth is prepared by the first call. */
const struct vs_oci_auth *vs_oci_get_auth(const struct vs_oci *oci);
/* The base URL of a service, as calls use it. */
void vs_oci_base_url(const struct vs_oci *oci, enum vs_oci_service service, char *out, size_t size);

/* Adds text, percent-encoded as a query value. */
void vs_oci_add_encoded(struct vs_buf *out, const char *text);
/* The "code" and "message" of an error's body; "" each when it has none. */
void vs_oci_read_failure(const char *text, size_t len, char code[64], char message[256]);
/* VS_EUSAGE unless it looks like an OCID ("ocid1.volume.oc1.phx...."). what: the option's name. */
int vs_oci_check_ocid(const char *ocid, const char *what, struct vs_error *err) VS_MUST_CHECK;

#endif
