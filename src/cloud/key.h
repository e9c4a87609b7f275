/* RSA keys on OpenSSL: reading, making, fingerprints, signatures. */
#ifndef VS_CLOUD_KEY_H
#define VS_CLOUD_KEY_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

#define VS_KEY_FINGERPRINT_MAX 64 /* "20:3b:97:...": MD5 or SHA-1 in hex with colons */
#define VS_KEY_HASH_MAX        45 /* base64 of a SHA-256, with its NUL */

struct vs_key;

/*
 * A private key in PEM, PKCS#1 or PKCS#8, maybe encrypted. pass_phrase is used only when it is
 * (NULL: then an error; nothing ever asks on the terminal). what names the key in errors.
 */
int vs_key_open(const char *pem, size_t len, const char *pass_phrase, const char *what,
		struct vs_key **out, struct vs_error *err) VS_MUST_CHECK;
/* A new RSA key of 2048 bits. */
int vs_key_make(struct vs_key **out, struct vs_error *err) VS_MUST_CHECK;
void vs_key_free(struct vs_key *key); /* NULL allowed */

/* Adds the base64 of the RSA-SHA256 (PKCS#1 v1.5) signature of the bytes. */
int vs_key_sign(const struct vs_key *key, const char *bytes, size_t len, struct vs_buf *out,
		struct vs_error *err) VS_MUST_CHECK;
/* MD5 over the public key, as the provider names API keys; "" where MD5 is forbidden. */
void vs_key_fingerprint(const struct vs_key *key, char out[VS_KEY_FINGERPRINT_MAX]);
/* Adds the public key as base64 without armour and newlines. */
int vs_key_add_public(const struct vs_key *key, struct vs_buf *out,
		      struct vs_error *err) VS_MUST_CHECK;

/* What a certificate in PEM says that the federation needs. */
struct vs_certificate {
	char tenancy[256]; /* of the subject's opc-tenant or opc-identity; "" none */
	char sha1[VS_KEY_FINGERPRINT_MAX]; /* upper case */
};

int vs_certificate_read(const char *pem, size_t len, struct vs_certificate *out,
			struct vs_error *err) VS_MUST_CHECK;
/* base64 of the SHA-256 of the bytes. */
int vs_key_hash(const char *bytes, size_t len, char out[VS_KEY_HASH_MAX],
		struct vs_error *err) VS_MUST_CHECK;
/* Overwrites and frees a text that was secret; NULL allowed. */
void vs_key_forget(char *secret);

#endif
