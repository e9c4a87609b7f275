/* The signature rules once more, from the server's side and without a line of the client's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <openssl/evp.h>
#include <openssl/x509.h>

#include "standin_internal.h"

/* The value of name="value" in an Authorization header, copied; false when it is not there. */
static bool parameter(const char *header, const char *name, char *out, size_t size)
{
	size_t len = strlen(name);
	const char *p = header;

	while ((p = strstr(p, name)) != NULL) {
		if ((p == header || p[-1] == ',' || p[-1] == ' ') && p[len] == '=' &&
		    p[len + 1] == '"') {
			const char *end = strchr(p + len + 2, '"');
			if (!end || (size_t)(end - p) - len - 2 >= size)
				return false;
			(void)snprintf(out, size, "%.*s", (int)(end - p - (long)len - 2),
				       p + len + 2);
			return true;
		}
		p += len;
	}
	return false;
}

static EVP_PKEY *find_key(struct standin *s, const char *key_id)
{
	if (strcmp(key_id, s->key_id) == 0)
		return s->api_key;
	if (s->instance_key && strcmp(key_id, s->instance_key_id) == 0)
		return s->instance_key;
	for (size_t i = 0; i < s->n_tokens; i++)
		if (strncmp(key_id, "ST$", 3) == 0 && strcmp(key_id + 3, s->tokens[i].text) == 0)
			return s->tokens[i].key;
	return NULL;
}

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; *p; p += strcspn(p, " "), p += *p == ' ')
		if (strcspn(p, " ") == len && strncasecmp(p, word, len) == 0)
			return true;
	return false;
}

static const char *check_list(const struct request *r, const char *list, bool federation)
{
	static const char *const of_body[] = { "x-content-sha256", "content-type",
					       "content-length" };

	if (!has_word(list, "(request-target)"))
		return "(request-target) is not signed";
	if (!federation && !has_word(list, "host"))
		return "host is not signed";
	if (!has_word(list, "date") && !has_word(list, "x-date"))
		return "no date is signed";
	if (strcmp(r->method, "GET") != 0)
		for (size_t i = 0; i < 3; i++)
			if (!has_word(list, of_body[i]))
				return "a header about the body is not signed";
	return NULL;
}

static const char *check_date(const struct standin *s, const struct request *r)
{
	const char *text = standin_header(r, "x-date");
	struct tm tm = { 0 };
	double now = (double)time(NULL) + s->options.clock_skew_s;

	if (!text)
		text = standin_header(r, "date");
	if (!text || !strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &tm))
		return "the date is not readable";
	return fabs(now - (double)timegm(&tm)) > 300 ? "the clocks differ by more than 5 minutes"
						     : NULL;
}

static const char *check_body(const struct request *r)
{
	const char *claimed = standin_header(r, "x-content-sha256");
	unsigned char md[EVP_MAX_MD_SIZE];
	char text[64];
	unsigned int n;

	if (strcmp(r->method, "GET") == 0)
		return NULL;
	if (EVP_Digest(r->body, r->body_len, md, &n, EVP_sha256(), NULL) != 1)
		return "no SHA-256 here";
	(void)EVP_EncodeBlock((unsigned char *)text, md, (int)n);
	return claimed && strcmp(claimed, text) == 0 ? NULL : "x-content-sha256 is not the body's";
}

static const char *make_string(const struct request *r, const char *list, struct vs_buf *out)
{
	char name[64];

	for (const char *p = list; *p; p += *p == ' ') {
		size_t len = strcspn(p, " ");
		const char *value;

		(void)snprintf(name, sizeof(name), "%.*s", (int)len, p);
		for (char *c = name; *c; c++)
			*c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
		p += len;
		if (out->len)
			vs_buf_addf(out, "\n");
		if (strcmp(name, "(request-target)") == 0) {
			vs_buf_addf(out, "%s: ", name);
			for (const char *m = r->method; *m; m++)
				vs_buf_addf(out, "%c", *m + 32);
			vs_buf_addf(out, " %s", r->target);
			continue;
		}
		value = standin_header(r, name);
		if (!value)
			return "a header that is listed as signed was not sent";
		vs_buf_addf(out, "%s: %s", name, value);
	}
	return NULL;
}

static const char *verify(EVP_PKEY *key, const struct vs_buf *string, const char *base64)
{
	unsigned char raw[2048];
	size_t len = strlen(base64);
	EVP_MD_CTX *ctx;
	int n, ok;

	if (len % 4 || len / 4 * 3 > sizeof(raw))
		return "the signature is not base64";
	n = EVP_DecodeBlock(raw, (const unsigned char *)base64, (int)len);
	for (size_t i = len; n > 0 && i > 0 && base64[i - 1] == '='; i--)
		n--;
	ctx = EVP_MD_CTX_new();
	ok = n > 0 && ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
	     EVP_DigestVerify(ctx, raw, (size_t)n, (const unsigned char *)string->data,
			      string->len) == 1;
	EVP_MD_CTX_free(ctx);
	return ok ? NULL : "the signature does not verify";
}

const char *standin_check(struct standin *s, const struct request *r)
{
	const char *header = standin_header(r, "authorization"), *why;
	bool federation = strcmp(r->target, "/v1/x509") == 0;
	char list[512], key_id[4096], signature[2048], word[32];
	struct vs_buf string;
	EVP_PKEY *key;

	if (!header || strncmp(header, "Signature ", 10) != 0)
		return "no signature";
	if (!parameter(header, "version", word, sizeof(word)) || strcmp(word, "1") != 0)
		return "version is not 1";
	if (!parameter(header, "algorithm", word, sizeof(word)) || strcmp(word, "rsa-sha256") != 0)
		return "algorithm is not rsa-sha256";
	if (!parameter(header, "headers", list, sizeof(list)) ||
	    !parameter(header, "keyId", key_id, sizeof(key_id)) ||
	    !parameter(header, "signature", signature, sizeof(signature)))
		return "a parameter is missing";
	if ((why = check_list(r, list, federation)) != NULL || (why = check_date(s, r)) != NULL ||
	    (why = check_body(r)) != NULL)
		return why;
	(void)pthread_mutex_lock(&s->lock);
	key = find_key(s, key_id);
	if (key)
		EVP_PKEY_up_ref(key);
	(void)pthread_mutex_unlock(&s->lock);
	if (!key)
		return "the key is not known";
	vs_buf_init(&string, (size_t)1 << 20);
	why = make_string(r, list, &string);
	if (!why)
		why = verify(key, &string, signature);
	EVP_PKEY_free(key);
	vs_buf_release(&string);
	return why;
}

char *standin_fingerprint(EVP_PKEY *key, char out[64])
{
	unsigned char *der = NULL, md[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	int len = i2d_PUBKEY(key, &der);

	out[0] = '\0';
	if (len > 0 && EVP_Digest(der, (size_t)len, md, &n, EVP_md5(), NULL) == 1)
		for (unsigned int i = 0; i < n; i++)
			(void)snprintf(out + strlen(out), 64 - strlen(out), "%s%02x", i ? ":" : "",
				       md[i]);
	OPENSSL_free(der);
	return out;
}
