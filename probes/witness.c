#include "probes/witness.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void vs_witness_open(struct vs_witness *witness, const char *device)
{
	char path[64];

	witness->fd = -1;
	if (!device)
		return;
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/stat", device);
	witness->fd = open(path, O_RDONLY | O_CLOEXEC);
}

void vs_witness_release(struct vs_witness *witness)
{
	if (witness->fd >= 0)
		(void)close(witness->fd);
	witness->fd = -1;
}

bool vs_witness_parse(const char *text, struct vs_witness_counts *out)
{
	/* the kernel's own numbers. NOLINTNEXTLINE(cert-err34-c) */
	return sscanf(text, " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &out->reads,
		      &out->merges, &out->sectors, &out->ticks_ms) == 4;
}

bool vs_witness_read(const struct vs_witness *witness, struct vs_witness_counts *out)
{
	char text[512];
	ssize_t len;

	if (witness->fd < 0)
		return false;
	len = pread(witness->fd, text, sizeof(text) - 1, 0);
	if (len <= 0)
		return false;
	text[len] = '\0';
	return vs_witness_parse(text, out);
}

uint64_t vs_witness_split_bytes(const char *device)
{
	/* a whole disk has queue/, a partition's stands in its parent */
	static const char *const where[] = { "queue", "../queue" };
	char path[96];
	uint64_t kib = 0;

	for (size_t i = 0; device && kib == 0 && i < sizeof(where) / sizeof(where[0]); i++) {
		FILE *file;

		(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/%s/max_sectors_kb", device,
			       where[i]);
		file = fopen(path, "re");
		if (!file)
			continue;
		/* the kernel's own number. NOLINTNEXTLINE(cert-err34-c) */
		if (fscanf(file, "%" SCNu64, &kib) != 1)
			kib = 0;
		(void)fclose(file);
	}
	return kib << 10;
}
