/* fio's console output: banner, status lines, and the summary's means. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_context.h"
#include "probes/import_fio_status.h"
#include "probes/import_text.h"

#define FEW_UPDATES 5  /* fewer are no series: then the summary's mean stands for the run */
#define MAX_STEP_S  10 /* what a percentage may jump by and still be believed as a clock */

struct console {
	struct vs_import *im;
	double runtime_s;   /* asked; NAN */
	double block_bytes; /* 0 not known, or several */
	double interval_s;  /* --eta-interval */
	int max_running;

	/* the clock */
	double total_s;    /* elapsed + eta, from the last line where both are exact; NAN */
	double last_end_s; /* of the last update; 0 */
	size_t n_updates;
	bool by_index; /* neither percentage nor eta can be believed */

	struct vs_sample early[FEW_UPDATES];
	size_t n_early;
	bool flowing;          /* the early ones are out */
	struct vs_sample held; /* a last one may be the closing line, which is no sample */
	bool has_held, held_at_end;

	unsigned int damaged;
	bool has_banner, has_status, in_summary;
	int64_t group; /* of the results being read */
	int64_t group_label;
	char job[48];
	int signal;
	bool failed;
};

static const char *const second_run =
	"it belongs to a second run in the same file; import that separately";

/* Elapsed seconds of an update; what fio prints is whole seconds, and eta + elapsed its total. */
static double elapsed_of(struct console *c, const struct vs_fio_status *status)
{
	double p = status->pct / 100, eta = status->eta_s, next = c->last_end_s + c->interval_s;
	double total, spread, elapsed;

	if (isnan(eta) && !isnan(c->runtime_s) && !c->by_index && !isnan(p)) {
		/* The eta was cut off at the terminal's edge. */
		elapsed = p * c->runtime_s;
		if (elapsed - c->last_end_s <= MAX_STEP_S && elapsed >= c->last_end_s)
			return elapsed;
		c->by_index = true;
	}
	if (isnan(eta) || isnan(p))
		return next;
	if (p < 1) {
		total = eta / (1 - p);
		spread = total * 0.0005 / (1 - p);
		elapsed = eta * p / (1 - p);
		if (spread < 0.5) {
			elapsed = round(elapsed);
			c->total_s = elapsed + eta;
			return elapsed;
		}
		if (isnan(c->total_s))
			c->total_s = round(total);
		if (fabs(c->total_s - eta - elapsed) <= spread + 1)
			return c->total_s - eta;
		return elapsed > next + spread ? elapsed : next;
	}
	return isnan(c->total_s) || eta > c->total_s ? next : c->total_s - eta;
}

static int flush_early(struct console *c, struct vs_error *err)
{
	c->flowing = true;
	for (size_t i = 0; i < c->n_early; i++)
		if (vs_import_emit(c->im, &c->early[i], err) != 0)
			return -1;
	return 0;
}

static int put(struct console *c, const struct vs_sample *sample, struct vs_error *err)
{
	if (c->flowing)
		return vs_import_emit(c->im, sample, err);
	c->early[c->n_early++] = *sample;
	return c->n_early == FEW_UPDATES ? flush_early(c, err) : 0;
}

static int release_held(struct console *c, bool closing, struct vs_error *err)
{
	if (!c->has_held)
		return 0;
	c->has_held = false;
	if (closing && c->held_at_end) {
		vs_import_skip(c->im, "fio's closing status line, which is no sample");
		return 0;
	}
	return put(c, &c->held, err);
}

static int take_status(struct console *c, struct vs_fio_status *status, struct vs_error *err)
{
	double end = elapsed_of(c, status), length;

	if (status->state == VS_FIO_SETUP)
		return 0;
	if (status->state == VS_FIO_RAMP) {
		vs_import_skip(c->im, "ramp time");
		return 0;
	}
	if (status->state == VS_FIO_ENDING) {
		vs_import_skip(c->im, "the jobs were winding down");
		return release_held(c, false, err);
	}
	if (release_held(c, false, err) != 0)
		return -1;
	if (c->n_updates && end < c->last_end_s + 0.25)
		end = c->last_end_s + 0.25;
	else if (!c->n_updates && end < c->interval_s)
		end = c->interval_s;
	length = c->n_updates ? fmin(c->interval_s, end - c->last_end_s) : c->interval_s;
	c->n_updates++;
	c->last_end_s = end;
	vs_fio_status_refine(status, c->block_bytes);
	c->held = vs_import_sample(end, length, status->iops.value);
	c->held.resolution_ios = length * fmax(status->iops.high - status->iops.value,
					       status->iops.value - status->iops.low);
	if (status->iops.value <= 0)
		c->held.resolution_ios = 0;
	c->held.bytes = (int64_t)llround(status->bytes_per_s.value * length);
	if (status->running < c->max_running)
		c->held.phase = VS_PHASE_RAMP;
	else
		c->max_running = status->running;
	c->has_held = true;
	c->held_at_end = status->pct >= 100 && !(status->eta_s > 0);
	return 0;
}

