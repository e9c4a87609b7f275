#include "fuzz_import.h"

/* Whatever recognises the bytes reads them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	vs_fuzz_import_with(&(struct vs_import_options){ .device = size & 1 ? "sda" : NULL }, data,
			    size);
	return 0;
}
