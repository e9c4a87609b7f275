/* An expression of a catalogue: a number, or a refusal with its reason; it ends. */
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"
#include "model/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vs_expr_params params = { .n = 0 };
	struct vs_error err = { 0 };
	json_t *root = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
	double value;
	bool holds;

	if (!root)
		return 0;
	VS_ASSERT(vs_expr_set(&params, "size", 1024, NULL, &err) == 0);
	VS_ASSERT(vs_expr_set(&params, "vpu", 10, NULL, &err) == 0);
	VS_ASSERT(vs_expr_set(&params, "tier", 0, "P30", &err) == 0);
	if (vs_expr_eval(root, &params, &value, &err) != 0)
		VS_ASSERT(err.code == VS_EFORMAT && err.text[0]);
	vs_error_clear(&err);
	if (vs_expr_test(root, &params, &holds, &err) != 0)
		VS_ASSERT(err.code == VS_EFORMAT && err.text[0]);
	json_decref(root);
	return 0;
}
