/* volscale verify: a run against expectations; exit 0, or 3 when one is not met. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analysis/verify.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "reports/verify_report.h"

#define NOT_GIVEN VS_UNKNOWN

struct verify_options {
	struct vs_volume_options volume;
	const char *format;
	struct vs_opt_list outputs;
	const char *expect;
	const char *start_tier, *top_tier, *end_tier;
	int64_t max_rise_ns, max_rise_total_ns, max_first_fall_ns, max_fall_ns, max_dip_ns;
	double tolerance_pct, min_share_pct;
	bool strict;
};

#define OPT(kind, name, field, arg, help) \
 VS_OPT(kind, name, struct verify_options, field, arg, NULL, help)

static const struct vs_opt own_options[] = {
	OPT(VS_OPT_TEXT, "expect", expect, "FILE",
	    "expectations as JSON; options given beside it go over it"),
	OPT(VS_OPT_TEXT, "start-tier", start_tier, "NAME", "tier that the load begins at, e.g. 10"),
	OPT(VS_OPT_TEXT, "top-tier", top_tier, "NAME", "tier of the highest level, e.g. 120"),
	OPT(VS_OPT_TEXT, "end-tier", end_tier, "NAME", "tier of the last level"),
	OPT(VS_OPT_DURATION, "max-rise", max_rise_ns, "TIME",
	    "longest time that a level may last before it rises"),
	OPT(VS_OPT_DURATION, "max-rise-total", max_rise_total_ns, "TIME",
	    "from the start of the load to the highest level"),
	OPT(VS_OPT_DURATION, "max-first-fall", max_first_fall_ns, "TIME",
	    "from the end of the load to the first fall, e.g. 60m"),
	OPT(VS_OPT_DURATION, "max-fall", max_fall_ns, "TIME", "from a fall to the next"),
	OPT(VS_OPT_NUMBER, "tolerance", tolerance_pct, "PCT",
	    "how far a level may be off a tier's promise, in percent"),
	OPT(VS_OPT_NUMBER, "min-share", min_share_pct, "PCT",
	    "share of the load's seconds that must reach 95 % of the tier's promise"),
	OPT(VS_OPT_DURATION, "max-dip", max_dip_ns, "TIME",
	    "longest dip that nothing on the recording host explains"),
	OPT(VS_OPT_FLAG, "strict", strict, NULL,
	    "an expectation that cannot be judged is not met: exit 3"),
	{ "format", 'f', VS_OPT_CHOICE, offsetof(struct verify_options, format),
	  "text|json|junit|tap", NULL,
	  "how it is written (default: by the file's ending, else text)" },
	{ "output", 'o', VS_OPT_LIST, offsetof(struct verify_options, outputs), "FILE", NULL,
	  "write to FILE, in the format of its ending .txt, .json, .xml or .tap; may be given "
	  "several times; - is standard output" },
	{ .name = NULL },
};

static const struct vs_opt volume_options[] = {
	VS_OPT_DB(struct verify_options, volume),
	VS_OPT_VOLUME(struct verify_options, volume),
	VS_OPT_TIER(struct verify_options, volume),
	{ .name = NULL },
};

static const struct vs_opt_command verify_command = {
	.name = "verify",
	.operands = "[RUN]",
	.summary = "hold a run against expectations: exit 0, or 3 when one is not met",
	.text = "RUN is an id, the beginning of a uuid, or 'last' (default). Each expectation\n"
		"passes, fails or is skipped, with the plateau or step that decides it. What the\n"
		"run cannot tell, such as a fall without a decay phase, is skipped and never\n"
		"passed. With no expectation at all the run is held against what the provider\n"
		"documents: its levels within the tolerance, and the first fall within the\n"
		"documented time.\n\n"
		"  volscale verify --start-tier 10 --top-tier 120 --max-rise 99s\n"
		"  volscale verify --max-first-fall 60m --max-fall 2m --tolerance 3 3\n"
		"  volscale verify --expect expect.json -o verdict.xml -o - last\n\n"
		"A file of expectations holds any of these; times are seconds or texts:\n"
		"  {\"start_tier\": 10, \"top_tier\": 120, \"end_tier\": 10,\n"
		"   \"max_rise\": 99, \"max_rise_total\": \"10m\", \"max_first_fall\": \"60m\",\n"
		"   \"max_fall\": \"2m\", \"tolerance_pct\": 3, \"min_share_pct\": 95, \"max_dip\": 5}",
	.tables = { own_options, volume_options },
	.max_operands = 1,
};

static int set_tier(char *to, const char *from, const char *option, struct vs_error *err)
{
	if (!from)
		return 0;
	if (!*from || strlen(from) >= sizeof(((struct vs_expect *)NULL)->top_tier))
		return vs_error_set(err, VS_EUSAGE, 0, "--%s: '%s' is no tier's name", option,
				    from);
	(void)snprintf(to, sizeof(((struct vs_expect *)NULL)->top_tier), "%s", from);
	return 0;
}

static void set_time(double *to_s, int64_t ns)
{
	if (ns != NOT_GIVEN)
		*to_s = (double)ns / (double)VS_NS_PER_SEC;
}

static int make_expect(const struct verify_options *options, struct vs_expect *out,
		       struct vs_error *err)
{
	vs_expect_init(out);
	if (options->expect && vs_expect_read(options->expect, out, err) != 0)
		return -1;
	if (set_tier(out->start_tier, options->start_tier, "start-tier", err) != 0 ||
	    set_tier(out->top_tier, options->top_tier, "top-tier", err) != 0 ||
	    set_tier(out->end_tier, options->end_tier, "end-tier", err) != 0)
		return -1;
	set_time(&out->max_rise_s, options->max_rise_ns);
	set_time(&out->max_rise_total_s, options->max_rise_total_ns);
	set_time(&out->max_first_fall_s, options->max_first_fall_ns);
	set_time(&out->max_fall_s, options->max_fall_ns);
	set_time(&out->max_dip_s, options->max_dip_ns);
	if (options->tolerance_pct < 0 || options->tolerance_pct > 100)
		return vs_error_set(err, VS_EUSAGE, 0, "--tolerance: give 0 to 100");
	if (options->min_share_pct < 0 || options->min_share_pct > 100)
		return vs_error_set(err, VS_EUSAGE, 0, "--min-share: give 0 to 100");
	if (!isnan(options->tolerance_pct))
		out->tolerance_pct = options->tolerance_pct;
	if (!isnan(options->min_share_pct))
		out->min_share_pct = options->min_share_pct;
	return 0;
}

/* A tier that the volume cannot have is a slip of the pen, not a failure of the volume. */
static int check_tiers(const struct vs_expect *expect, const struct vs_loaded *loaded,
		       struct vs_error *err)
{
	const char *const tiers[] = { expect->start_tier, expect->top_tier, expect->end_tier };

