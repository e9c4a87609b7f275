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

/* Sets the least and the largest value of a piece on its own stretch. */
static void measure(struct vs_fpop_piece *p)
{
	double to_lo = p->lo - p->m;
	double to_hi = p->hi - p->m;
	double at_lo = p->a * to_lo * to_lo + p->c;
	double at_hi = p->a * to_hi * to_hi + p->c;

	p->top = at_lo > at_hi ? at_lo : at_hi;
	p->low = to_lo > 0 ? at_lo : to_hi < 0 ? at_hi : p->c;
}

/* A piece that has been measured goes to the next list. */
static void push(struct vs_fpop *fpop, const struct vs_fpop_piece *p)
{
	fpop->spare[fpop->n++] = *p;
	if (p->low < fpop->best) {
		fpop->best = p->low;
		fpop->best_origin = p->origin;
	}
}

struct reading {
	double x, w, lo, hi; /* its band [lo, hi]: outside, it costs cap2 */
};

/* The part [lo, hi] of a piece. */
static void push_part(struct vs_fpop *fpop, struct vs_fpop_piece p, double lo, double hi)
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
static void push_with_loss(struct vs_fpop *fpop, const struct vs_fpop_piece *from,
			   const struct reading *r)
{
	struct vs_fpop_piece p = *from;
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
	struct vs_fpop_piece p = { lo, hi, 0, 0, ceiling, ceiling, ceiling, fpop->readings };

	if (hi > lo)
		push_with_loss(fpop, &p, r);
}

/*
 * min(piece, ceiling) for all pieces: the ceiling is a new segment. What lies under it is kept;
 * the stretches between are joined before they are pushed. *fresh_io is where the one under way
 * began.
 */
static void prune(struct vs_fpop *fpop, const struct vs_fpop_piece *p, double ceiling,
		  const struct reading *r, double *fresh_io)
{
	struct vs_fpop_piece kept;
	double h;

	if (p->low >= ceiling)
		return;
	if (p->top <= ceiling) {
		push_fresh(fpop, *fresh_io, p->lo, ceiling, r);
		push_with_loss(fpop, p, r);
		*fresh_io = p->hi;
		return;
	}
	kept = *p;
	h = sqrt((ceiling - p->c) / p->a);
	if (p->m - h > kept.lo)
		kept.lo = p->m - h;
	if (p->m + h < kept.hi)
		kept.hi = p->m + h;
	if (kept.lo >= kept.hi)
		return;
	push_fresh(fpop, *fresh_io, kept.lo, ceiling, r);
	measure(&kept);
	push_with_loss(fpop, &kept, r);
	*fresh_io = kept.hi;
}

/*
 * Too many pieces: the dearest three quarters give way to a new segment at the next reading, which
 * is what pruning would make of them if they were a little dearer still. The best one stays.
 */
static void thin(struct vs_fpop *fpop)
{
	double values[ROOM];
	double limit;
	double best = fpop->best;
	size_t n = fpop->n;
	bool have_best = false;

	for (size_t i = 0; i < n; i++)
		values[i] = fpop->spare[i].low;
	limit = vs_select(values, n, n / 4);
	fpop->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct vs_fpop_piece p = fpop->spare[i];
		struct vs_fpop_piece *last = fpop->n ? &fpop->spare[fpop->n - 1] : NULL;

		if (!have_best && p.low <= best) {
			have_best = true;
		} else if (p.low >= limit) {
			p.a = 0;
			p.m = 0;
			p.c = best + fpop->beta;
			p.low = p.c;
			p.top = p.c;
			p.origin = fpop->readings + 1;
			if (last && last->origin == p.origin) {
				last->hi = p.hi;
				continue;
			}
		}
		push(fpop, &p);
	}
}

static void lower(struct vs_fpop_piece *p, double by)
{
	p->c -= by;
	p->low -= by;
	p->top -= by;
}

int64_t vs_fpop_put(struct vs_fpop *fpop, double x, double w)
{
	double radius = sqrt(fpop->cap2 / w);
	struct reading r = { x, w, x - radius, x + radius };
	double ceiling = fpop->best + fpop->beta;
	double fresh = fpop->lo; /* from here on a new segment is cheapest */
	size_t before = fpop->n;
	struct vs_fpop_piece *lists = fpop->pieces;

	fpop->n = 0;
	fpop->best = (double)INFINITY;
	if (before == 0)
		ceiling = 0;
	for (size_t i = 0; i < before; i++)
		prune(fpop, &lists[i], ceiling, &r, &fresh);
	push_fresh(fpop, fresh, fpop->hi, ceiling, &r);
	while (fpop->n > VS_FPOP_PIECES)
		thin(fpop);
	fpop->pieces = fpop->spare;
	fpop->spare = lists;
	fpop->readings++;
	if (fpop->n > fpop->most)
		fpop->most = fpop->n;
	if (fpop->best < -1e6) {
		for (size_t i = 0; i < fpop->n; i++)
			lower(&fpop->pieces[i], fpop->best);
		fpop->dropped += fpop->best;
		fpop->best = 0;
	}
	return fpop->best_origin;
}

double vs_fpop_cost(const struct vs_fpop *fpop)
{
	return fpop->best + fpop->dropped + (double)fpop->readings * fpop->cap2;
}
