/* SHA-256 of a stream. */
#ifndef VS_CLOUD_SHA256_H
#define VS_CLOUD_SHA256_H

#include <stddef.h>

#include "base/error.h"

#define VS_SHA256_TEXT_MAX 65 /* 64 lower-case hex digits and the NUL */

struct vs_sha256;

int vs_sha256_open(struct vs_sha256 **out, struct vs_error *err) VS_MUST_CHECK;
void vs_sha256_free(struct vs_sha256 *sha); /* NULL allowed */
int vs_sha256_add(struct vs_sha256 *sha, const void *bytes, size_t len,
		  struct vs_error *err) VS_MUST_CHECK;
/* Ends the stream: after it only vs_sha256_free() may follow. */
int vs_sha256_text(struct vs_sha256 *sha, char text[VS_SHA256_TEXT_MAX],
		   struct vs_error *err) VS_MUST_CHECK;

#endif