/* The value of "key=" in line as text up to a blank or comma; NULL when it is not there. */
static const char *value_of(const char *line, const char *key, char *out, size_t size)
{
	const char *p = line;
	size_t len;

	while ((p = strstr(p, key)) != NULL && p != line && key[0] != '-' && !strchr(" ,(", p[-1]))
		p++;
	if (!p)
		return NULL;
	p += strlen(key);
	len = strcspn(p, ", \t'\"");
	if (len == 0 || len >= size)
		return NULL;
	memcpy(out, p, len);
	out[len] = '\0';
	return out;
}

/* "4096B-4096B", "4K-4K/4K-4K", "(R) 4096B-4096B, (W) ...": 0 when sizes differ. */
static double block_of(const char *p)
{
	double first, size;

	if (vs_text_starts(p, "(R) "))
		p += 4;
	if (!vs_text_size(&p, &first))
		return 0;
	while (*p == '-' || *p == '/') {
		p++;
		if (!vs_text_size(&p, &size) || fabs(size - first) > 0)
			return 0;
	}
	return first;
}

static int read_banner(struct console *c, const char *line, struct vs_error *err)
{
	struct vs_workload *workload = &c->im->head->workload;
	const char *p;
	char text[48];
	uint64_t number;

	c->has_banner = true;
	if (value_of(line, "rw=", text, sizeof(text)) && !workload->rw &&
	    vs_run_set_text(&workload->rw, text, err) != 0)
		return -1;
	p = vs_text_after(line, " bs=");
	if (p) {
		double block = block_of(p);
		bool same = workload->block_bytes < 0 ||
			    fabs((double)workload->block_bytes - block) < 1;
		c->block_bytes = same ? block : 0;
		if (block > 0 && same)
			workload->block_bytes = (int64_t)block;
	}
	if (value_of(line, "iodepth=", text, sizeof(text))) {
		p = text;
		if (vs_text_u64(&p, &number))
			workload->iodepth = (int64_t)number;
	}
	return 0;
}

static bool option_of(const char *line, const char *name, char *out, size_t size)
{
	char key[32];

	(void)snprintf(key, sizeof(key), "-%s=", name);
	if (value_of(line, key, out, size))
		return true;
	(void)snprintf(key, sizeof(key), "-%s ", name);
	return value_of(line, key, out, size);
}

static bool whole_option(const char *line, const char *name, int64_t *out)
{
	char text[48];
	const char *p = text;
	uint64_t number;

	if (!option_of(line, name, text, sizeof(text)) || !vs_text_u64(&p, &number))
		return false;
	*out = (int64_t)number;
	return true;
}

/* A shell line that started it: what it asked for, where the banner does not say. */
static int read_command(struct console *c, const char *line, struct vs_error *err)
{
	struct vs_workload *workload = &c->im->head->workload;
	const char *p;
	double number;
	char text[200];

	p = text;
	if (option_of(line, "runtime", text, sizeof(text)) && vs_text_number(&p, false, &number))
		c->runtime_s = number * (*p == 'm' ? 60 : *p == 'h' ? 3600 : 1);
	p = text;
	if (option_of(line, "eta-interval", text, sizeof(text)) &&
	    vs_text_number(&p, false, &number) && number > 0)
		c->interval_s = vs_text_starts(p, "ms") ? number / 1000 : number;
	p = text;
	if (workload->block_bytes < 0 &&
	    (option_of(line, "bs", text, sizeof(text)) ||
	     option_of(line, "blocksize", text, sizeof(text))) &&
	    vs_text_size(&p, &number) && *p == '\0' && number > 0) {
		c->block_bytes = number;
		workload->block_bytes = (int64_t)number;
	}
	if (workload->iodepth < 0)
		(void)whole_option(line, "iodepth", &workload->iodepth);
	if (workload->numjobs < 0)
		(void)whole_option(line, "numjobs", &workload->numjobs);
	if (!workload->rw && option_of(line, "rw", text, sizeof(text)) &&
	    vs_run_set_text(&workload->rw, text, err) != 0)
		return -1;
	if (option_of(line, "filename", text, sizeof(text)))
		return vs_import_set_target(c->im, text, err);
	return 0;
}

