/* ~/.oci/config: profiles of the provider's own tools, on libinih. */
#ifndef VS_CLOUD_CONFIG_H
#define VS_CLOUD_CONFIG_H

#include <stddef.h>

#include "base/error.h"

/* NULL: not set. pass_phrase and key_content are secret: they go into no message. */
struct vs_oci_profile {
	char *tenancy;
	char *user;
	char *fingerprint;
	char *key_file;
	char *key_content;
	char *pass_phrase;
	char *region;
	char *security_token_file;
};

/*
 * Reads the profile named from the text; what it lacks comes from [DEFAULT]. Unknown keys are
 * passed over. Errors name the line, never its content.
 */
int vs_oci_profile_parse(const char *text, size_t len, const char *name, struct vs_oci_profile *out,
			 struct vs_error *err) VS_MUST_CHECK;

/*
 * The same from the file, then the environment over it. file NULL: OCI_CLI_CONFIG_FILE, else
 * ~/.oci/config, else OCI_CONFIG_FILE, else ~/.oraclebmc/config; a missing file is an error unless
 * the environment names the key. name NULL: OCI_CLI_PROFILE, else DEFAULT. Over it go
 * OCI_CLI_{USER,TENANCY,FINGERPRINT,KEY_FILE,KEY_CONTENT,PASSPHRASE,REGION,SECURITY_TOKEN_FILE}
 * and, when no region is set, OCI_REGION. '~' in file names is expanded.
 */
int vs_oci_profile_load(const char *file, const char *name, struct vs_oci_profile *out,
			struct vs_error *err) VS_MUST_CHECK;
void vs_oci_profile_release(struct vs_oci_profile *profile);

/* Reads a small file whole (at most 64 KiB), NUL-terminated; the caller frees it. */
int vs_oci_read_file(const char *path, char **text_out, size_t *len_out,
		     struct vs_error *err) VS_MUST_CHECK;

#endif
