/* fio's logs: no input crashes it or makes a sample that cannot be. */
#include "fuzz_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	vs_fuzz_import("fio-log", data, size);
	return 0;
}
