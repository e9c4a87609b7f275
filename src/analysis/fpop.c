#include "analysis/fpop.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/median.h"

/* Pruning at most splits each piece in three, the new reading's band adds two cuts. */
#define ROOM (3 * VS_FPOP_PIECES + 8)

int vs_fpop_init(struct vs_fpop *fpop, double lo, double hi, double beta, double cap2,
		 struct vs_error *err)
{
	*fpop = (struct vs_fpop){ .beta = beta, .cap2 = cap2, .lo = lo, .hi = hi };
	fpop->pieces = malloc(ROOM * sizeof(*fpop->pieces));
	fpop->spare = malloc(ROOM * sizeof(*fpop->spare));
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

static bool same(double a, double b)
{
	return !(a < b) && !(a > b);
}

/* The lowest value of a piece on its own stretch, and where. */
static double piece_min(const struct vs_fpop_piece *p, double *at_out)
{
	double at = p->m;

	if (p->a <= 0) {
		*at_out = 0.5 * (p->lo + p->hi);
		return p->c;
	}
	if (at < p->lo)
		at = p->lo;
	else if (at > p->hi)
		at = p->hi;
	*at_out = at;
	return p->a * (at - p->m) * (at - p->m) + p->c;
}

/* Appends to the next list, joining what has become one function again. */
static void push(struct vs_fpop *fpop, const struct vs_fpop_piece *p)
{
	struct vs_fpop_piece *last = fpop->n ? &fpop->spare[fpop->n - 1] : NULL;
	double at;
	double value;

	if (!(p->hi > p->lo))
		return;
	if (last && last->origin == p->origin && same(last->c, p->c) && same(last->a, p->a) &&
	    same(last->m, p->m))
		last->hi = p->hi;
	else
		fpop->spare[fpop->n++] = *p;
	value = piece_min(&fpop->spare[fpop->n - 1], &at);
	if (value < fpop->best) {
		fpop->best = value;
		fpop->best_origin = p->origin;
		fpop->best_level = at;
	}
}

struct reading {
	double x, w, lo, hi; /* its band [lo, hi]: outside, it costs cap2 */
};

/*
 * The new reading costs cap2 everywhere, less what it saves in its band. Leaving the common cap2
 * out, only pieces within the band change. Vertex form with a running mean, since the expanded
 * quadratic loses its digits when w is 10^5 and there are 10^6 readings.
 */
static void push_with_loss(struct vs_fpop *fpop, struct vs_fpop_piece p, const struct reading *r)
{
	struct vs_fpop_piece part = p;
	double a;
	double dm;

	if (p.hi <= r->lo || p.lo >= r->hi) {
		push(fpop, &p);
		return;
	}
	if (p.lo < r->lo) {
		part.hi = r->lo;
		push(fpop, &part);
		p.lo = r->lo;
	}
	part = p;
	if (p.hi > r->hi) {
		part.lo = r->hi;
		p.hi = r->hi;
	}
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
	push(fpop, &p);
	if (part.hi > p.hi)
		push(fpop, &part);
}

/* min(piece, ceiling), where the ceiling is a new segment that begins with this reading. */
static void push_pruned(struct vs_fpop *fpop, const struct vs_fpop_piece *p, double ceiling,
			const struct reading *r)
{
	struct vs_fpop_piece fresh = { p->lo, p->hi, 0, 0, ceiling, fpop->readings };
	struct vs_fpop_piece kept = *p;
	double room = ceiling - p->c;
	double to_lo = p->m - p->lo;
	double to_hi = p->hi - p->m;
	double h;

	if (room <= 0) {
		push_with_loss(fpop, fresh, r);
		return;
	}
	if (p->a <= 0 || (p->a * to_lo * to_lo <= room && p->a * to_hi * to_hi <= room)) {
		push_with_loss(fpop, kept, r);
		return;
	}
	h = sqrt(room / p->a);
	if (p->m - h > kept.lo)
		kept.lo = p->m - h;
	if (p->m + h < kept.hi)
		kept.hi = p->m + h;
	if (kept.lo >= kept.hi) {
		push_with_loss(fpop, fresh, r);
		return;
	}
	fresh.hi = kept.lo;
	if (fresh.hi > fresh.lo)
		push_with_loss(fpop, fresh, r);
	push_with_loss(fpop, kept, r);
	fresh.lo = kept.hi;
	fresh.hi = p->hi;
	if (fresh.hi > fresh.lo)
		push_with_loss(fpop, fresh, r);
}

/*
 * Too many pieces: the dearest three quarters give way to a new segment at the next reading, which
 * is what pruning would make of them if they were a little dearer still. The best one stays.
 */
static void thin(struct vs_fpop *fpop)
{
	double values[ROOM];
	double at;
	double limit;
	double best = fpop->best;
	size_t n = fpop->n;
	bool have_best = false;

	for (size_t i = 0; i < n; i++)
		values[i] = piece_min(&fpop->spare[i], &at);
	limit = vs_select(values, n, n / 4);
	fpop->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct vs_fpop_piece p = fpop->spare[i];
		double value = piece_min(&p, &at);

		if (!have_best && same(value, best)) {
			have_best = true;
		} else if (value >= limit) {
			p.a = 0;
			p.m = 0;
			p.c = best + fpop->beta;
			p.origin = fpop->readings + 1;
		}
		push(fpop, &p);
	}
}

int64_t vs_fpop_put(struct vs_fpop *fpop, double x, double w)
{
	double radius = sqrt(fpop->cap2 / w);
	struct reading r = { x, w, x - radius, x + radius };
	double ceiling = fpop->best + fpop->beta;
	size_t before = fpop->n;
	struct vs_fpop_piece *lists = fpop->pieces;

	fpop->n = 0;
	fpop->best = (double)INFINITY;
	if (before == 0)
		push_with_loss(fpop, (struct vs_fpop_piece){ fpop->lo, fpop->hi, 0, 0, 0, 0 }, &r);
	for (size_t i = 0; i < before; i++)
		push_pruned(fpop, &lists[i], ceiling, &r);
	while (fpop->n > VS_FPOP_PIECES)
		thin(fpop);
	fpop->pieces = fpop->spare;
	fpop->spare = lists;
	fpop->readings++;
	if (fpop->n > fpop->most)
		fpop->most = fpop->n;
	if (fpop->best < -1e6) {
		for (size_t i = 0; i < fpop->n; i++)
			fpop->pieces[i].c -= fpop->best;
		fpop->dropped += fpop->best;
		fpop->best = 0;
	}
	return fpop->best_origin;
}

double vs_fpop_cost(const struct vs_fpop *fpop)
{
	return fpop->best + fpop->dropped + (double)fpop->readings * fpop->cap2;
}
