#include "cloud/price.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"
#include "cloud/json.h"
#include "cloud/retry.h"

/* A number, or a text that is one. */
static double price_value(const json_t *price)
{
	const char *text = json_string_value(json_object_get(price, "value"));
	struct vs_error err = { 0 };
	double value = vs_cloud_json_number(price, "value");

	if (text && vs_units_parse_number(text, &value, &err) != 0)
		return (double)NAN;
	return value >= 0 ? value : (double)NAN;
}

static void read_prices(const json_t *prices, double *best)
{
	for (size_t i = 0; i < json_array_size(prices); i++) {
		const json_t *price = json_array_get(prices, i);
		double value = price_value(price);
		char model[32];

		vs_cloud_json_text(price, "model", model, sizeof(model));
		if (!isnan(value) && (!model[0] || strcmp(model, "PAY_AS_YOU_GO") == 0) &&
		    !(value <= *best))
			*best = value;
	}
}

/* Prices stand under the item, or under its localization of the currency. */
static void read_item(const json_t *item, const char *currency, double *best)
{
	const json_t *local = json_object_get(item, "currencyCodeLocalizations");
	char code[8];

	for (size_t i = 0; i < json_array_size(local); i++) {
		const json_t *entry = json_array_get(local, i);
		vs_cloud_json_text(entry, "currencyCode", code, sizeof(code));
		if (strcmp(code, currency) == 0)
			read_prices(json_object_get(entry, "prices"), best);
	}
	if (json_array_size(local) == 0)
		read_prices(json_object_get(item, "prices"), best);
}

int vs_oci_price_read(const char *text, size_t len, const char *part, const char *currency,
		      double *price_out, char date[16], char next[512], struct vs_error *err)
{
	json_t *root = vs_cloud_json_parse(text, len, err);
	const json_t *items = json_object_get(root, "items");
	const json_t *links = json_object_get(root, "links");
	char word[64];

	*price_out = (double)NAN;
	date[0] = next[0] = '\0';
	if (!root)
		return -1;
	if (!json_is_array(items)) {
		json_decref(root);
		return vs_error_set(err, VS_EFORMAT, 0, "the answer is not a price list");
	}
	vs_cloud_json_text(root, "lastUpdated", word, sizeof(word));
	(void)snprintf(date, 16, "%.10s", word);
	for (size_t i = 0; i < json_array_size(items); i++) {
		const json_t *item = json_array_get(items, i);
		vs_cloud_json_text(item, "partNumber", word, sizeof(word));
		if (strcmp(word, part) == 0)
			read_item(item, currency, price_out);
	}
	for (size_t i = 0; i < json_array_size(links); i++) {
		const json_t *link = json_array_get(links, i);
		vs_cloud_json_text(link, "rel", word, sizeof(word));
		if (strcmp(word, "next") == 0)
			vs_cloud_json_text(link, "href", next, 512);
	}
	json_decref(root);
	return 0;
}

/* One page, with a few retries: the list needs no signature. */
static int fetch_page(struct vs_http *http, const char *url, struct vs_http_response *response,
		      struct vs_error *err)
{
	static const char *const headers[] = { "accept: application/json", NULL };
	struct vs_http_request request = { .method = "GET", .url = url, .headers = headers };
	struct vs_retry_policy policy = vs_retry_default;
	int64_t start_ns = vs_clock_mono_ns(), delay_ns;
	uint64_t seed = (uint64_t)start_ns;
	struct vs_error why;

	policy.attempts = 3;
	for (int n = 1;; n++) {
		struct timespec pause;
		int status;

		why = (struct vs_error){ 0 };
		status =
			vs_http_perform(http, &request, response, &why) == 0 ? response->status : 0;
		if (status == 200)
			return 0;
		delay_ns = vs_retry_is_worth(status, "")
				   ? vs_retry_delay_ns(&policy, n, vs_clock_mono_ns() - start_ns,
						       response->retry_after_ns, &seed)
				   : -1;
		if (delay_ns < 0)
			break;
		pause.tv_sec = (time_t)(delay_ns / VS_NS_PER_SEC);
		pause.tv_nsec = (long)(delay_ns % VS_NS_PER_SEC);
		(void)nanosleep(&pause, NULL);
	}
	if (why.code != VS_OK)
		return vs_error_set(err, why.code, why.detail, "price list: %s", why.text);
	return vs_error_set(err, VS_EHTTP, response->status, "price list: HTTP %d",
			    response->status);
}

static bool same_host(const char *a, const char *b)
{
	char host_a[256], host_b[256];

	vs_http_authority(a, host_a, sizeof(host_a));
	vs_http_authority(b, host_b, sizeof(host_b));
	return strcmp(host_a, host_b) == 0 && strncmp(a, b, 5) == 0;
}

static int fetch_part(struct vs_http *http, const char *base_url, const char *part,
		      const char *currency, double *price_out, char date[16], struct vs_error *err)
{
	struct vs_http_response response;
	char url[600], next[512];
	int rc = 0;

	(void)snprintf(url, sizeof(url), "%s?partNumber=%s&currencyCode=%s", base_url, part,
		       currency);
	*price_out = (double)NAN;
	vs_http_response_init(&response);
	for (int page = 0; rc == 0 && page < 20 && isnan(*price_out); page++) {
		rc = fetch_page(http, url, &response, err);
		if (rc == 0)
			rc = vs_oci_price_read(response.body.data, response.body.len, part,
					       currency, price_out, date, next, err);
		if (rc != 0 || !next[0] || !same_host(next, base_url))
			break;
		(void)snprintf(url, sizeof(url), "%s", next);
	}
	vs_http_response_release(&response);
	if (rc == 0 && isnan(*price_out))
		rc = vs_error_set(err, VS_ENOTFOUND, 0, "the price list has no %s in %s", part,
				  currency);
	return rc;
}

int vs_oci_price_fetch(const char *base_url, const char *currency, struct vs_prices *out,
		       struct vs_error *err)
{
	struct vs_http_options options = { 0 };
	struct vs_http *http;
	const char *url = base_url ? base_url : VS_OCI_PRICE_URL;
	int rc = -1;

	*out = (struct vs_prices){ 0 };
	if (strlen(currency) != 3 || strspn(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 3)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "'%.20s' is not a currency; it is three capitals, like USD",
				    currency);
	if (vs_http_check_url(url, false, err) != 0 || vs_http_open(&options, &http, err) != 0)
		return -1;
	if (fetch_part(http, url, VS_OCI_PART_STORAGE, currency, &out->per_gb_month, out->date,
		       err) == 0 &&
	    fetch_part(http, url, VS_OCI_PART_PERFORMANCE, currency, &out->per_vpu_gb_month,
		       out->date, err) == 0)
		rc = 0;
	vs_http_free(http);
	(void)snprintf(out->currency, sizeof(out->currency), "%s", currency);
	(void)snprintf(out->source, sizeof(out->source), "%s", url);
	return rc;
}