static bool set_jobs(struct console *c, const char *line)
{
	const char *p = vs_text_after(line, "Starting ");
	uint64_t jobs;

	if (!p || !vs_text_u64(&p, &jobs) || !strstr(p, "process") + !strstr(p, "thread") == 2)
		return false;
	/* One line may count processes and threads apart. */
	p = vs_text_after(p, "and ");
	if (p) {
		uint64_t more;
		if (vs_text_u64(&p, &more))
			jobs += more;
	}
	c->im->head->workload.numjobs = (int64_t)jobs;
	return true;
}

/* "name: (groupid=0, jobs=4): err= 0: pid=44550: Tue Aug 29 01:27:51 2023" */
static bool begin_result(struct console *c, const char *line)
{
	const char *p = strstr(line, ": (groupid=");
	const char *name = line + strspn(line, "> ");
	uint64_t group = 0;
	bool zone;

	if (!p)
		return false;
	(void)snprintf(c->job, sizeof(c->job), "%.*s", (int)(p - name), name);
	p += strlen(": (groupid=");
	if (vs_text_u64(&p, &group) && ((int64_t)group != c->group_label || !c->in_summary)) {
		c->group++;
		c->group_label = (int64_t)group;
	}
	c->in_summary = true;
	p = vs_text_after(p, "pid=");
	p = p ? vs_text_after(p, ": ") : NULL;
	if (p && vs_text_wall(p, &c->im->ended_wall_ms, &zone)) {
		c->im->ended_wall_known = c->im->ended_wall_ms > 86400000LL * 366;
		c->im->clock_unset = !c->im->ended_wall_known;
		c->im->zone_assumed = true;
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
static bool read_mean(struct console *c, const char *line)
{
	const char *dir = line + strspn(line, "> \t"), *iops;
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
	result = vs_import_result(c->im, c->job, c->group);
	result->seconds = ms / 1000;
	result->ios = mean * ms / 1000;
	return true;
}

/* "issued rwts: total=8943029,0,0,0", "issued : total=r=32768/w=0/d=0": exact where IOPS is not. */
static void read_issued(struct console *c, const char *line)
{
	const char *p = vs_text_after(line, "total=");
	struct vs_import *im = c->im;
	uint64_t count[3] = { 0, 0, 0 }, sum = 0;
	double printed = 0;
	size_t first = im->n_results;

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
	if (first == im->n_results || fabs((double)sum - printed) > printed * 0.02)
		return;
	for (size_t i = first; i < im->n_results; i++)
		im->results[i].ios *= (double)sum / printed;
}

static void read_trouble(struct console *c, const char *line)
{
	const char *p = vs_text_after(line, "terminating on signal ");
	uint64_t number;

	if (!p)
		p = vs_text_after(line, "got signal=");
	if (p && vs_text_u64(&p, &number))
		c->signal = number > 64 ? (int)(number / 10) : (int)number;
	if (strstr(line, "io_u error") || strstr(line, ", err=") || strstr(line, "verify: bad")) {
		c->failed = true;
		vs_import_skip(c->im, "fio reported an error");
	}
}

static int read_line(struct console *c, const char *line, struct vs_error *err)
{
	const char *p = vs_text_after(line, "fio-");

	if (!p)
		p = vs_text_after(line, "fio ");
	if (p && *p >= '0' && *p <= '9' && (size_t)(p - line) < 12) {
		c->in_summary = false;
		vs_import_set_version(c->im, p);
	} else if (strstr(line, "): rw=") || strstr(line, ") rw=")) {
		c->in_summary = false;
		return read_banner(c, line, err);
	} else if (strstr(line, "fio ") && strstr(line, " -")) {
		c->in_summary = false;
		return read_command(c, line, err);
	} else if (set_jobs(c, line)) {
		c->in_summary = false;
	} else if (vs_text_starts(line, "Run status group") || strstr(line, " Run status group")) {
		c->in_summary = false;
	} else if (!begin_result(c, line) && !read_mean(c, line)) {
		if (c->in_summary && strstr(line, "issued ") && strstr(line, "total="))
			read_issued(c, line);
		else
			read_trouble(c, line);
	}
	return 0;
}

/* A web page's no-break spaces as the blanks they were. */
static void plain_blanks(char *line)
{
	for (char *p = line; (p = strstr(p, "\xc2\xa0")) != NULL;)
		p[0] = p[1] = ' ';
}

static int read_piece(struct console *c, char *line, struct vs_error *err)
{
	struct vs_fio_status status;
	const char *next = line;
	size_t found = 0;

	plain_blanks(line);
	while ((next = vs_fio_status_next(next, c->im->version_code, &status, &c->damaged))) {
		found++;
		c->has_status = true;
		if (c->im->totals_only)
			continue;
		if (c->im->n_results) {
			vs_import_skip(c->im, second_run);
			continue;
		}
		if (take_status(c, &status, err) != 0)
			return -1;
	}
	if (found)
		return 0;
	if (strstr(line, "[eta ") || strstr(line, " IOPS]"))
		vs_import_skip(c->im, "a status line that was overprinted or cut");
	return read_line(c, line, err);
}

static int nothing_usable(const struct console *c, struct vs_error *err)
{
	if (c->signal)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"fio was ended by signal %d before it printed a result; there is nothing to import",
			c->signal);
	if (c->failed)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"fio reported errors and no result; the run failed, so there is nothing to import");
	if (c->has_status)
		return vs_error_set(
			err, VS_EFORMAT, 0,
			"its status lines show no I/O and there is no result; there is nothing to import");
	return vs_error_set(
		err, VS_EFORMAT, 0,
		"no status line and no result in this fio output; run fio with --eta=always --eta-newline=1, or give its logs");
}

