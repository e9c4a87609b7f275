#include "model/timeline.h"

#include <math.h>
#include <stdlib.h>

void vs_timeline_init(struct vs_timeline *timeline)
{
	*timeline = (struct vs_timeline){
		.totals = { .bytes = (double)NAN, .device_ratio = (double)NAN },
		.cost = { .observed = (double)NAN,
			  .month_at_top = (double)NAN,
			  .month_at_bottom = (double)NAN,
			  .break_even_h_per_day = (double)NAN },
		.power = { .noise_pct = (double)NAN, .smallest_step_pct = (double)NAN },
	};
}

void vs_timeline_release(struct vs_timeline *timeline)
{
	free(timeline->plateaus);
	free(timeline->steps);
	free(timeline->dips);
	vs_timeline_init(timeline);
}

const char *vs_bound_name(enum vs_bound bound)
{
	static const char *const names[] = { "unknown", "volume", "instance", "client" };

	return names[bound];
}

const char *vs_direction_name(enum vs_direction direction)
{
	return direction == VS_UP ? "up" : "down";
}
