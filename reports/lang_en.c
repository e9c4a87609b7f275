#include "reports/lang.h"

const struct vs_lang vs_lang_en = {
	.code = "en",
	.text = {
		[VS_MSG_SUM_NONE] = "no level was found in {0} samples",
		[VS_MSG_SUM_FLAT] = "held {0} for {1} without a step",
		[VS_MSG_SUM_RISE] = "scaled from {0} in {1} in {2} steps",
		[VS_MSG_SUM_RISE_ONE] = "scaled from {0} in {1} in one step",
		[VS_MSG_SUM_DROP] = "fell from {0} in {1}",
		[VS_MSG_SUM_FALL] = "fell back to {0} in {1}",
		[VS_MSG_SUM_NO_FALL] = "had not fallen after {0} of idleness",
		[VS_MSG_SUM_JOIN] = "{0}; {1}",
		[VS_MSG_SUM_END] = "{0}.",
		[VS_MSG_TIER] = "VPU {0}",
		[VS_MSG_TIER_OTHER] = "tier {0}",
		[VS_MSG_TIER_RANGE] = "{0} to {1} ({2} to {3} IOPS)",
		[VS_MSG_IOPS_RANGE] = "{0} to {1} IOPS",
		[VS_MSG_IOPS] = "{0} IOPS",
		[VS_MSG_IOPS_OF_TIER] = "{0} ({1} IOPS)",

		[VS_MSG_DAYS] = " d",
		[VS_MSG_HOURS] = " h",
		[VS_MSG_MINUTES] = " min",
		[VS_MSG_SECONDS] = " s",
		[VS_MSG_MILLISECONDS] = " ms",
		[VS_MSG_DURATION_JOIN] = " ",

		[VS_MSG_WARN_EMULATED] =
			"Emulated: the ceiling was paced by volscale itself on a scratch file. These are "
			"no figures of a cloud volume.",
		[VS_MSG_WARN_RUNNING] =
			"The run is still going on; this is the timeline so far.",
		[VS_MSG_WARN_INTERRUPTED] =
			"The run was interrupted before its end; everything until then is here.",
		[VS_MSG_WARN_FAILED] = "The run failed before its end; see the events.",
		[VS_MSG_WARN_CRASHED] =
			"The recording process died; everything but the last interval is here.",
		[VS_MSG_WARN_DEVICE] =
			"The device did {0} % of the reads that the workload counted: requests were merged "
			"or split, or others use the device. The levels are the device's count.",
		[VS_MSG_WARN_BIASED] =
			"The recording tool is known to miscount in this mode; no tier is read from it.",
		[VS_MSG_WARN_ERRORS] = "{0} reads failed; they count in no level.",
		[VS_MSG_WARN_MISSING] = "{0} intervals have no sample; nothing was filled in for them.",
		[VS_MSG_NOTE_PENDING] =
			"From {0} on there may be a new level of {1} IOPS; the run ended before it was sure.",
		[VS_MSG_NOTE_STALLS] = "{0} stalls without any finished read; the longest lasted {1}.",
	},
};
