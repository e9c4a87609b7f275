/* The options of everything that calls OCI. */
#ifndef VS_CLI_OCI_OPTIONS_H
#define VS_CLI_OCI_OPTIONS_H

#include <stddef.h>

#include "cli/opt.h"
#include "cloud/client.h"

/* Rows for the option tables; `type` has a struct vs_oci_options as its member `field`. */
#define VS_OPT_OCI(type, field)                                                             \
 VS_OPT(VS_OPT_TEXT, "oci-config", type, field.config_file, "FILE", NULL,                   \
	"the provider's configuration (default ~/.oci/config)"),                            \
	 VS_OPT(VS_OPT_TEXT, "oci-profile", type, field.profile, "NAME", NULL,              \
		"profile in it (default DEFAULT)"),                                         \
	 VS_OPT(VS_OPT_TEXT, "oci-region", type, field.region, "ID", NULL,                  \
		"region to ask, e.g. us-phoenix-1 (default: the profile's)"),               \
	 VS_OPT(VS_OPT_CHOICE, "oci-auth", type, field.auth, "config|instance|token", NULL, \
		"sign with the profile's key, as this instance, or with a session token "   \
		"(default config)"),                                                        \
	 VS_OPT(VS_OPT_TEXT, "oci-endpoint", type, field.endpoint, "URL", NULL,             \
		"base URL of every service instead of the region's; plain http for "        \
		"loopback only")

#endif
