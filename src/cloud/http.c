#include "cloud/http.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "base/clock.h"
#include "base/sample.h"

struct vs_http {
	CURL *curl;
	struct vs_http_options options;
	char reason[CURL_ERROR_SIZE];
};

/* What the callbacks of one exchange see. */
struct exchange {
	struct vs_http *http;
	struct vs_http_response *response;
	bool header_too_long;
};

static pthread_once_t global_once = PTHREAD_ONCE_INIT;
static CURLcode global_rc;

static void global_init(void)
{
	global_rc = curl_global_init(CURL_GLOBAL_DEFAULT);
}

int vs_http_open(const struct vs_http_options *options, struct vs_http **out, struct vs_error *err)
{
	struct vs_http *http;

	(void)pthread_once(&global_once, global_init);
	if (global_rc != CURLE_OK)
		return vs_error_set(err, VS_EHTTP, 0, "cannot start libcurl: %s",
				    curl_easy_strerror(global_rc));
	http = calloc(1, sizeof(*http));
	if (!http)
		return vs_error_nomem(err);
	http->options = *options;
	if (http->options.connect_timeout_ns == 0)
		http->options.connect_timeout_ns = 5 * VS_NS_PER_SEC;
	if (http->options.timeout_ns == 0)
		http->options.timeout_ns = 20 * VS_NS_PER_SEC;
	if (http->options.max_body_bytes == 0)
		http->options.max_body_bytes = (size_t)8 << 20;
	http->curl = curl_easy_init();
	if (!http->curl) {
		free(http);
		return vs_error_nomem(err);
	}
	*out = http;
	return 0;
}

void vs_http_free(struct vs_http *http)
{
	if (!http)
		return;
	curl_easy_cleanup(http->curl);
	free(http);
}

void vs_http_response_init(struct vs_http_response *response)
{
	*response = (struct vs_http_response){ .retry_after_ns = VS_UNKNOWN,
					       .server_wall_ms = VS_UNKNOWN };
}

void vs_http_response_release(struct vs_http_response *response)
{
	vs_buf_release(&response->body);
}

static size_t on_body(char *data, size_t size, size_t n, void *ctx)
{
	struct exchange *x = ctx;

	vs_buf_add(&x->response->body, data, size * n);
	return x->response->body.failed ? 0 : size * n;
}

