#include "analysis/fpop.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/median.h"

/* One piece by itself. */
struct piece {
	double lo, hi, a, m, c;
	double low, top;
	int64_t origin;
};

int vs_fpop_init(struct vs_fpop *fpop, double lo, double hi, double beta, double cap2,
		 struct vs_error *err)
{
	*fpop = (struct vs_fpop){ .beta = beta, .cap2 = cap2, .lo = lo, .hi = hi };
	fpop->pieces = malloc(sizeof(*fpop->pieces));
	fpop->spare = malloc(sizeof(*fpop->spare));
	if (fpop->pieces && fpop->spare)
		return 0;
	vs_fpop_release(fpop);
	return vs_error_nomem(err);
}

void vs_fpop_release(struct vs_fpop *fpop)
{
	free(fpop->pieces);
	free(fpop->spare);
	fpop->pieces = NULL;
	fpop->spare = NULL;
}

/* Sets the least and the largest value of a piece on its own stretch. */
static void measure(struct piece *p)
{
	double to_lo = p->lo - p->m;
	double to_hi = p->hi - p->m;
	double at_lo = p->a * to_lo * to_lo + p->c;
	double at_hi = p->a * to_hi * to_hi + p->c;

	p->top = at_lo > at_hi ? at_lo : at_hi;
	p->low = to_lo > 0 ? at_lo : to_hi < 0 ? at_hi : p->c;
}

static struct piece piece_at(const struct vs_fpop_pieces *from, size_t i)
{
	return (struct piece){ from->lo[i], from->hi[i],  from->a[i],   from->m[i],
			       from->c[i],  from->low[i], from->top[i], from->origin[i] };
}

/* A piece that has been measured goes to the next list. */
static void push(struct vs_fpop *fpop, const struct piece *p)
{
	struct vs_fpop_pieces *to = fpop->spare;
	size_t i = fpop->n++;

	to->lo[i] = p->lo;
	to->hi[i] = p->hi;
	to->a[i] = p->a;
	to->m[i] = p->m;
	to->c[i] = p->c;
	to->low[i] = p->low;
	to->top[i] = p->top;
	to->origin[i] = p->origin;
	if (p->low < fpop->best) {
		fpop->best = p->low;
		fpop->best_origin = p->origin;
	}
}

struct reading {
	double x, w, lo, hi; /* its band [lo, hi]: outside, it costs cap2 */
};

/* The part [lo, hi] of a piece. */
static void push_part(struct vs_fpop *fpop, struct piece p, double lo, double hi)
{
	p.lo = lo;
	p.hi = hi;
	measure(&p);
	push(fpop, &p);
}

/*
 * The new reading costs cap2 everywhere, less what it saves in its band. Leaving the common cap2
 * out, only pieces within the band change. Vertex form with a running mean, since the expanded
 * quadratic loses its digits when w is 10^5 and there are 10^6 readings.
 */
static void push_with_loss(struct vs_fpop *fpop, const struct piece *from, const struct reading *r)
{
	struct piece p = *from;
	double a, dm;

	if (p.hi <= r->lo || p.lo >= r->hi) {
		push(fpop, &p);
		return;
	}
	if (p.lo < r->lo) {
		push_part(fpop, p, p.lo, r->lo);
		p.lo = r->lo;
	}
	if (p.hi > r->hi)
		p.hi = r->hi;
	if (p.a <= 0) {
		p.a = r->w;
		p.m = r->x;
		p.c -= fpop->cap2;
	} else {
		a = p.a + r->w;
		dm = r->x - p.m;
		p.c += p.a * r->w / a * dm * dm - fpop->cap2;
		p.m += r->w * dm / a;
		p.a = a;
	}
	measure(&p);
	push(fpop, &p);
	if (from->hi > p.hi)
		push_part(fpop, *from, p.hi, from->hi);
}

/* A new segment that begins with this reading, where nothing before it is cheaper; one piece. */
static void push_fresh(struct vs_fpop *fpop, double lo, double hi, double ceiling,
		       const struct reading *r)
{
	struct piece p = { lo, hi, 0, 0, ceiling, ceiling, ceiling, fpop->readings };

	if (hi > lo)
		push_with_loss(fpop, &p, r);
}

/*
 * min(piece, ceiling) for all pieces: the ceiling is a new segment. What lies under it is kept;
 * the stretches between are joined before they are pushed. *fresh_io is where the one under way
 * began.
 */
static void prune(struct vs_fpop *fpop, struct piece p, double ceiling, const struct reading *r,
		  double *fresh_io)
{
	double h;

	if (p.low >= ceiling)
		return;
	if (p.top > ceiling) {
		h = sqrt((ceiling - p.c) / p.a);
		if (p.m - h > p.lo)
			p.lo = p.m - h;
		if (p.m + h < p.hi)
			p.hi = p.m + h;
		if (p.lo >= p.hi)
			return;
		measure(&p);
	}
	push_fresh(fpop, *fresh_io, p.lo, ceiling, r);
	push_with_loss(fpop, &p, r);
	*fresh_io = p.hi;
}

