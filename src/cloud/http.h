/* One HTTP exchange on libcurl: TLS verified, both timeouts, a capped body, redirects not followed.
 */
#ifndef VS_CLOUD_HTTP_H
#define VS_CLOUD_HTTP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

struct vs_http_options {
	int64_t connect_timeout_ns; /* 0: 5 s */
	int64_t timeout_ns;         /* of one whole exchange; 0: 20 s */
	size_t max_body_bytes;      /* 0: 8 MiB */
	const char *ca_file;        /* PEM bundle to trust instead of the system's; NULL none */
	const atomic_bool *cancel;  /* true ends an exchange within about a second; NULL never */
};

struct vs_http_request {
	const char *method;         /* "GET", "POST" */
	const char *url;            /* https, or plain http to this machine or the link */
	const char *const *headers; /* "name: value", the last one is NULL; NULL none */
	const char *body;           /* of a POST; NULL empty */
	size_t body_len;
};

struct vs_http_response {
	int status;
	struct vs_buf body;
	int64_t retry_after_ns; /* VS_UNKNOWN without one */
	int64_t server_wall_ms; /* the Date header; VS_UNKNOWN without one */
	int64_t elapsed_ns;     /* from the request's first byte to the answer's last */
	char request_id[128];   /* opc-request-id; "" none */
	char next_page[1024];   /* opc-next-page; "" none */
};

struct vs_http;

/* Belongs to one thread; keeps its connections. The strings of options are borrowed. */
int vs_http_open(const struct vs_http_options *options, struct vs_http **out,
		 struct vs_error *err) VS_MUST_CHECK;
void vs_http_free(struct vs_http *http); /* NULL allowed */

void vs_http_response_init(struct vs_http_response *response);
void vs_http_response_release(struct vs_http_response *response);

/*
 * One attempt. 0: an answer came, of whatever status (response is overwritten). -1: none came
 * (VS_EHTTP, detail 0: network, TLS, timeout, cut off; VS_EFORMAT: too long) or VS_ECANCELED.
 */
int vs_http_perform(struct vs_http *http, const struct vs_http_request *request,
		    struct vs_http_response *response, struct vs_error *err) VS_MUST_CHECK;

/*
 * VS_EUSAGE unless url is an https:// base URL, or an http:// one of a loopback address or, with
 * link_local, of an address that does not leave the link (where the metadata service lives).
 */
int vs_http_check_url(const char *url, bool link_local, struct vs_error *err) VS_MUST_CHECK;
/* "host[:port]" of a URL, as the Host header has it. */
void vs_http_authority(const char *url, char *out, size_t size);

#endif
