/* What the stand-in's files share. */
#ifndef VS_TESTS_CLOUD_STANDIN_INTERNAL_H
#define VS_TESTS_CLOUD_STANDIN_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include <openssl/evp.h>
#include <openssl/ssl.h>

#include "base/buf.h"
#include "standin.h"

enum {
	MAX_HEADERS = 64,
	MAX_TOKENS = 64
};

struct header {
	char *name, *value;
};

/* A request, in pieces of one buffer. */
struct request {
	struct vs_buf raw;
	char *method, *target;
	struct header headers[MAX_HEADERS];
	size_t n_headers;
	const char *body;
	size_t body_len;
};

struct answer {
	int status;
	struct vs_buf headers; /* further ones, each with its CRLF */
	struct vs_buf body;
};

struct token {
	char *text;
	EVP_PKEY *key;
};

struct standin {
	struct standin_options options;
	int fd;
	uint16_t port;
	char url[64];
	SSL_CTX *tls, *tls_expired;
	char *tls_cert;
	atomic_bool expire_next; /* the next connection gets tls_expired */
	pthread_t thread;
	atomic_bool stop;
	atomic_uint requests, refused, connections;
	int64_t start_ns;

	pthread_mutex_t lock; /* of what follows */
	enum standin_fault queue[256];
	size_t n_queue, next_queue;
	uint64_t random;
	int percent;
	char reason[200];
	char key_id[400];
	EVP_PKEY *api_key;
	EVP_PKEY *instance_key;
	char *instance_cert, *instance_pem;
	char instance_key_id[400];
	struct token tokens[MAX_TOKENS];
	size_t n_tokens;
};

const char *standin_header(const struct request *request, const char *name);

/* standin_sign.c: NULL when the signature is right, else why not. */
const char *standin_check(struct standin *s, const struct request *request);
char *standin_fingerprint(EVP_PKEY *key, char out[64]);

/* standin_keys.c */
EVP_PKEY *standin_read_key(const char *pem);
int standin_make_tls(struct standin *s);
void standin_make_identity(struct standin *s); /* once, when first asked for */
char *standin_pem_of_key(EVP_PKEY *key);

/* standin_routes.c */
void standin_route(struct standin *s, const struct request *request, struct answer *answer);
double standin_vpu(const struct standin *s, double at_s);
void standin_add_token(struct standin *s, const char *text, EVP_PKEY *key);

#endif