static int finish(struct console *c, struct vs_error *err)
{
	struct vs_import *im = c->im;

	if (release_held(c, true, err) != 0)
		return -1;
	for (size_t i = 0; i < c->n_early; i++)
		im->any_io = im->any_io || c->early[i].ios > 0;
	if (im->n_results == 0 && !im->any_io)
		return nothing_usable(c, err);
	if (c->signal)
		im->head->end = VS_END_INTERRUPTED;
	else if (c->failed)
		im->head->end = VS_END_FAILED;
	if (c->damaged)
		vs_import_skip(im, "a status line that was overprinted or cut");
	if (im->totals_only)
		return 0;
	if (!c->flowing && im->n_results == 0 && flush_early(c, err) != 0)
		return -1;
	return c->flowing ? 0 : vs_import_emit_means(im, err);
}

bool vs_fio_console_detect(const char *head, size_t len)
{
	unsigned int damaged = 0;
	struct vs_fio_status status;

	(void)len;
	return strstr(head, "): rw=") || strstr(head, ": (groupid=") ||
	       (strstr(head, "[eta ") && strstr(head, "iops")) ||
	       (strstr(head, "[eta ") && strstr(head, "IOPS]")) ||
	       vs_fio_status_next(head, 0, &status, &damaged) ||
	       (vs_text_starts(head, "fio-") && strstr(head, "\nStarting ")) ||
	       (strstr(head, "fio: pid=") && strstr(head, "got signal="));
}

int vs_fio_console_read(struct vs_import *im, struct vs_error *err)
{
	struct console *c = calloc(1, sizeof(*c));
	size_t len;
	bool cut;
	char *line;
	int rc;

	if (!c)
		return vs_error_nomem(err);
	*c = (struct console){ .im = im,
			       .runtime_s = (double)NAN,
			       .total_s = (double)NAN,
			       .interval_s = 1,
			       .group = -1,
			       .group_label = -1 };
	im->tool = "fio";
	while ((rc = vs_reader_line(im->in, &line, &len, &cut, err)) == 1) {
		/* Glued updates make lines without end: the last one of a piece is read again
		 * whole. */
		char *last = NULL;
		if (cut)
			for (char *p = line; (p = strstr(p + 1, "Jobs: ")) != NULL;)
				last = p;
		if (last)
			vs_reader_unread(im->in, len - (size_t)(last - line));
		if (read_piece(c, line, err) != 0) {
			rc = -1;
			break;
		}
	}
	if (rc == 0)
		rc = finish(c, err);
	free(c);
	return rc;
}
