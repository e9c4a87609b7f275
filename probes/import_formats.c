/* The table of what can be imported: a format is one line here and one file beside. */
#include "probes/import_context.h"

/* In the order in which a file is held against them: the surest marks first. */
const struct vs_import_format vs_import_formats[] = {
	{ "fio-console", "fio console output", vs_fio_console_detect, vs_fio_console_read,
	  VS_IMPORT_TOTALS },
	{ "fio-json", "fio JSON", vs_fio_json_detect, vs_fio_json_read,
	  VS_IMPORT_TOTALS | VS_IMPORT_JOINS },
	{ "iostat", "iostat output", vs_iostat_detect, vs_iostat_read, 0 },
	{ "sar", "sar output", vs_sar_detect, vs_sar_read, 0 },
	{ "elbencho", "elbencho live CSV", vs_elbencho_detect, vs_elbencho_read, 0 },
	{ "vdbench", "a vdbench flatfile", vs_vdbench_detect, vs_vdbench_read, 0 },
	{ "fio-log", "a fio log", vs_fio_log_detect, vs_fio_log_read, VS_IMPORT_LOG },
	{ "fio-hist", "a fio histogram log", vs_fio_hist_detect, vs_fio_hist_read,
	  VS_IMPORT_LOG | VS_IMPORT_HIST },
	{ "csv", "CSV", vs_csv_detect, vs_csv_read, 0 },
	{ .name = NULL },
};
