#include "cloud/federation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <openssl/evp.h>

#include "base/clock.h"
#include "cloud/imds.h"
#include "cloud/json.h"
#include "cloud/region.h"
#include "cloud/sign.h"

enum {
	REFRESH_EARLY_S = 300,
	MAX_TOKEN = 32 << 10
};

struct vs_federation {
	struct vs_region region;
	char *endpoint;
	char tenancy[256];
	struct vs_key *session;
	char *key_id;       /* "ST$" + token */
	int64_t expires_s;  /* 0: not told */
	int64_t fetched_ns; /* monotonic */
};

/* The instance's own credentials for one exchange. */
struct identity {
	char *cert, *intermediate;
	struct vs_key *key;
	struct vs_certificate facts;
};

int vs_federation_open(const char *region, const char *endpoint, struct vs_http *http,
		       struct vs_federation **out, struct vs_error *err)
{
	struct vs_federation *federation = calloc(1, sizeof(*federation));
	struct vs_http_response response;
	struct vs_imds_instance instance;
	int rc;

	if (!federation)
		return vs_error_nomem(err);
	vs_http_response_init(&response);
	rc = vs_imds_get(http, "/instance/", &response, err);
	if (rc == 0)
		rc = vs_imds_read_instance(response.body.data, response.body.len, &instance, err);
	vs_http_response_release(&response);
	if (rc == 0 && region)
		(void)snprintf(instance.region, sizeof(instance.region), "%s", region);
	if (rc == 0)
		rc = vs_region_resolve(instance.region, instance.id[0] ? instance.id : NULL,
				       &federation->region, err);
	if (rc == 0 && instance.domain[0])
		(void)snprintf(federation->region.domain, sizeof(federation->region.domain), "%s",
			       instance.domain);
	if (rc == 0 && endpoint && !(federation->endpoint = strdup(endpoint)))
		rc = vs_error_nomem(err);
	if (rc != 0) {
		vs_federation_free(federation);
		return vs_error_prefix(err, "--oci-auth instance: ");
	}
	*out = federation;
	return 0;
}

void vs_federation_forget(struct vs_federation *federation)
{
	vs_key_free(federation->session);
	vs_key_forget(federation->key_id);
	federation->session = NULL;
	federation->key_id = NULL;
}

void vs_federation_free(struct vs_federation *federation)
{
	if (!federation)
		return;
	vs_federation_forget(federation);
	free(federation->endpoint);
	free(federation);
}

static void release_identity(struct identity *identity)
{
	free(identity->cert);
	free(identity->intermediate);
	vs_key_free(identity->key);
}

static int fetch(struct vs_http *http, const char *path, char **text_out, size_t *len_out,
		 struct vs_error *err)
{
	struct vs_http_response response;
	int rc;

	vs_http_response_init(&response);
	rc = vs_imds_get(http, path, &response, err);
	if (rc == 0) {
		*len_out = response.body.len;
		*text_out = vs_buf_take(&response.body);
		if (!*text_out)
			rc = vs_error_nomem(err);
	}
	vs_http_response_release(&response);
	return rc;
}

static int fetch_identity(struct vs_http *http, struct identity *out, struct vs_error *err)
{
	char *pem = NULL;
	size_t len = 0;
	int rc = -1;

	*out = (struct identity){ 0 };
	if (fetch(http, "/identity/cert.pem", &out->cert, &len, err) == 0 &&
	    vs_certificate_read(out->cert, len, &out->facts, err) == 0 &&
	    fetch(http, "/identity/key.pem", &pem, &len, err) == 0 &&
	    vs_key_open(pem, len, NULL, "the instance's key", &out->key, err) == 0 &&
	    fetch(http, "/identity/intermediate.pem", &out->intermediate, &len, err) == 0)
		rc = 0;
	vs_key_forget(pem);
	if (rc != 0)
		release_identity(out);
	return rc;
}

/* A PEM body without armour and newlines, as a JSON string: base64 needs no escapes, and whatever
 * is not base64 is left out. */
static void add_pem_body(struct vs_buf *out, const char *pem)
{
	const char *p = strstr(pem, "-----BEGIN");

	p = p ? strchr(p, '\n') : NULL;
	vs_buf_add(out, "\"", 1);
	for (; p && *p && *p != '-'; p++)
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", *p))
			vs_buf_add(out, p, 1);
	vs_buf_add(out, "\"", 1);
}

static int make_body(const struct vs_federation *federation, const struct identity *identity,
		     struct vs_buf *out, struct vs_error *err)
{
	vs_buf_addf(out, "{\"certificate\":");
	add_pem_body(out, identity->cert);
	vs_buf_addf(out, ",\"publicKey\":\"");
	if (vs_key_add_public(federation->session, out, err) != 0)
		return -1;
	vs_buf_addf(out, "\",\"intermediateCertificates\":[");
	add_pem_body(out, identity->intermediate);
	vs_buf_addf(out, "]}");
	return out->failed ? vs_error_nomem(err) : 0;
}

