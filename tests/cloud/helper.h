/* A home with a configuration for the stand-in, and the stand-in itself. */
#ifndef VS_TESTS_CLOUD_HELPER_H
#define VS_TESTS_CLOUD_HELPER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "cloud/client.h"
#include "key.inc"
#include "standin.h"

struct home {
	char dir[64], config[96], key[96], token[96], ca[96];
};

static inline void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

/* [DEFAULT] is right; [TOKEN], [ENCRYPTED], [WRONG] (the other key) go beside it. */
static inline void make_home(struct home *h)
{
	char text[4096];

	(void)snprintf(h->dir, sizeof(h->dir), "/tmp/vs-cloud-XXXXXX");
	assert_non_null(mkdtemp(h->dir));
	(void)snprintf(h->config, sizeof(h->config), "%s/config", h->dir);
	(void)snprintf(h->key, sizeof(h->key), "%s/key.pem", h->dir);
	(void)snprintf(h->token, sizeof(h->token), "%s/token", h->dir);
	(void)snprintf(h->ca, sizeof(h->ca), "%s/ca.pem", h->dir);
	(void)snprintf(text, sizeof(text),
		       "[DEFAULT]\ntenancy=%s\nuser=%s\nregion=us-phoenix-1\nkey_file=%s\n"
		       "fingerprint=73:61:a2:21:67:e0:df:be:7e:4b:93:1e:15:98:a5:b7\n"
		       "[TOKEN]\nsecurity_token_file=%s\n"
		       "[ENCRYPTED]\nkey_file=%s.enc\npass_phrase=%s\n"
		       "[WRONG]\nkey_file=%s.long\n",
		       STANDIN_TENANCY, STANDIN_USER, h->key, h->token, h->key, STANDIN_PASSPHRASE,
		       h->key);
	write_file(h->config, text);
	write_file(h->key, test_key);
	write_file(h->token, STANDIN_TOKEN "\n");
	(void)snprintf(text, sizeof(text), "%s.enc", h->key);
	write_file(text, encrypted_key);
	(void)snprintf(text, sizeof(text), "%s.long", h->key);
	write_file(text, long_key);
	(void)setenv("HOME", h->dir, 1);
}

static inline void remove_home(struct home *h)
{
	char path[128];

	(void)unlink(h->config);
	(void)unlink(h->key);
	(void)unlink(h->token);
	(void)unlink(h->ca);
	(void)snprintf(path, sizeof(path), "%s.enc", h->key);
	(void)unlink(path);
	(void)snprintf(path, sizeof(path), "%s.long", h->key);
	(void)unlink(path);
	assert_int_equal(rmdir(h->dir), 0);
}

/* Waits of milliseconds in the place of seconds. */
static const struct vs_retry_policy quick_retry = {
	.attempts = 4,
	.base_ns = 2 * VS_NS_PER_MS,
	.cap_ns = 20 * VS_NS_PER_MS,
	.total_ns = 10 * VS_NS_PER_SEC,
};

/* None of this may stand in anything that is printed or kept. */
static const char *const secrets[] = { STANDIN_TOKEN,  STANDIN_CHAP, STANDIN_PASSPHRASE,
				       "MIICXgIBAAKB", "c2VjcmV0",   "signature=",
				       "ST$" };

static inline void assert_no_secret(const char *text)
{
	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
		if (strstr(text, secrets[i]))
			fail_msg("'%s' holds %s", text, secrets[i]);
}

#endif
