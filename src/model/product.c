#include "model/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/expr.h"

#define MIB_PER_MB            1.048576
#define DEFAULT_TOLERANCE_PCT 3

/* One tier in the making: where its settings stand, and what its expressions see. */
struct rung {
	const json_t *product;
	const json_t *json; /* NULL: the product has no rungs of its own */
	struct vs_expr_params params;
	double vpu;
	char name[24];
};

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* A number that may be missing, then NAN. */
static double number_or_nan(const json_t *object, const char *key)
{
	const json_t *number = json_object_get(object, key);

	return json_is_number(number) ? json_number_value(number) : (double)NAN;
}

int vs_product_sizes(const json_t *product, double *min_out, double *max_out, struct vs_error *err)
{
	const json_t *size = json_object_get(product, "size");

	*min_out = number_or_nan(size, "min");
	*max_out = number_or_nan(size, "max");
	if (!(*min_out > 0) || !(*max_out >= *min_out))
		return vs_error_set(err, VS_EFORMAT, 0, "size: needs \"min\" and \"max\" in GB");
	return 0;
}

/*
 * The parameters a customer sets: what the rung sets, else their default, else the end of their
 * range that the rung names.
 */
static int set_params(struct rung *rung, struct vs_error *err)
{
	json_t *params = json_object_get(rung->product, "params");
	const char *use = text_of(rung->json, "use");
	const json_t *set = json_object_get(rung->json, "set");
	const char *name;
	json_t *param;

	if (!*use)
		use = "default";
	json_object_foreach(params, name, param)
	{
		const json_t *expr = json_object_get(set, name);
		double value = (double)NAN;

		if (!expr)
			expr = json_object_get(param, use);
		if (!expr)
			return vs_error_set(err, VS_EFORMAT, 0, "params: %.32s has no \"%.16s\"",
					    name, use);
		if (vs_expr_eval(expr, &rung->params, &value, err) != 0)
			return vs_error_prefix(err, "params: %.32s: ", name);
		if (vs_expr_set(&rung->params, name, value, NULL, err) != 0)
			return -1;
	}
	return 0;
}

/* A limit of the rung, else of the product; key in MB/s or, as key "mibps", in MiB/s. */
static int eval_limit(const struct rung *rung, const char *key, double *out, struct vs_error *err)
{
	const json_t *own = json_object_get(json_object_get(rung->json, "limits"), key);
	const json_t *expr =
		own ? own : json_object_get(json_object_get(rung->product, "limits"), key);

	*out = (double)NAN;
	if (!expr)
		return 0;
	if (vs_expr_eval(expr, &rung->params, out, err) != 0)
		return vs_error_prefix(err, "limits: %s: ", key);
	if (isinf(*out) || *out < 0)
		return vs_error_set(err, VS_EFORMAT, 0, "limits: %s: not a limit", key);
	return 0;
}

static int eval_limits(const struct rung *rung, struct vs_tier *tier, struct vs_error *err)
{
	double mibps;

	if (eval_limit(rung, "iops", &tier->iops, err) != 0 ||
	    eval_limit(rung, "mbps", &tier->mbps, err) != 0 ||
	    eval_limit(rung, "mibps", &mibps, err) != 0)
		return -1;
	if (isnan(tier->mbps))
		tier->mbps = mibps * MIB_PER_MB;
	return 0;
}

/* "bands": [[up to, rate], ...], the last up to null: each part of the quantity at its own rate. */
static int eval_bands(const json_t *bands, double quantity, double *out, struct vs_error *err)
{
	double from = 0, sum = 0;

	for (size_t i = 0; i < json_array_size(bands); i++) {
		const json_t *band = json_array_get(bands, i);
		const json_t *to = json_array_get(band, 0), *rate = json_array_get(band, 1);
		double upper = json_is_number(to) ? json_number_value(to) : HUGE_VAL;

		if (!json_is_number(rate) || upper < from)
			return vs_error_set(err, VS_EFORMAT, 0,
					    "a band is [up to, rate], in rising order");
		sum += fmax(0, fmin(quantity, upper) - from) * json_number_value(rate);
		from = upper;
	}
	*out = sum;
	return 0;
}

static int eval_meter(const struct rung *rung, const json_t *meter, bool foreign, double *out,
		      struct vs_error *err)
{
	const json_t *bands = json_object_get(meter, "bands");
	double quantity, rate;

	if (vs_expr_eval(json_object_get(meter, "qty"), &rung->params, &quantity, err) != 0)
		return -1;
	*out = 0;
	if (quantity <= 0) /* what is not used costs nothing, whatever its price */
		return 0;
	*out = (double)NAN;
	if (foreign)
		return 0;
	if (bands)
		return eval_bands(bands, quantity, out, err);
	if (vs_expr_eval(json_object_get(meter, "rate"), &rung->params, &rate, err) != 0)
		return -1;
	*out = quantity * rate;
	return 0;
}

