#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	vs_fuzz_import("elbencho", data, size);
	return 0;
}
