#include "cloud/client.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/sample.h"
#include "cloud/json.h"
#include "cloud/region.h"
#include "cloud/sign.h"

#define MAX_SKEW_MS INT64_C(300000) /* beyond it OCI refuses a signature */

struct vs_oci {
	struct vs_http *http;
	struct vs_oci_auth *auth;
	char endpoint[512]; /* "" none; no slash at its end */
	struct vs_region region;
	struct vs_retry_policy retry;
	const atomic_bool *cancel;
	uint64_t seed;
};

static const char *env_text(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* Our words and those of OCI_CLI_AUTH. */
static int auth_kind(const char *word, enum vs_oci_auth_kind *out, struct vs_error *err)
{
	static const struct {
		const char *word;
		enum vs_oci_auth_kind kind;
	} words[] = {
		{ "config", VS_OCI_AUTH_CONFIG },
		{ "api_key", VS_OCI_AUTH_CONFIG },
		{ "instance", VS_OCI_AUTH_INSTANCE },
		{ "instance_principal", VS_OCI_AUTH_INSTANCE },
		{ "token", VS_OCI_AUTH_TOKEN },
		{ "security_token", VS_OCI_AUTH_TOKEN },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i].word) == 0) {
			*out = words[i].kind;
			return 0;
		}
	return vs_error_set(err, VS_EUSAGE, 0,
			    "'%.40s' is no way to sign that is known here; give --oci-auth config, "
			    "instance or token",
			    word);
}

static int set_endpoint(struct vs_oci *oci, const char *endpoint, struct vs_error *err)
{
	size_t len;

	if (!endpoint)
		return 0;
	if (vs_http_check_url(endpoint, false, err) != 0)
		return vs_error_prefix(err, "--oci-endpoint: ");
	len = strlen(endpoint);
	while (len > 0 && endpoint[len - 1] == '/')
		len--;
	if (len >= sizeof(oci->endpoint))
		return vs_error_set(err, VS_EUSAGE, 0, "--oci-endpoint: the URL is too long");
	memcpy(oci->endpoint, endpoint, len);
	return 0;
}

static int set_region(struct vs_oci *oci, const char *region, struct vs_error *err)
{
	const char *domain = vs_oci_auth_domain(oci->auth);

	if (!region)
		region = vs_oci_auth_region(oci->auth);
	if (!region && oci->endpoint[0])
		return 0;
	if (!region)
		return vs_error_set(err, VS_EINVAL, 0,
				    "no region is set; give --oci-region or add region to the "
				    "profile");
	if (vs_region_resolve(region, vs_oci_auth_tenancy(oci->auth), &oci->region, err) != 0)
		return oci->endpoint[0] ? (vs_error_clear(err), 0) : -1;
	if (domain)
		(void)snprintf(oci->region.domain, sizeof(oci->region.domain), "%s", domain);
	return 0;
}

static int open_parts(struct vs_oci *oci, const struct vs_oci_options *options,
		      struct vs_error *err)
{
	const char *auth = options->auth ? options->auth : env_text("OCI_CLI_AUTH");
	const char *region = options->region ? options->region : env_text("OCI_CLI_REGION");
	struct vs_http_options http = { .timeout_ns = options->timeout_ns,
					.ca_file = env_text("OCI_CLI_CERT_BUNDLE"),
					.cancel = options->cancel };
	struct vs_oci_auth_options how = { .config_file = options->config_file,
					   .profile = options->profile,
					   .region = region };

	if (auth_kind(auth ? auth : "config", &how.kind, err) != 0 ||
	    set_endpoint(oci, options->endpoint ? options->endpoint : env_text("OCI_CLI_ENDPOINT"),
			 err) != 0 ||
	    vs_http_open(&http, &oci->http, err) != 0)
		return -1;
	how.endpoint = oci->endpoint[0] ? oci->endpoint : NULL;
	if (vs_oci_auth_open(&how, oci->http, &oci->auth, err) != 0)
		return -1;
	return set_region(oci, region, err);
}

int vs_oci_open(const struct vs_oci_options *options, struct vs_oci **out, struct vs_error *err)
{
	struct vs_oci *oci = calloc(1, sizeof(*oci));

	if (!oci)
		return vs_error_nomem(err);
	oci->retry = options->retry ? *options->retry : vs_retry_default;
	oci->cancel = options->cancel;
	oci->seed = (uint64_t)vs_clock_mono_ns(); /* jitter only has to differ between clients */
	if (open_parts(oci, options, err) != 0) {
		vs_oci_free(oci);
		return -1;
	}
	*out = oci;
	return 0;
}

void vs_oci_free(struct vs_oci *oci)
{
	if (!oci)
		return;
	vs_oci_auth_free(oci->auth);
	vs_http_free(oci->http);
	free(oci);
}

