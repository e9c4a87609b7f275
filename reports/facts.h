/* What the reports for people say of a timeline, found once for all of them. */
#ifndef VS_REPORTS_FACTS_H
#define VS_REPORTS_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/timeline.h"
#include "reports/lang.h"

struct vs_facts {
	int first, top;        /* plateaus under load: the first, the highest; -1 none */
	int bottom;            /* the last plateau of the fall; -1 when nothing fell */
	size_t n_rises;        /* up steps on the way to the top */
	size_t n_falls;        /* down steps after it */
	int64_t rise_ns;       /* from the first plateau's start to the top's */
	int64_t idle_ns;       /* when the idle phase began; VS_UNKNOWN without one */
	int64_t fall_ns;       /* from there (else from the top's end) to the last fall */
	int64_t first_fall_ns; /* from there to the first fall; VS_UNKNOWN */
};

void vs_facts_find(const struct vs_timeline *timeline, struct vs_facts *out);
/* The sentence at the top. */
void vs_facts_summary(const struct vs_timeline *timeline, const struct vs_lang *lang,
		      struct vs_buf *out);
/* What this run can tell at its noise, in a sentence; nothing when no level was seen. */
void vs_facts_power(const struct vs_timeline *timeline, const struct vs_lang *lang,
		    struct vs_buf *out);
/* What a reader must know before trusting the figures: one sentence a line, none: nothing. */
void vs_facts_warnings(const struct vs_timeline *timeline, const struct vs_lang *lang,
		       struct vs_buf *out);

/* The tier's name, "10"; NULL when none or several fit. */
const char *vs_facts_tier(const struct vs_timeline *timeline, size_t plateau);
/* The names of all tiers that fit, "10", "10 / 20"; "-" for none. text[96]. */
char *vs_facts_tier_names(const struct vs_timeline *timeline, size_t plateau, char *text);
/* The same with its word, "VPU 10"; several: "VPU 10 / 20"; none: "". text[96]. */
char *vs_facts_tier_words(const struct vs_timeline *timeline, const struct vs_lang *lang,
			  size_t plateau, char *text);
/* The step that leads to the plateau; NULL. */
const struct vs_step *vs_facts_step_to(const struct vs_timeline *timeline, size_t plateau);
/* Half the 95 % interval of a plateau's level, in percent of it; NAN. */
double vs_facts_ci_pct(const struct vs_plateau *plateau);
/* A text host observation or "". */
const char *vs_facts_host(const struct vs_timeline *timeline, const char *name);
/* Copies what fits into size bytes with the NUL, cut between characters. */
void vs_facts_copy(char *to, size_t size, const char *from);
/* "0:28", "1:02:03" since the run's start. text[24]. */
char *vs_facts_clock(int64_t ns, char *text);

#endif
