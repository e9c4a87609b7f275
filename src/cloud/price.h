/* The provider's public price list: unit prices of a block volume, without any credentials. */
#ifndef VS_CLOUD_PRICE_H
#define VS_CLOUD_PRICE_H

#include <stddef.h>

#include "base/error.h"
#include "cloud/http.h"
#include "model/catalogue.h"

#define VS_OCI_PRICE_URL        "https://apexapps.oracle.com/pls/apex/cetools/api/v1/products/"
#define VS_OCI_PART_STORAGE     "B91961" /* a GB a month */
#define VS_OCI_PART_PERFORMANCE "B91962" /* a VPU a GB a month */

/*
 * Asks base_url (NULL: VS_OCI_PRICE_URL) for both parts in the currency ("USD"). out gets price,
 * date and source. VS_ENOTFOUND when the list has no such currency.
 */
int vs_oci_price_fetch(const char *base_url, const char *currency, struct vs_prices *out,
		       struct vs_error *err) VS_MUST_CHECK;

/*
 * The reader of one page: the highest pay-as-you-go price of the part (a free first tier is 0), NAN
 * when it is not on this page; the list's date "2026-07-16", "" none; the next page's URL, "" none.
 */
int vs_oci_price_read(const char *text, size_t len, const char *part, const char *currency,
		      double *price_out, char date[16], char next[512],
		      struct vs_error *err) VS_MUST_CHECK;

#endif