const struct vs_oci_auth *vs_oci_get_auth(const struct vs_oci *oci)
{
	return oci->auth;
}

void vs_oci_base_url(const struct vs_oci *oci, enum vs_oci_service service, char *out, size_t size)
{
	if (oci->endpoint[0])
		(void)snprintf(out, size, "%s", oci->endpoint);
	else
		(void)snprintf(out, size, "https://%s.%s.%s",
			       service == VS_OCI_CORE ? "iaas" : "telemetry", oci->region.id,
			       oci->region.domain);
}

void vs_oci_add_encoded(struct vs_buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (isalnum(c) || strchr("-_.~", c))
			vs_buf_addf(out, "%c", c);
		else
			vs_buf_addf(out, "%%%02X", c);
	}
}

void vs_oci_read_failure(const char *text, size_t len, char code[64], char message[256])
{
	struct vs_error err = { 0 };
	json_t *root = vs_cloud_json_parse(text, len, &err);

	vs_cloud_json_text(root, "code", code, 64);
	vs_cloud_json_text(root, "message", message, 256);
	json_decref(root);
	for (const char *p = code; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '.' && *p != '_' && *p != '-') {
			code[0] = '\0';
			break;
		}
}

int vs_oci_check_ocid(const char *ocid, const char *what, struct vs_error *err)
{
	size_t len = strlen(ocid), dots = 0;

	for (size_t i = 0; i < len; i++) {
		dots += ocid[i] == '.';
		if (!isalnum((unsigned char)ocid[i]) && !strchr("-_.:", ocid[i]))
			dots = 0, len = 0;
	}
	if (strncmp(ocid, "ocid", 4) == 0 && dots >= 4 && len > 0 && len < 256)
		return 0;
	return vs_error_set(err, VS_EUSAGE, 0,
			    "%s: '%.80s' is not an OCID; it looks like ocid1.volume.oc1.phx.abc...",
			    what, ocid);
}

static bool is_canceled(const struct vs_oci *oci)
{
	return oci->cancel && atomic_load_explicit(oci->cancel, memory_order_relaxed);
}

/* Sleeps in short pieces, so that a cancel is heard. */
static int wait_ns(const struct vs_oci *oci, int64_t delay_ns, struct vs_error *err)
{
	int64_t end_ns = vs_clock_mono_ns() + delay_ns;

	for (;;) {
		int64_t left_ns = end_ns - vs_clock_mono_ns();
		struct timespec piece = { 0 };
		if (is_canceled(oci))
			return vs_error_set(err, VS_ECANCELED, 0, "canceled");
		if (left_ns <= 0)
			return 0;
		piece.tv_nsec = left_ns < 50 * VS_NS_PER_MS ? left_ns : 50 * VS_NS_PER_MS;
		(void)nanosleep(&piece, NULL);
	}
}

static int send_once(struct vs_oci *oci, const struct vs_oci_call *call,
		     struct vs_http_response *response, struct vs_error *err)
{
	char base[640], host[300], date[VS_SIGN_DATE_MAX];
	struct vs_sign_request to_sign = { .method = call->method, .host = host, .date = date };
	struct vs_http_request request = { .method = call->method };
	struct vs_signed signed_request;
	struct vs_buf url;
	const char *path;
	int rc;

	if (vs_oci_auth_prepare(oci->auth, oci->http, err) != 0)
		return -1;
	vs_oci_base_url(oci, call->service, base, sizeof(base));
	vs_http_authority(base, host, sizeof(host));
	vs_buf_init(&url, (size_t)16 << 10);
	vs_buf_addf(&url, "%s%s", base, call->target);
	if (url.failed && !url.too_long)
		return vs_error_nomem(err);
	if (url.failed)
		return vs_error_set(err, VS_EINVAL, 0, "the request's URL is too long");
	path = strstr(url.data, "://");
	to_sign.target = strchr(path + 3, '/'); /* an endpoint may have a path of its own */
	to_sign.body = request.body = call->body;
	to_sign.body_len = request.body_len = call->body ? strlen(call->body) : 0;
	vs_sign_date(vs_clock_wall_ns(), date);
	request.url = url.data;
	rc = vs_sign(vs_oci_auth_key(oci->auth), vs_oci_auth_key_id(oci->auth), &to_sign,
		     &signed_request, err);
	request.headers = signed_request.headers;
	if (rc == 0)
		rc = vs_http_perform(oci->http, &request, response, err);
	vs_signed_release(&signed_request);
	vs_buf_release(&url);
	return rc;
}

