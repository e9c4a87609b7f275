/* The stand-in's server: sockets, TLS, and the failures that are asked of it. */
#include "standin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "standin_internal.h"

static const char *const fault_names[STANDIN_N_FAULTS] = {
	"ok",    "401",  "404",  "409",  "429",      "429s",  "500",  "503",  "garbage", "wrong",
	"empty", "half", "slow", "hang", "redirect", "close", "huge", "echo", "expired"
};

struct connection {
	struct standin *s;
	int fd;
	SSL *ssl;
};

int standin_fault_value(const char *name)
{
	for (int i = 0; i < STANDIN_N_FAULTS; i++)
		if (strcmp(name, fault_names[i]) == 0)
			return i;
	return -1;
}

const char *standin_fault_name(enum standin_fault fault)
{
	return fault_names[fault];
}

const char *standin_header(const struct request *r, const char *name)
{
	for (size_t i = 0; i < r->n_headers; i++)
		if (strcasecmp(r->headers[i].name, name) == 0)
			return r->headers[i].value;
	return NULL;
}

/* Waits for bytes, looking up now and then whether the server is to stop. */
static ssize_t get(struct connection *c, char *out, size_t size)
{
	while (!atomic_load(&c->s->stop)) {
		struct pollfd p = { .fd = c->fd, .events = POLLIN };

		if ((!c->ssl || SSL_pending(c->ssl) == 0) && poll(&p, 1, 10) == 0)
			continue;
		if (c->ssl)
			return SSL_read(c->ssl, out, (int)size);
		return recv(c->fd, out, size, 0);
	}
	return -1;
}

static bool put(struct connection *c, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = c->ssl ? SSL_write(c->ssl, bytes, (int)len)
				   : send(c->fd, bytes, len, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

static void split(struct request *r, size_t head_len)
{
	char *line = r->raw.data, *next;

	r->raw.data[head_len - 2] = '\0';
	r->body = r->raw.data + head_len;
	r->body_len = r->raw.len - head_len;
	next = strstr(line, "\r\n");
	if (next)
		*next = '\0';
	r->method = line;
	r->target = strchr(line, ' ');
	if (!r->target)
		return;
	*r->target++ = '\0';
	r->target[strcspn(r->target, " ")] = '\0';
	for (line = next ? next + 2 : NULL; line && *line && r->n_headers < MAX_HEADERS;) {
		char *colon = strchr(line, ':');
		next = strstr(line, "\r\n");
		if (next)
			*next = '\0';
		if (colon) {
			*colon++ = '\0';
			r->headers[r->n_headers++] =
				(struct header){ line, colon + strspn(colon, " ") };
		}
		line = next ? next + 2 : NULL;
	}
}

/* One request; false when the client is gone. */
static bool read_request(struct connection *c, struct request *r)
{
	size_t head = 0, body = 0;
	char piece[4096];

	*r = (struct request){ 0 };
	vs_buf_init(&r->raw, (size_t)1 << 20);
	while (head == 0 || r->raw.len < head + body) {
		ssize_t n = get(c, piece, sizeof(piece));
		const char *end, *length;

		if (n <= 0)
			return false;
		vs_buf_add(&r->raw, piece, (size_t)n);
		if (r->raw.failed)
			return false;
		if (head || !(end = strstr(r->raw.data, "\r\n\r\n")))
			continue;
		head = (size_t)(end - r->raw.data) + 4;
		length = strcasestr(r->raw.data, "\r\ncontent-length:");
		if (length && length < end)
			body = strtoul(length + 17, NULL, 10);
	}
	split(r, head);
	return r->target != NULL;
}

static bool send_answer(struct connection *c, const struct answer *a, enum standin_fault fault)
{
	time_t now = time(NULL) + (time_t)c->s->options.clock_skew_s;
	size_t len = a->body.len, sent = fault == STANDIN_HALF ? len / 2 : len;
	struct vs_buf head;
	struct tm tm;
	char date[40];
	bool ok;

	(void)strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &tm));
	vs_buf_init(&head, 65536);
	vs_buf_addf(&head,
		    "HTTP/1.1 %d Standin\r\nDate: %s\r\nContent-Type: application/json\r\n"
		    "opc-request-id: standin/%u\r\nContent-Length: %zu\r\n%s\r\n",
		    a->status, date, atomic_load(&c->s->requests), len,
		    a->headers.data ? a->headers.data : "");
	ok = put(c, head.data, head.len);
	vs_buf_release(&head);
	if (fault == STANDIN_SLOW) {
		struct timespec pause = { .tv_nsec = 20 * VS_NS_PER_MS };
		for (size_t i = 0; ok && i < sent && !atomic_load(&c->s->stop); i++) {
			ok = put(c, a->body.data + i, 1);
			(void)nanosleep(&pause, NULL);
		}
		return ok;
	}
	return ok && put(c, a->body.data ? a->body.data : "", sent) && sent == len;
}

static void fail_with(struct answer *a, int status, const char *code, const char *message)
{
	a->status = status;
	vs_buf_addf(&a->body, "{\"code\": \"%s\", \"message\": \"%s\"}", code, message);
}

