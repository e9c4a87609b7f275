#include <math.h>
#include <stdlib.h>

#include "analysis/stages.h"

/* One boundary in the queue: between segment `left` and the one alive behind it. */
struct boundary {
	double strength; /* difference of the levels / threshold: below 1 they are one */
	size_t left;
	unsigned int stamp; /* stale unless equal to the segment's */
};

struct merger {
	struct vs_work *work;
	size_t *next, *prev; /* of the segments alive; n_seg: none */
	unsigned int *stamp;
	size_t *added; /* readings taken in since the last summary */
	struct boundary *heap;
	size_t n;
};

double vs_merge_threshold(const struct vs_work *work, const struct vs_segment *a,
			  const struct vs_segment *b, const char **why_out)
{
	const struct vs_detect_params *par = work->par;
	double sa = a->sd;
	double sb = b->sd;
	double larger;
	double best;
	const char *why = "standard errors";

	/* A segment of a few readings may be quiet by chance. */
	if (a->inliers < 8 && sb > sa)
		sa = sb;
	if (b->inliers < 8 && sa > sb)
		sb = sa;
	best = par->merge_z * sqrt((sa * sa / (double)(a->inliers ? a->inliers : 1) +
				    sb * sb / (double)(b->inliers ? b->inliers : 1)) *
				   work->infl);
	if (!par->linear && par->merge_rel > best) {
		best = par->merge_rel;
		why = "smallest step";
	}
	larger = sa > sb ? sa : sb;
	if (larger > work->floor * 1.01 && par->merge_sd * larger > best) {
		best = par->merge_sd * larger;
		why = "noise";
	}
	/* A rounded value may be off by its error in every reading alike. */
	if (a->err + b->err > best) {
		best = a->err + b->err;
		why = "resolution";
	}
	if (why_out)
		*why_out = why;
	return best;
}

static bool before(const struct boundary *a, const struct boundary *b)
{
	if (a->strength < b->strength || a->strength > b->strength)
		return a->strength < b->strength;
	return a->left < b->left;
}

static void heap_push(struct merger *m, struct boundary item)
{
	size_t i = m->n++;

	while (i && before(&item, &m->heap[(i - 1) / 2])) {
		m->heap[i] = m->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	m->heap[i] = item;
}

static struct boundary heap_pop(struct merger *m)
{
	struct boundary top = m->heap[0];
	struct boundary item = m->heap[--m->n];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= m->n)
			break;
		if (child + 1 < m->n && before(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!before(&m->heap[child], &item))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = item;
	return top;
}

static void consider(struct merger *m, size_t left)
{
	const struct vs_segment *a = &m->work->seg[left];
	const struct vs_segment *b;
	double strength;

	m->stamp[left]++;
	if (m->next[left] == m->work->n_seg)
		return;
	b = &m->work->seg[m->next[left]];
	strength = fabs(a->level - b->level) / vs_merge_threshold(m->work, a, b, NULL);
	if (strength < 1)
		heap_push(m, (struct boundary){ strength, left, m->stamp[left] });
}

/*
 * A summary costs the segment's length, so taking many small ones into a long one would cost its
 * square. Until they add up to an eighth of it, the long one's own summary stands.
 */
static void join(struct merger *m, size_t left)
{
	size_t right = m->next[left];
	struct vs_segment *a = &m->work->seg[left];
	const struct vs_segment *b = &m->work->seg[right];
	size_t na = a->inliers;
	size_t nb = b->inliers;
	bool a_long = na > 512 && (m->added[left] + nb) * 8 < na;
	bool b_long = nb > 512 && (m->added[right] + na) * 8 < nb;
	size_t added = a_long ? m->added[left] + nb : m->added[right] + na;

	if (a_long || b_long) {
		double level = (a->level * (double)na + b->level * (double)nb) / (double)(na + nb);
		size_t begin = a->begin;
		size_t end = b->end;

		if (b_long)
			*a = *b;
		a->begin = begin;
		a->end = end;
		a->level = level;
		a->inliers = na + nb;
	} else {
		a->end = b->end;
		vs_segments_summarise(m->work, a);
		added = 0;
	}
	m->added[left] = added;
	m->next[left] = m->next[right];
	if (m->next[right] < m->work->n_seg)
		m->prev[m->next[right]] = left;
	m->stamp[right]++; /* what is queued of it is stale */
}

static void explain_join(const struct merger *m, size_t left)
{
	const struct vs_work *work = m->work;
	const struct vs_segment *a = &work->seg[left];
	const struct vs_segment *b = &work->seg[m->next[left]];
	const char *why;
	double threshold;

	if (!work->explain)
		return;
	threshold = vs_merge_threshold(work, a, b, &why);
	vs_explain_text(
		work->explain,
		"  merge [%zu, %zu) %.0f and [%zu, %zu) %.0f: they differ by %.3f, less than "
		"%.3f (%s)\n",
		a->begin, a->end, vs_explain_level(work, a->level), b->begin, b->end,
		vs_explain_level(work, b->level), fabs(a->level - b->level), threshold, why);
}

static void run(struct merger *m)
{
	struct vs_work *work = m->work;
	size_t none = work->n_seg;
	size_t kept = 0;

	for (size_t k = 0; k < none; k++) {
		m->next[k] = k + 1;
		m->prev[k] = k ? k - 1 : none;
	}
	for (size_t k = 0; k < none; k++)
		consider(m, k);
	while (m->n) {
		struct boundary top = heap_pop(m);

		if (top.stamp != m->stamp[top.left])
			continue;
		explain_join(m, top.left);
		join(m, top.left);
		consider(m, top.left);
		if (m->prev[top.left] != none)
			consider(m, m->prev[top.left]);
	}
	for (size_t k = 0; k < none; k = m->next[k]) {
		if (m->added[k])
			vs_segments_summarise(work, &work->seg[k]);
		work->seg[kept++] = work->seg[k];
	}
	work->n_seg = kept;
}

/* Bottom up, the weakest boundary first. */
int vs_merge(struct vs_work *work, struct vs_error *err)
{
	struct merger m = { .work = work };
	size_t n = work->n_seg;
	int rc = 0;

	if (n < 2)
		return 0;
	m.next = calloc(n, sizeof(*m.next));
	m.prev = calloc(n, sizeof(*m.prev));
	m.stamp = calloc(n, sizeof(*m.stamp));
	m.added = calloc(n, sizeof(*m.added));
	m.heap = calloc(3 * n, sizeof(*m.heap)); /* n at first, and two a merge */
	if (m.next && m.prev && m.stamp && m.added && m.heap)
		run(&m);
	else
		rc = vs_error_nomem(err);
	free(m.next);
	free(m.prev);
	free(m.stamp);
	free(m.added);
	free(m.heap);
	return rc;
}
