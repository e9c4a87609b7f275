/*
 * Robust functional pruning: the exact best segmentation of a series under a capped quadratic loss,
 *
 *	min over segmentations of  sum_t min(w_t (x_t - level)^2, cap2)  +  beta (segments - 1),
 *
 * one reading at a time. After each reading the start of the last segment of the best segmentation
 * so far is known, so the same recursion serves a whole recording and a running one.
 */
#ifndef VS_ANALYSIS_FPOP_H
#define VS_ANALYSIS_FPOP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Pieces kept after a reading. Real series need about a hundred at 10^6 readings; only a series
 * that visits thousands of distinct levels in turn needs more, and then the dearest half is given
 * up: the result stays a valid segmentation but need not be the cheapest.
 */
#define VS_FPOP_PIECES 512

/* Pruning at most splits each piece in three, the new reading's band adds two cuts. */
#define VS_FPOP_ROOM (3 * VS_FPOP_PIECES + 8)

/*
 * Best cost of the past as a function of the last level: piece i is a (level - m)^2 + c on
 * [lo, hi]. An array a member, because most readings change most pieces in the same way.
 */
struct vs_fpop_pieces {
	double lo[VS_FPOP_ROOM], hi[VS_FPOP_ROOM];
	double a[VS_FPOP_ROOM], m[VS_FPOP_ROOM], c[VS_FPOP_ROOM];
	double low[VS_FPOP_ROOM], top[VS_FPOP_ROOM]; /* least and largest value on [lo, hi] */
	int64_t origin[VS_FPOP_ROOM];                /* first reading of the last segment */
};

struct vs_fpop {
	double beta, cap2;
	double best;    /* of the past, less cap2 a reading, less `dropped` */
	double dropped; /* taken off all pieces to keep the numbers small */
	int64_t best_origin;
	int64_t readings;
	double lo, hi; /* levels lie within */
	size_t n;
	size_t most; /* the highest n there was */
	struct vs_fpop_pieces *pieces, *spare;
};

/* lo < hi; every x must lie within. beta, cap2 > 0. */
int vs_fpop_init(struct vs_fpop *fpop, double lo, double hi, double beta, double cap2,
		 struct vs_error *err) VS_MUST_CHECK;
void vs_fpop_release(struct vs_fpop *fpop);
/* One reading, w > 0. Returns the first reading of the last segment. */
int64_t vs_fpop_put(struct vs_fpop *fpop, double x, double w);
/* Cost of the best segmentation so far. */
double vs_fpop_cost(const struct vs_fpop *fpop);

#endif
