/*
 * A stand-in for the provider, for tests: a real HTTP server on a loopback port that checks every
 * signature with its own reading of the rules, plays a volume whose tuned VPU follows a script, and
 * fails on demand.
 */
#ifndef VS_TESTS_CLOUD_STANDIN_H
#define VS_TESTS_CLOUD_STANDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STANDIN_TENANCY    "ocid1.tenancy.oc1..standin"
#define STANDIN_USER       "ocid1.user.oc1..standin"
#define STANDIN_VOLUME     "ocid1.volume.oc1.phx.standin"
#define STANDIN_INSTANCE   "ocid1.instance.oc1.phx.standin"
#define STANDIN_TOKEN      "eyJraWQiOiJzdGFuZGluIn0.c2VjcmV0LXRva2Vu.c2ln" /* of --oci-auth token */
#define STANDIN_CHAP       "chap-secret-do-not-keep"
#define STANDIN_PASSPHRASE "correct ; horse"

enum standin_fault {
	STANDIN_OK,
	STANDIN_401,
	STANDIN_404,
	STANDIN_409,
	STANDIN_429,  /* Retry-After: 0 */
	STANDIN_429S, /* Retry-After: 1 */
	STANDIN_500,
	STANDIN_503,
	STANDIN_GARBAGE, /* 200 with bytes that are no JSON */
	STANDIN_WRONG,   /* 200 with JSON of other types */
	STANDIN_EMPTY,   /* 200 with nothing */
	STANDIN_HALF,    /* half of the body that was promised */
	STANDIN_SLOW,    /* a byte every 20 ms */
	STANDIN_HANG,    /* no answer until the client goes */
	STANDIN_REDIRECT,
	STANDIN_CLOSE,   /* no answer at all */
	STANDIN_HUGE,    /* more than any client should take */
	STANDIN_ECHO,    /* 400 whose message repeats what the client sent */
	STANDIN_EXPIRED, /* no answer, and the next connection's certificate has ended (with tls) */
	STANDIN_N_FAULTS
};

/* "ok", "401", "429", "half" ...; -1 when there is no such. */
int standin_fault_value(const char *name);
const char *standin_fault_name(enum standin_fault fault);

struct standin_options {
	uint16_t port;      /* 0: any */
	const char *key;    /* PEM, private or public, of the API key that is accepted */
	const char *key_id; /* NULL: tenancy, user and the key's fingerprint */
	const char *script; /* lines "seconds vpu", from the start on; NULL: 10 for ever */
	bool tls;           /* https with a certificate made for it ... */
	bool expired;       /* ... that has ended */
	bool policies;      /* the volume has a performance-based policy up to 120 */
	bool multipath;
	double clock_skew_s; /* of the server's clock */
	uint64_t seed;       /* not 0: failures at random, */
	int percent;         /* this often */
};

struct standin;

/* NULL: it could not start, with the reason on stderr. */
struct standin *standin_start(const struct standin_options *options);
void standin_stop(struct standin *s); /* closes connections, joins all threads */
const char *standin_url(const struct standin *s);
uint16_t standin_port(const struct standin *s);
/* The certificate of the TLS server in PEM; borrowed. */
const char *standin_certificate(const struct standin *s);

/* The next request (not of the metadata service) gets this; queued. */
void standin_push(struct standin *s, enum standin_fault fault);
/* From now on no random failures. */
void standin_calm(struct standin *s);
/* Answered requests, and those whose signature was refused though no failure was asked for. */
unsigned standin_requests(const struct standin *s);
unsigned standin_refused(const struct standin *s);
/* Why the last one was refused. */
const char *standin_reason(const struct standin *s);
/* Tokens given out so far stop being accepted. */
void standin_end_tokens(struct standin *s);

#endif
