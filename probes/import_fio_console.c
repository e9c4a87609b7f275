/* fio's console output: banner, status lines, and the summary's means. */
#include "probes/import_fio_console.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_text.h"

static int flush_early(struct vs_fio_console *c, struct vs_error *err)
{
	c->flowing = true;
	for (size_t i = 0; i < c->n_early; i++)
		if (vs_import_emit(c->im, &c->early[i], err) != 0)
			return -1;
	return 0;
}

static int put(struct vs_fio_console *c, const struct vs_sample *sample, struct vs_error *err)
{
	if (c->flowing)
		return vs_import_emit(c->im, sample, err);
	c->early[c->n_early++] = *sample;
	return c->n_early == VS_FIO_FEW_UPDATES ? flush_early(c, err) : 0;
}

static int release_held(struct vs_fio_console *c, bool closing, struct vs_error *err)
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

/* Where no banner tells the block size: the one power of two that every rate / IOPS allows. */
static double learned_block(struct vs_fio_console *c, const struct vs_fio_status *status)
{
	const struct vs_fio_number *rate = &status->bytes_per_s, *iops = &status->iops;
	double block;

	if (iops->value > 0 && rate->value > 0) {
		c->block_low = fmax(c->block_low, rate->low / iops->high);
		c->block_high = fmin(c->block_high, rate->high / fmax(iops->low, 1));
	}
	if (c->n_updates < 2 || c->block_low > c->block_high)
		return 0;
	block = exp2(round(log2(sqrt(c->block_low * c->block_high))));
	return block >= c->block_low && block <= c->block_high ? block : 0;
}

/*
 * A number in whose print the version may have erred, with no bandwidth to check it by: as long as
 * the last update's level prints like that too, it is taken to go on.
 */
static void hold_level(const struct vs_fio_console *c, struct vs_fio_number *iops)
{
	if (iops->odd && c->last_iops >= iops->low && c->last_iops <= iops->high)
		iops->value = c->last_iops;
}

static void set_held(struct vs_fio_console *c, struct vs_fio_status *status, double end,
		     double length)
{
	struct vs_fio_number *iops = &status->iops;
	double block = c->block_told ? c->block_bytes : learned_block(c, status);

	vs_fio_status_refine(status, block);
	hold_level(c, iops);
	c->last_iops = iops->value;
	c->held = vs_import_sample(end, length, iops->value);
	if (iops->value > 0)
		c->held.resolution_ios =
			length * fmax(iops->high - iops->value, iops->value - iops->low);
	c->held.bytes = vs_import_whole(status->bytes_per_s.value * length);
	/* Jobs that have ended take their share of the load along: no level of the volume's. */
	if (status->running < c->max_running)
		c->held.phase = VS_PHASE_RAMP;
	else
		c->max_running = status->running;
	c->has_held = true;
	c->held_at_end = status->pct >= 100 && !(status->eta_s > 0);
}

/* fio sets its counts back when the ramp ends: the update over that moment may tell nothing. */
static void drop_ramp_end(struct vs_fio_console *c, const struct vs_fio_status *next)
{
	double iops = c->held.ios * 1e9 / (double)c->held.length_ns;

	if (!c->ramped || c->n_updates != 1 || !c->has_held ||
	    fabs(iops - next->iops.value) <= 0.1 * next->iops.value)
		return;
	c->has_held = false;
	vs_import_skip(c->im, "the ramp ended in it");
}

static int take_running(struct vs_fio_console *c, struct vs_fio_status *status, double end,
			struct vs_error *err)
{
	double interval = c->clock.interval_s, length = interval;

	drop_ramp_end(c, status);
	if (release_held(c, false, err) != 0)
		return -1;
	/* Whole seconds may repeat. */
	if (c->n_updates)
		end = fmax(end, c->clock.last_s + (interval < 1 ? interval : 0.25));
	else
		end = fmax(end, interval);
	if (c->n_updates)
		length = fmin(interval, end - c->clock.last_s);
	else if (c->ramped)
		c->base_s = end - interval;
	c->clock.last_s = end;
	set_held(c, status, end - c->base_s, length);
	c->n_updates++;
	return 0;
}

static int take_status(struct vs_fio_console *c, struct vs_fio_status *status, struct vs_error *err)
{
	double end = vs_fio_clock_elapsed(&c->clock, status);

	switch (status->state) {
	case VS_FIO_RUNNING:
		return take_running(c, status, end, err);
	case VS_FIO_RAMP:
		c->ramped = true;
		vs_import_skip(c->im, "ramp time");
		return 0;
	case VS_FIO_ENDING:
		vs_import_skip(c->im, "the jobs were winding down");
		return release_held(c, false, err);
	case VS_FIO_SETUP:
	default:
		return 0;
	}
}

