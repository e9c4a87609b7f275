#include "cloud/sha256.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

struct vs_sha256 {
	EVP_MD_CTX *ctx;
};

static int failed(struct vs_error *err)
{
	return vs_error_set(err, VS_ENOMEM, 0, "cannot compute SHA-256: OpenSSL refused");
}

int vs_sha256_open(struct vs_sha256 **out, struct vs_error *err)
{
	struct vs_sha256 *sha = calloc(1, sizeof(*sha));

	if (!sha)
		return vs_error_nomem(err);
	sha->ctx = EVP_MD_CTX_new();
	if (!sha->ctx || EVP_DigestInit_ex(sha->ctx, EVP_sha256(), NULL) != 1) {
		vs_sha256_free(sha);
		return failed(err);
	}
	*out = sha;
	return 0;
}

void vs_sha256_free(struct vs_sha256 *sha)
{
	if (!sha)
		return;
	EVP_MD_CTX_free(sha->ctx);
	free(sha);
}

int vs_sha256_add(struct vs_sha256 *sha, const void *bytes, size_t len, struct vs_error *err)
{
	return EVP_DigestUpdate(sha->ctx, bytes, len) == 1 ? 0 : failed(err);
}

int vs_sha256_text(struct vs_sha256 *sha, char text[VS_SHA256_TEXT_MAX], struct vs_error *err)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int len = 0;

	if (EVP_DigestFinal_ex(sha->ctx, digest, &len) != 1 || len != 32)
		return failed(err);
	for (unsigned int i = 0; i < len; i++)
		(void)snprintf(text + (size_t)i * 2, 3, "%02x", digest[i]);
	return 0;
}
