/* A file of expectations: refused with a reason, or numbers that can be meant. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "model/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_number(double value, double most)
{
	VS_ASSERT(isnan(value) || (value >= 0 && value <= most));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vs_expect expect;
	struct vs_error err = { 0 };

	vs_expect_init(&expect);
	if (vs_expect_parse((const char *)data, size, "fuzz", &expect, &err) != 0) {
		VS_ASSERT(err.code == VS_EFORMAT && err.text[0]);
		VS_ASSERT(vs_expect_empty(&expect));
		return 0;
	}
	VS_ASSERT(strlen(expect.start_tier) < sizeof(expect.start_tier));
	VS_ASSERT(strlen(expect.top_tier) < sizeof(expect.top_tier));
	check_number(expect.max_rise_s, HUGE_VAL);
	check_number(expect.max_rise_total_s, HUGE_VAL);
	check_number(expect.max_first_fall_s, HUGE_VAL);
	check_number(expect.max_fall_s, HUGE_VAL);
	check_number(expect.max_dip_s, HUGE_VAL);
	check_number(expect.tolerance_pct, 100);
	check_number(expect.min_share_pct, 100);
	return 0;
}