/* The value of a header line when it has this name, trimmed; NULL otherwise. */
static const char *header_value(const char *line, size_t len, const char *name, size_t *len_out)
{
	size_t n = strlen(name);

	if (len <= n || line[n] != ':' || strncasecmp(line, name, n) != 0)
		return NULL;
	line += n + 1;
	len -= n + 1;
	while (len > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	while (len > 0 && (unsigned char)line[len - 1] <= ' ')
		len--;
	*len_out = len;
	return line;
}

/* Printable ASCII only: it goes into error texts and into the next request. */
static bool copy_header(char *out, size_t size, const char *value, size_t len)
{
	if (len >= size)
		return false;
	for (size_t i = 0; i < len; i++)
		if (value[i] < ' ' || value[i] > '~')
			return false;
	memcpy(out, value, len);
	out[len] = '\0';
	return true;
}

/* Retry-After holds seconds or a date. */
static int64_t parse_retry_after(const char *text)
{
	char *end;
	long seconds = strtol(text, &end, 10);
	time_t at;

	if (end != text && *end == '\0')
		return seconds < 0 ? VS_UNKNOWN
				   : (seconds > 86400 ? 86400 : seconds) * VS_NS_PER_SEC;
	at = curl_getdate(text, NULL);
	if (at == (time_t)-1)
		return VS_UNKNOWN;
	seconds = (long)(at - (time_t)(vs_clock_wall_ns() / VS_NS_PER_SEC));
	return seconds < 0 ? 0 : (seconds > 86400 ? 86400 : seconds) * VS_NS_PER_SEC;
}

static size_t on_header(char *line, size_t size, size_t n, void *ctx)
{
	struct exchange *x = ctx;
	struct vs_http_response *response = x->response;
	size_t len = size * n, value_len;
	const char *value;
	char text[64];

	if ((value = header_value(line, len, "opc-request-id", &value_len)) != NULL)
		(void)copy_header(response->request_id, sizeof(response->request_id), value,
				  value_len);
	else if ((value = header_value(line, len, "opc-next-page", &value_len)) != NULL)
		x->header_too_long |= !copy_header(response->next_page, sizeof(response->next_page),
						   value, value_len);
	else if ((value = header_value(line, len, "retry-after", &value_len)) != NULL &&
		 copy_header(text, sizeof(text), value, value_len))
		response->retry_after_ns = parse_retry_after(text);
	else if ((value = header_value(line, len, "date", &value_len)) != NULL &&
		 copy_header(text, sizeof(text), value, value_len)) {
		time_t at = curl_getdate(text, NULL);
		response->server_wall_ms = at == (time_t)-1 ? VS_UNKNOWN : (int64_t)at * 1000;
	}
	return len;
}

static int on_progress(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	const struct exchange *x = ctx;
	const atomic_bool *cancel = x->http->options.cancel;

	(void)a, (void)b, (void)c, (void)d;
	return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

/* curl_easy_setopt is variadic: a long must be a long. The first failure stays. */
#define SET(curl, rc, option, value)                           \
 do {                                                          \
  if ((rc) == CURLE_OK)                                        \
   (rc) = curl_easy_setopt((curl), CURLOPT_##option, (value)); \
 } while (0)

static CURLcode set_transport(struct vs_http *http, const char *url)
{
	CURLcode rc = CURLE_OK;
	bool plain = strncasecmp(url, "http://", 7) == 0;

	SET(http->curl, rc, URL, url);
#if LIBCURL_VERSION_NUM >= 0x075500
	SET(http->curl, rc, PROTOCOLS_STR, plain ? "http" : "https");
#else
	SET(http->curl, rc, PROTOCOLS, plain ? (long)CURLPROTO_HTTP : (long)CURLPROTO_HTTPS);
#endif
	SET(http->curl, rc, HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(http->curl, rc, FOLLOWLOCATION, 0L);
	SET(http->curl, rc, SSL_VERIFYPEER, 1L);
	SET(http->curl, rc, SSL_VERIFYHOST, 2L);
	SET(http->curl, rc, SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (http->options.ca_file)
		SET(http->curl, rc, CAINFO, http->options.ca_file);
	if (plain) /* loopback and the metadata service are never behind a proxy */
		SET(http->curl, rc, NOPROXY, "*");
	SET(http->curl, rc, NOSIGNAL, 1L);
	SET(http->curl, rc, CONNECTTIMEOUT_MS,
	    (long)(http->options.connect_timeout_ns / VS_NS_PER_MS));
	SET(http->curl, rc, TIMEOUT_MS, (long)(http->options.timeout_ns / VS_NS_PER_MS));
	SET(http->curl, rc, USERAGENT, "volscale");
	SET(http->curl, rc, ERRORBUFFER, http->reason);
	return rc;
}

static CURLcode set_exchange(struct vs_http *http, const struct vs_http_request *request,
			     struct curl_slist *headers, struct exchange *x)
{
	CURLcode rc = CURLE_OK;

	SET(http->curl, rc, HTTPHEADER, headers);
	if (strcmp(request->method, "POST") == 0) {
		SET(http->curl, rc, POST, 1L);
		SET(http->curl, rc, POSTFIELDS, request->body ? request->body : "");
		SET(http->curl, rc, POSTFIELDSIZE_LARGE, (curl_off_t)request->body_len);
	} else {
		SET(http->curl, rc, HTTPGET, 1L);
	}
	SET(http->curl, rc, WRITEFUNCTION, on_body);
	SET(http->curl, rc, WRITEDATA, x);
	SET(http->curl, rc, HEADERFUNCTION, on_header);
	SET(http->curl, rc, HEADERDATA, x);
	SET(http->curl, rc, XFERINFOFUNCTION, on_progress);
	SET(http->curl, rc, XFERINFODATA, x);
	SET(http->curl, rc, NOPROGRESS, 0L);
	return rc;
}

static int add_headers(const struct vs_http_request *request, struct curl_slist **list,
		       struct vs_error *err)
{
	const char *const *line = request->headers;
	struct curl_slist *longer = curl_slist_append(NULL, "Expect:");

	while (longer) {
		*list = longer;
		if (!line || !*line)
			return 0;
		longer = curl_slist_append(*list, *line++);
	}
	return vs_error_nomem(err);
}

/* No text of curl's names a header or a body, so none can carry a secret. */
static int fail(const struct exchange *x, CURLcode rc, const char *url, struct vs_error *err)
{
	const struct vs_http *http = x->http;
	char host[256];

	vs_http_authority(url, host, sizeof(host));
	if (rc == CURLE_ABORTED_BY_CALLBACK)
		return vs_error_set(err, VS_ECANCELED, 0, "canceled");
	if (rc == CURLE_OUT_OF_MEMORY || (x->response->body.failed && !x->response->body.too_long))
		return vs_error_nomem(err);
	if (rc == CURLE_WRITE_ERROR && x->response->body.failed)
		return vs_error_set(err, VS_EFORMAT, 0, "the answer of %s is longer than %zu bytes",
				    host, http->options.max_body_bytes);
	return vs_error_set(err, VS_EHTTP, 0, "no answer from %s: %s", host,
			    http->reason[0] ? http->reason : curl_easy_strerror(rc));
}

int vs_http_perform(struct vs_http *http, const struct vs_http_request *request,
		    struct vs_http_response *response, struct vs_error *err)
{
	struct exchange x = { .http = http, .response = response };
	struct curl_slist *headers = NULL;
	int64_t start_ns;
	long status = 0;
	CURLcode rc;

	vs_http_response_release(response);
	vs_http_response_init(response);
	vs_buf_init(&response->body, http->options.max_body_bytes);
	if (add_headers(request, &headers, err) != 0) {
		curl_slist_free_all(headers);
		return -1;
	}
	curl_easy_reset(http->curl); /* keeps connections, forgets the last request */
	http->reason[0] = '\0';
	rc = set_transport(http, request->url);
	if (rc == CURLE_OK)
		rc = set_exchange(http, request, headers, &x);
	start_ns = vs_clock_mono_ns();
	if (rc == CURLE_OK)
		rc = curl_easy_perform(http->curl);
	response->elapsed_ns = vs_clock_mono_ns() - start_ns;
	curl_slist_free_all(headers);
	if (rc != CURLE_OK)
		return fail(&x, rc, request->url, err);
	if (x.header_too_long)
		return vs_error_set(err, VS_EHTTP, 0,
				    "the answer's opc-next-page header is not readable");
	(void)curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &status);
	response->status = (int)status;
	return 0;
}

/* The part between "://" and the next '/', '?' or '#'. */
static const char *authority(const char *url, size_t *len)
{
	const char *start = strstr(url, "://");

	start = start ? start + 3 : url;
	*len = strcspn(start, "/?#");
	return start;
}

void vs_http_authority(const char *url, char *out, size_t size)
{
	size_t len;
	const char *start = authority(url, &len);

	(void)snprintf(out, size, "%.*s", (int)len, start);
}

static bool is_near(const char *host, bool link_local)
{
	struct in6_addr v6;
	struct in_addr v4;

	if (strcasecmp(host, "localhost") == 0)
		return true;
	if (inet_pton(AF_INET, host, &v4) == 1) {
		uint32_t address = ntohl(v4.s_addr);
		return address >> 24 == 127 || (link_local && address >> 16 == 0xa9fe);
	}
	if (inet_pton(AF_INET6, host, &v6) == 1) {
		/* fd00:c1::a9fe:a9fe is where the metadata service answers on IPv6 */
		static const unsigned char imds[16] = {
			0xfd, 0, 0, 0xc1, [12] = 0xa9, 0xfe, 0xa9, 0xfe
		};
		return IN6_IS_ADDR_LOOPBACK(&v6) ||
		       (link_local &&
			(IN6_IS_ADDR_LINKLOCAL(&v6) || memcmp(&v6, imds, sizeof(imds)) == 0));
	}
	return false;
}

int vs_http_check_url(const char *url, bool link_local, struct vs_error *err)
{
	size_t len, host_len;
	const char *start = authority(url, &len);
	bool tls = strncasecmp(url, "https://", 8) == 0;
	char host[256];

	for (const char *p = url; *p; p++)
		if (*p <= ' ' || *p > '~' || strchr("\\@?#\"<>", *p))
			return vs_error_set(err, VS_EUSAGE, 0,
					    "not a base URL: give scheme, host and maybe a port, "
					    "like https://iaas.us-phoenix-1.oraclecloud.com");
	if (!tls && strncasecmp(url, "http://", 7) != 0)
		return vs_error_set(err, VS_EUSAGE, 0, "'%s' does not begin with https://", url);
	if (*start == '[') {
		start++;
		host_len = strcspn(start, "]");
	} else {
		host_len = strcspn(start, ":/");
	}
	if (host_len == 0 || host_len >= sizeof(host) || host_len > len ||
	    (start[-1] == '[' && start[host_len] != ']'))
		return vs_error_set(err, VS_EUSAGE, 0, "'%s' names no host", url);
	(void)snprintf(host, sizeof(host), "%.*s", (int)host_len, start);
	if (tls || is_near(host, link_local))
		return 0;
	return vs_error_set(
		err, VS_EUSAGE, 0,
		"'%s' is plain http, which is only for loopback addresses; use https://", url);
}
