#include "cloud/key.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

struct vs_key {
	EVP_PKEY *pkey;
};

struct pass_phrase {
	const char *text;
	int asked;
};

/* Never the terminal: an encrypted key without a pass phrase is an error. */
static int give_pass_phrase(char *out, int size, int writing, void *ctx)
{
	struct pass_phrase *pass = ctx;
	size_t len;

	(void)writing;
	pass->asked = 1;
	if (!pass->text)
		return -1;
	len = strlen(pass->text);
	if (len > (size_t)size)
		return -1;
	memcpy(out, pass->text, len);
	return (int)len;
}

static int wrap(EVP_PKEY *pkey, struct vs_key **out, struct vs_error *err)
{
	struct vs_key *key = calloc(1, sizeof(*key));

	if (!key) {
		EVP_PKEY_free(pkey);
		return vs_error_nomem(err);
	}
	key->pkey = pkey;
	*out = key;
	return 0;
}

int vs_key_open(const char *pem, size_t len, const char *pass_phrase, const char *what,
		struct vs_key **out, struct vs_error *err)
{
	struct pass_phrase pass = { .text = pass_phrase };
	EVP_PKEY *pkey = NULL;
	BIO *bio;

	ERR_clear_error();
	bio = len <= INT_MAX ? BIO_new_mem_buf(pem, (int)len) : NULL;
	if (!bio)
		return vs_error_nomem(err);
	pkey = PEM_read_bio_PrivateKey(bio, NULL, give_pass_phrase, &pass);
	BIO_free(bio);
	ERR_clear_error();
	if (!pkey && pass.asked && !pass_phrase)
		return vs_error_set(err, VS_EINVAL, 0,
				    "%s is encrypted and there is no pass phrase; set pass_phrase "
				    "in the profile or OCI_CLI_PASSPHRASE",
				    what);
	if (!pkey && pass.asked)
		return vs_error_set(err, VS_EINVAL, 0,
				    "%s does not open with the pass phrase given", what);
	if (!pkey)
		return vs_error_set(err, VS_EINVAL, 0, "%s is not a private key in PEM form", what);
	if (EVP_PKEY_base_id(pkey) != EVP_PKEY_RSA) {
		EVP_PKEY_free(pkey);
		return vs_error_set(err, VS_EINVAL, 0,
				    "%s is not an RSA key; the provider takes only those", what);
	}
	return wrap(pkey, out, err);
}

int vs_key_make(struct vs_key **out, struct vs_error *err)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, NULL);
	EVP_PKEY *pkey = NULL;

	if (!ctx || EVP_PKEY_keygen_init(ctx) <= 0 ||
	    EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 2048) <= 0 || EVP_PKEY_keygen(ctx, &pkey) <= 0)
		pkey = NULL;
	EVP_PKEY_CTX_free(ctx);
	if (!pkey)
		return vs_error_set(err, VS_EINVAL, 0, "cannot make a session key");
	return wrap(pkey, out, err);
}

void vs_key_free(struct vs_key *key)
{
	if (!key)
		return;
	EVP_PKEY_free(key->pkey);
	free(key);
}

/* Base64 of bytes, one line. */
static int add_base64(struct vs_buf *out, const unsigned char *bytes, size_t len,
		      struct vs_error *err)
{
	unsigned char *text;
	int n;

	if (len > INT_MAX / 2)
		return vs_error_nomem(err);
	text = malloc((len + 2) / 3 * 4 + 1);
	if (!text)
		return vs_error_nomem(err);
	n = EVP_EncodeBlock(text, bytes, (int)len);
	vs_buf_add(out, text, (size_t)n);
	free(text);
	return out->failed ? vs_error_nomem(err) : 0;
}

