#include "analysis/analysis.h"

#include <stdlib.h>

#include "analysis/bound.h"
#include "analysis/build.h"
#include "analysis/cost.h"

static int build_all(struct vs_build *build, struct vs_error *err)
{
	if (vs_series_build(build->run, &build->set, &build->out->totals, err) != 0)
		return -1;
	if (vs_build_plateaus(build, err) != 0 || vs_build_told_plateaus(build, err) != 0)
		return -1;
	vs_build_labels(build);
	if (vs_build_steps(build, err) != 0 || vs_build_dips(build, err) != 0)
		return -1;
	vs_build_power(build);
	if (vs_build_confirm(build, err) != 0)
		return -1;
	vs_bound_judge(build->run, build->ladder, build->out);
	vs_cost_compute(build->run, build->ladder, build->out);
	return 0;
}

int vs_analyse(const struct vs_run *run, const struct vs_ladder *ladder,
	       const struct vs_analysis_options *options, struct vs_timeline *out,
	       struct vs_error *err)
{
	static const struct vs_analysis_options defaults = { .explain = NULL };
	struct vs_build build = {
		.run = run, .ladder = ladder, .options = options ? options : &defaults, .out = out
	};
	int rc;

	out->run = run;
	out->ladder = ladder;
	rc = build_all(&build, err);
	vs_series_set_release(&build.set);
	free(build.origins);
	return rc;
}
