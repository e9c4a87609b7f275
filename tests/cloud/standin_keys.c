/* The stand-in's own keys and certificates, made when it starts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

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

int standin_make_tls(struct standin *s)
{
	EVP_PKEY *key = make_key();
	X509 *cert;
	bool ok;

	if (!key)
		return -1;
	cert = make_cert(key, NULL, "IP:127.0.0.1,DNS:localhost", -7200,
			 s->options.expired ? -3600 : 86400);
	s->tls = SSL_CTX_new(TLS_server_method());
	ok = s->tls && SSL_CTX_use_certificate(s->tls, cert) == 1 &&
	     SSL_CTX_use_PrivateKey(s->tls, key) == 1;
	s->tls_cert = pem_of_cert(cert);
	X509_free(cert);
	EVP_PKEY_free(key);
	return ok ? 0 : -1;
}

void standin_make_identity(struct standin *s)
{
	unsigned char md[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	X509 *cert;

	(void)pthread_mutex_lock(&s->lock);
	if (s->instance_key || !(s->instance_key = make_key())) {
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
