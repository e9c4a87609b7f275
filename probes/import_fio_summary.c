/* fio's summary behind a run: the means and counts to hold the series against. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probes/import_fio_console.h"
#include "probes/import_text.h"

void vs_fio_summary_interim(struct vs_fio_console *c)
{
	c->part_has_result = false;
	c->im->n_results = c->first_result;
	c->disk_ios = 0;
	c->striped = c->in_disks = false;
}

/* "name: (groupid=0, jobs=4): err= 0: pid=44550: Tue Aug 29 01:27:51 2023" */
static bool begin_result(struct vs_fio_console *c, const char *line)
{
	struct vs_import *im = c->im;
	const char *p = strstr(line, ": (groupid=");
	uint64_t group = 0, pid = 0;
	bool zone;

	if (!p)
		return false;
	c->part_has_body = true;
	(void)snprintf(c->job, sizeof(c->job), "%.*s", (int)(p - line), line);
	p += strlen(": (groupid=");
	if (vs_text_u64(&p, &group) && ((int64_t)group != c->group_label || !c->in_summary)) {
		c->group++;
		c->group_label = (int64_t)group;
	}
	p = vs_text_after(p, "pid=");
	if (!c->in_summary && p && vs_text_u64(&p, &pid) && vs_fio_part_wanted(c)) {
		/* The same process again: the sum so far, printed a second time. */
		if (pid && pid == c->pid && c->part_has_result)
			vs_fio_summary_interim(c);
		c->pid = pid;
	}
	c->in_summary = true;
	p = p ? vs_text_after(p, ": ") : NULL;
	if (p && vs_fio_part_wanted(c) && vs_text_wall(p, &im->ended_wall_ms, &zone)) {
		im->ended_wall_known = im->ended_wall_ms > 86400000LL * 366;
		im->clock_unset = !im->ended_wall_known;
		im->zone_assumed = true;
	}
	return true;
}

static double scaled(const char *p, double base)
{
	double value;

	if (!vs_text_number(&p, false, &value))
		return (double)NAN;
	if ((*p | 0x20) == 'k')
		value *= base;
	else if ((*p | 0x20) == 'm')
		value *= base * base;
	else if ((*p | 0x20) == 'g')
		value *= base * base * base;
	return value;
}

/* "(34.1GiB/120034msec)" or "runt= 11797msec": milliseconds before "msec". */
static double runtime_ms(const char *line)
{
	const char *end = strstr(line, "msec"), *p = end;
	double ms;

	if (!end)
		return (double)NAN;
	while (p > line && strchr("0123456789", p[-1]))
		p--;
	return vs_text_number(&p, false, &ms) ? ms : (double)NAN;
}

/* "  read: IOPS=74.5k, BW=291MiB/s (305MB/s)(34.1GiB/120034msec)" and the older "iops=2777 ,". */
static bool read_mean(struct vs_fio_console *c, const char *line)
{
	const char *dir = line + strspn(line, " \t"), *iops;
	struct vs_import_result *result;
	double ms = runtime_ms(line), mean;

	if (!c->in_summary || isnan(ms) || ms <= 0)
		return false;
	if (!vs_text_starts(dir, "read") && !vs_text_starts(dir, "write") &&
	    !vs_text_starts(dir, "trim"))
		return false;
	iops = vs_text_after(dir, "IOPS=");
	if (!iops)
		iops = vs_text_after(dir, "iops=");
	if (!iops || isnan(mean = scaled(iops + strspn(iops, " "), 1000)))
		return false;
	c->part_has_result = true;
	if (!vs_fio_part_wanted(c))
		return true;
	result = vs_import_result(c->im, c->job, c->group);
	result->seconds = ms / 1000;
	result->ios = mean * ms / 1000;
	return true;
}

/* "issued rwts: total=8943029,0,0,0", "issued : total=r=32768/w=0/d=0": exact where IOPS is not. */
static bool read_issued(struct vs_fio_console *c, const char *line)
{
	const char *p = vs_text_after(line, "total=");
	struct vs_import *im = c->im;
	uint64_t count[3] = { 0, 0, 0 }, sum = 0;
	double printed = 0;
	size_t first = im->n_results;

	if (!c->in_summary || !p || !strstr(line, "issued "))
		return false;
	for (size_t i = 0; i < 3 && p; i++) {
		if (strchr("rwd", *p) && *p && p[1] == '=')
			p += 2;
		if (!vs_text_u64(&p, &count[i]))
			break;
		sum += count[i];
		if (*p != ',' && *p != '/')
			break;
		p++;
	}
	while (first > 0 && im->results[first - 1].group == c->group &&
	       strcmp(im->results[first - 1].name, c->job) == 0)
		printed += im->results[--first].ios;
	/* fio counts I/Os of the ramp here too: believe it only where the two agree. */
	if (first < im->n_results && fabs((double)sum - printed) <= printed * 0.02)
		for (size_t i = first; i < im->n_results; i++)
			im->results[i].ios *= (double)sum / printed;
	return true;
}

/*
 * "  xvda: ios=38670/16, merge=0/12, ...": what the disks did meanwhile, ramp and others' I/O
 * included. Of a striped volume only the whole counts, which has "aggrios" too.
 */
static bool read_disk(struct vs_fio_console *c, const char *line)
{
	const char *p = vs_text_after(line, ": ios=");
	uint64_t reads, writes;
	double ios;

	if (!c->in_disks || !p || !vs_text_u64(&p, &reads) || *p++ != '/' ||
	    !vs_text_u64(&p, &writes))
		return false;
	if (!vs_fio_part_wanted(c))
		return true;
	ios = (double)(reads + writes);
	if (strstr(p, "aggrios=")) {
		c->striped = true;
		c->disk_ios = ios;
	} else if (!c->striped) {
		c->disk_ios += ios;
	}
	return true;
}

int vs_fio_summary_end(struct vs_fio_console *c, struct vs_error *err)
{
	const struct vs_import *im = c->im;
	double ios = 0, disk = c->disk_ios;

	for (size_t i = c->first_result; i < im->n_results; i++)
		ios += im->results[i].ios;
	c->first_result = im->n_results;
	c->disk_ios = 0;
	c->striped = c->in_disks = false;
	/* More is the ramp or a split; 0 is a disk without counters. */
	if (!(disk > 0) || disk > ios * 0.97)
		return 0;
	return vs_import_note(
		c->im, "device-mismatch", err,
		"the disk counted %.0f I/Os, fio %.0f: the rest came from a cache, or was merged "
		"before it got there, and is not what the volume can do",
		disk, ios);
}

bool vs_fio_summary_line(struct vs_fio_console *c, const char *line)
{
	if (vs_text_starts(line, "Run status group")) {
		c->in_summary = false;
		return true;
	}
	if (vs_text_starts(line, "Disk stats")) {
		c->in_summary = false;
		c->in_disks = true;
		return true;
	}
	return begin_result(c, line) || read_mean(c, line) || read_issued(c, line) ||
	       read_disk(c, line);
}
