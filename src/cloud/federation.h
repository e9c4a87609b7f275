/* Instance principals: the instance's certificate exchanged for a session token. */
#ifndef VS_CLOUD_FEDERATION_H
#define VS_CLOUD_FEDERATION_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cloud/http.h"
#include "cloud/key.h"

struct vs_federation;

/* Asks the metadata service where this instance is. region and endpoint NULL: as it says; both are
 * copied. VS_ENOTFOUND: no metadata service. */
int vs_federation_open(const char *region, const char *endpoint, struct vs_http *http,
		       struct vs_federation **out, struct vs_error *err) VS_MUST_CHECK;
void vs_federation_free(struct vs_federation *federation); /* NULL allowed */
/* Fetches certificate and token when there is none or it ends within five minutes. */
int vs_federation_prepare(struct vs_federation *federation, struct vs_http *http,
			  struct vs_error *err) VS_MUST_CHECK;
void vs_federation_forget(struct vs_federation *federation); /* the next prepare fetches */

/* Borrowed; key and key id are NULL before the first prepare. */
const struct vs_key *vs_federation_key(const struct vs_federation *federation);
const char *vs_federation_key_id(const struct vs_federation *federation);
const char *vs_federation_tenancy(const struct vs_federation *federation);
const char *vs_federation_region(const struct vs_federation *federation);
const char *vs_federation_domain(const struct vs_federation *federation);

/* The reader of the federation's answer {"token": ...}: a copy, and when it ends (s since 1970, 0
 * when the token does not say). */
int vs_federation_read_token(const char *text, size_t len, char **token_out, int64_t *expires_out,
			     struct vs_error *err) VS_MUST_CHECK;

#endif