int vs_key_sign(const struct vs_key *key, const char *bytes, size_t len, struct vs_buf *out,
		struct vs_error *err)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	unsigned char *signature = NULL;
	size_t size = 0;
	int rc = -1;

	/* the first call tells the size, which is the key's and not a constant */
	if (ctx && EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key->pkey) == 1 &&
	    EVP_DigestSign(ctx, NULL, &size, (const unsigned char *)bytes, len) == 1 &&
	    (signature = malloc(size)) != NULL &&
	    EVP_DigestSign(ctx, signature, &size, (const unsigned char *)bytes, len) == 1)
		rc = add_base64(out, signature, size, err);
	else if (size > 0 && !signature)
		(void)vs_error_nomem(err);
	else
		(void)vs_error_set(err, VS_EINVAL, 0, "the key refuses to sign");
	free(signature);
	EVP_MD_CTX_free(ctx);
	ERR_clear_error();
	return rc;
}

static void format_hex(const unsigned char *bytes, unsigned int len, const char *digits, char *out)
{
	for (unsigned int i = 0; i < len; i++) {
		*out++ = digits[bytes[i] >> 4];
		*out++ = digits[bytes[i] & 15U];
		*out++ = ':';
	}
	out[len ? -1 : 0] = '\0';
}

void vs_key_fingerprint(const struct vs_key *key, char out[VS_KEY_FINGERPRINT_MAX])
{
	unsigned char md[EVP_MAX_MD_SIZE], *der = NULL;
	unsigned int n = 0;
	int len = i2d_PUBKEY(key->pkey, &der);

	if (len <= 0 || EVP_Digest(der, (size_t)len, md, &n, EVP_md5(), NULL) != 1)
		n = 0;
	format_hex(md, n, "0123456789abcdef", out);
	OPENSSL_free(der);
	ERR_clear_error();
}

int vs_key_add_public(const struct vs_key *key, struct vs_buf *out, struct vs_error *err)
{
	unsigned char *der = NULL;
	int len = i2d_PUBKEY(key->pkey, &der);
	int rc;

	if (len <= 0)
		return vs_error_nomem(err);
	rc = add_base64(out, der, (size_t)len, err);
	OPENSSL_free(der);
	return rc;
}

/* "opc-tenant:ocid1..." stands as the value of some attribute of the subject. */
static void find_tenancy(X509 *cert, const char *prefix, char *out, size_t size)
{
	const X509_NAME *subject = X509_get_subject_name(cert);

	for (int i = 0; out[0] == '\0' && i < X509_NAME_entry_count(subject); i++) {
		const ASN1_STRING *value =
			X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, i));
		const char *text = (const char *)ASN1_STRING_get0_data(value);
		int len = ASN1_STRING_length(value), skip = (int)strlen(prefix);

		if (len > skip && strncmp(text, prefix, (size_t)skip) == 0)
			(void)snprintf(out, size, "%.*s", len - skip, text + skip);
	}
}

int vs_certificate_read(const char *pem, size_t len, struct vs_certificate *out,
			struct vs_error *err)
{
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	BIO *bio = len <= INT_MAX ? BIO_new_mem_buf(pem, (int)len) : NULL;
	X509 *cert = bio ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;

	*out = (struct vs_certificate){ 0 };
	BIO_free(bio);
	ERR_clear_error();
	if (!cert)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "the metadata service's certificate is not a certificate");
	find_tenancy(cert, "opc-tenant:", out->tenancy, sizeof(out->tenancy));
	find_tenancy(cert, "opc-identity:", out->tenancy, sizeof(out->tenancy));
	if (X509_digest(cert, EVP_sha1(), md, &n) == 1)
		format_hex(md, n, "0123456789ABCDEF", out->sha1);
	X509_free(cert);
	if (out->tenancy[0] == '\0' || out->sha1[0] == '\0')
		return vs_error_set(err, VS_EFORMAT, 0,
				    "the metadata service's certificate names no tenancy");
	return 0;
}

int vs_key_hash(const char *bytes, size_t len, char out[VS_KEY_HASH_MAX], struct vs_error *err)
{
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned int n = 0;

	if (EVP_Digest(len ? bytes : "", len, md, &n, EVP_sha256(), NULL) != 1 || n != 32)
		return vs_error_set(err, VS_EINVAL, 0, "SHA-256 is not available in this OpenSSL");
	(void)EVP_EncodeBlock((unsigned char *)out, md, 32);
	return 0;
}

void vs_key_forget(char *secret)
{
	if (!secret)
		return;
	OPENSSL_cleanse(secret, strlen(secret));
	free(secret);
}
