/* Who else uses a target: file systems, LVM, md, multipath, swap. Reading beside them is safe. */
#ifndef VS_PROBES_TARGET_USE_H
#define VS_PROBES_TARGET_USE_H

#include "probes/preflight.h"

/*
 * Adds a notice for each use of the target, and of its partitions: mounted (libmount), held (sysfs
 * holders), swap (/proc/swaps), file-system (libblkid's reading of the device). root as in struct
 * vs_preflight, "" for the real one.
 */
void vs_target_use_find(const char *root, const char *path, const struct vs_target_info *info,
			struct vs_findings *out);

#endif
