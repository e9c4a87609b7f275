/* Regions and realms: where a service answers. */
#ifndef VS_CLOUD_REGION_H
#define VS_CLOUD_REGION_H

#include <stddef.h>

#include "base/error.h"

struct vs_region {
	char id[64];      /* "us-phoenix-1" */
	char domain[128]; /* "oraclecloud.com": the realm's */
};

/*
 * region: an id, or one of the old three-letter codes. The realm's domain comes from
 * OCI_REGION_METADATA, ~/.oci/regions-config.json, the realm named in ocid (NULL none),
 * OCI_DEFAULT_REALM, else the commercial realm. VS_EUSAGE: no region's name, or a realm that is not
 * known here.
 */
int vs_region_resolve(const char *region, const char *ocid, struct vs_region *out,
		      struct vs_error *err) VS_MUST_CHECK;
/* The domain of a region in a list (or one object) of {regionIdentifier, regionKey,
 * realmDomainComponent}; "" when it is not there or the text is not such a list. */
void vs_region_read(const char *text, size_t len, const char *region, char *domain, size_t size);
/* The n-th part (from 0) of an OCID "ocid1.volume.oc1.phx.xyz"; "" none. */
void vs_ocid_part(const char *ocid, int n, char *out, size_t size);

#endif