/*
 * Too many pieces: the dearest three quarters give way to a new segment at the next reading, which
 * is what pruning would make of them if they were a little dearer still. The best one stays.
 */
static void thin(struct vs_fpop *fpop)
{
	struct vs_fpop_pieces *list = fpop->spare;
	double values[VS_FPOP_ROOM];
	double limit;
	double best = fpop->best;
	size_t n = fpop->n;
	bool have_best = false;

	memcpy(values, list->low, n * sizeof(values[0]));
	limit = vs_select(values, n, n / 4);
	fpop->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct piece p = piece_at(list, i);

		if (!have_best && p.low <= best) {
			have_best = true;
		} else if (p.low >= limit) {
			p.a = 0;
			p.m = 0;
			p.c = best + fpop->beta;
			p.low = p.c;
			p.top = p.c;
			p.origin = fpop->readings + 1;
			if (fpop->n && list->origin[fpop->n - 1] == p.origin) {
				list->hi[fpop->n - 1] = p.hi;
				continue;
			}
		}
		push(fpop, &p);
	}
}

/* How many pieces from the i-th on stay whole, and lie within the band. */
static size_t common(const struct vs_fpop_pieces *p, size_t i, size_t n, double ceiling,
		     const struct reading *r)
{
	size_t end = i;

	if (p->lo[i] < r->lo)
		return 0;
	while (end < n && p->top[end] <= ceiling && p->low[end] < ceiling && p->hi[end] <= r->hi &&
	       p->a[end] > 0)
		end++;
	return end - i;
}

/* The same as push_with_loss() for n pieces of which common() is true. */
static void push_common(struct vs_fpop *fpop, size_t i, size_t n, const struct reading *r)
{
	const struct vs_fpop_pieces *restrict from = fpop->pieces;
	struct vs_fpop_pieces *restrict to = fpop->spare;
	size_t at = fpop->n;

	memcpy(to->lo + at, from->lo + i, n * sizeof(to->lo[0]));
	memcpy(to->hi + at, from->hi + i, n * sizeof(to->hi[0]));
	memcpy(to->origin + at, from->origin + i, n * sizeof(to->origin[0]));
	for (size_t k = 0; k < n; k++) {
		double a = from->a[i + k] + r->w;
		double dm = r->x - from->m[i + k];
		double c = from->c[i + k] + (from->a[i + k] * r->w / a * dm * dm - fpop->cap2);
		double m = from->m[i + k] + r->w * dm / a;
		double to_lo = from->lo[i + k] - m;
		double to_hi = from->hi[i + k] - m;
		double at_lo = a * to_lo * to_lo + c;
		double at_hi = a * to_hi * to_hi + c;
		double low = to_hi < 0 ? at_hi : c;

		to->a[at + k] = a;
		to->m[at + k] = m;
		to->c[at + k] = c;
		to->top[at + k] = at_lo > at_hi ? at_lo : at_hi;
		to->low[at + k] = to_lo > 0 ? at_lo : low;
	}
	for (size_t k = at; k < at + n; k++) {
		if (to->low[k] < fpop->best) {
			fpop->best = to->low[k];
			fpop->best_origin = to->origin[k];
		}
	}
	fpop->n += n;
}

/* Keeps the numbers small. */
static void lower(struct vs_fpop *fpop, double by)
{
	for (size_t i = 0; i < fpop->n; i++) {
		fpop->pieces->c[i] -= by;
		fpop->pieces->low[i] -= by;
		fpop->pieces->top[i] -= by;
	}
	fpop->dropped += by;
	fpop->best -= by;
}

int64_t vs_fpop_put(struct vs_fpop *fpop, double x, double w)
{
	double radius = sqrt(fpop->cap2 / w);
	struct reading r = { x, w, x - radius, x + radius };
	double ceiling = fpop->best + fpop->beta;
	double fresh = fpop->lo; /* from here on a new segment is cheapest */
	size_t before = fpop->n;
	struct vs_fpop_pieces *past = fpop->pieces;

	fpop->n = 0;
	fpop->best = (double)INFINITY;
	if (before == 0)
		ceiling = 0;
	for (size_t i = 0, n; i < before; i += n) {
		n = common(past, i, before, ceiling, &r);
		if (n == 0) {
			prune(fpop, piece_at(past, i), ceiling, &r, &fresh);
			n = 1;
			continue;
		}
		push_fresh(fpop, fresh, past->lo[i], ceiling, &r);
		push_common(fpop, i, n, &r);
		fresh = past->hi[i + n - 1];
	}
	push_fresh(fpop, fresh, fpop->hi, ceiling, &r);
	while (fpop->n > VS_FPOP_PIECES)
		thin(fpop);
	fpop->pieces = fpop->spare;
	fpop->spare = past;
	fpop->readings++;
	if (fpop->n > fpop->most)
		fpop->most = fpop->n;
	if (fpop->best < -1e6)
		lower(fpop, fpop->best);
	return fpop->best_origin;
}

double vs_fpop_cost(const struct vs_fpop *fpop)
{
	return fpop->best + fpop->dropped + (double)fpop->readings * fpop->cap2;
}