/* The "exp" of a JWT's payload; 0 when it has none that is readable. */
static int64_t token_expiry(const char *token)
{
	const char *payload = strchr(token, '.');
	size_t len = payload ? strcspn(payload + 1, ".") : 0, padded = (len + 3) / 4 * 4;
	unsigned char *coded, *plain;
	double expires = (double)NAN;
	int n = -1;

	if (len == 0 || !(coded = calloc(2, padded + 1)))
		return 0;
	plain = coded + padded + 1;
	memset(coded, '=', padded);
	for (size_t i = 0; i < len; i++)
		coded[i] = (unsigned char)(payload[1 + i] == '-'   ? '+'
					   : payload[1 + i] == '_' ? '/'
								   : payload[1 + i]);
	n = EVP_DecodeBlock(plain, coded, (int)padded);
	n -= (int)(padded - len); /* what the padding decoded to */
	if (n > 0) {
		struct vs_error err = { 0 };
		json_t *root = vs_cloud_json_parse((const char *)plain, (size_t)n, &err);
		expires = vs_cloud_json_number(root, "exp");
		json_decref(root);
	}
	free(coded);
	return expires > 0 && expires < 1e12 ? (int64_t)expires : 0;
}

int vs_federation_read_token(const char *text, size_t len, char **token_out, int64_t *expires_out,
			     struct vs_error *err)
{
	json_t *root = vs_cloud_json_parse(text, len, err);
	const char *token = json_string_value(json_object_get(root, "token"));
	size_t n = token ? strlen(token) : 0;
	int rc = -1;

	if (root && (n == 0 || n > MAX_TOKEN || strcspn(token, "\"\r\n\\ ") != n))
		(void)vs_error_set(err, VS_EFORMAT, 0, "the federation's answer holds no token");
	else if (root && !(*token_out = strdup(token)))
		(void)vs_error_nomem(err);
	else if (root) {
		*expires_out = token_expiry(token);
		rc = 0;
	}
	json_decref(root);
	return rc;
}

static int exchange(struct vs_federation *federation, const struct identity *identity,
		    struct vs_http *http, struct vs_http_response *response, struct vs_error *err)
{
	struct vs_http_request request = { .method = "POST" };
	struct vs_sign_request to_sign = { .method = "POST", .target = "/v1/x509" };
	char date[VS_SIGN_DATE_MAX], url[1024], key_id[400];
	struct vs_signed signed_request;
	struct vs_buf body;
	int rc;

	vs_buf_init(&body, (size_t)256 << 10);
	if (federation->endpoint)
		(void)snprintf(url, sizeof(url), "%s/v1/x509", federation->endpoint);
	else
		(void)snprintf(url, sizeof(url), "https://auth.%s.%s/v1/x509",
			       federation->region.id, federation->region.domain);
	(void)snprintf(key_id, sizeof(key_id), "%s/fed-x509/%s", identity->facts.tenancy,
		       identity->facts.sha1);
	vs_sign_date(vs_clock_wall_ns(), date);
	rc = make_body(federation, identity, &body, err);
	to_sign.date = date;
	request.url = url;
	request.body = to_sign.body = body.data;
	request.body_len = to_sign.body_len = body.len;
	if (rc == 0) {
		rc = vs_sign(identity->key, key_id, &to_sign, &signed_request, err);
		request.headers = signed_request.headers;
		if (rc == 0)
			rc = vs_http_perform(http, &request, response, err);
		vs_signed_release(&signed_request);
	}
	vs_buf_release(&body);
	if (rc == 0 && response->status != 200)
		rc = vs_error_set(err, VS_EHTTP, response->status,
				  "federation: HTTP %d: the instance got no token; a dynamic group "
				  "must name it",
				  response->status);
	return rc;
}

static int renew(struct vs_federation *federation, const struct identity *identity,
		 struct vs_http *http, struct vs_error *err)
{
	struct vs_http_response response;
	char *token = NULL;
	int rc;

	vs_http_response_init(&response);
	rc = exchange(federation, identity, http, &response, err);
	if (rc == 0)
		rc = vs_federation_read_token(response.body.data, response.body.len, &token,
					      &federation->expires_s, err);
	if (rc == 0 && asprintf(&federation->key_id, "ST$%s", token) < 0) {
		federation->key_id = NULL;
		rc = vs_error_nomem(err);
	}
	if (response.body.data)
		memset(response.body.data, 0, response.body.len);
	vs_key_forget(token);
	vs_http_response_release(&response);
	return rc;
}

int vs_federation_prepare(struct vs_federation *federation, struct vs_http *http,
			  struct vs_error *err)
{
	int64_t now_s = vs_clock_wall_ns() / VS_NS_PER_SEC;
	struct identity identity;
	int rc;

	/* a token that is refreshed early but stays short-lived must not be fetched every call */
	if (federation->key_id &&
	    (federation->expires_s == 0 || federation->expires_s - REFRESH_EARLY_S > now_s ||
	     vs_clock_mono_ns() - federation->fetched_ns < 10 * VS_NS_PER_SEC))
		return 0;
	if (federation->key_id)
		vs_federation_forget(federation);
	if (fetch_identity(http, &identity, err) != 0)
		return -1;
	(void)snprintf(federation->tenancy, sizeof(federation->tenancy), "%s",
		       identity.facts.tenancy);
	/* a key costs a good part of a second: one that got no token yet serves the next attempt */
	rc = federation->session ? 0 : vs_key_make(&federation->session, err);
	if (rc == 0)
		rc = renew(federation, &identity, http, err);
	release_identity(&identity);
	federation->fetched_ns = vs_clock_mono_ns();
	return rc;
}

const struct vs_key *vs_federation_key(const struct vs_federation *federation)
{
	return federation->session;
}

const char *vs_federation_key_id(const struct vs_federation *federation)
{
	return federation->key_id;
}

const char *vs_federation_tenancy(const struct vs_federation *federation)
{
	return federation->tenancy[0] ? federation->tenancy : NULL;
}

const char *vs_federation_region(const struct vs_federation *federation)
{
	return federation->region.id;
}

const char *vs_federation_domain(const struct vs_federation *federation)
{
	return federation->region.domain;
}
