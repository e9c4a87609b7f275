#include "probes/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * The rest of the first line of a file that starts with key, behind its separator and quotes; key
 * "" takes the first line whole. "" when there is none.
 */
static const char *read_field(const char *path, const char *key, char *text, int size)
{
	FILE *in = fopen(path, "re");
	char *value = NULL;

	if (!in)
		return "";
	while (!value && fgets(text, size, in))
		if (strncmp(text, key, strlen(key)) == 0)
			value = text + strlen(key);
	(void)fclose(in);
	if (!value)
		return "";
	if (*key)
		value += strspn(value, " \t:=\"");
	value[strcspn(value, "\n\"")] = '\0';
	return value;
}

static int put_text(const struct vs_sink *sink, const char *name, const char *text,
		    struct vs_error *err)
{
	return *text ? vs_sink_text(sink, 0, "host", name, text, err) : 0;
}

int vs_host_describe(const struct vs_sink *sink, struct vs_error *err)
{
	char text[512];
	struct utsname names;
	struct sysinfo info;
	int rc = 0;

	if (uname(&names) == 0)
		rc = put_text(sink, "hostname", names.nodename, err);
	if (rc == 0)
		rc = put_text(sink, "os",
			      read_field("/etc/os-release", "PRETTY_NAME", text, sizeof(text)),
			      err);
	if (rc == 0 && uname(&names) == 0)
		rc = put_text(sink, "kernel", names.release, err);
	if (rc == 0)
		rc = put_text(sink, "cpu",
			      read_field("/proc/cpuinfo", "model name", text, sizeof(text)), err);
	if (rc == 0)
		rc = vs_sink_number(sink, 0, "host", "cpus", (double)sysconf(_SC_NPROCESSORS_ONLN),
				    err);
	if (rc == 0 && sysinfo(&info) == 0)
		rc = vs_sink_number(sink, 0, "host", "memory_mib",
				    (double)info.totalram * info.mem_unit / 1048576, err);
	if (rc == 0)
		rc = put_text(sink, "clocksource",
			      read_field("/sys/devices/system/clocksource/clocksource0/"
					 "current_clocksource",
					 "", text, sizeof(text)),
			      err);
	return rc;
}
