#include "probes/import_fio_status.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "probes/import_text.h"

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " ");
}

/* "[r(3),_(1)]", or up to 2.1.10 "[rrr_]": counts the jobs in each kind of state. */
static const char *read_states(const char *p, struct vs_fio_status *out)
{
	uint64_t jobs, ramp = 0, running = 0, ending = 0;

	if (*p++ != '[' || *p == ']')
		return NULL;
	while (*p != ']') {
		char state = *p++;
		jobs = 1;
		if (*p == '(') {
			p++;
			if (!vs_text_u64(&p, &jobs) || *p++ != ')' || jobs > 1000000)
				return NULL;
		}
		if (*p == ',')
			p++;
		if (!state || !strchr("PCIp/RrWwMmDdVFfE_XK", state))
			return NULL;
		if (strchr("RrWwMmDdV", state))
			running += jobs;
		else if (state == '/')
			ramp += jobs;
		else if (!strchr("PCIp", state))
			ending += jobs;
	}
	out->running = (int)running;
	if (ramp)
		out->state = VS_FIO_RAMP;
	else if (running)
		out->state = VS_FIO_RUNNING;
	else
		out->state = ending ? VS_FIO_ENDING : VS_FIO_SETUP;
	return p + 1;
}

/* "[2.5%]", " [2.5% done]", "[-.-%]" */
static const char *read_percent(const char *p, struct vs_fio_status *out)
{
	p = skip_blanks(p);
	if (*p++ != '[')
		return NULL;
	out->pct = (double)NAN;
	if (vs_text_starts(p, "-.-"))
		p += 3;
	else if (!vs_text_number(&p, false, &out->pct) || out->pct > 100)
		return NULL;
	if (*p++ != '%')
		return NULL;
	if (vs_text_starts(p, " done"))
		p += 5;
	return *p == ']' ? p + 1 : NULL;
}

/* "--", "01m:58s", "1d:02h:03m:04s"; what is cut off or beyond a year is not known. */
static const char *read_eta(const char *p, double *eta_out)
{
	double total = 0;
	uint64_t value;

	*eta_out = (double)NAN;
	if (vs_text_starts(p, "--]"))
		return p + 3;
	while (vs_text_u64(&p, &value)) {
		switch (*p) {
		case 'd':
			total += (double)value * 86400;
			break;
		case 'h':
			total += (double)value * 3600;
			break;
		case 'm':
			total += (double)value * 60;
			break;
		case 's':
			total += (double)value;
			if (p[1] == ']' && total < 366 * 86400.0)
				*eta_out = total;
			break;
		default:
			return p;
		}
		p++;
		if (*p == ':' || *p == ']')
			p++;
	}
	return p;
}

/*
 * One number with its suffix. base: what the prefixes count (1024 or 1000). In span stands what
 * prints like it: half a unit of the last digit, and the wrong prints of lib/num2str.c: up to 2.19
 * the fraction lost its leading zeros, from 2.20 to 3.25 a fraction that rounded up lost its carry.
 */
static bool read_number(const char **text, double base, int version, struct vs_fio_number *out)
{
	static const char prefixes[] = "kmgtpe";
	const char *start = *text, *dot = NULL, *p = start, *s;
	double value, unit = 1, scale = 1;

	if (!vs_text_number(&p, false, &value))
		return false;
	for (const char *q = start; q < p; q++)
		if (*q == '.')
			dot = q;
	if (dot)
		unit = pow(10, -(double)(p - dot - 1));
	if (*p && (s = strchr(prefixes, *p | 0x20)) != NULL && *p != ' ') {
		if (p[1] == 'i')
			base = 1024;
		scale = pow(base, (double)(s - prefixes + 1));
		p += 1 + (p[1] == 'i');
	}
	*text = p;
	out->value = value * scale;
	out->odd = false;
	if (scale <= 1 && !dot) {
		out->low = out->value;
		out->high = out->value + 1;
		return true;
	}
	out->low = (value - unit / 2) * scale;
	out->high = (value + unit / 2) * scale;
	if (dot && version && version < 2020) {
		out->low = floor(value) * scale;
		out->high = (floor(value) + 1) * scale;
		out->odd = true;
	} else if (dot && version < 3026 && fabs(value - round(value)) < unit / 4) {
		out->high = (value + 1) * scale;
		out->odd = true;
	}
	return true;
}

static void add(struct vs_fio_number *sum, const struct vs_fio_number *part)
{
	sum->value += part->value;
	sum->low += part->low;
	sum->high += part->high;
	/* An exact zero is no reading that could blur the sum. */
	if (part->value <= 0) {
		sum->high -= part->high;
		sum->low -= part->low;
	}
	sum->odd = sum->odd || part->odd;
}

