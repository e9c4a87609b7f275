#include "cloud/region.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "cloud/config.h"
#include "cloud/json.h"

/* The codes that old OCIDs and the metadata service write in the place of an id. */
static const char *const codes[][2] = {
	{ "phx", "us-phoenix-1" },
	{ "iad", "us-ashburn-1" },
	{ "fra", "eu-frankfurt-1" },
	{ "lhr", "uk-london-1" },
};

/* Realms whose domain is not "oraclecloud<N>.com". */
static const char *const realms[][2] = {
	{ "oc1", "oraclecloud.com" },    { "oc2", "oraclegovcloud.com" },
	{ "oc3", "oraclegovcloud.com" }, { "oc4", "oraclegovcloud.uk" },
	{ "oc19", "oraclecloud.eu" },
};

static const int numbered_realms[] = { 8, 9, 10, 14, 15, 20, 21, 23, 24, 26, 29, 35, 42, 51, 52 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void vs_ocid_part(const char *ocid, int n, char *out, size_t size)
{
	size_t len;

	out[0] = '\0';
	while (n-- > 0) {
		ocid = strchr(ocid, '.');
		if (!ocid)
			return;
		ocid++;
	}
	len = strcspn(ocid, ".");
	if (len < size)
		(void)snprintf(out, size, "%.*s", (int)len, ocid);
}

/* What may stand in a host name: an answer or a file must not choose another host's path. */
static bool is_name(const char *text, bool dots)
{
	if (!isalnum((unsigned char)*text))
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && *text != '-' && !(dots && *text == '.'))
			return false;
	return true;
}

static bool realm_domain(const char *realm, char *out, size_t size)
{
	for (size_t i = 0; i < COUNT(realms); i++)
		if (strcasecmp(realm, realms[i][0]) == 0) {
			(void)snprintf(out, size, "%s", realms[i][1]);
			return true;
		}
	for (size_t i = 0; i < COUNT(numbered_realms); i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "oc%d", numbered_realms[i]);
		if (strcasecmp(realm, name) == 0) {
			(void)snprintf(out, size, "oraclecloud%d.com", numbered_realms[i]);
			return true;
		}
	}
	return false;
}

static bool read_entry(const json_t *entry, const char *region, char *domain, size_t size)
{
	char id[64], code[16], found[128];

	vs_cloud_json_text(entry, "regionIdentifier", id, sizeof(id));
	vs_cloud_json_text(entry, "regionKey", code, sizeof(code));
	vs_cloud_json_text(entry, "realmDomainComponent", found, sizeof(found));
	if ((strcasecmp(id, region) != 0 && strcasecmp(code, region) != 0) || !is_name(found, true))
		return false;
	(void)snprintf(domain, size, "%s", found);
	return true;
}

void vs_region_read(const char *text, size_t len, const char *region, char *domain, size_t size)
{
	struct vs_error err = { 0 };
	json_t *root = vs_cloud_json_parse(text, len, &err);

	domain[0] = '\0';
	if (json_is_array(root))
		for (size_t i = 0; i < json_array_size(root); i++)
			if (read_entry(json_array_get(root, i), region, domain, size))
				break;
	if (json_is_object(root))
		(void)read_entry(root, region, domain, size);
	json_decref(root);
}

/* The user's own lists, for regions younger than this program. */
static void local_domain(const char *region, char *domain, size_t size)
{
	const char *env = getenv("OCI_REGION_METADATA"), *home = getenv("HOME");
	struct vs_error err = { 0 };
	char path[4096], *text = NULL;
	size_t len = 0;

	domain[0] = '\0';
	if (env)
		vs_region_read(env, strlen(env), region, domain, size);
	if (domain[0] || !home)
		return;
	(void)snprintf(path, sizeof(path), "%s/.oci/regions-config.json", home);
	if (vs_oci_read_file(path, &text, &len, &err) == 0)
		vs_region_read(text, len, region, domain, size);
	free(text);
}

int vs_region_resolve(const char *region, const char *ocid, struct vs_region *out,
		      struct vs_error *err)
{
	const char *default_realm = getenv("OCI_DEFAULT_REALM");
	char realm[32] = "";

	if (!is_name(region, false) || strlen(region) >= sizeof(out->id))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "'%.64s' is not a region; it looks like us-phoenix-1", region);
	(void)snprintf(out->id, sizeof(out->id), "%s", region);
	for (size_t i = 0; i < COUNT(codes); i++)
		if (strcasecmp(region, codes[i][0]) == 0)
			(void)snprintf(out->id, sizeof(out->id), "%s", codes[i][1]);
	local_domain(out->id, out->domain, sizeof(out->domain));
	if (out->domain[0])
		return 0;
	if (ocid)
		vs_ocid_part(ocid, 2, realm, sizeof(realm));
	if (!realm[0])
		(void)snprintf(realm, sizeof(realm), "%s",
			       default_realm && *default_realm ? default_realm : "oc1");
	if (realm_domain(realm, out->domain, sizeof(out->domain)))
		return 0;
	return vs_error_set(err, VS_EUSAGE, 0,
			    "realm '%s' of region '%s' is not known; describe the region in "
			    "OCI_REGION_METADATA or give --oci-endpoint",
			    realm, out->id);
}
