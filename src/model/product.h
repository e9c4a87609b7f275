/* One product of a catalogue, from its JSON to a ladder. Private to model. */
#ifndef VS_MODEL_PRODUCT_H
#define VS_MODEL_PRODUCT_H

#include <jansson.h>

#include "base/error.h"
#include "model/catalogue.h"

/* query->size_gb must be a size that the product has. VS_EFORMAT: the catalogue is wrong. */
int vs_product_ladder(const json_t *product, const struct vs_ladder_query *query,
		      struct vs_ladder *out, struct vs_error *err) VS_MUST_CHECK;
/* The list's own unit prices; NAN where it has none. */
void vs_product_prices(const json_t *product, struct vs_prices *out);
/* Smallest and largest size, GB. VS_EFORMAT. */
int vs_product_sizes(const json_t *product, double *min_out, double *max_out,
		     struct vs_error *err) VS_MUST_CHECK;

#endif
