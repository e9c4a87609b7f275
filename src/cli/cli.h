/* What the subcommands share: the options that every one takes, and the way from RUN to timeline.
 */
#ifndef VS_CLI_CLI_H
#define VS_CLI_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/run.h"
#include "cli/opt.h"
#include "model/catalogue.h"
#include "model/timeline.h"

enum vs_exit {
	VS_EXIT_DONE = 0,
	VS_EXIT_FAILED = 1,
	VS_EXIT_USAGE = 2,
	VS_EXIT_VERIFY_FAILED = 3,
	VS_EXIT_INTERRUPTED = 130,
};

/* A subcommand: one file cmd_<name>.c with its table and its main. */
struct vs_command {
	const struct vs_opt_command *opt;
	/* argv[0] is the subcommand's name. Returns an exit code, or -1 with err: 1, or 2 for
	 * VS_EUSAGE. */
	int (*main)(int argc, char **argv, struct vs_error *err);
};

extern const struct vs_command vs_cmd_observe, vs_cmd_watch, vs_cmd_rehearse, vs_cmd_import;
extern const struct vs_command vs_cmd_report, vs_cmd_compare, vs_cmd_verify;
extern const struct vs_command vs_cmd_tiers, vs_cmd_runs, vs_cmd_cloud, vs_cmd_price;

/* Options about the volume, shared by everything that labels tiers. Put it into the command's
 * struct. */
struct vs_volume_options {
	const char *db;
	const char *provider;  /* NULL: as recorded, else oci */
	double size_gb;        /* NAN: as recorded */
	uint64_t volumes;      /* 0: as recorded */
	double instance_gbps;  /* NAN: as recorded */
	const char *catalogue; /* file; NULL the embedded one */
	const char *tier;      /* that was in force, as the user says; NULL: not said */
	double price_gb;       /* NAN: the catalogue's */
	double price_vpu;
	const char *currency;
};

#define VS_VOLUME_OPTIONS_INIT                                                   \
 {                                                                               \
  .size_gb = (double)NAN, .instance_gbps = (double)NAN, .price_gb = (double)NAN, \
  .price_vpu = (double)NAN                                                       \
 }

/* The table rows for them, for a struct whose member `field` is a struct vs_volume_options. */
#define VS_OPT_DB(type, field)                           \
 VS_OPT(VS_OPT_TEXT, "db", type, field.db, "FILE", NULL, \
	"the database (default volscale.db, or VOLSCALE_DB)")
#define VS_OPT_VOLUME(type, field)                                                      \
 VS_OPT(VS_OPT_TEXT, "provider", type, field.provider, "ID", NULL,                      \
	"whose tiers: oci, aws-gp3, ...; 'volscale tiers --list' names them "           \
	"(default oci)"),                                                               \
	 VS_OPT(VS_OPT_NUMBER, "size-gb", type, field.size_gb, "N", NULL,               \
		"size of one volume in GB of 2^30 bytes (default: the target's size)"), \
	 VS_OPT(VS_OPT_U64, "volumes", type, field.volumes, "N", NULL,                  \
		"how many volumes are striped together (default: one a target)"),       \
	 VS_OPT(VS_OPT_NUMBER, "instance-gbps", type, field.instance_gbps, "N", NULL,   \
		"network limit of the instance in Gbit/s; tells 'instance' from "       \
		"'volume'"),                                                            \
	 VS_OPT(VS_OPT_TEXT, "catalogue", type, field.catalogue, "FILE", NULL,          \
		"JSON catalogue whose products go over the built-in ones")
#define VS_OPT_TIER(type, field)                                           \
 VS_OPT(VS_OPT_TEXT, "tier", type, field.tier, "NAME", NULL,               \
	"the tier that was in force, e.g. 30, where the level alone does " \
	"not show it: behind an instance's limit")
