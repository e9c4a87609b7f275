/* A catalogue file: refused, or every ladder of it can be made. */
#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "model/catalogue.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_ladder(const struct vs_ladder *ladder)
{
	VS_ASSERT(ladder->n_tiers > 0 && ladder->n_tiers <= VS_LADDER_MAX);
	for (size_t i = 0; i < ladder->n_tiers; i++) {
		const struct vs_tier *tier = &ladder->tiers[i];
		double level = vs_tier_ceiling_iops(tier, 4096);

		VS_ASSERT(tier->name[0] && !(tier->iops < 0) && !(tier->mbps < 0));
		VS_ASSERT(vs_ladder_find(ladder, tier->name) == (int)i);
		(void)vs_ladder_vpu(ladder, level, 4096);
		if (isfinite(level) && level > 0)
			VS_ASSERT(vs_ladder_fit(ladder, level, 4096) >> i & 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vs_catalogue *catalogue = NULL;
	struct vs_error err = { 0 };

	if (vs_catalogue_parse((const char *)data, size, "fuzz", &catalogue, &err) != 0) {
		VS_ASSERT(err.code != VS_OK && err.text[0]);
		return 0;
	}
	for (const char *const *id = vs_catalogue_providers(catalogue); *id; id++) {
		struct vs_product_info info;
		struct vs_prices prices;
		struct vs_ladder ladder;

		VS_ASSERT(vs_catalogue_describe(catalogue, *id, &info, &err) == 0);
		VS_ASSERT(vs_catalogue_prices(catalogue, *id, &prices, &err) == 0);
		for (int largest = 0; largest < 2; largest++) {
			struct vs_ladder_query query = { .provider = *id,
							 .size_gb = largest ? info.size_max
									    : info.size_min };
			VS_ASSERT(vs_catalogue_ladder(catalogue, &query, &ladder, &err) == 0);
			check_ladder(&ladder);
		}
	}
	vs_catalogue_free(catalogue);
	return 0;
}