/* The answer that a failure makes; false for those that have none. */
static bool make_fault(const struct request *r, enum standin_fault fault, struct answer *a)
{
	switch (fault) {
	case STANDIN_401:
		fail_with(a, 401, "NotAuthenticated", "The required information is missing.");
		break;
	case STANDIN_404:
		fail_with(a, 404, "NotAuthorizedOrNotFound", "Authorization failed.");
		break;
	case STANDIN_409:
		fail_with(a, 409, "IncorrectState", "The resource is changing.");
		break;
	case STANDIN_429:
	case STANDIN_429S:
		vs_buf_addf(&a->headers, "Retry-After: %d\r\n", fault == STANDIN_429S);
		fail_with(a, 429, "TooManyRequests", "User-rate limit exceeded.");
		break;
	case STANDIN_500:
		fail_with(a, 500, "InternalServerError", "An internal error.");
		break;
	case STANDIN_503:
		a->status = 503;
		vs_buf_addf(&a->body, "<html>Service Unavailable</html>");
		break;
	case STANDIN_GARBAGE:
		vs_buf_add(&a->body, "\x00\xff{\"id\": [[[", 11);
		break;
	case STANDIN_WRONG:
		vs_buf_addf(&a->body, "{\"id\": 7, \"sizeInGBs\": \"x\", \"autotunePolicies\": 3}");
		break;
	case STANDIN_REDIRECT:
		a->status = 302;
		vs_buf_addf(&a->headers, "Location: http://127.0.0.1:1/stolen\r\n");
		break;
	case STANDIN_HUGE:
		for (int i = 0; i < 9 << 10; i++)
			vs_buf_addf(&a->body, "%1024d", i);
		break;
	case STANDIN_ECHO:
		a->status = 400;
		vs_buf_addf(&a->body, "{\"code\": \"InvalidParameter\", \"message\": \"got ");
		for (const char *p = standin_header(r, "authorization"); p && *p; p++)
			vs_buf_addf(&a->body, *p == '"' ? "\\%c" : "%c", *p);
		vs_buf_addf(&a->body, "\"}");
		break;
	case STANDIN_EMPTY:
		break;
	case STANDIN_OK:
	case STANDIN_HALF:
	case STANDIN_SLOW:
	case STANDIN_HANG:
	case STANDIN_CLOSE:
	case STANDIN_EXPIRED:
	case STANDIN_N_FAULTS:
		return false;
	}
	return true;
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static enum standin_fault next_fault(struct standin *s, const struct request *r)
{
	enum standin_fault fault = STANDIN_OK;

	if (strncmp(r->target, "/opc/v2/", 8) == 0)
		return STANDIN_OK;
	(void)pthread_mutex_lock(&s->lock);
	if (s->next_queue < s->n_queue)
		fault = s->queue[s->next_queue++];
	else if (s->percent > 0 && next_random(&s->random) % 100 < (uint64_t)s->percent)
		fault = (enum standin_fault)(next_random(&s->random) % STANDIN_N_FAULTS);
	(void)pthread_mutex_unlock(&s->lock);
	return fault;
}

static bool needs_signature(const struct request *r)
{
	return strncmp(r->target, "/opc/v2/", 8) != 0 && !strstr(r->target, "/products/?");
}

static void note_refusal(struct standin *s, const char *why)
{
	atomic_fetch_add(&s->refused, 1);
	(void)pthread_mutex_lock(&s->lock);
	(void)snprintf(s->reason, sizeof(s->reason), "%s", why);
	(void)pthread_mutex_unlock(&s->lock);
}

/* False: close the connection. */
static bool serve(struct connection *c, const struct request *r)
{
	struct answer a = { .status = 200 };
	enum standin_fault fault = next_fault(c->s, r);
	const char *why = needs_signature(r) ? standin_check(c->s, r) : NULL;
	char byte;
	bool ok;

	atomic_fetch_add(&c->s->requests, 1);
	if (fault == STANDIN_HANG)
		(void)get(c, &byte, 1);
	if (fault == STANDIN_EXPIRED)
		atomic_store(&c->s->expire_next, true);
	if (fault == STANDIN_HANG || fault == STANDIN_CLOSE || fault == STANDIN_EXPIRED)
		return false;
	vs_buf_init(&a.headers, 65536);
	vs_buf_init(&a.body, (size_t)16 << 20);
	if (why) {
		note_refusal(c->s, why);
		fail_with(&a, 401, "NotAuthenticated", why);
	} else if (!make_fault(r, fault, &a)) {
		standin_route(c->s, r, &a);
	}
	ok = send_answer(c, &a, fault);
	vs_buf_release(&a.headers);
	vs_buf_release(&a.body);
	return ok;
}

static void *connection_main(void *ctx)
{
	struct connection *c = ctx;
	struct timeval patience = { .tv_sec = 5 };
	bool ok = true;

	(void)setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	(void)setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (c->s->tls) {
		bool expired = atomic_exchange(&c->s->expire_next, false);

		c->ssl = SSL_new(expired ? c->s->tls_expired : c->s->tls);
		ok = c->ssl && SSL_set_fd(c->ssl, c->fd) == 1 && SSL_accept(c->ssl) == 1;
	}
	while (ok) {
		struct request r;

		ok = read_request(c, &r) && serve(c, &r);
		vs_buf_release(&r.raw);
	}
	SSL_free(c->ssl);
	(void)close(c->fd);
	atomic_fetch_sub(&c->s->connections, 1);
	free(c);
	return NULL;
}

static void *listener_main(void *ctx)
{
	struct standin *s = ctx;

	while (!atomic_load(&s->stop)) {
		struct pollfd p = { .fd = s->fd, .events = POLLIN };
		struct connection *c;
		pthread_t thread;

		if (poll(&p, 1, 10) <= 0 || !(c = calloc(1, sizeof(*c))))
			continue;
		c->s = s;
		c->fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC);
		atomic_fetch_add(&s->connections, 1);
		if (c->fd < 0 || pthread_create(&thread, NULL, connection_main, c) != 0) {
			atomic_fetch_sub(&s->connections, 1);
			free(c);
			continue;
		}
		(void)pthread_detach(thread);
	}
	return NULL;
}

