/* What stands before fio's status lines: the command, the version, the job's line, "Starting". */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probes/import_fio_console.h"
#include "probes/import_text.h"

/* Behind a word of digits and separators ("01:27:51", "2023-08-29T01:27:51.5Z"), or NULL. */
static const char *after_time(const char *p)
{
	size_t len = strspn(p, "0123456789:.,TZ+-/"), marks = 0;

	for (size_t i = 0; i < len; i++)
		marks += p[i] == ':' ? 2 : p[i] == '-' || p[i] == '/';
	if (len < 5 || *p < '0' || *p > '9' || marks < 2 || p[len] != ' ')
		return NULL;
	return p + len + strspn(p + len, " ");
}

/* "Aug 29 01:27:51 host fio[12]: " */
static const char *after_syslog(const char *p)
{
	static const char months[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ";
	char month[5] = "";
	const char *found;
	uint64_t day;

	if (strlen(p) < 16 || p[3] != ' ')
		return NULL;
	memcpy(month, p, 4);
	found = strstr(months, month);
	p += 4 + strspn(p + 4, " ");
	if (!found || !vs_text_u64(&p, &day) || *p++ != ' ')
		return NULL;
	p = after_time(p);
	if (!p)
		return NULL;
	p += strcspn(p, " ");
	p += strspn(p, " ");
	found = strstr(p, ": ");
	return found ? found + 2 : p;
}

/* "[ 12.345678] ", "[2023-08-29 01:27:51] " */
static const char *after_bracket(const char *p)
{
	size_t len;

	if (*p != '[')
		return NULL;
	len = 1 + strspn(p + 1, "0123456789:.,TZ+-/ ");
	return len > 4 && p[len] == ']' && p[len + 1] == ' ' ? p + len + 2 : NULL;
}

/* "<host> " of a client, "fio-1  | " of a container */
static const char *after_name(const char *p)
{
	size_t len = 0;

	if (*p == '<') {
		len = strcspn(p, " >");
		return p[len] == '>' && p[len + 1] == ' ' ? p + len + 2 : NULL;
	}
	while (isalnum((unsigned char)p[len]) || (p[len] && strchr("_.-", p[len])))
		len++;
	if (len == 0 || p[len] != ' ')
		return NULL;
	p += len + strspn(p + len, " ");
	return p[0] == '|' && p[1] == ' ' ? p + 2 : NULL;
}

const char *vs_fio_bare_line(const char *line)
{
	for (size_t i = 0; i < 4; i++) {
		const char *next = NULL;
		if (*line == '>' && (line[1] == ' ' || line[1] == '>'))
			next = line + 1 + (line[1] == ' ');
		if (!next)
			next = after_bracket(line);
		if (!next)
			next = after_time(line);
		if (!next)
			next = after_syslog(line);
		if (!next)
			next = after_name(line);
		if (!next)
			break;
		line = next;
		/* Behind a container's time: the stream, and F for a whole line. */
		if (vs_text_starts(line, "std") && strlen(line) > 9 &&
		    vs_text_starts(line + 6, " F "))
			line += 9;
	}
	return line;
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

/* "name: (g=0): rw=randread, bs=(R) 4096B-4096B, ..., ioengine=libaio, iodepth=32" */
static int job_line(struct vs_fio_console *c, const char *line, struct vs_error *err)
{
	struct vs_workload *workload = &c->im->head->workload;
	const char *p;
	char text[48];
	uint64_t number;

	if (value_of(line, "rw=", text, sizeof(text)) && !workload->rw &&
	    vs_run_set_text(&workload->rw, text, err) != 0)
		return -1;
	p = vs_text_after(line, " bs=");
	if (p) {
		double block = block_of(p);
		bool same = workload->block_bytes < 0 ||
			    fabs((double)workload->block_bytes - block) < 1;
		c->block_told = true;
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

static void command_times(struct vs_fio_console *c, const char *line)
{
	const char *p;
	char text[48];
	double number;

	p = text;
	if (option_of(line, "runtime", text, sizeof(text)) && vs_text_number(&p, false, &number))
		c->clock.runtime_s = number * (*p == 'm' ? 60 : *p == 'h' ? 3600 : 1);
	p = text;
	if (option_of(line, "eta-interval", text, sizeof(text)) &&
	    vs_text_number(&p, false, &number) && number > 0)
		c->clock.interval_s = vs_text_starts(p, "ms") ? number / 1000 : number;
}

/* A shell line that started it: what it asked for, where the job's line does not say. */
static int command_line(struct vs_fio_console *c, const char *line, struct vs_error *err)
{
	struct vs_workload *workload = &c->im->head->workload;
	const char *p;
	double number;
	char text[200];

	command_times(c, line);
	p = text;
	if (workload->block_bytes < 0 &&
	    (option_of(line, "bs", text, sizeof(text)) ||
	     option_of(line, "blocksize", text, sizeof(text))) &&
	    vs_text_size(&p, &number) && *p == '\0' && number > 0) {
		c->block_told = true;
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

static bool is_starting(const char *line, int64_t *jobs_out)
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
	*jobs_out = (int64_t)jobs;
	return true;
}

/* "fio-3.19", "fio 2.0.9": where the version begins, or NULL. */
static const char *version_in(const char *line)
{
	const char *p = vs_text_after(line, "fio-");

	if (!p)
		p = vs_text_after(line, "fio ");
	return p && isdigit((unsigned char)*p) && p - line < 12 ? p : NULL;
}

bool vs_fio_part_wanted(const struct vs_fio_console *c)
{
	uint64_t wanted = c->im->options->part;

	/* Where nothing was asked, results alone are taken of every part, a series only of the
	 * first. */
	return wanted ? c->part == wanted : c->part == 1 || !c->flowing;
}

/* A line that stands before a run: the next part when this one has shown anything. */
static int begin_part(struct vs_fio_console *c, struct vs_error *err)
{
	c->in_summary = false;
	if (!c->part_has_body)
		return 0;
	if (vs_fio_summary_end(c, err) != 0)
		return -1;
	c->part++;
	c->part_has_body = c->part_has_result = false;
	c->im->n_parts = c->part;
	return 0;
}

int vs_fio_banner_line(struct vs_fio_console *c, const char *line, struct vs_error *err)
{
	const char *version = version_in(line);
	bool job = strstr(line, "): rw=") || strstr(line, ") rw=");
	bool command = !version && strstr(line, "fio ") && strstr(line, " -");
	int64_t jobs = 0;

	if (!version && !job && !command && !is_starting(line, &jobs))
		return 0;
	if (begin_part(c, err) != 0)
		return -1;
	if (!vs_fio_part_wanted(c))
		return 1;
	if (version)
		vs_import_set_version(c->im, version);
	else if (job)
		return job_line(c, line, err) == 0 ? 1 : -1;
	else if (command)
		return command_line(c, line, err) == 0 ? 1 : -1;
	else
		c->im->head->workload.numjobs = jobs;
	return 1;
}