static void read_trouble(struct vs_fio_console *c, const char *line)
{
	const char *p = vs_text_after(line, "terminating on signal ");
	uint64_t number;

	if (!vs_fio_part_wanted(c))
		return;
	if (!p)
		p = vs_text_after(line, "got signal=");
	/* An overprinted line: "signal=91.9%" is signal 9 and what was left of "1.9%". */
	if (p && vs_text_u64(&p, &number))
		c->signal = number > 64 ? (int)(number / 10) : (int)number;
	if (strstr(line, "io_u error") || strstr(line, ", err=") || strstr(line, "verify: bad")) {
		c->failed = true;
		vs_import_skip(c->im, "fio reported an error");
	}
}

/* A web page's no-break spaces as the blanks they were. */
static void plain_blanks(char *line)
{
	for (char *p = line; (p = strstr(p, "\xc2\xa0")) != NULL;)
		p[0] = p[1] = ' ';
}

/*
 * A status line behind a result belongs to the next run, also where no banner stands between,
 * unless the percentage goes on.
 */
static int read_status(struct vs_fio_console *c, struct vs_fio_status *status, struct vs_error *err)
{
	c->has_status = true;
	if (c->part_has_result && c->last_pct < 100 && status->pct >= c->last_pct) {
		/* --status-interval: what was printed is the sum so far, and the run goes on. */
		vs_fio_summary_interim(c);
	} else if (c->part_has_result) {
		if (vs_fio_summary_end(c, err) != 0)
			return -1;
		c->part++;
		c->part_has_result = false;
		c->im->n_parts = c->part;
	}
	c->last_pct = isnan(status->pct) ? 0 : status->pct;
	c->part_has_body = true;
	if (c->im->totals_only)
		return 0;
	if (!vs_fio_part_wanted(c) || c->im->n_results) {
		vs_import_skip(c->im, vs_import_other_part);
		return 0;
	}
	return take_status(c, status, err);
}

static int read_piece(struct vs_fio_console *c, char *piece, struct vs_error *err)
{
	struct vs_fio_status status;
	const char *line, *next;
	size_t found = 0;
	int rc;

	plain_blanks(piece);
	line = vs_fio_bare_line(piece);
	next = line;
	while ((next = vs_fio_status_next(next, c->im->version_code, &status, &c->damaged))) {
		found++;
		if (read_status(c, &status, err) != 0)
			return -1;
	}
	if (strstr(line, "signal") || !found)
		read_trouble(c, line);
	if (found)
		return 0;
	if (strstr(line, "[eta ") || strstr(line, " IOPS]"))
		vs_import_skip(c->im, "a status line that was overprinted or cut");
	rc = vs_fio_banner_line(c, line, err);
	if (rc == 0 && vs_fio_summary_line(c, line))
		rc = release_held(c, true, err);
	return rc < 0 ? -1 : 0;
}

static int nothing_usable(const struct vs_fio_console *c, struct vs_error *err)
{
	if (c->im->options->part > c->part)
		return 0; /* the import says how many there are */
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

static int finish(struct vs_fio_console *c, struct vs_error *err)
{
	struct vs_import *im = c->im;

	if (release_held(c, true, err) != 0 || vs_fio_summary_end(c, err) != 0)
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

/* A series that has JSON behind it ("--output-format=normal,json") is read as a series. */
static bool has_series(const char *head)
{
	struct vs_fio_status status;
	unsigned int damaged = 0;
	size_t n = 0;

	while (n < VS_FIO_FEW_UPDATES && (head = vs_fio_status_next(head, 0, &status, &damaged)))
		n += status.state == VS_FIO_RUNNING;
	return n == VS_FIO_FEW_UPDATES;
}

bool vs_fio_console_detect(const char *head, size_t len)
{
	unsigned int damaged = 0;
	struct vs_fio_status status;

	(void)len;
	if (strstr(head, "\"fio version\""))
		return has_series(head);
	return strstr(head, "): rw=") || strstr(head, ": (groupid=") ||
	       (strstr(head, "[eta ") && strstr(head, "iops")) ||
	       (strstr(head, "[eta ") && strstr(head, "IOPS]")) ||
	       vs_fio_status_next(head, 0, &status, &damaged) ||
	       (vs_text_starts(head, "fio-") && strstr(head, "\nStarting ")) ||
	       (strstr(head, "fio: pid=") && strstr(head, "got signal="));
}

int vs_fio_console_read(struct vs_import *im, struct vs_error *err)
{
	struct vs_fio_console *c = calloc(1, sizeof(*c));
	size_t len;
	bool cut;
	char *line;
	int rc;

	if (!c)
		return vs_error_nomem(err);
	*c = (struct vs_fio_console){
		.im = im,
		.clock = { .runtime_s = (double)NAN,
			   .total_s = (double)NAN,
			   .interval_s = im->options->interval_ns > 0
						 ? (double)im->options->interval_ns / 1e9
						 : 1 },
		.last_iops = (double)NAN,
		.block_high = 1e12,
		.part = 1,
		.group = -1,
		.group_label = -1
	};
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
