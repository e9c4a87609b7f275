/* The kernel's own count for a block device: /sys/dev/block/MAJ:MIN/stat. */
#ifndef VS_PROBES_WITNESS_H
#define VS_PROBES_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Cumulative since the device came up. */
struct vs_witness_counts {
	uint64_t reads;    /* completed */
	uint64_t merges;   /* reads merged into others before they were issued */
	uint64_t sectors;  /* read, 512 bytes each */
	uint64_t ticks_ms; /* summed over the reads: from submission to completion */
};

struct vs_witness {
	int fd; /* -1: no such device, and every read fails */
};

/* device: "259:0" as in struct vs_target; NULL or unknown gives a witness that knows nothing. */
void vs_witness_open(struct vs_witness *witness, const char *device);
void vs_witness_release(struct vs_witness *witness);
/* false when the device is gone or the file cannot be read as counters. Never blocks. */
bool vs_witness_read(const struct vs_witness *witness, struct vs_witness_counts *out);
/* The most bytes that the kernel asks of the device at a time; a longer read becomes several. 0:
 * not known. */
uint64_t vs_witness_split_bytes(const char *device);
/* The text of such a file; further columns of newer kernels are passed over. */
bool vs_witness_parse(const char *text, struct vs_witness_counts *out);

#endif
