/* The file that the emulated volume reads: laid out here, and gone with the process. */
#ifndef VS_PROBES_SCRATCH_H
#define VS_PROBES_SCRATCH_H

#include <stdint.h>

#include "base/error.h"

struct vs_scratch {
	int fd;
	char path[40]; /* opens it again; it has no name in any folder, so a kill leaves nothing */
};

/* Fills size_bytes with data in a file of folder dir. VS_ESYS: no room, or no direct reads there.
 */
int vs_scratch_open(const char *dir, uint64_t size_bytes, struct vs_scratch *out,
		    struct vs_error *err) VS_MUST_CHECK;
void vs_scratch_release(struct vs_scratch *scratch);

#endif