/* Texts of the server go into messages only when they cannot be an echo of what was sent. */
static void tidy_message(const struct vs_oci *oci, char *message)
{
	const char *token = vs_oci_auth_token(oci->auth);
	char head[25];
	size_t len;

	(void)snprintf(head, sizeof(head), "%s", token ? token : "");
	if (strstr(message, "ST$") || strstr(message, "ignature=") ||
	    (head[0] && strstr(message, head)))
		message[0] = '\0';
	len = strlen(message);
	if (len > 0 && message[len - 1] == '.')
		message[len - 1] = '\0';
}

static void explain_401(const struct vs_oci *oci, const struct vs_http_response *response,
			char *out, size_t size)
{
	int64_t skew_ms = vs_clock_wall_ns() / VS_NS_PER_MS - response->server_wall_ms;

	if (response->server_wall_ms != VS_UNKNOWN &&
	    (skew_ms > MAX_SKEW_MS || skew_ms < -MAX_SKEW_MS))
		(void)snprintf(out, size,
			       "; this machine's clock is %lld s %s the server's, at most 300 are "
			       "allowed: set the clock",
			       (long long)(skew_ms < 0 ? -skew_ms : skew_ms) / 1000,
			       skew_ms < 0 ? "behind" : "ahead of");
	else if (strcmp(vs_oci_auth_name(oci->auth), "token") == 0)
		(void)snprintf(out, size,
			       "; the session token has ended: 'oci session authenticate' makes "
			       "another");
	else
		(void)snprintf(out, size,
			       "; the key is not accepted: see that user, fingerprint, tenancy and "
			       "key_file of the profile belong together ('volscale cloud check')");
}

static int fail(const struct vs_oci *oci, const struct vs_oci_call *call,
		const struct vs_http_response *response, const char *code, char *message,
		struct vs_error *err)
{
	char why[256] = "";

	tidy_message(oci, message);
	if (response->status == 401)
		explain_401(oci, response, why, sizeof(why));
	else if (response->status == 404 || response->status == 403)
		(void)snprintf(why, sizeof(why),
			       "; no such thing in this region, or the policy lacks '%s'",
			       call->permission);
	else if (response->status >= 300 && response->status < 400)
		(void)snprintf(why, sizeof(why), "; redirects are not followed");
	else if (response->status == 429)
		(void)snprintf(why, sizeof(why), "; asked too often, poll less");
	return vs_error_set(err, VS_EHTTP, response->status, "%s: HTTP %d%s%s%s%s%s%s%s%s",
			    call->name, response->status, code[0] ? " " : "", code,
			    message[0] ? ": " : "", message, why,
			    response->request_id[0] ? " (opc-request-id " : "",
			    response->request_id, response->request_id[0] ? ")" : "");
}

/* What one attempt came to: the code and message of its failure, and whether another may pass. */
struct attempt {
	struct vs_error why; /* when no answer came */
	char code[64], message[256];
	bool again;
};

static bool try_once(struct vs_oci *oci, const struct vs_oci_call *call,
		     struct vs_http_response *response, struct attempt *out)
{
	*out = (struct attempt){ 0 };
	if (send_once(oci, call, response, &out->why) != 0) {
		out->again =
			out->why.code == VS_EHTTP && vs_retry_is_worth(out->why.detail, out->code);
		return false;
	}
	if (response->status >= 200 && response->status < 300)
		return true;
	vs_oci_read_failure(response->body.data, response->body.len, out->code, out->message);
	out->again = vs_retry_is_worth(response->status, out->code);
	return false;
}

int vs_oci_call(struct vs_oci *oci, const struct vs_oci_call *call,
		struct vs_http_response *response, struct vs_error *err)
{
	int64_t start_ns = vs_clock_mono_ns(), delay_ns;
	bool renewed = false;
	struct attempt attempt;

	for (int n = 1;; n++) {
		if (try_once(oci, call, response, &attempt))
			return 0;
		if (response->status == 401 && !renewed && vs_oci_auth_renew(oci->auth)) {
			renewed = true;
			continue;
		}
		delay_ns = attempt.again ? vs_retry_delay_ns(&oci->retry, n,
							     vs_clock_mono_ns() - start_ns,
							     response->retry_after_ns, &oci->seed)
					 : -1;
		if (delay_ns < 0)
			break;
		if (wait_ns(oci, delay_ns, err) != 0)
			return -1;
	}
	if (attempt.why.code != VS_OK) {
		(void)vs_error_set(err, attempt.why.code, attempt.why.detail, "%s",
				   attempt.why.text);
		return attempt.why.code == VS_ECANCELED ? -1
							: vs_error_prefix(err, "%s: ", call->name);
	}
	return fail(oci, call, response, attempt.code, attempt.message, err);
}
