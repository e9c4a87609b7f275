#include "cloud/auth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cloud/config.h"
#include "cloud/federation.h"

struct vs_oci_auth {
	enum vs_oci_auth_kind kind;
	struct vs_oci_profile profile;
	struct vs_federation *federation; /* of an instance */
	struct vs_key *key;               /* of the profile */
	char *key_id;
	char *token;
};

static bool is_blank(const char *text)
{
	return !text || !*text;
}

static int load_key(struct vs_oci_auth *auth, struct vs_error *err)
{
	const struct vs_oci_profile *profile = &auth->profile;
	char what[300], *pem = NULL;
	size_t len = 0;
	int rc;

	if (!is_blank(profile->key_content))
		return vs_key_open(profile->key_content, strlen(profile->key_content),
				   profile->pass_phrase, "OCI_CLI_KEY_CONTENT", &auth->key, err);
	if (is_blank(profile->key_file))
		return vs_error_set(err, VS_EINVAL, 0,
				    "the profile has no key_file; name the private key there");
	if (vs_oci_read_file(profile->key_file, &pem, &len, err) != 0)
		return vs_error_prefix(err, "key_file: ");
	(void)snprintf(what, sizeof(what), "key_file '%s'", profile->key_file);
	rc = vs_key_open(pem, len, profile->pass_phrase, what, &auth->key, err);
	vs_key_forget(pem);
	return rc;
}

/* What goes between quotes in a header: a token with anything else is damaged. */
static bool is_header_text(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~' || *text == '"')
			return false;
	return true;
}

static int load_token(struct vs_oci_auth *auth, struct vs_error *err)
{
	const char *path = auth->profile.security_token_file;
	char *text = NULL;
	size_t len = 0;

	if (is_blank(path))
		return vs_error_set(err, VS_EINVAL, 0,
				    "the profile has no security_token_file; 'oci session "
				    "authenticate' makes one");
	if (vs_oci_read_file(path, &text, &len, err) != 0)
		return vs_error_prefix(err, "security_token_file: ");
	while (len > 0 && (unsigned char)text[len - 1] <= ' ')
		text[--len] = '\0';
	if (len == 0 || strlen(text) != len || !is_header_text(text)) {
		vs_key_forget(text);
		return vs_error_set(err, VS_EINVAL, 0, "security_token_file '%s' holds no token",
				    path);
	}
	vs_key_forget(auth->token);
	vs_key_forget(auth->key_id);
	auth->token = text;
	if (asprintf(&auth->key_id, "ST$%s", text) < 0) {
		auth->key_id = NULL;
		return vs_error_nomem(err);
	}
	return 0;
}

static int make_key_id(struct vs_oci_auth *auth, struct vs_error *err)
{
	const struct vs_oci_profile *p = &auth->profile;
	const char *missing = is_blank(p->tenancy)       ? "tenancy"
			      : is_blank(p->user)        ? "user"
			      : is_blank(p->fingerprint) ? "fingerprint"
							 : NULL;

	if (missing)
		return vs_error_set(err, VS_EINVAL, 0, "the profile has no %s; add it", missing);
	if (asprintf(&auth->key_id, "%s/%s/%s", p->tenancy, p->user, p->fingerprint) < 0) {
		auth->key_id = NULL;
		return vs_error_nomem(err);
	}
	if (!is_header_text(auth->key_id))
		return vs_error_set(
			err, VS_EINVAL, 0,
			"tenancy, user or fingerprint in the profile is damaged: blanks, "
			"quotes or no ASCII in it");
	return 0;
}

static int open_profile(const struct vs_oci_auth_options *options, struct vs_oci_auth *auth,
			struct vs_error *err)
{
	if (vs_oci_profile_load(options->config_file, options->profile, &auth->profile, err) != 0 ||
	    load_key(auth, err) != 0)
		return -1;
	if (auth->kind == VS_OCI_AUTH_CONFIG && !is_blank(auth->profile.security_token_file))
		auth->kind = VS_OCI_AUTH_TOKEN;
	return auth->kind == VS_OCI_AUTH_TOKEN ? load_token(auth, err) : make_key_id(auth, err);
}

int vs_oci_auth_open(const struct vs_oci_auth_options *options, struct vs_http *http,
		     struct vs_oci_auth **out, struct vs_error *err)
{
	struct vs_oci_auth *auth = calloc(1, sizeof(*auth));
	int rc;

	if (!auth)
		return vs_error_nomem(err);
	auth->kind = options->kind;
	if (options->kind == VS_OCI_AUTH_INSTANCE)
		rc = vs_federation_open(options->region, options->endpoint, http, &auth->federation,
					err);
	else
		rc = open_profile(options, auth, err);
	if (rc != 0) {
		vs_oci_auth_free(auth);
		return -1;
	}
	*out = auth;
	return 0;
}

void vs_oci_auth_free(struct vs_oci_auth *auth)
{
	if (!auth)
		return;
	vs_federation_free(auth->federation);
	vs_key_free(auth->key);
	vs_key_forget(auth->key_id);
	vs_key_forget(auth->token);
	vs_oci_profile_release(&auth->profile);
	free(auth);
}

int vs_oci_auth_prepare(struct vs_oci_auth *auth, struct vs_http *http, struct vs_error *err)
{
	if (auth->kind == VS_OCI_AUTH_INSTANCE)
		return vs_federation_prepare(auth->federation, http, err);
	if (auth->kind == VS_OCI_AUTH_TOKEN && !auth->token)
		return load_token(auth, err);
	return 0;
}

bool vs_oci_auth_renew(struct vs_oci_auth *auth)
{
	if (auth->kind == VS_OCI_AUTH_CONFIG)
		return false;
	if (auth->kind == VS_OCI_AUTH_INSTANCE) {
		vs_federation_forget(auth->federation);
		return true;
	}
	/* another program may have refreshed the file */
	vs_key_forget(auth->token);
	auth->token = NULL;
	return true;
}

const struct vs_key *vs_oci_auth_key(const struct vs_oci_auth *auth)
{
	return auth->federation ? vs_federation_key(auth->federation) : auth->key;
}

const char *vs_oci_auth_key_id(const struct vs_oci_auth *auth)
{
	return auth->federation ? vs_federation_key_id(auth->federation) : auth->key_id;
}

const char *vs_oci_auth_token(const struct vs_oci_auth *auth)
{
	const char *id;

	if (!auth->federation)
		return auth->token;
	id = vs_federation_key_id(auth->federation);
	return id ? id + 3 : NULL; /* behind "ST$" */
}

const char *vs_oci_auth_tenancy(const struct vs_oci_auth *auth)
{
	return auth->federation ? vs_federation_tenancy(auth->federation) : auth->profile.tenancy;
}

const char *vs_oci_auth_region(const struct vs_oci_auth *auth)
{
	return auth->federation ? vs_federation_region(auth->federation) : auth->profile.region;
}

const char *vs_oci_auth_domain(const struct vs_oci_auth *auth)
{
	return auth->federation ? vs_federation_domain(auth->federation) : NULL;
}

const char *vs_oci_auth_fingerprint(const struct vs_oci_auth *auth)
{
	return auth->kind == VS_OCI_AUTH_CONFIG ? auth->profile.fingerprint : NULL;
}

const char *vs_oci_auth_name(const struct vs_oci_auth *auth)
{
	static const char *const names[] = { [VS_OCI_AUTH_CONFIG] = "config",
					     [VS_OCI_AUTH_INSTANCE] = "instance",
					     [VS_OCI_AUTH_TOKEN] = "token" };

	return names[auth->kind];
}
