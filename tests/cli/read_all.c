#include "read_all.h"

#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "store/store.h"

static int list(const char *path, size_t *n_out, struct vs_error *err)
{
	const struct vs_store_options options = { .read_only = true };
	struct vs_store *store = NULL;
	struct vs_run *runs = NULL;
	int rc = vs_store_open(path, &options, &store, err);

	if (rc == 0)
		rc = vs_store_run_list(store, &runs, n_out, err);
	for (size_t i = 0; rc == 0 && i < *n_out; i++)
		vs_run_release(&runs[i]);
	free(runs);
	vs_store_free(store);
	return rc;
}

static int report(const char *path, struct vs_error *err)
{
	static const char *const formats[] = { "text", "csv", "json", "markdown", "html" };
	const struct vs_volume_options volume = { .db = path,
						  .size_gb = (double)NAN,
						  .instance_gbps = (double)NAN,
						  .price_gb = (double)NAN,
						  .price_vpu = (double)NAN };
	const struct vs_analysis_options analysis = { 0 };
	struct vs_loaded loaded = { 0 };
	int rc = vs_cli_load(&volume, "last", &analysis, &loaded, err);

	for (size_t i = 0; rc == 0 && i < sizeof(formats) / sizeof(formats[0]); i++)
		rc = vs_cli_write_report(&loaded.timeline, formats[i], "/dev/null", false, NULL,
					 err);
	if (rc == 0)
		rc = vs_cli_write_report(&loaded.timeline, "csv", "/dev/null", true, NULL, err);
	vs_loaded_release(&loaded);
	return rc;
}

int read_all(const char *path, struct vs_error *err)
{
	size_t n = 0;

	if (list(path, &n, err) != 0)
		return -1;
	return n > 0 ? report(path, err) : 0;
}