	for (size_t i = 0; loaded->has_ladder && i < sizeof(tiers) / sizeof(tiers[0]); i++)
		if (*tiers[i] && vs_ladder_find(&loaded->ladder, tiers[i]) < 0)
			return vs_cli_no_such_tier(&loaded->ladder, tiers[i], err);
	return 0;
}

static int find_format(const struct verify_options *options, const char *path,
		       const struct vs_verify_format **out, struct vs_error *err)
{
	bool to_stdout = !path || strcmp(path, "-") == 0;

	*out = options->format || to_stdout
		       ? vs_verify_format_named(options->format ? options->format : "text")
		       : vs_verify_format_for_file(path);
	if (*out)
		return 0;
	return vs_error_set(err, VS_EUSAGE, 0,
			    "cannot tell the format of '%s'; end it in .txt, .json, .xml or .tap, "
			    "or give --format",
			    path);
}

static int check_outputs(const struct verify_options *options, struct vs_error *err)
{
	const struct vs_verify_format *format;

	for (size_t i = 0; i < options->outputs.n; i++)
		if (find_format(options, options->outputs.items[i], &format, err) != 0)
			return -1;
	return 0;
}

static int write_one(const struct verify_options *options, const struct vs_verification *v,
		     const char *path, struct vs_error *err)
{
	const struct vs_verify_format *format;
	FILE *out;

	if (find_format(options, path, &format, err) != 0 ||
	    vs_cli_open_output(path, &out, err) != 0)
		return -1;
	format->write(v, vs_cli_columns(out), out);
	return vs_cli_close_output(path, out, err);
}

static int write_all(const struct verify_options *options, const struct vs_verification *v,
		     struct vs_error *err)
{
	if (options->outputs.n == 0)
		return write_one(options, v, NULL, err);
	for (size_t i = 0; i < options->outputs.n; i++)
		if (write_one(options, v, options->outputs.items[i], err) != 0)
			return -1;
	return 0;
}

static int verify(const struct verify_options *options, const char *ref, struct vs_error *err)
{
	struct vs_loaded loaded = { 0 };
	struct vs_verification v = { 0 };
	struct vs_expect expect;
	int rc = make_expect(options, &expect, err);

	if (rc == 0)
		rc = vs_cli_load(&options->volume, ref, NULL, &loaded, err);
	if (rc == 0)
		rc = check_tiers(&expect, &loaded, err);
	if (rc == 0)
		rc = vs_verify(&loaded.timeline, &expect, &v, err);
	if (rc == 0)
		rc = write_all(options, &v, err);
	vs_loaded_release(&loaded);
	if (rc != 0)
		return -1;
	if (v.passed + v.failed == 0)
		vs_cli_note("nothing could be judged");
	return v.failed || (options->strict && v.skipped) ? VS_EXIT_VERIFY_FAILED : VS_EXIT_DONE;
}

static int verify_main(int argc, char **argv, struct vs_error *err)
{
	struct verify_options options = { .volume = VS_VOLUME_OPTIONS_INIT,
					  .max_rise_ns = NOT_GIVEN,
					  .max_rise_total_ns = NOT_GIVEN,
					  .max_first_fall_ns = NOT_GIVEN,
					  .max_fall_ns = NOT_GIVEN,
					  .max_dip_ns = NOT_GIVEN,
					  .tolerance_pct = (double)NAN,
					  .min_share_pct = (double)NAN };
	char **operands;
	size_t n;
	int rc = vs_opt_parse(&verify_command, argc, argv, &options, &operands, &n, err);

	if (rc > 0) {
		rc = VS_EXIT_DONE;
	} else if (rc == 0) {
		rc = check_outputs(&options, err);
		if (rc == 0)
			rc = verify(&options, n ? operands[0] : NULL, err);
	}
	vs_opt_release(&verify_command, &options);
	return rc;
}

const struct vs_command vs_cmd_verify = { &verify_command, verify_main };
