#include "cloud/sign.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>

#include "base/clock.h"

void vs_sign_date(int64_t wall_ns, char out[VS_SIGN_DATE_MAX])
{
	/* strftime() would write them in the user's language */
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t at = (time_t)(wall_ns / VS_NS_PER_SEC);
	struct tm tm = { 0 };

	(void)gmtime_r(&at, &tm);
	(void)snprintf(out, VS_SIGN_DATE_MAX, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
		       days + (size_t)tm.tm_wday * 3, tm.tm_mday, months + (size_t)tm.tm_mon * 3,
		       (tm.tm_year + 1900) % 10000, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static bool has_body(const struct vs_sign_request *request)
{
	return strcmp(request->method, "POST") == 0 || strcmp(request->method, "PUT") == 0 ||
	       strcmp(request->method, "PATCH") == 0;
}

static const char *content_type(const struct vs_sign_request *request)
{
	return request->content_type ? request->content_type : "application/json";
}

void vs_sign_string(const struct vs_sign_request *request, const char *hash, struct vs_buf *out)
{
	vs_buf_addf(out, "date: %s\n(request-target): ", request->date);
	for (const char *p = request->method; *p; p++)
		vs_buf_addf(out, "%c", tolower((unsigned char)*p));
	vs_buf_addf(out, " %s", request->target);
	if (request->host)
		vs_buf_addf(out, "\nhost: %s", request->host);
	if (hash)
		vs_buf_addf(out, "\ncontent-length: %zu\ncontent-type: %s\nx-content-sha256: %s",
			    request->body_len, content_type(request), hash);
}

static int add_authorization(const struct vs_key *key, const char *key_id,
			     const struct vs_sign_request *request, const char *hash,
			     struct vs_buf *line, struct vs_error *err)
{
	struct vs_buf text;
	int rc;

	vs_buf_init(&text, (size_t)64 << 10);
	vs_sign_string(request, hash, &text);
	if (text.failed && !text.too_long)
		return vs_error_nomem(err);
	if (text.failed)
		return vs_error_set(err, VS_EINVAL, 0, "the request is too long to sign");
	vs_buf_addf(line,
		    "authorization: Signature version=\"1\",headers=\"date (request-target)%s%s\","
		    "keyId=\"%s\",algorithm=\"rsa-sha256\",signature=\"",
		    request->host ? " host" : "",
		    hash ? " content-length content-type x-content-sha256" : "", key_id);
	rc = vs_key_sign(key, text.data, text.len, line, err);
	vs_buf_addf(line, "\"");
	vs_buf_release(&text);
	return rc;
}

int vs_sign(const struct vs_key *key, const char *key_id, const struct vs_sign_request *request,
	    struct vs_signed *out, struct vs_error *err)
{
	char hash[VS_KEY_HASH_MAX];
	bool body = has_body(request);
	size_t n = 0;

	*out = (struct vs_signed){ 0 };
	for (size_t i = 0; i < VS_SIGN_HEADERS_MAX; i++)
		vs_buf_init(&out->lines[i], (size_t)64 << 10);
	if (body && vs_key_hash(request->body, request->body_len, hash, err) != 0)
		return -1;
	/* the authorization first: it holds what vs_signed_release() has to wipe */
	if (add_authorization(key, key_id, request, body ? hash : NULL, &out->lines[n++], err) != 0)
		return -1;
	vs_buf_addf(&out->lines[n++], "date: %s", request->date);
	if (request->host)
		vs_buf_addf(&out->lines[n++], "host: %s", request->host);
	if (body) {
		vs_buf_addf(&out->lines[n++], "content-type: %s", content_type(request));
		vs_buf_addf(&out->lines[n++], "x-content-sha256: %s", hash);
	}
	vs_buf_addf(&out->lines[n++], "accept: application/json");
	for (size_t i = 0; i < n; i++) {
		if (out->lines[i].failed)
			return vs_error_nomem(err);
		out->headers[i] = out->lines[i].data;
	}
	return 0;
}

void vs_signed_release(struct vs_signed *signed_request)
{
	struct vs_buf *first = &signed_request->lines[0];

	if (first->data)
		OPENSSL_cleanse(first->data, first->len);
	for (size_t i = 0; i < VS_SIGN_HEADERS_MAX; i++)
		vs_buf_release(&signed_request->lines[i]);
}
