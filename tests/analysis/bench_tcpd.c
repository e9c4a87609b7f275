/*
 * bench_tcpd DIR: the detector on the series of the Turing Change Point Dataset in DIR, with their
 * annotations, by the dataset's own two measures. First `zero`, which finds nothing and whose
 * published scores the measures must give.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/detect.h"

#define MARGIN     5 /* a change may be found so many readings off */
#define ANNOTATORS 8
#define SERIES     64

struct changes {
	size_t *at; /* 0 first, then rising */
	size_t n;
};

struct series {
	char name[64];
	double *y;
	size_t n;
	struct changes truth[ANNOTATORS];
	size_t annotators;
	double zero_f1, zero_cover; /* as published; NAN not known */
};

static void fail(const char *what, const char *name)
{
	(void)fprintf(stderr, "bench_tcpd: %s: %s\n", name, what);
	exit(1);
}

static json_t *load(const char *dir, const char *name)
{
	char path[1024];
	json_error_t error;
	json_t *json;

	(void)snprintf(path, sizeof(path), "%s/%s.json", dir, name);
	json = json_load_file(path, 0, &error);
	if (!json)
		fail(error.text, path);
	return json;
}

static int by_value(const void *a, const void *b)
{
	size_t x = *(const size_t *)a;
	size_t y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void *room(size_t n)
{
	void *p = calloc(n + 1, sizeof(double) > sizeof(size_t) ? sizeof(double) : sizeof(size_t));

	if (!p)
		abort();
	return p;
}

/* False: several columns, or a value is missing. */
static bool read_series(const char *dir, struct series *s)
{
	json_t *json = load(dir, s->name);
	const json_t *columns = json_object_get(json, "series");
	const json_t *raw = json_object_get(json_array_get(columns, 0), "raw");
	bool complete = json_array_size(columns) == 1;

	s->n = json_array_size(raw);
	s->y = room(s->n);
	for (size_t i = 0; i < s->n; i++) {
		complete = complete && json_is_number(json_array_get(raw, i));
		s->y[i] = json_number_value(json_array_get(raw, i));
	}
	json_decref(json);
	return complete;
}

static void read_truth(json_t *annotations, struct series *s)
{
	const char *person;
	json_t *list;

	json_object_foreach(json_object_get(annotations, s->name), person, list)
	{
		struct changes *t = &s->truth[s->annotators];

		if (s->annotators == ANNOTATORS)
			fail("too many annotators", s->name);
		t->at = room(json_array_size(list) + 1);
		t->n = 1;
		for (size_t i = 0; i < json_array_size(list); i++)
			t->at[t->n++] = (size_t)json_integer_value(json_array_get(list, i));
		qsort(t->at, t->n, sizeof(t->at[0]), by_value);
		s->annotators++;
	}
}

/* Changes of truth that find one of found within the margin; each is found once, nearest first. */
static size_t hits(const struct changes *truth, const struct changes *found)
{
	bool *taken = room(found->n);
	size_t n = 0;

	for (size_t i = 0; i < truth->n; i++) {
		size_t best = found->n;
		size_t apart = MARGIN + 1;

		for (size_t k = 0; k < found->n; k++) {
			size_t d = found->at[k] > truth->at[i] ? found->at[k] - truth->at[i]
							       : truth->at[i] - found->at[k];

			if (!taken[k] && d < apart) {
				apart = d;
				best = k;
			}
		}
		if (best < found->n) {
			taken[best] = true;
			n++;
		}
	}
	free(taken);
	return n;
}

/* Precision against all that anybody saw, recall as the mean over the people. */
static double f1(const struct series *s, const struct changes *found)
{
	struct changes all = { room(s->n), 0 };
	double recall = 0;
	double precision;

	for (size_t a = 0; a < s->annotators; a++) {
		for (size_t i = 0; i < s->truth[a].n; i++) {
			bool there = false;

			for (size_t k = 0; k < all.n; k++)
				there = there || all.at[k] == s->truth[a].at[i];
			if (!there)
				all.at[all.n++] = s->truth[a].at[i];
		}
		recall += (double)hits(&s->truth[a], found) / (double)s->truth[a].n /
			  (double)s->annotators;
	}
	qsort(all.at, all.n, sizeof(all.at[0]), by_value);
	precision = (double)hits(&all, found) / (double)found->n;
	free(all.at);
	return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

static size_t end_of(const struct changes *c, size_t i, size_t n)
{
	return i + 1 < c->n ? c->at[i + 1] : n;
}

/* Mean over the people of how well each of their stretches is covered by one that was found. */
static double cover(const struct series *s, const struct changes *found)
{
	double sum = 0;

	for (size_t a = 0; a < s->annotators; a++) {
		const struct changes *t = &s->truth[a];

		for (size_t i = 0; i < t->n; i++) {
			size_t from = t->at[i];
			size_t to = end_of(t, i, s->n);
			double best = 0;

			for (size_t k = 0; k < found->n; k++) {
				size_t b = found->at[k] > from ? found->at[k] : from;
				size_t e = end_of(found, k, s->n);
				double both;

				e = e < to ? e : to;
				both = e > b ? (double)(e - b) : 0;
				best = fmax(best, both / ((double)(to - from) +
							  (double)(end_of(found, k, s->n) -
								   found->at[k]) -
							  both));
			}
			sum += (double)(to - from) * best / (double)s->n / (double)s->annotators;
		}
	}
	return sum;
}

/* The detector's own settings but for the scale: these series are no rates. */
static void detect(const struct series *s, size_t min_samples, struct changes *out)
{
	struct vs_detect_params par;
	struct vs_detection found;
	struct vs_error err = { .code = VS_OK };
	int64_t *end_ns = room(s->n);
	struct vs_points points = { .x = s->y, .end_ns = end_ns, .n = s->n };

	for (size_t i = 0; i < s->n; i++)
		end_ns[i] = (int64_t)i * 1000000000;
	vs_detect_defaults_linear(&par);
	par.min_samples = min_samples;
	if (vs_detect(&points, &par, NULL, NULL, &found, &err) != 0)
		fail(err.text, s->name);
	out->at = room(found.n + 1);
	out->n = 1;
	for (size_t k = 1; k < found.n; k++)
		if (found.segments[k].change > out->at[out->n - 1])
			out->at[out->n++] = found.segments[k].change;
	vs_detection_release(&found);
	free(end_ns);
}

/* published_scores_subset.tsv: name, ..., column 8 F1 of zero, ..., column 15 its cover. */
static void read_published(const char *dir, struct series *all, size_t n)
{
	char path[1024], line[1024], name[64];
	double v[14];
	FILE *in;

	(void)snprintf(path, sizeof(path), "%s/published_scores_subset.tsv", dir);
	in = fopen(path, "re");
	if (!in)
		return;
	while (fgets(line, sizeof(line), in)) {
		/* NOLINTNEXTLINE(cert-err34-c): a bench of our own files */
		if (sscanf(line, "%63s %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf",
			   name, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8],
			   &v[9], &v[10], &v[11], &v[12], &v[13]) != 15)
			continue;
		for (size_t i = 0; i < n; i++) {
			if (strcmp(all[i].name, name) == 0) {
				all[i].zero_f1 = v[6];
				all[i].zero_cover = v[13];
			}
		}
	}
	(void)fclose(in);
}

static size_t read_all(const char *dir, struct series *all)
{
	json_t *annotations = load(dir, "annotations");
	const char *name;
	json_t *value;
	size_t n = 0;

	json_object_foreach(annotations, name, value)
	{
		char path[1024];
		FILE *there;

		(void)snprintf(path, sizeof(path), "%s/%s.json", dir, name);
		there = fopen(path, "re");
		if (!there)
			continue; /* a series that must be fetched from its owner */
		(void)fclose(there);
		if (n == SERIES)
			fail("too many series", name);
		all[n] = (struct series){ .zero_f1 = (double)NAN, .zero_cover = (double)NAN };
		(void)snprintf(all[n].name, sizeof(all[n].name), "%s", name);
		if (!read_series(dir, &all[n])) {
			free(all[n].y);
			continue;
		}
		read_truth(annotations, &all[n]);
		n++;
	}
	json_decref(annotations);
	read_published(dir, all, n);
	return n;
}

static size_t check_zero(const struct series *all, size_t n)
{
	size_t nothing_at = 0;
	struct changes nothing = { &nothing_at, 1 };
	size_t compared = 0, wrong = 0;

	for (size_t i = 0; i < n; i++) {
		double got_f1 = f1(&all[i], &nothing);
		double got_cover = cover(&all[i], &nothing);

		if (isnan(all[i].zero_f1))
			continue;
		compared++;
		if (fabs(got_f1 - all[i].zero_f1) > 1e-4 ||
		    fabs(got_cover - all[i].zero_cover) > 1e-4) {
			wrong++;
			printf("%s: zero scores %.4f and %.4f, published %.4f and %.4f\n",
			       all[i].name, got_f1, got_cover, all[i].zero_f1, all[i].zero_cover);
		}
	}
	printf("zero, which finds nothing: %zu of %zu series score as published\n",
	       compared - wrong, compared);
	return wrong + (compared == 0);
}

static void score(const struct series *all, size_t n, size_t min_samples, bool list)
{
	double sum_f1 = 0, sum_cover = 0;

	for (size_t i = 0; i < n; i++) {
		struct changes found;
		double a, b;

		detect(&all[i], min_samples, &found);
		a = f1(&all[i], &found);
		b = cover(&all[i], &found);
		if (list)
			printf("  %-22s %5.3f  %5.3f  %zu found\n", all[i].name, a, b, found.n - 1);
		sum_f1 += a;
		sum_cover += b;
		free(found.at);
	}
	printf("%-56s  F1 %5.3f  cover %5.3f  (%zu series)\n",
	       min_samples == 5 ? "volscale, its own settings"
				: "volscale, plateaus from 2 samples on",
	       sum_f1 / (double)n, sum_cover / (double)n, n);
}

int main(int argc, char **argv)
{
	static struct series all[SERIES];
	bool list = argc > 2 && strcmp(argv[2], "--list") == 0;
	size_t n, wrong;

	if (argc < 2) {
		(void)fprintf(stderr, "usage: bench_tcpd DIR [--list]\n");
		return 2;
	}
	n = read_all(argv[1], all);
	wrong = check_zero(all, n);
	printf("%-56s  F1 %5.3f  cover %5.3f\n", "best published default (binseg, pelt)", .738,
	       .695);
	printf("%-56s  F1 %5.3f  cover %5.3f\n", "prototype, 5 samples", .748, .692);
	score(all, n, 5, list);
	printf("%-56s  F1 %5.3f  cover %5.3f\n", "prototype, 2 samples", .781, .710);
	score(all, n, 2, list);
	for (size_t i = 0; i < n; i++) {
		free(all[i].y);
		for (size_t a = 0; a < all[i].annotators; a++)
			free(all[i].truth[a].at);
	}
	return wrong != 0;
}
