/* What a target is, found out without touching it: kind, size, sectors, the device that counts. */
#ifndef VS_PROBES_TARGET_H
#define VS_PROBES_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct vs_target_info {
	bool is_device;          /* a block device; else a regular file */
	uint64_t size_bytes;     /* > 0 */
	uint32_t logical_bytes;  /* sector sizes of the device, or of the one under the file; */
	uint32_t physical_bytes; /* 0 when there is none to ask (tmpfs, network) */
	uint32_t offset_align;   /* what O_DIRECT asks of offset and length: power of 2 */
	uint32_t memory_align;   /* and of the buffer */
	char device[32];         /* "259:0": whose counters are the witness; "" none */
	char kernel_name[64];    /* "nvme0n1", the name in sysfs of that device; "" none */
	char model[64];          /* as the device says; "" unknown */
};

/*
 * Never creates anything. VS_EUSAGE with the remedy: no such path, a directory or another kind, a
 * size of 0; VS_ESYS: may not be read, or does not answer.
 */
int vs_target_inspect(const char *path, struct vs_target_info *out,
		      struct vs_error *err) VS_MUST_CHECK;
/* VS_EUSAGE: not a multiple of what O_DIRECT asks, or more than the target holds. */
int vs_target_check_block(const char *path, const struct vs_target_info *info, uint64_t block_bytes,
			  struct vs_error *err) VS_MUST_CHECK;

#endif
