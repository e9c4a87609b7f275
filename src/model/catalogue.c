#include "model/catalogue.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/json.h"
#include "model/product.h"

#define SCHEMA         "volcat/1"
#define MAX_FILE_BYTES (4U << 20)

/* Made by the build from catalogue.json. */
extern const unsigned char vs_catalogue_json[];
extern const size_t vs_catalogue_json_size;

struct vs_catalogue {
	json_t *products;
	json_t *sources;
	const char **ids; /* of the products, NULL-terminated */
};

static json_t *parse(const char *text, size_t len, struct vs_error *err)
{
	json_error_t json_err;
	json_t *root = vs_json_load(text, len, JSON_REJECT_DUPLICATES, &json_err, err);
	const char *schema;

	if (!root) {
		(void)vs_error_set(err, VS_EFORMAT, 0, "line %d: %s", json_err.line, json_err.text);
		return NULL;
	}
	schema = json_string_value(json_object_get(root, "schema"));
	if (schema && strcmp(schema, SCHEMA) == 0 &&
	    json_is_object(json_object_get(root, "products")))
		return root;
	(void)vs_error_set(err, VS_EFORMAT, 0,
			   "not a catalogue; it must hold \"schema\": \"" SCHEMA
			   "\" and \"products\"");
	json_decref(root);
	return NULL;
}

/* Members of from replace those of into, one level deep. */
static int merge_members(json_t *into, json_t *from, struct vs_error *err)
{
	const char *key;
	json_t *value;

	json_object_foreach(from, key, value) if (json_object_set(into, key, value) !=
						  0) return vs_error_nomem(err);
	return 0;
}

static int merge_products(json_t *into, json_t *from, struct vs_error *err)
{
	const char *id;
	json_t *product;

	json_object_foreach(from, id, product)
	{
		json_t *old = json_object_get(into, id);

		if (!json_is_object(product))
			return vs_error_set(err, VS_EFORMAT, 0, "product '%.32s' is no object", id);
		if (!*id || strlen(id) >= sizeof(((struct vs_ladder *)NULL)->provider))
			return vs_error_set(err, VS_EFORMAT, 0,
					    "product '%.40s': its id has 1 to 31 characters", id);
		if (!old && json_object_set(into, id, product) != 0)
			return vs_error_nomem(err);
		if (old && merge_members(old, product, err) != 0)
			return -1;
	}
	return 0;
}

static int merge(struct vs_catalogue *catalogue, const char *text, size_t len, struct vs_error *err)
{
	json_t *root = parse(text, len, err);
	int rc;

	if (!root)
		return -1;
	rc = merge_members(catalogue->sources, json_object_get(root, "sources"), err);
	if (rc == 0)
		rc = merge_products(catalogue->products, json_object_get(root, "products"), err);
	json_decref(root);
	return rc;
}

/* Every product must give a ladder at both ends of its sizes: a wrong entry is told when it is
 * read.
 */
static int check_products(const struct vs_catalogue *catalogue, struct vs_error *err)
{
	const char *id;
	json_t *product;

	json_object_foreach(catalogue->products, id, product)
	{
		struct vs_ladder_query query = { .provider = id };
		struct vs_ladder ladder;
		double max;

		if (vs_product_sizes(product, &query.size_gb, &max, err) != 0 ||
		    vs_product_ladder(product, &query, &ladder, err) != 0)
			return vs_error_prefix(err, "product '%s': ", id);
		query.size_gb = max;
		if (vs_product_ladder(product, &query, &ladder, err) != 0)
			return vs_error_prefix(err, "product '%s': ", id);
	}
	return 0;
}

static int list_ids(struct vs_catalogue *catalogue, struct vs_error *err)
{
	size_t n = 0;
	const char *id;
	json_t *product;

	catalogue->ids = calloc(json_object_size(catalogue->products) + 1, sizeof(*catalogue->ids));
	if (!catalogue->ids)
		return vs_error_nomem(err);
	json_object_foreach(catalogue->products, id, product) catalogue->ids[n++] = id;
	return 0;
}

/* The tests know it to be right: what jansson calls bad syntax here is a lack of memory. */
static int merge_built_in(struct vs_catalogue *catalogue, struct vs_error *err)
{
	struct vs_error why = { 0 };

	if (merge(catalogue, (const char *)vs_catalogue_json, vs_catalogue_json_size, &why) == 0)
		return 0;
	return vs_error_nomem(err);
}

int vs_catalogue_parse(const char *text, size_t len, const char *name, struct vs_catalogue **out,
		       struct vs_error *err)
{
	struct vs_catalogue *catalogue = calloc(1, sizeof(*catalogue));

	if (!catalogue)
		return vs_error_nomem(err);
	catalogue->products = json_object();
	catalogue->sources = json_object();
	if (!catalogue->products || !catalogue->sources) {
		vs_catalogue_free(catalogue);
		return vs_error_nomem(err);
	}
	if (merge_built_in(catalogue, err) != 0 ||
	    (text && merge(catalogue, text, len, err) != 0) ||
	    check_products(catalogue, err) != 0 || list_ids(catalogue, err) != 0) {
		vs_catalogue_free(catalogue);
		return vs_error_prefix(err, "catalogue %s: ", name);
	}
	*out = catalogue;
	return 0;
}

