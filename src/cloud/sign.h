/* OCI's request signature, version 1: what is signed, and the headers that carry it. */
#ifndef VS_CLOUD_SIGN_H
#define VS_CLOUD_SIGN_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "cloud/key.h"

#define VS_SIGN_DATE_MAX    32
#define VS_SIGN_HEADERS_MAX 8

struct vs_sign_request {
	const char *method; /* "GET", "POST", "PUT" ...; those with a body sign it, also empty */
	const char *target; /* path and query as sent, encoded */
	const char *host;   /* with its port when that is sent; NULL: not signed (federation) */
	const char *date;   /* "Thu, 05 Jan 2014 21:31:40 GMT" */
	const char *content_type; /* NULL: application/json */
	const char *body;         /* NULL empty */
	size_t body_len;
};

/* The header lines to send, Host and Content-Length apart: "name: value". */
struct vs_signed {
	struct vs_buf lines[VS_SIGN_HEADERS_MAX];
	const char *headers[VS_SIGN_HEADERS_MAX + 1]; /* NULL-terminated, borrowed from lines */
};

/* The Date header for a wall clock reading. */
void vs_sign_date(int64_t wall_ns, char out[VS_SIGN_DATE_MAX]);
/* Adds the signing string. hash: vs_key_hash() of the body, NULL for a request without one. */
void vs_sign_string(const struct vs_sign_request *request, const char *hash, struct vs_buf *out);
/* Signs; out is overwritten and released by the caller, also after an error. */
int vs_sign(const struct vs_key *key, const char *key_id, const struct vs_sign_request *request,
	    struct vs_signed *out, struct vs_error *err) VS_MUST_CHECK;
void vs_signed_release(struct vs_signed *signed_request);

#endif
