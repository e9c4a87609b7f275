#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/prices.h"
#include "reports/report.h"
#include "store/store.h"

const char *vs_cli_db(const struct vs_volume_options *options)
{
	const char *env = getenv("VOLSCALE_DB");

	if (options->db)
		return options->db;
	return env && *env ? env : "volscale.db";
}

int vs_cli_apply_volume(const struct vs_volume_options *options, struct vs_run *run,
			struct vs_error *err)
{
	const char *provider = options->provider;

	if (!provider && !run->provider)
		provider = "oci";
	if (provider && vs_run_set_text(&run->provider, provider, err) != 0)
		return -1;
	if (!isnan(options->size_gb)) {
		if (options->size_gb <= 0)
			return vs_error_set(err, VS_EUSAGE, 0,
					    "--size-gb: a volume has more than 0 GB");
		run->size_gb = options->size_gb;
	}
	if (options->volumes)
		run->volumes = (int64_t)options->volumes;
	if (!isnan(options->instance_gbps)) {
		if (options->instance_gbps <= 0)
			return vs_error_set(err, VS_EUSAGE, 0,
					    "--instance-gbps: an instance has more than 0 Gbit/s");
		run->instance_gbps = options->instance_gbps;
	}
	return 0;
}

int vs_cli_prices(const struct vs_volume_options *options, const char *provider,
		  struct vs_prices *out, struct vs_error *err)
{
	struct vs_prices kept;

	*out = (struct vs_prices){ .per_gb_month = options->price_gb,
				   .per_vpu_gb_month = options->price_vpu };
	if (options->price_gb < 0 || options->price_vpu < 0)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--price-gb, --price-vpu: a price is not negative");
	if (options->currency && (strlen(options->currency) != 3 ||
				  strspn(options->currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 3))
		return vs_error_set(err, VS_EUSAGE, 0,
				    "--currency: '%s' is not a currency's code; write it as USD or "
				    "JPY",
				    options->currency);
	if (options->currency)
		(void)snprintf(out->currency, sizeof(out->currency), "%s", options->currency);
	if (provider && strcmp(provider, "oci") == 0 && isnan(options->price_gb) &&
	    isnan(options->price_vpu) &&
	    vs_cli_kept_prices(vs_cli_db(options), out->currency, &kept))
		*out = kept;
	return 0;
}

/* The size of a target need not be one that its provider sells: a file, a loop device. Only a size
 * that was asked for is refused. */
static int size_is_sold(const struct vs_volume_options *options, const struct vs_loaded *loaded,
			bool *out, struct vs_error *err)
{
	struct vs_product_info info;

	if (vs_catalogue_describe(loaded->catalogue, loaded->run.provider, &info, err) != 0)
		return -1;
	*out = !isnan(options->size_gb) ||
	       (loaded->run.size_gb >= info.size_min && loaded->run.size_gb <= info.size_max);
	return 0;
}

static int make_ladder(const struct vs_volume_options *options, struct vs_loaded *loaded,
		       struct vs_error *err)
{
	struct vs_prices prices;
	struct vs_ladder_query query = { .provider = loaded->run.provider,
					 .size_gb = loaded->run.size_gb,
					 .volumes = loaded->run.volumes,
					 .prices = &prices };
	bool sold;

	if (vs_cli_prices(options, loaded->run.provider, &prices, err) != 0)
		return -1;
	if (!query.provider || isnan(query.size_gb))
		return 0;
	if (size_is_sold(options, loaded, &sold, err) != 0)
		return -1;
	if (!sold)
		return 0;
	if (vs_catalogue_ladder(loaded->catalogue, &query, &loaded->ladder, err) != 0)
		return -1;
	loaded->has_ladder = true;
	return 0;
}

int vs_cli_analyse(const struct vs_volume_options *options,
		   const struct vs_analysis_options *analysis, struct vs_loaded *loaded,
		   struct vs_error *err)
{
	loaded->ready = true;
	vs_timeline_init(&loaded->timeline);
	if (vs_cli_apply_volume(options, &loaded->run, err) != 0 ||
	    vs_catalogue_open(options->catalogue, &loaded->catalogue, err) != 0 ||
	    make_ladder(options, loaded, err) != 0)
		return -1;
	return vs_analyse(&loaded->run, loaded->has_ladder ? &loaded->ladder : NULL, analysis,
			  &loaded->timeline, err);
}

int vs_cli_load(const struct vs_volume_options *options, const char *ref,
		const struct vs_analysis_options *analysis, struct vs_loaded *out,
		struct vs_error *err)
{
	struct vs_store_options open_options = { .read_only = true };
	struct vs_store *store = NULL;
	int64_t id;
	int rc = -1;

	*out = (struct vs_loaded){ 0 };
	vs_run_init(&out->run);
	vs_timeline_init(&out->timeline);
	out->ready = true;
	if (vs_store_open(vs_cli_db(options), &open_options, &store, err) != 0)
		return -1;
	if (vs_store_run_find(store, ref ? ref : "last", &id, err) == 0 &&
	    vs_store_run_load(store, id, &out->run, err) == 0)
		rc = vs_cli_analyse(options, analysis, out, err);
	vs_store_free(store);
	return rc;
}

void vs_loaded_release(struct vs_loaded *loaded)
{
	if (!loaded->ready)
		return;
	vs_timeline_release(&loaded->timeline);
	vs_catalogue_free(loaded->catalogue);
	vs_run_release(&loaded->run);
	loaded->ready = false;
}

static int terminal_columns(FILE *out)
{
	const char *env = getenv("COLUMNS");
	struct winsize size;

	if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return env ? (int)strtol(env, NULL, 10) : 0;
}

int vs_cli_write_report(const struct vs_timeline *timeline, const char *format, const char *path,
			bool series, const char *lang, struct vs_error *err)
{
	const struct vs_report_format *fmt;
	struct vs_report_options options = { .series = series, .lang = lang };
	bool to_stdout = !path || strcmp(path, "-") == 0;
	FILE *out = stdout;
	int rc;

	fmt = format || to_stdout ? vs_report_format_named(format ? format : "text")
				  : vs_report_format_for_file(path);
	if (!fmt)
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"cannot tell the format of '%s'; end it in .html, .csv, .json, .md "
			"or .txt, or give --format",
			path);
	if (!to_stdout && !(out = fopen(path, "we")))
		return vs_error_sys(err, errno, "cannot write '%s'", path);
	options.columns = terminal_columns(out);
	rc = fmt->write(timeline, &options, out, err);
	if (fflush(out) != 0 || ferror(out))
		rc = vs_error_sys(err, errno, "cannot write '%s'",
				  to_stdout ? "standard output" : path);
	if (!to_stdout && fclose(out) != 0 && rc == 0)
		rc = vs_error_sys(err, errno, "cannot write '%s'", path);
	return rc;
}

int vs_cli_flush(struct vs_error *err)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		return vs_error_sys(err, errno, "cannot write to standard output");
	return 0;
}

void vs_cli_note(const char *fmt, ...)
{
	va_list ap;

	(void)fputs("volscale: ", stderr);
	va_start(ap, fmt);
	(void)vfprintf(stderr, fmt, ap);
	va_end(ap);
	(void)fputc('\n', stderr);
}