static int read_file(const char *path, struct vs_buf *buf, struct vs_error *err)
{
	FILE *file = fopen(path, "re");
	char block[8192];
	size_t got;
	int failed;

	if (!file)
		return vs_error_sys(err, errno, "cannot open catalogue '%s'", path);
	while ((got = fread(block, 1, sizeof(block), file)) > 0)
		vs_buf_add(buf, block, got);
	failed = ferror(file) ? errno : 0;
	(void)fclose(file);
	if (failed)
		return vs_error_sys(err, failed, "cannot read catalogue '%s'", path);
	if (buf->failed && !buf->too_long)
		return vs_error_nomem(err);
	if (buf->failed)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "catalogue '%s' is longer than 4 MiB; is it the right file?",
				    path);
	return 0;
}

int vs_catalogue_open(const char *path, struct vs_catalogue **out, struct vs_error *err)
{
	char name[256];
	struct vs_buf buf;
	int rc;

	if (!path)
		return vs_catalogue_parse(NULL, 0, "built in", out, err);
	vs_buf_init(&buf, MAX_FILE_BYTES);
	(void)snprintf(name, sizeof(name), "'%s'", path);
	rc = read_file(path, &buf, err);
	if (rc == 0)
		rc = vs_catalogue_parse(buf.data ? buf.data : "", buf.len, name, out, err);
	vs_buf_release(&buf);
	return rc;
}

void vs_catalogue_free(struct vs_catalogue *catalogue)
{
	if (!catalogue)
		return;
	json_decref(catalogue->products);
	json_decref(catalogue->sources);
	free(catalogue->ids);
	free(catalogue);
}

const char *const *vs_catalogue_providers(const struct vs_catalogue *catalogue)
{
	return catalogue->ids;
}

static json_t *find_product(const struct vs_catalogue *catalogue, const char *provider,
			    struct vs_error *err)
{
	json_t *product = json_object_get(catalogue->products, provider);
	char list[400] = "";
	size_t len = 0;

	if (product)
		return product;
	for (size_t i = 0; catalogue->ids[i] && len < sizeof(list); i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "",
					catalogue->ids[i]);
	(void)vs_error_set(err, VS_EUSAGE, 0, "unknown provider '%.40s'; known are %s", provider,
			   list);
	return NULL;
}

static const char *member(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* The source that the "src" of a product's part names; NULL when there is none. */
static const json_t *source_of(const struct vs_catalogue *catalogue, const json_t *part)
{
	return json_object_get(catalogue->sources, member(part, "src"));
}

int vs_catalogue_describe(const struct vs_catalogue *catalogue, const char *provider,
			  struct vs_product_info *out, struct vs_error *err)
{
	const json_t *product = find_product(catalogue, provider, err);
	const json_t *limits, *price;

	if (!product)
		return -1;
	limits = source_of(catalogue, json_object_get(product, "limits"));
	price = source_of(catalogue, json_object_get(product, "price"));
	*out = (struct vs_product_info){
		.name = member(product, "name"),
		.note = member(product, "note"),
		.limits_url = member(limits, "url"),
		.limits_read = member(limits, "read"),
		.limits_date = member(limits, "date"),
		.limits_grade = member(limits, "grade"),
		.price_url = member(price, "url"),
		.price_read = member(price, "read"),
		.price_date = member(json_object_get(product, "price"), "asof"),
		.price_grade = member(price, "grade"),
		.price_region = member(json_object_get(product, "price"), "region"),
	};
	return vs_product_sizes(product, &out->size_min, &out->size_max, err);
}

int vs_catalogue_prices(const struct vs_catalogue *catalogue, const char *provider,
			struct vs_prices *out, struct vs_error *err)
{
	const json_t *product = find_product(catalogue, provider, err);

	if (!product)
		return -1;
	vs_product_prices(product, out);
	(void)snprintf(out->source, sizeof(out->source), "%s",
		       member(source_of(catalogue, json_object_get(product, "price")), "url"));
	return 0;
}

int vs_catalogue_ladder(const struct vs_catalogue *catalogue, const struct vs_ladder_query *query,
			struct vs_ladder *out, struct vs_error *err)
{
	const json_t *product = find_product(catalogue, query->provider, err);
	double min, max;

	if (!product)
		return -1;
	if (vs_product_sizes(product, &min, &max, err) != 0)
		return -1;
	if (!(query->size_gb >= min && query->size_gb <= max))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "%s has no volume of %g GB; give a size from %g to %g with "
				    "--size-gb",
				    query->provider, query->size_gb, min, max);
	if (query->volumes > 100000)
		return vs_error_set(err, VS_EUSAGE, 0, "%lld volumes are more than one can have",
				    (long long)query->volumes);
	return vs_product_ladder(product, query, out, err);
}
