/* When a failed request may be sent again, and after how long. */
#ifndef VS_CLOUD_RETRY_H
#define VS_CLOUD_RETRY_H

#include <stdbool.h>
#include <stdint.h>

struct vs_retry_policy {
	int attempts;     /* in all; 1: no retry */
	int64_t base_ns;  /* the n-th wait is base x 2^(n-1) plus up to base of jitter ... */
	int64_t cap_ns;   /* ... and at most this, unless the server asks for more */
	int64_t total_ns; /* no wait goes past this, counted from the first attempt */
};

/* 8 attempts, 1 s doubled up to 30 s, 10 min in all: what the provider's own tools do. */
extern const struct vs_retry_policy vs_retry_default;

/*
 * Whether a status with this error code ("" none) can go away by itself: 429, every 5xx but 501,
 * and 409 while the resource changes. status 0 is a request without an answer: yes.
 */
bool vs_retry_is_worth(int status, const char *code);
/*
 * The wait after the attempt-th attempt (1 the first), ns; -1: give up. retry_after_ns is the
 * server's wish, VS_UNKNOWN without one: never less is waited. *seed is the jitter's state.
 */
int64_t vs_retry_delay_ns(const struct vs_retry_policy *policy, int attempt, int64_t spent_ns,
			  int64_t retry_after_ns, uint64_t *seed);

#endif
