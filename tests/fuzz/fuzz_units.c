/* Durations, sizes and numbers: what parses can be printed, and nothing crashes. */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[256], again[VS_UNITS_TEXT_MAX];
	uint64_t bytes, u64;
	double number;
	int64_t ns;

	if (size >= sizeof(text))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (vs_units_parse_duration(text, &ns, NULL) == 0)
		VS_ASSERT(ns >= 0 && vs_units_format_duration(ns, again)[0]);
	if (vs_units_parse_size(text, &bytes, NULL) == 0) {
		uint64_t second;
		VS_ASSERT(vs_units_parse_size(vs_units_format_size(bytes, again), &second, NULL) ==
				  0 &&
			  second == bytes);
	}
	if (vs_units_parse_number(text, &number, NULL) == 0)
		(void)vs_units_format_count(number, again);
	if (vs_units_parse_u64(text, &u64, NULL) == 0)
		(void)vs_units_format_utc((int64_t)(u64 >> 1), again);
	return 0;
}
