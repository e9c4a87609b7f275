/* CSV: its columns, separators, numbers and times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "import_case.h"

static const struct import_case cases[] = {
	{ .name = "plain, times are the interval's end",
	  .text = "time_s,iops\n1,25000\n2,25001\n3,0\n",
	  .format = "csv",
	  .samples = "1=25000 2=25001 3=0",
	  .notes = "" },
	{ .name = "times are the interval's start",
	  .text = "time_s,iops\n0,25000\n1,25001\n",
	  .format = "csv",
	  .samples = "1=25000 2=25001" },
	{ .name = "named columns, ms, no newline at the end",
	  .text = "n\tt\tv\n7\t500\t25000\n8\t1000\t25001\n9\t1500\t24999",
	  .options = { .time_col = "t", .value_col = "v", .time_unit = "ms" },
	  .format = "csv",
	  .samples = "0.5=25000 1=25001 1.5=24999" },
	{ .name = "the name of the column tells the unit",
	  .text = "TIME_MS;READ_IOPS\r\n1000;25000,5\r\n2000;25001,5\r\n",
	  .format = "csv",
	  .samples = "1=25000.5 2=25001.5" },
	{ .name = "an empty first field between tabs",
	  .text = "note\ttime_s\tiops\n\t1\t25000\n\t2\t25001\n",
	  .format = "csv",
	  .samples = "1=25000 2=25001" },
	{ .name = "a byte-order mark, comments, quotes, columns that are not needed",
	  .text = "\xef\xbb\xbf# made by hand\n\"time_s\",\"what, exactly\",\"iops\"\n# a note\n\"1\",\"a, b\",\"25000\"\n\"2\",\"c\",\"2.5e4\"\n",
	  .format = "csv",
	  .samples = "1=25000 2=25000" },
	{ .name = "ISO times with a zone",
	  .text = "timestamp,iops\n2023-08-29T13:27:51+02:00,25000\n2023-08-29T13:27:52+02:00,25001\n",
	  .format = "csv",
	  .samples = "1=25000 2=25001",
	  .started = "2023-08-29T11:27:50.000Z" },
	{ .name = "seconds since 1970, told by their size",
	  .text = "time,iops\n1693315671,25000\n1693315672,25001\n",
	  .format = "csv",
	  .samples = "1=25000 2=25001",
	  .started = "2023-08-29T13:27:50.000Z" },
	{ .name = "milliseconds since 1970",
	  .text = "ts,iops\n1693315671000,25000\n1693315672000,25001\n",
	  .options = { .time_unit = "epoch" },
	  .format = "csv",
	  .samples = "1=25000 2=25001",
	  .started = "2023-08-29T13:27:50.000Z" },
	{ .name = "times of day, over midnight",
	  .text = "time,iops\n23:59:58,25000\n23:59:59,25001\n00:00:00,25002\n",
	  .format = "csv",
	  .samples = "1=25000 2=25001 3=25002" },
	{ .name = "phases, latencies and lengths, as volscale writes them",
	  .text = "time_s,length_s,iops,mbps,lat_p50_us,lat_p99_us,phase\n"
		  "0,1,25000,102.4,100,200,ramp\n1,1,25000,102.4,100,200,load\n2,1,0,0,,,idle\n3,0.5,24000,98.3,100,200,probe\n",
	  .format = "csv",
	  .samples = "1=25000r 2=25000 3=0i 3.5=24000p/0.5" },
	{ .name = "a gap stays a gap; a late row covers what it covers",
	  .text = "time_s,iops\n1,1\n2,2\n3.2,3\n4,4\n9,5\n",
	  .format = "csv",
	  .samples = "1=1 2=2 3.2=3/1.2 4=4/0.8 9=5" },
	{ .name = "rows that are none",
	  .text = "time_s,iops\n1,25000\nx,1\n2,\n2,-5\n1.5,nan\n2,25001\n1,7\n3\n3,25002\n",
	  .format = "csv",
	  .samples = "1=25000 2=25001 3=25002",
	  .notes = "import-skipped import-skipped" },
	{ .name = "a decimal comma where the comma separates is no number",
	  .text = "time_s,iops\n1,\"25000,5\"\n2,\"25001,5\"\n",
	  .error = "no row with a time and a value" },
	{ .name = "no such column",
	  .text = "timestamp,value\n2014-04-02 14:25:00,0.0\n2014-04-02 14:30:00,1.0\n",
	  .error = "no column 'iops' (it has: timestamp, value); name it with --value-col" },
	{ .name = "no such named column",
	  .text = "time_s,iops\n1,2\n2,3\n",
	  .options = { .time_col = "when" },
	  .error = "no column 'when' (it has: time_s, iops); name it with --time-col" },
	{ .name = "a header and no row", .text = "time_s,iops\n", .error = "a header and no row" },
};

static void csv_is_read(void **state)
{
	(void)state;
	import_cases_hold(cases, sizeof(cases) / sizeof(cases[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(csv_is_read) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
