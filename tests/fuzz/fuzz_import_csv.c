#include "fuzz_import.h"

/* The first byte picks the options. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const units[] = { NULL, "s", "ms", "us", "ns", "epoch" };
	struct vs_import_options options = { .format = "csv" };

	if (size == 0)
		return 0;
	options.time_unit = units[data[0] % 6];
	if (data[0] & 0x40) {
		options.time_col = "t";
		options.value_col = "v";
	}
	vs_fuzz_import_with(&options, data + 1, size - 1);
	return 0;
}
