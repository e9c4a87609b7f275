/* Who signs: an API key, a session token, or the instance itself. */
#ifndef VS_CLOUD_AUTH_H
#define VS_CLOUD_AUTH_H

#include <stdbool.h>

#include "base/error.h"
#include "cloud/http.h"
#include "cloud/key.h"

enum vs_oci_auth_kind {
	VS_OCI_AUTH_CONFIG,   /* the profile's key; its token, when it has one */
	VS_OCI_AUTH_INSTANCE, /* the instance's certificate, exchanged for a session token */
	VS_OCI_AUTH_TOKEN,    /* the profile's security_token_file */
};

struct vs_oci_auth_options {
	enum vs_oci_auth_kind kind;
	const char *config_file; /* NULL: vs_oci_profile_load()'s search */
	const char *profile;     /* NULL: OCI_CLI_PROFILE, DEFAULT */
	const char *region;      /* NULL: the profile's, the instance's */
	const char *endpoint;    /* base URL of all services; NULL: by the region */
};

struct vs_oci_auth;

/* Reads the configuration and the key. Asks no server but, for an instance, the metadata service
 * (over http, which is borrowed for the call). */
int vs_oci_auth_open(const struct vs_oci_auth_options *options, struct vs_http *http,
		     struct vs_oci_auth **out, struct vs_error *err) VS_MUST_CHECK;
void vs_oci_auth_free(struct vs_oci_auth *auth); /* NULL allowed */

/* Gets a token when there is none or it is about to end. */
int vs_oci_auth_prepare(struct vs_oci_auth *auth, struct vs_http *http,
			struct vs_error *err) VS_MUST_CHECK;
/* After a 401: forgets what may have ended. True: another attempt, prepared anew, may pass. */
bool vs_oci_auth_renew(struct vs_oci_auth *auth);

/* After prepare. Borrowed; the key id may hold a token: it goes into no message. */
const struct vs_key *vs_oci_auth_key(const struct vs_oci_auth *auth);
const char *vs_oci_auth_key_id(const struct vs_oci_auth *auth);
const char *vs_oci_auth_token(const struct vs_oci_auth *auth);   /* NULL none */
const char *vs_oci_auth_tenancy(const struct vs_oci_auth *auth); /* NULL not told */
const char *vs_oci_auth_region(const struct vs_oci_auth *auth);  /* NULL not told */
const char *vs_oci_auth_domain(const struct vs_oci_auth *auth);  /* NULL: by the realm */
/* The fingerprint that the profile gives, NULL none, for `cloud check`. */
const char *vs_oci_auth_fingerprint(const struct vs_oci_auth *auth);
/* "config", "instance", "token": what is really used. */
const char *vs_oci_auth_name(const struct vs_oci_auth *auth);

#endif