/* The list in "[r=97.7MiB/s,w=0KiB/s]" or "[r=25.0k,w=0 IOPS]", from behind the bracket. */
static const char *read_list(const char *p, int version, struct vs_fio_number *sum, double dir[2])
{
	struct vs_fio_number number;
	char name;

	while (strchr("rwt", *p) && *p && p[1] == '=') {
		name = *p;
		p += 2;
		if (!read_number(&p, 1000, version, &number))
			return NULL;
		if (vs_text_starts(p, "B/s"))
			p += 3;
		else if (vs_text_starts(p, "bit/s")) {
			p += 5;
			number.value /= 8;
			number.low /= 8;
			number.high /= 8;
		}
		if (name != 't')
			dir[name == 'w'] = number.value;
		add(sum, &number);
		if (*p == ']' && vs_text_starts(p + 1, ",t=")) /* 3.9 to 3.23 closed too early */
			p++;
		if (*p == ',')
			p++;
	}
	return p;
}

static const char *read_new_rates(const char *p, int version, struct vs_fio_status *out)
{
	double dir[2] = { 0, 0 };

	p = read_list(p + 1, version, &out->bytes_per_s, dir);
	if (!p || *p != ']' || p[1] != '[')
		return NULL;
	dir[0] = dir[1] = 0;
	p = read_list(p + 2, version, &out->iops, dir);
	if (!p || !vs_text_starts(p, " IOPS]"))
		return NULL;
	out->read_iops = dir[0];
	out->write_iops = dir[1];
	return p + 6;
}

/* "[11640K/0K /s] [2910 /0  iops]": one to three numbers with slashes, up to 2.16. */
static const char *read_slashes(const char *p, double base, int version, struct vs_fio_number *sum,
				double dir[2], const char *unit)
{
	struct vs_fio_number number;

	for (size_t i = 0;; i++) {
		p = skip_blanks(p);
		if (!read_number(&p, base, version ? version : 2000, &number))
			return NULL;
		if (i < 2)
			dir[i] = number.value;
		add(sum, &number);
		if (vs_text_starts(p, "bit"))
			p += 3;
		else
			p += *p == 'B';
		p = skip_blanks(p);
		if (vs_text_starts(p, unit))
			return p + strlen(unit);
		if (i == 2 || *p++ != '/')
			return NULL;
	}
}

static const char *read_old_rates(const char *p, int version, struct vs_fio_status *out)
{
	double dir[2] = { 0, 0 };

	p = read_slashes(p + 1, 1024, version, &out->bytes_per_s, dir, "/s]");
	if (!p)
		return NULL;
	p = skip_blanks(p);
	if (*p != '[')
		return NULL;
	p = read_slashes(p + 1, 1000, version, &out->iops, dir, "iops]");
	out->read_iops = dir[0];
	out->write_iops = dir[1];
	return p;
}

const char *vs_fio_status_next(const char *text, int version_code, struct vs_fio_status *out,
			       unsigned int *damaged)
{
	const char *p, *rates;

	for (text = strchr(text, '['); text; text = strchr(text + 1, '[')) {
		*out = (struct vs_fio_status){ .eta_s = (double)NAN };
		p = read_states(text, out);
		p = p ? read_percent(p, out) : NULL;
		if (!p)
			continue;
		rates = skip_blanks(p);
		if (rates[0] == '[' && rates[1] && strchr("rwt", rates[1]) && rates[2] == '=')
			p = read_new_rates(rates, version_code, out);
		else if (rates[0] == '[' && rates[1] >= '0' && rates[1] <= '9')
			p = read_old_rates(rates, version_code, out);
		else if (!vs_text_starts(rates, "[eta"))
			p = NULL;
		if (!p) {
			++*damaged;
			continue;
		}
		p = skip_blanks(p);
		if (vs_text_starts(p, "[eta "))
			p = read_eta(p + 5, &out->eta_s);
		return p;
	}
	return NULL;
}

void vs_fio_status_refine(struct vs_fio_status *status, double block_bytes)
{
	const struct vs_fio_number *rate = &status->bytes_per_s;
	struct vs_fio_number *iops = &status->iops;
	double low, high;

	if (!(block_bytes > 0) || !(rate->value > 0) || iops->high - iops->low <= 2)
		return;
	low = fmax(iops->low, rate->low / block_bytes);
	high = fmin(iops->high, rate->high / block_bytes);
	/* No value fits both: the block size is not what the banner says. Then the digits stand. */
	if (low > high)
		return;
	iops->low = low;
	iops->high = high;
	iops->value = (low + high) / 2;
	iops->odd = false;
}
