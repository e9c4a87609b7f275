/* The stand-in's own keys and certificates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "key.inc"
#include "standin_internal.h"

EVP_PKEY *standin_read_key(const char *pem)
{
	BIO *bio = BIO_new_mem_buf(pem, -1);
	EVP_PKEY *key = NULL;

	if (strstr(pem, "PUBLIC KEY"))
		key = PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
	else
		key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
	BIO_free(bio);
	return key;
}

static EVP_PKEY *make_key(void)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, NULL);
	EVP_PKEY *key = NULL;

	if (ctx && EVP_PKEY_keygen_init(ctx) > 0 && EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 2048) > 0)
		(void)EVP_PKEY_keygen(ctx, &key);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

/* A self-signed certificate, valid between the two times relative to now. */
static X509 *make_cert(EVP_PKEY *key, const char *unit, const char *names, long from_s, long to_s)
{
	X509 *cert = X509_new();
	X509_NAME *name = X509_get_subject_name(cert);
	X509_EXTENSION *ext;

	(void)X509_set_version(cert, 2);
	(void)ASN1_INTEGER_set(X509_get_serialNumber(cert), (long)time(NULL));
	(void)X509_gmtime_adj(X509_getm_notBefore(cert), from_s);
	(void)X509_gmtime_adj(X509_getm_notAfter(cert), to_s);
	(void)X509_set_pubkey(cert, key);
	(void)X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"standin",
					 -1, -1, 0);
	if (unit)
		(void)X509_NAME_add_entry_by_txt(name, "OU", MBSTRING_ASC,
						 (const unsigned char *)unit, -1, -1, 0);
	(void)X509_set_issuer_name(cert, name);
	if (names && (ext = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names)) != NULL) {
		(void)X509_add_ext(cert, ext, -1);
		X509_EXTENSION_free(ext);
	}
	(void)X509_sign(cert, key, EVP_sha256());
	return cert;
}

static char *take_text(BIO *bio)
{
	char *data, *out;
	long len = BIO_get_mem_data(bio, &data);

	out = strndup(data, (size_t)len);
	BIO_free(bio);
	return out;
}

static char *pem_of_cert(X509 *cert)
{
	BIO *bio = BIO_new(BIO_s_mem());

	(void)PEM_write_bio_X509(bio, cert);
	return take_text(bio);
}

char *standin_pem_of_key(EVP_PKEY *key)
{
	BIO *bio = BIO_new(BIO_s_mem());

	(void)PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
	return take_text(bio);
}

static SSL_CTX *make_context(EVP_PKEY *key, X509 *cert)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());

	if (ctx &&
	    (SSL_CTX_use_certificate(ctx, cert) != 1 || SSL_CTX_use_PrivateKey(ctx, key) != 1)) {
		SSL_CTX_free(ctx);
		return NULL;
	}
	return ctx;
}

/* The client is told to trust one certificate; the ended one stands beside it and has its key. */
int standin_make_tls(struct standin *s)
{
	static const char names[] = "IP:127.0.0.1,DNS:localhost";
	EVP_PKEY *key = make_key();
	X509 *good, *ended;
	char *pems[2];

	if (!key)
		return -1;
	good = make_cert(key, NULL, names, -7200, 86400);
	ended = make_cert(key, NULL, names, -7200, -3600);
	s->tls_expired = make_context(key, ended);
	s->tls = make_context(key, s->options.expired ? ended : good);
	pems[0] = pem_of_cert(good);
	pems[1] = pem_of_cert(ended);
	if (asprintf(&s->tls_cert, "%s%s", pems[0], pems[1]) < 0)
		s->tls_cert = NULL;
	free(pems[0]);
	free(pems[1]);
	X509_free(good);
	X509_free(ended);
	EVP_PKEY_free(key);
	return s->tls && s->tls_expired && s->tls_cert ? 0 : -1;
}

void standin_make_identity(struct standin *s)
{
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	X509 *cert;

	(void)pthread_mutex_lock(&s->lock);
	/* a key that is there already: making one takes longer than a client waits, on a busy
	 * machine */
	if (s->instance_key || !(s->instance_key = standin_read_key(long_key))) {
		(void)pthread_mutex_unlock(&s->lock);
		return;
	}
	cert = make_cert(s->instance_key, "opc-tenant:" STANDIN_TENANCY, NULL, -60, 3600);
	(void)X509_digest(cert, EVP_sha1(), md, &n);
	(void)snprintf(s->instance_key_id, sizeof(s->instance_key_id), "%s/fed-x509/",
		       STANDIN_TENANCY);
	for (unsigned int i = 0; i < n; i++) {
		size_t len = strlen(s->instance_key_id);
		(void)snprintf(s->instance_key_id + len, sizeof(s->instance_key_id) - len, "%s%02X",
			       i ? ":" : "", md[i]);
	}
	s->instance_cert = pem_of_cert(cert);
	s->instance_pem = standin_pem_of_key(s->instance_key);
	(void)pthread_mutex_unlock(&s->lock);
	X509_free(cert);
}
