/* The JSON of iostat ("-o JSON") and of sadf ("-j"), also when it was cut off. */
#ifndef VS_PROBES_IMPORT_SYSSTAT_JSON_H
#define VS_PROBES_IMPORT_SYSSTAT_JSON_H

#include <stdbool.h>

#include "base/error.h"
#include "probes/import_context.h"

/* It is sysstat's JSON at all. */
bool vs_sysstat_json_looks(const char *head);
/* It is, and key ("disk_device") stands in it. */
bool vs_sysstat_json_detect(const char *head, const char *key);
/* since_boot: the first report is an average since boot. */
int vs_sysstat_json_read(struct vs_import *im, bool since_boot, struct vs_error *err);

#endif