#define VS_OPT_PRICE(type, field)                                             \
 VS_OPT(VS_OPT_NUMBER, "price-gb", type, field.price_gb, "N", NULL,           \
	"price of a GB a month, instead of the list's"),                      \
	 VS_OPT(VS_OPT_NUMBER, "price-vpu", type, field.price_vpu, "N", NULL, \
		"price of a VPU a GB a month, instead of the list's"),        \
	 VS_OPT(VS_OPT_TEXT, "currency", type, field.currency, "CODE", NULL,  \
		"currency of the prices, e.g. JPY (default: the list's)")

/* The database file: --db, else VOLSCALE_DB, else volscale.db. */
const char *vs_cli_db(const struct vs_volume_options *options);

/*
 * A run with everything to report it. The timeline borrows from the other members, so the struct
 * must not be moved. Zero-initialised is released.
 */
struct vs_loaded {
	struct vs_run run;
	struct vs_catalogue *catalogue;
	struct vs_ladder ladder; /* valid when has_ladder */
	bool has_ladder;
	struct vs_timeline timeline;
	bool ready; /* the members above need a release */
};

/*
 * Loads the run named by ref (NULL: last), lets the options override what was recorded, makes the
 * ladder when provider and size are known, and analyses.
 */
int vs_cli_load(const struct vs_volume_options *options, const char *ref,
		const struct vs_analysis_options *analysis, struct vs_loaded *out,
		struct vs_error *err) VS_MUST_CHECK;
/* The same for a run that is already in memory (loaded->run filled). */
int vs_cli_analyse(const struct vs_volume_options *options,
		   const struct vs_analysis_options *analysis, struct vs_loaded *loaded,
		   struct vs_error *err) VS_MUST_CHECK;
void vs_loaded_release(struct vs_loaded *loaded);

/* Applies what was given in options to a run about to be written or analysed. */
int vs_cli_apply_volume(const struct vs_volume_options *options, struct vs_run *run,
			struct vs_error *err) VS_MUST_CHECK;

/*
 * Where options->tier is given: VS_EUSAGE unless the run's ladder has it, with those that it has.
 * A run whose ladder is not known takes any.
 */
int vs_cli_check_tier(const struct vs_volume_options *options, const struct vs_run *run,
		      struct vs_error *err) VS_MUST_CHECK;

/* -1 with VS_EUSAGE and the names that the ladder has. */
int vs_cli_no_such_tier(const struct vs_ladder *ladder, const char *tier, struct vs_error *err);

/* Writes one report to path ("-": stdout) in the format named, or by the path's ending when NULL.
 */
int vs_cli_write_report(const struct vs_timeline *timeline, const char *format, const char *path,
			bool series, const char *lang, struct vs_error *err) VS_MUST_CHECK;

/*
 * The unit prices that the options give; where they give none and the provider is "oci", those that
 * `price --refresh` has kept (then with date and source). VS_EUSAGE for a negative one or an odd
 * currency.
 */
int vs_cli_prices(const struct vs_volume_options *options, const char *provider,
		  struct vs_prices *out, struct vs_error *err) VS_MUST_CHECK;

/* path NULL or "-": stdout, which is not closed. Closing tells whether all was written. */
int vs_cli_open_output(const char *path, FILE **out, struct vs_error *err) VS_MUST_CHECK;
int vs_cli_close_output(const char *path, FILE *out, struct vs_error *err) VS_MUST_CHECK;
/* Width of the terminal behind out, else COLUMNS; 0: not known. */
int vs_cli_columns(FILE *out);

/* Flushes stdout; what a command printed must not get lost unseen. */
int vs_cli_flush(struct vs_error *err) VS_MUST_CHECK;

/* A line on stderr, with nothing in it that steers a terminal: names come from anywhere. */
void vs_cli_talk(const char *head, const char *fmt, va_list ap) VS_PRINTF(2, 0);
/* The same behind "volscale: ". */
void vs_cli_note(const char *fmt, ...) VS_PRINTF(1, 2);

#endif