/* The capacity's price where a rung has its own, as Azure's disks do. */
static int eval_rung_price(const struct rung *rung, const json_t *expr, bool foreign, double *out,
			   struct vs_error *err)
{
	if (vs_expr_eval(expr, &rung->params, out, err) != 0)
		return -1;
	if (foreign)
		*out = (double)NAN;
	return 0;
}

static int eval_price(const struct rung *rung, const struct vs_ladder_query *query, double size,
		      double *out, struct vs_error *err)
{
	const json_t *price = json_object_get(rung->product, "price");
	const json_t *meters = json_object_get(price, "meters");
	const json_t *own = json_object_get(rung->json, "price_month");
	const struct vs_prices *prices = query->prices;
	bool gb = prices && !isnan(prices->per_gb_month);
	bool vpu = prices && !isnan(prices->per_vpu_gb_month);
	bool foreign = prices && prices->currency[0] &&
		       strcmp(prices->currency, text_of(price, "currency")) != 0;
	bool capacity = gb;
	double part;

	*out = gb ? size * prices->per_gb_month : 0;
	if (vpu && !isnan(rung->vpu))
		*out += size * rung->vpu * prices->per_vpu_gb_month;
	if (own && !gb) {
		if (eval_rung_price(rung, own, foreign, &part, err) != 0)
			return vs_error_prefix(err, "price_month: ");
		*out += part;
		capacity = true;
	}
	for (size_t i = 0; i < json_array_size(meters); i++) {
		const json_t *meter = json_array_get(meters, i);
		const char *kind = text_of(meter, "kind");

		if ((gb && strcmp(kind, "capacity") == 0) || (vpu && strcmp(kind, "vpu") == 0))
			continue;
		if (eval_meter(rung, meter, foreign, &part, err) != 0)
			return vs_error_prefix(err, "price: meter %zu: ", i);
		*out += part;
		capacity = capacity || strcmp(kind, "capacity") == 0;
	}
	if (!capacity) /* performance without the volume itself is no price */
		*out = (double)NAN;
	return 0;
}

static bool size_has_rung(const json_t *rung, double size_gb)
{
	double min = number_or_nan(rung, "min_size"), max = number_or_nan(rung, "max_size");

	return !(size_gb < min) && !(size_gb > max);
}

/* Lowest first; what promises no IOPS goes by MB/s; equal ones keep the catalogue's order. */
static bool lower(const struct vs_tier *a, const struct vs_tier *b)
{
	if (isnan(a->iops) || isnan(b->iops))
		return a->mbps < b->mbps;
	return a->iops < b->iops;
}

static int add_tier(struct vs_ladder *ladder, const struct vs_tier *tier, struct vs_error *err)
{
	size_t at = ladder->n_tiers;

	if (ladder->n_tiers == VS_LADDER_MAX)
		return vs_error_set(err, VS_EFORMAT, 0, "more than %d tiers", VS_LADDER_MAX);
	if (!tier->name[0] || vs_ladder_find(ladder, tier->name) >= 0)
		return vs_error_set(err, VS_EFORMAT, 0, "a tier needs a name of its own, not '%s'",
				    tier->name);
	for (; at > 0 && lower(tier, &ladder->tiers[at - 1]); at--)
		ladder->tiers[at] = ladder->tiers[at - 1];
	ladder->tiers[at] = *tier;
	ladder->n_tiers++;
	return 0;
}

static int add_rung(struct rung *rung, const struct vs_ladder_query *query, struct vs_ladder *out,
		    struct vs_error *err)
{
	/* limits of one pool for all volumes come from their sum, else every volume has its own */
	bool pool = strcmp(text_of(rung->product, "scope"), "vm-pool") == 0;
	double volumes = (double)out->volumes;
	double size = pool ? query->size_gb * volumes : query->size_gb;
	double factor = pool ? 1 : volumes;
	struct vs_tier tier = { .vpu = rung->vpu };
	bool offered;

	(void)snprintf(tier.name, sizeof(tier.name), "%s", rung->name);
	if (!size_has_rung(rung->json, query->size_gb))
		return 0;
	if (vs_expr_set(&rung->params, "size", size, NULL, err) != 0 ||
	    set_params(rung, err) != 0 || eval_limits(rung, &tier, err) != 0 ||
	    vs_expr_test(json_object_get(rung->json, "when"), &rung->params, &offered, err) != 0 ||
	    eval_price(rung, query, size, &tier.price_month, err) != 0)
		return vs_error_prefix(err, "tier '%s': ", rung->name);
	tier.iops *= factor;
	tier.mbps *= factor;
	tier.price_month *= factor;
	return offered ? add_tier(out, &tier, err) : 0;
}

