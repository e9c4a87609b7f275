#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/prices.h"
#include "reports/facts.h"
#include "reports/report.h"
#include "reports/wrap.h"
#include "store/store.h"

const char *vs_cli_db(const struct vs_volume_options *options)
{
	const char *env = getenv("VOLSCALE_DB");

	if (options->db)
		return options->db;
	return env && *env ? env : "volscale.db";
}

/* What the user says of the run stands behind what was recorded, and so wins over it. */
static int tell_tier(const char *tier, struct vs_run *run, struct vs_error *err)
{
	char source[] = "user", name[] = "tier", text[64];
	const struct vs_observation told = { .at_ns = run->duration_ns,
					     .source = source,
					     .name = name,
					     .value = (double)NAN,
					     .text = text };

	(void)snprintf(text, sizeof(text), "%s", tier);
	return vs_run_add_observation(run, &told, err);
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
	return options->tier ? tell_tier(options->tier, run, err) : 0;
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
static int size_is_sold(const struct vs_volume_options *options,
			const struct vs_catalogue *catalogue, const struct vs_run *run, bool *out,
			struct vs_error *err)
{
	struct vs_product_info info;

	if (vs_catalogue_describe(catalogue, run->provider, &info, err) != 0)
		return -1;
	*out = !isnan(options->size_gb) ||
	       (run->size_gb >= info.size_min && run->size_gb <= info.size_max);
	return 0;
}

int vs_cli_no_such_tier(const struct vs_ladder *ladder, const char *tier, struct vs_error *err)
{
	char names[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < ladder->n_tiers && len + 32 < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s", i ? ", " : "",
					ladder->tiers[i].name);
	return vs_error_set(err, VS_EUSAGE, 0, "%s has no tier '%s' at this size; it has %s",
			    ladder->provider, tier, names);
}

/* *has_out false: provider or size is not known, or the provider sells no such size. */
static int make_ladder(const struct vs_volume_options *options,
		       const struct vs_catalogue *catalogue, const struct vs_run *run,
		       struct vs_ladder *out, bool *has_out, struct vs_error *err)
{
	struct vs_prices prices;
	struct vs_ladder_query query = { .provider = run->provider,
					 .size_gb = run->size_gb,
					 .volumes = run->volumes,
					 .prices = &prices };
	bool sold;

	*has_out = false;
	if (vs_cli_prices(options, run->provider, &prices, err) != 0)
		return -1;
	if (!query.provider || isnan(query.size_gb))
		return 0;
	if (size_is_sold(options, catalogue, run, &sold, err) != 0)
		return -1;
	if (!sold)
		return 0;
	if (vs_catalogue_ladder(catalogue, &query, out, err) != 0)
		return -1;
	if (options->tier && vs_ladder_find(out, options->tier) < 0)
		return vs_cli_no_such_tier(out, options->tier, err);
	*has_out = true;
	return 0;
}

int vs_cli_check_tier(const struct vs_volume_options *options, const struct vs_run *run,
		      struct vs_error *err)
{
	struct vs_catalogue *catalogue = NULL;
	struct vs_ladder ladder;
	bool has_ladder;
	int rc;

	if (!options->tier)
		return 0;
	if (vs_catalogue_open(options->catalogue, &catalogue, err) != 0)
		return -1;
	rc = make_ladder(options, catalogue, run, &ladder, &has_ladder, err);
	vs_catalogue_free(catalogue);
	return rc;
}

int vs_cli_analyse(const struct vs_volume_options *options,
		   const struct vs_analysis_options *analysis, struct vs_loaded *loaded,
		   struct vs_error *err)
{
	loaded->ready = true;
	vs_timeline_init(&loaded->timeline);
	if (vs_cli_apply_volume(options, &loaded->run, err) != 0 ||
	    vs_catalogue_open(options->catalogue, &loaded->catalogue, err) != 0 ||
	    make_ladder(options, loaded->catalogue, &loaded->run, &loaded->ladder,
			&loaded->has_ladder, err) != 0)
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

int vs_cli_columns(FILE *out)
{
	const char *env = getenv("COLUMNS");
	struct winsize size;

	if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return env ? (int)strtol(env, NULL, 10) : 0;
}

static bool is_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

int vs_cli_open_output(const char *path, FILE **out, struct vs_error *err)
{
	(void)vs_buf_was_short();
	*out = is_stdout(path) ? stdout : fopen(path, "we");
	return *out ? 0 : vs_error_sys(err, errno, "cannot write '%s'", path);
}

/* Nobody reads any more: head(1) has seen enough. */
static bool is_closed_pipe(FILE *out)
{
	struct pollfd fd = { .fd = fileno(out) };

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLERR);
}

/* What failed first may have left no errno behind. */
static int fail_to_write(FILE *out, const char *what, struct vs_error *err)
{
	int why = errno;

	if (is_closed_pipe(out))
		why = EPIPE;
	return why ? vs_error_sys(err, why, "cannot write %s", what)
		   : vs_error_set(err, VS_ESYS, 0, "cannot write %s: some of it was not taken",
				  what);
}

int vs_cli_close_output(const char *path, FILE *out, struct vs_error *err)
{
	int rc = vs_buf_was_short() ? vs_error_nomem(err) : 0;
	char what[4200];

	errno = 0;
	if (is_stdout(path))
		(void)snprintf(what, sizeof(what), "to standard output");
	else
		(void)snprintf(what, sizeof(what), "'%s'", path);
	if (fflush(out) != 0 || ferror(out))
		rc = fail_to_write(out, what, err);
	if (!is_stdout(path) && fclose(out) != 0 && rc == 0)
		rc = vs_error_sys(err, errno, "cannot write %s", what);
	return rc;
}

int vs_cli_flush(struct vs_error *err)
{
	return vs_cli_close_output(NULL, stdout, err);
}

/* A CSV has no place for what must be known before its figures are trusted. */
static void note_warnings(const struct vs_timeline *timeline)
{
	struct vs_buf warnings;

	vs_buf_init(&warnings, 65536);
	vs_facts_warnings(timeline, &vs_lang_en, &warnings);
	for (const char *p = warnings.data ? warnings.data : ""; *p;) {
		int len = (int)strcspn(p, "\n");

		vs_cli_note("csv: %.*s", len, p);
		p += len + (p[len] != '\0');
	}
	vs_buf_release(&warnings);
}

int vs_cli_write_report(const struct vs_timeline *timeline, const char *format, const char *path,
			bool series, const char *lang, struct vs_error *err)
{
	const struct vs_report_format *fmt;
	struct vs_report_options options = { .series = series, .lang = lang };
	FILE *out;
	int rc;

	fmt = format || is_stdout(path) ? vs_report_format_named(format ? format : "text")
					: vs_report_format_for_file(path);
	if (!fmt)
		return vs_error_set(
			err, VS_EUSAGE, 0,
			"cannot tell the format of '%s'; end it in .html, .csv, .json, .md "
			"or .txt, or give --format",
			path);
	if (vs_cli_open_output(path, &out, err) != 0)
		return -1;
	options.columns = vs_cli_columns(out);
	rc = fmt->write(timeline, &options, out, err);
	if (rc == 0 && strcmp(fmt->name, "csv") == 0)
		note_warnings(timeline);
	return vs_cli_close_output(path, out, err) != 0 ? -1 : rc;
}

void vs_cli_talk(const char *head, const char *fmt, va_list ap)
{
	char text[6000]; /* a path is at most 4096 bytes */
	char line[sizeof(text) + 64];
	FILE *out = fmemopen(line, sizeof(line), "w");

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	(void)fputs(head, out ? out : stderr);
	vs_wrap_plain(out ? out : stderr, text, strlen(text));
	(void)fputc('\n', out ? out : stderr);
	if (out) { /* in one piece: other processes may write to the same place */
		long len = ftell(out);

		(void)fclose(out);
		(void)fwrite(line, 1, len > 0 ? (size_t)len : 0, stderr);
	}
}

void vs_cli_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vs_cli_talk("volscale: ", fmt, ap);
	va_end(ap);
}
