/* The table of what can be imported: a format is one line here and one file beside. */
#include "probes/import_context.h"

/* In the order in which a file is held against them: the surest marks first. */
const struct vs_import_format vs_import_formats[] = {
	{ "fio-json", "fio JSON", vs_fio_json_detect, vs_fio_json_read,
	  VS_IMPORT_TOTALS | VS_IMPORT_JOINS },
	{ "fio-console", "fio console output", vs_fio_console_detect, vs_fio_console_read,
	  VS_IMPORT_TOTALS },
	{ "csv", "CSV", vs_csv_detect, vs_csv_read, 0 },
	{ .name = NULL },
};