static int listen_on(struct standin *s)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(s->options.port) };
	socklen_t len = sizeof(a);
	int yes = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->fd < 0 || setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
	    bind(s->fd, (struct sockaddr *)(void *)&a, sizeof(a)) != 0 || listen(s->fd, 64) != 0 ||
	    getsockname(s->fd, (struct sockaddr *)(void *)&a, &len) != 0)
		return -1;
	s->port = ntohs(a.sin_port);
	(void)snprintf(s->url, sizeof(s->url), "http%s://127.0.0.1:%u", s->tls ? "s" : "", s->port);
	return 0;
}

static int set_key(struct standin *s)
{
	char fingerprint[64];

	s->api_key = standin_read_key(s->options.key);
	if (!s->api_key)
		return -1;
	if (s->options.key_id)
		(void)snprintf(s->key_id, sizeof(s->key_id), "%s", s->options.key_id);
	else
		(void)snprintf(s->key_id, sizeof(s->key_id), "%s/%s/%s", STANDIN_TENANCY,
			       STANDIN_USER, standin_fingerprint(s->api_key, fingerprint));
	(void)EVP_PKEY_up_ref(s->api_key);
	standin_add_token(s, STANDIN_TOKEN, s->api_key);
	return 0;
}

struct standin *standin_start(const struct standin_options *options)
{
	struct standin *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	(void)signal(SIGPIPE, SIG_IGN); /* a client that leaves early is the client's right */
	s->options = *options;
	s->random = options->seed;
	s->percent = options->percent;
	s->start_ns = vs_clock_mono_ns();
	(void)pthread_mutex_init(&s->lock, NULL);
	if (set_key(s) != 0 || (options->tls && standin_make_tls(s) != 0) || listen_on(s) != 0 ||
	    pthread_create(&s->thread, NULL, listener_main, s) != 0) {
		perror("standin");
		exit(1);
	}
	return s;
}

void standin_stop(struct standin *s)
{
	struct timespec pause = { .tv_nsec = 5 * VS_NS_PER_MS };

	atomic_store(&s->stop, true);
	(void)pthread_join(s->thread, NULL);
	while (atomic_load(&s->connections) > 0)
		(void)nanosleep(&pause, NULL);
	(void)close(s->fd);
	standin_end_tokens(s);
	EVP_PKEY_free(s->api_key);
	EVP_PKEY_free(s->instance_key);
	SSL_CTX_free(s->tls);
	SSL_CTX_free(s->tls_expired);
	free(s->tls_cert);
	free(s->instance_cert);
	free(s->instance_pem);
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
}

const char *standin_url(const struct standin *s)
{
	return s->url;
}

uint16_t standin_port(const struct standin *s)
{
	return s->port;
}

const char *standin_certificate(const struct standin *s)
{
	return s->tls_cert;
}

void standin_push(struct standin *s, enum standin_fault fault)
{
	(void)pthread_mutex_lock(&s->lock);
	if (s->n_queue < sizeof(s->queue) / sizeof(s->queue[0]))
		s->queue[s->n_queue++] = fault;
	(void)pthread_mutex_unlock(&s->lock);
}

void standin_calm(struct standin *s)
{
	(void)pthread_mutex_lock(&s->lock);
	s->percent = 0;
	(void)pthread_mutex_unlock(&s->lock);
}

unsigned standin_requests(const struct standin *s)
{
	return atomic_load(&s->requests);
}

unsigned standin_refused(const struct standin *s)
{
	return atomic_load(&s->refused);
}

const char *standin_reason(const struct standin *s)
{
	return s->reason;
}

void standin_end_tokens(struct standin *s)
{
	(void)pthread_mutex_lock(&s->lock);
	while (s->n_tokens > 0) {
		struct token *token = &s->tokens[--s->n_tokens];
		free(token->text);
		EVP_PKEY_free(token->key);
	}
	(void)pthread_mutex_unlock(&s->lock);
}