/* Tiers that are values of one parameter: {"param": "vpu", "values": [0, 10, ...]}. */
static int add_values(const json_t *product, const json_t *tier,
		      const struct vs_ladder_query *query, struct vs_ladder *out,
		      struct vs_error *err)
{
	const json_t *values = json_object_get(tier, "values");
	const char *param = text_of(tier, "param");

	for (size_t i = 0; i < json_array_size(values); i++) {
		struct rung rung = { .product = product, .vpu = (double)NAN };
		double value = json_number_value(json_array_get(values, i));

		if (!json_is_number(json_array_get(values, i)))
			return vs_error_set(err, VS_EFORMAT, 0, "tier: values are numbers");
		(void)snprintf(rung.name, sizeof(rung.name), "%g", value);
		if (strcmp(param, "vpu") == 0)
			rung.vpu = value;
		if (vs_expr_set(&rung.params, param, value, NULL, err) != 0 ||
		    add_rung(&rung, query, out, err) != 0)
			return -1;
	}
	return 0;
}

static int add_rungs(const json_t *product, const json_t *rungs,
		     const struct vs_ladder_query *query, struct vs_ladder *out,
		     struct vs_error *err)
{
	for (size_t i = 0; i < json_array_size(rungs); i++) {
		struct rung rung = { .product = product,
				     .json = json_array_get(rungs, i),
				     .vpu = (double)NAN };
		(void)snprintf(rung.name, sizeof(rung.name), "%s", text_of(rung.json, "name"));
		if (vs_expr_set(&rung.params, "tier", 0, rung.name, err) != 0 ||
		    add_rung(&rung, query, out, err) != 0)
			return -1;
	}
	return 0;
}

static void set_prices_head(const json_t *product, const struct vs_prices *prices,
			    struct vs_ladder *out)
{
	const json_t *price = json_object_get(product, "price");
	bool own = prices && (!isnan(prices->per_gb_month) || !isnan(prices->per_vpu_gb_month));
	bool priced = false;

	for (size_t i = 0; i < out->n_tiers; i++)
		priced = priced || !isnan(out->tiers[i].price_month);
	if (!priced)
		return;
	(void)snprintf(out->currency, sizeof(out->currency), "%s",
		       prices && prices->currency[0] ? prices->currency
						     : text_of(price, "currency"));
	(void)snprintf(out->priced_at, sizeof(out->priced_at), "%s",
		       own ? prices->date : text_of(price, "asof"));
}

static double tolerance(const json_t *product, const char *side)
{
	double pct = number_or_nan(json_object_get(product, "tolerance_pct"), side);

	return pct >= 0 && pct < 100 ? pct : DEFAULT_TOLERANCE_PCT;
}

int vs_product_ladder(const json_t *product, const struct vs_ladder_query *query,
		      struct vs_ladder *out, struct vs_error *err)
{
	const json_t *tier = json_object_get(product, "tier");
	const json_t *rungs = json_object_get(product, "rungs");
	int rc;

	*out = (struct vs_ladder){
		.size_gb = query->size_gb,
		.volumes = query->volumes > 0 ? query->volumes : 1,
		.tolerance_low_pct = tolerance(product, "low"),
		.tolerance_high_pct = tolerance(product, "high"),
		.fall_first_s = number_or_nan(json_object_get(product, "fall"), "first_s"),
	};
	(void)snprintf(out->provider, sizeof(out->provider), "%s", query->provider);
	if (tier && !rungs)
		rc = add_values(product, tier, query, out, err);
	else
		rc = add_rungs(product, rungs, query, out, err);
	if (rc == 0 && out->n_tiers == 0)
		return vs_error_set(err, VS_EFORMAT, 0, "no tier for a volume of %g GB",
				    query->size_gb);
	set_prices_head(product, query->prices, out);
	return rc;
}

void vs_product_prices(const json_t *product, struct vs_prices *out)
{
	const json_t *price = json_object_get(product, "price");
	const json_t *meters = json_object_get(price, "meters");

	*out = (struct vs_prices){ .per_gb_month = (double)NAN, .per_vpu_gb_month = (double)NAN };
	(void)snprintf(out->currency, sizeof(out->currency), "%s", text_of(price, "currency"));
	(void)snprintf(out->date, sizeof(out->date), "%s", text_of(price, "asof"));
	for (size_t i = 0; i < json_array_size(meters); i++) {
		const json_t *meter = json_array_get(meters, i);
		const char *kind = text_of(meter, "kind");

		if (strcmp(kind, "capacity") == 0)
			out->per_gb_month = number_or_nan(meter, "rate");
		else if (strcmp(kind, "vpu") == 0)
			out->per_vpu_gb_month = number_or_nan(meter, "rate");
	}
}
