/* The options of everything that calls OCI. */
#ifndef VS_CLI_OCI_OPTIONS_H
#define VS_CLI_OCI_OPTIONS_H

#include <stddef.h>

#include "cli/opt.h"
#include "cloud/client.h"

/* Rows for the option tables; `type` has a struct vs_oci_options as its member `field`. */
#define VS_OPT_OCI(type, field)                                                             \
 { "oci-config",                                                                            \
   0,                                                                                       \
   VS_OPT_TEXT,                                                                             \
   offsetof(type, field.config_file),                                                       \
   "FILE",                                                                                  \
   NULL,                                                                                    \
   "the provider's configuration (default ~/.oci/config)" },                                \
	 { "oci-profile",                                                                   \
	   0,                                                                               \
	   VS_OPT_TEXT,                                                                     \
	   offsetof(type, field.profile),                                                   \
	   "NAME",                                                                          \
	   NULL,                                                                            \
	   "profile in it (default DEFAULT)" },                                             \
	 { "oci-region",                                                                    \
	   0,                                                                               \
	   VS_OPT_TEXT,                                                                     \
	   offsetof(type, field.region),                                                    \
	   "ID",                                                                            \
	   NULL,                                                                            \
	   "region to ask, e.g. us-phoenix-1 (default: the profile's)" },                   \
	 { "oci-auth",                                                                      \
	   0,                                                                               \
	   VS_OPT_CHOICE,                                                                   \
	   offsetof(type, field.auth),                                                      \
	   "config|instance|token",                                                         \
	   NULL,                                                                            \
	   "sign with the profile's key, as this instance, or with a session token "        \
	   "(default config)" },                                                            \
 {                                                                                          \
  "oci-endpoint", 0, VS_OPT_TEXT, offsetof(type, field.endpoint), "URL", NULL,              \
	  "base URL of every service instead of the region's; plain http for loopback only" \
 }

#endif
