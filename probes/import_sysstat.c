#include "probes/import_sysstat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probes/import_text.h"

enum role {
	ROLE_IOPS,
	ROLE_READS,
	ROLE_WRITES,
	ROLE_BYTES
};

/* sadf's JSON has the names of sar without their "/s". */
static const struct {
	const char *name;
	enum role role;
	double unit;
} roles[] = {
	{ "tps", ROLE_IOPS, 1 },
	{ "r/s", ROLE_READS, 1 },
	{ "w/s", ROLE_WRITES, 1 },
	{ "rkB/s", ROLE_BYTES, 1024 },
	{ "wkB/s", ROLE_BYTES, 1024 },
	{ "rMB/s", ROLE_BYTES, 1024 * 1024 },
	{ "wMB/s", ROLE_BYTES, 1024 * 1024 },
	{ "rsec/s", ROLE_BYTES, 512 },
	{ "wsec/s", ROLE_BYTES, 512 },
	{ "rd_sec/s", ROLE_BYTES, 512 },
	{ "wr_sec/s", ROLE_BYTES, 512 },
	{ "kB_read/s", ROLE_BYTES, 1024 },
	{ "kB_wrtn/s", ROLE_BYTES, 1024 },
	{ "MB_read/s", ROLE_BYTES, 1024 * 1024 },
	{ "MB_wrtn/s", ROLE_BYTES, 1024 * 1024 },
	{ "Blk_read/s", ROLE_BYTES, 512 },
	{ "Blk_wrtn/s", ROLE_BYTES, 512 },
	{ "kB/s", ROLE_BYTES, 1024 },
	{ "MB/s", ROLE_BYTES, 1024 * 1024 },
	{ "rkB", ROLE_BYTES, 1024 },
	{ "wkB", ROLE_BYTES, 1024 },
	{ "rd_sec", ROLE_BYTES, 512 },
	{ "wr_sec", ROLE_BYTES, 512 },
};

#define N_ROLES (sizeof(roles) / sizeof(roles[0]))

void vs_sysstat_row_init(struct vs_device_row *row)
{
	*row = (struct vs_device_row){ (double)NAN, (double)NAN, (double)NAN, (double)NAN };
}

void vs_sysstat_put(struct vs_device_row *row, const char *name, double value)
{
	for (size_t i = 0; i < N_ROLES; i++) {
		if (strcmp(roles[i].name, name) != 0)
			continue;
		value *= roles[i].unit;
		if (roles[i].role == ROLE_IOPS)
			row->iops = value;
		else if (roles[i].role == ROLE_READS)
			row->reads = value;
		else if (roles[i].role == ROLE_WRITES)
			row->writes = value;
		else
			row->bytes = isnan(row->bytes) ? value : row->bytes + value;
		return;
	}
}

bool vs_sysstat_cell(const char *text, double *out)
{
	static const char prefixes[] = "kMGT";
	const char *p = text, *s;

	if (!vs_text_number(&p, true, out))
		return false;
	/* --human */
	if (*p && (s = strchr(prefixes, *p)) != NULL) {
		*out *= pow(1024, (double)(s - prefixes + 1));
		p++;
	}
	return *p == '\0' || strcmp(p, "B") == 0 || strcmp(p, "%") == 0;
}

void vs_sysstat_header(struct vs_sysstat_table *table, char *const *words, size_t n, size_t device)
{
	table->n = n < VS_SYSSTAT_COLUMNS ? n : VS_SYSSTAT_COLUMNS;
	table->device = device;
	table->counts = false;
	for (size_t i = 0; i < table->n; i++) {
		(void)snprintf(table->names[i], sizeof(table->names[i]), "%s", words[i]);
		table->counts = table->counts || strcmp(words[i], "r/s") == 0 ||
				strcmp(words[i], "tps") == 0;
	}
}

bool vs_sysstat_line(const struct vs_sysstat_table *table, char *const *words, size_t n,
		     struct vs_device_row *row)
{
	double value;

	if (n != table->n)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (i == table->device)
			continue;
		if (!vs_sysstat_cell(words[i], &value))
			return false;
		vs_sysstat_put(row, table->names[i], value);
	}
	return true;
}
