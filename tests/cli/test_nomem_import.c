/*
 * Every import format without memory: `test_nomem_import STRIDE FILE...` reads each file as a whole
 * with memory, and then again and again with an allocation that fails. What is then read is the
 * same, or the lack of memory is said.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/run.h"
#include "nomem.h"
#include "probes/import.h"

static char **files;
static int n_files;

/* All that a reading gives, folded into a number (FNV-1a). */
struct reading {
	const char *path;
	char format[32];
	uint64_t hash;
	uint64_t wanted;
	char refusal[sizeof(((struct vs_error *)NULL)->text)]; /* of the file itself; "" none */
	bool refused;
};

static void fold(struct reading *r, const char *fmt, ...) VS_PRINTF(2, 3);

static void fold(struct reading *r, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (const char *p = text; *p; p++)
		r->hash = (r->hash ^ (unsigned char)*p) * UINT64_C(1099511628211);
}

static int take_sample(void *ctx, const struct vs_sample *s, struct vs_error *err)
{
	(void)err;
	fold(ctx, "s %" PRId64 " %" PRId64 " %a %" PRId64 " %" PRId64 " %d %d", s->end_ns,
	     s->length_ns, s->ios, s->bytes, s->lat_p50_ns, s->phase, s->flags);
	return 0;
}

static int take_observation(void *ctx, const struct vs_observation *o, struct vs_error *err)
{
	(void)err;
	fold(ctx, "o %" PRId64 " %s %s %a %s", o->at_ns, o->source, o->name, o->value,
	     o->text ? o->text : "-");
	return 0;
}

static int take_event(void *ctx, const struct vs_event *e, struct vs_error *err)
{
	(void)err;
	fold(ctx, "e %" PRId64 " %s %s", e->at_ns, e->kind, e->text);
	return 0;
}

static void fold_head(struct reading *r, const struct vs_run *head)
{
	fold(r, "%" PRId64 " %" PRId64 " %d %s %" PRId64 " %" PRId64 " %" PRId64, head->interval_ns,
	     head->duration_ns, (int)head->end, head->workload.rw ? head->workload.rw : "-",
	     head->workload.block_bytes, head->workload.iodepth, head->workload.numjobs);
	for (size_t i = 0; i < head->n_targets; i++)
		fold(r, "t %s", head->targets[i].name);
	for (size_t i = 0; i < head->n_phases; i++)
		fold(r, "p %" PRId64 " %d", head->phases[i].start_ns, (int)head->phases[i].phase);
}

static int read_file(void *ctx, struct vs_error *err)
{
	struct reading *r = ctx;
	const struct vs_sink sink = { r, take_sample, take_observation, take_event };
	const struct vs_import_options options = { .format = r->format };
	struct vs_import_summary summary;
	struct vs_run head;
	int rc;

	r->hash = UINT64_C(14695981039346656037);
	vs_run_init(&head);
	rc = vs_import(&r->path, 1, &options, &head, &sink, &summary, err);
	if (rc == 0)
		fold_head(r, &head);
	vs_run_release(&head);
	/* a file that is refused for what it is counts as read, as long as it is refused */
	r->refused = rc != 0 && err->code != VS_ENOMEM && r->refusal[0] &&
		     strcmp(err->text, r->refusal) == 0;
	return r->refused ? 0 : rc;
}

static void check_reading(void *ctx, int rc)
{
	const struct reading *r = ctx;

	if (rc != 0)
		return;
	if (r->refused != (r->refusal[0] != '\0') || (!r->refused && r->hash != r->wanted))
		fail_msg("%s: allocation %" PRId64 " of %" PRId64 ": read as something else",
			 r->path, nomem.fail_from, nomem.fail_calls);
}

/* ".../import_fio_json/old" holds fio-json. */
static void name_format(const char *path, char *format, size_t size)
{
	const char *folder = strstr(path, "/import_");

	assert_non_null(folder);
	folder += strlen("/import_");
	(void)snprintf(format, size, "%.*s", (int)strcspn(folder, "/"), folder);
	for (char *p = format; *p; p++)
		if (*p == '_')
			*p = '-';
}

static void every_file_is_read_rightly_or_not_at_all(void **state)
{
	(void)state;
	for (int i = 0; i < n_files; i++) {
		struct reading r = { .path = files[i] };
		const struct nomem_action action = {
			.act = read_file, .check = check_reading, .ctx = &r, .least = 1
		};
		struct vs_error err = { 0 };

		name_format(r.path, r.format, sizeof(r.format));
		if (read_file(&r, &err) != 0)
			(void)snprintf(r.refusal, sizeof(r.refusal), "%s", err.text);
		r.wanted = r.hash;
		print_message("%s: %s %s\n", r.format, strrchr(r.path, '/') + 1, r.refusal);
		nomem_try(&action, 200);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_is_read_rightly_or_not_at_all),
	};

	nomem_install(argc, argv);
	files = argv + 2;
	n_files = argc - 2;
	return n_files < 1 || cmocka_run_group_tests(tests, NULL, NULL);
}
