/* write_fixture KIND FORMAT [LANG|series]: the report of a fixture on stdout. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "reports/report.h"

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "scale", "day", "decay", "empty" };
	const struct vs_report_format *format = argc > 2 ? vs_report_format_named(argv[2]) : NULL;
	struct vs_report_options options = { 0 };
	struct vs_error err = { 0 };
	struct fixture fixture;
	int rc;

	if (!setlocale(LC_ALL, "")) { /* no format may care which */
		(void)fprintf(stderr, "there is no such locale\n");
		return 2;
	}
	if (argc > 3 && strcmp(argv[3], "series") == 0)
		options.series = true;
	else if (argc > 3)
		options.lang = argv[3];
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && format; i++) {
		if (strcmp(argv[1], kinds[i]) != 0)
			continue;
		fixture_init(&fixture, (enum fixture_kind)i);
		rc = format->write(&fixture.timeline, &options, stdout, &err);
		fixture_release(&fixture);
		if (rc != 0)
			(void)fprintf(stderr, "%s\n", err.text);
		return rc == 0 && fflush(stdout) == 0 ? 0 : 1;
	}
	(void)fprintf(stderr, "usage: write_fixture scale|day|decay|empty FORMAT [LANG|series]\n");
	return 2;
}
