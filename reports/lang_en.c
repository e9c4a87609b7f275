#include "reports/lang.h"

const struct vs_lang vs_lang_en = {
	.code = "en",
	.text = {
		[VS_MSG_SUM_EMPTY] = "no sample was recorded",
		[VS_MSG_SUM_NONE] = "averaged {0} IOPS over {1}; no level can be told from it",
		[VS_MSG_SUM_FLAT] = "held {0} for {1} without a step",
		[VS_MSG_SUM_SHORT] = "did {0} over {1}, too short a time to tell a step",
		[VS_MSG_SUM_RISE] = "scaled from {0} in {1} in {2} steps{3}",
		[VS_MSG_SUM_RISE_ONE] = "scaled from {0} in {1} in one step{3}",
		[VS_MSG_SUM_DROP] = "fell from {0} in {1}{3}",
		[VS_MSG_SUM_FALL] = "fell back to {0} in {1}",
		[VS_MSG_SUM_NO_FALL] = "had not fallen after {0} of idleness",
		[VS_MSG_SUM_ENDED] = "ended at {0}",
		[VS_MSG_SUM_INSTANCE] = "limited by the instance, not by the volume",
		[VS_MSG_SUM_CLIENT] = "limited by the load generator, not by the volume",
		[VS_MSG_SUM_JOIN] = "{0}; {1}",
		[VS_MSG_SUM_END] = "{0}.",
		[VS_MSG_TIER] = "VPU {0}",
		[VS_MSG_TIER_OTHER] = "tier {0}",
		[VS_MSG_TIER_RANGE] = "{0} to {1}",
		[VS_MSG_TIER_RANGE_IOPS] = " ({0} to {1} IOPS)",
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
			"The recording process died at {0}; everything but the last interval is "
			"here.",
		[VS_MSG_WARN_DEVICE] =
			"The device did {0} % of the reads that the workload counted: requests were merged "
			"or split, or others use the device. The levels are the device's count.",
		[VS_MSG_WARN_BIASED] =
			"The recording tool is known to miscount in this mode; no tier is read from it.",
		[VS_MSG_WARN_ERRORS] = "{0} reads failed; they count in no level.",
		[VS_MSG_WARN_MISSING] = "Intervals without a sample: {0}; nothing was filled in for them.",
		[VS_MSG_NOTE_PENDING] =
			"From {0} on there may be a new level of {1} IOPS; the run ended before it was sure.",
		[VS_MSG_NOTE_UNSTEADY] =
			"From {0} to {1} the readings spread by {2} %, too far apart for a level.",
		[VS_MSG_NOTE_STALLS] = "Stalls without any finished read: {0}; the longest lasted {1}.",

		[VS_MSG_POWER] =
			"At this run's noise of {0} % a sample, a step of {2} % is seen in 9 of 10 cases "
			"when the level lasts {1}.",
		[VS_MSG_POWER_SHORT] =
			"The run has too few readings under load to tell levels apart.",
		[VS_MSG_POWER_NOISY] =
			"Too short or too noisy to tell: at this run's noise of {0} % a sample, a step of "
			"{2} % takes two levels of {1} each.",
		[VS_MSG_POWER_SPARSE] =
			"In the idle phase, without a ladder, a level takes three probes to be told.",

		[VS_MSG_TITLE] = "volscale timeline",
		[VS_MSG_CONTENTS] = "Contents",
		[VS_MSG_SECTION_TIMELINE] = "Timeline",
		[VS_MSG_SECTION_PLATEAUS] = "Plateaus",
		[VS_MSG_SECTION_STEPS] = "Steps",
		[VS_MSG_SECTION_DECAY] = "Decay",
		[VS_MSG_SECTION_LATENCY] = "Latency",
		[VS_MSG_SECTION_COST] = "Cost",
		[VS_MSG_SECTION_VERDICT] = "Verdict",
		[VS_MSG_SECTION_METHOD] = "Method",
		[VS_MSG_SECTION_RAW] = "Raw data",
		[VS_MSG_EMULATED_BADGE] = "EMULATED",
		[VS_MSG_PLATFORM] = "Platform",
		[VS_MSG_VOLUME] = "Volume",
		[VS_MSG_WORKLOAD] = "Workload",
		[VS_MSG_MEASUREMENT] = "Measurement",
		[VS_MSG_HOST] = "host",
		[VS_MSG_CPU] = "CPU",
		[VS_MSG_CPUS] = "CPUs",
		[VS_MSG_MEMORY] = "memory",
		[VS_MSG_OS] = "system",
		[VS_MSG_KERNEL] = "kernel",
		[VS_MSG_INSTANCE_LIMIT] = "network limit",
		[VS_MSG_TARGET] = "target",
		[VS_MSG_SIZE] = "size",
		[VS_MSG_VOLUMES] = "volumes",
		[VS_MSG_PROVIDER] = "provider",
		[VS_MSG_LADDER_TOP] = "highest tier",
		[VS_MSG_PATTERN] = "pattern",
		[VS_MSG_BLOCK] = "block",
		[VS_MSG_DEPTH] = "depth",
		[VS_MSG_JOBS] = "jobs",
		[VS_MSG_RATE] = "rate limit",
		[VS_MSG_RUN] = "run",
		[VS_MSG_STARTED] = "started",
		[VS_MSG_LOCAL] = "local time",
		[VS_MSG_DURATION] = "duration",
		[VS_MSG_INTERVAL] = "interval",
		[VS_MSG_SAMPLES] = "samples",
		[VS_MSG_END] = "ended",
		[VS_MSG_TOOL] = "tool",
		[VS_MSG_END_RUNNING] = "running",
		[VS_MSG_END_COMPLETED] = "completed",
		[VS_MSG_END_INTERRUPTED] = "interrupted",
		[VS_MSG_END_FAILED] = "failed",
		[VS_MSG_END_CRASHED] = "crashed",
		[VS_MSG_UNKNOWN] = "unknown",
		[VS_MSG_COL_INDEX] = "#",
		[VS_MSG_COL_UTC_AT] = "UTC",
		[VS_MSG_P999] = "p99.9",
		[VS_MSG_MAX] = "max",
		[VS_MSG_COL_PHASE] = "phase",
		[VS_MSG_COL_START] = "start",
		[VS_MSG_COL_END] = "end",
		[VS_MSG_COL_UTC] = "start (UTC)",
		[VS_MSG_COL_IOPS] = "IOPS",
		[VS_MSG_COL_CI] = "± 95 %",
		[VS_MSG_COL_SPREAD] = "noise",
		[VS_MSG_COL_MBPS] = "MB/s",
		[VS_MSG_COL_VPU] = "VPU est.",
		[VS_MSG_COL_TIER] = "tier",
		[VS_MSG_COL_OFF] = "off",
		[VS_MSG_COL_BOUND] = "bound by",
		[VS_MSG_COL_CONFIRMED] = "confirmed",
		[VS_MSG_COL_STEP] = "step",
		[VS_MSG_COL_AT] = "at",
		[VS_MSG_COL_BETWEEN] = "between",
		[VS_MSG_COL_FROM] = "from",
		[VS_MSG_COL_TO] = "to",
		[VS_MSG_COL_CHANGE] = "change",
		[VS_MSG_COL_DWELL] = "after",
		[VS_MSG_COL_OVERSHOOT] = "overshoot",
		[VS_MSG_COL_LAG] = "provider lag",
		[VS_MSG_COL_SINCE_IDLE] = "since idle",
		[VS_MSG_COL_SINCE_LAST] = "since the last",
		[VS_MSG_COL_CHECK] = "check",
		[VS_MSG_COL_FINDING] = "finding",
		[VS_MSG_COL_STATE] = "state",
		[VS_MSG_UP] = "up",
		[VS_MSG_DOWN] = "down",
		[VS_MSG_LOAD] = "load",
		[VS_MSG_IDLE] = "idle",
		[VS_MSG_PROBE] = "probe",
		[VS_MSG_BOUND_UNKNOWN] = "unknown",
		[VS_MSG_BOUND_VOLUME] = "volume",
		[VS_MSG_BOUND_INSTANCE] = "instance",
		[VS_MSG_BOUND_CLIENT] = "client",
		[VS_MSG_YES] = "yes",
		[VS_MSG_NO] = "no",
		[VS_MSG_DRIFTING] = "drifting",
		[VS_MSG_NO_TIER] = "fits no tier",
		[VS_MSG_STALL] = "stall",
		[VS_MSG_GAP] = "no sample",
		[VS_MSG_PENDING] = "not sure yet",
		[VS_MSG_PLATFORM_NONE] = "not recorded",
		[VS_MSG_NO_LATENCY] = "The recording holds no latencies.",
		[VS_MSG_COL_DURATION] = "lasted",
		[VS_MSG_COL_LOWEST] = "lowest IOPS",
		[VS_MSG_DIPS_INTRO] =
			"Short falls inside a plateau. They count in no level and are no steps.",
		[VS_MSG_DIPS_MORE] = "{0} more are in the JSON report.",
		[VS_MSG_NO_PLATEAUS] = "No level was found.",
		[VS_MSG_NO_STEPS] = "No step was found: the level did not change.",
		[VS_MSG_NO_DECAY] =
			"The run has no idle phase; 'volscale observe --decay 75m' watches a "
			"volume fall back.",
		[VS_MSG_DECAY_NONE] = "Nothing fell in {0} of idleness.",
		[VS_MSG_DECAY_INTRO] =
			"The first fall came {0} after the load ended; {1} falls, the last to "
			"{2}.",
		[VS_MSG_COST_NONE] =
			"Unpriced: no price is known for this provider, size or tier. "
			"--price-gb, --price-vpu and --currency give one.",
		[VS_MSG_COST_NO_TIER] =
			"Unpriced: no plateau is one known tier, so none can be priced.",
		[VS_MSG_COST_OBSERVED] = "this run, billed by the second",
		[VS_MSG_COST_TOP] = "a month at the highest tier seen",
		[VS_MSG_COST_BOTTOM] = "a month at the lowest tier seen",
		[VS_MSG_COST_BREAK_EVEN] =
			"Above {0} hours a day at the top, a fixed top tier is cheaper.",
		[VS_MSG_COST_PRICED_AT] = "Prices of {0}.",
		[VS_MSG_UNPRICED] = "unpriced",
		[VS_MSG_COL_PRICE] = "price a month",
		[VS_MSG_COL_TIME_AT] = "time at it",
		[VS_MSG_CHECK_TIERS] = "Levels fit the ladder",
		[VS_MSG_CHECK_TIERS_OK] = "all {0} plateaus are a tier of the provider",
		[VS_MSG_CHECK_TIERS_NOT] = "{0} of {1} plateaus fit no single tier",
		[VS_MSG_CHECK_TIERS_NONE] = "no provider or size is known, so no tier is named",
		[VS_MSG_CHECK_TOP] = "Top level",
		[VS_MSG_CHECK_TOP_IS] = "{0}, {1} % of the ladder's highest promise",
		[VS_MSG_CHECK_TOP_ONLY] = "{0}",
		[VS_MSG_CHECK_BOUND] = "What bound the top level",
		[VS_MSG_CHECK_DIPS] = "Dips",
		[VS_MSG_CHECK_DIPS_NONE] = "none",
		[VS_MSG_CHECK_DIPS_SOME] = "{0}, the longest {1}, down to {2} IOPS",
		[VS_MSG_CHECK_DEVICE] = "Device's own count",
		[VS_MSG_CHECK_DEVICE_OK] = "{0} % of ours",
		[VS_MSG_CHECK_DEVICE_UNKNOWN] = "not known",
		[VS_MSG_CHECK_COMPLETE] = "Recording",
		[VS_MSG_CHECK_COMPLETE_OK] =
			"complete, {0} samples, none missing, no failed read",
		[VS_MSG_CHECK_COMPLETE_NOT] =
			"{0} intervals without a sample, {1} failed reads",
		[VS_MSG_CHECK_COMPLETE_END] = "did not run to its end",
		[VS_MSG_CHECK_POWER] = "What this run can tell",
		[VS_MSG_STATE_OK] = "ok",
		[VS_MSG_STATE_NOTE] = "note",
		[VS_MSG_STATE_WARN] = "warning",
		[VS_MSG_VERDICT_NOTE] =
			"To hold a run against expectations (tiers, times, dips), use 'volscale "
			"verify'.",
		[VS_MSG_METHOD_SAMPLE] =
			"The workload is held for the whole run. Every {0} the reads that "
			"finished are counted, over the interval's true length on a monotonic "
			"clock; seconds without a finished read count as zero.",
		[VS_MSG_METHOD_PLATEAU] =
			"A plateau is a stretch of samples at one level. The stretches are found "
			"together, as the split of the whole series that explains it best with "
			"the fewest levels, in a way that single outliers cannot move; the level "
			"is the median of its samples, with a 95 % interval of that median. An "
			"overshoot or dip of a second or two belongs to no plateau of its own.",
		[VS_MSG_METHOD_STEP] =
			"A step lies between two neighbouring plateaus; the table gives the "
			"earliest and the latest time it can have happened. While the volume is "
			"idle it is only seen by short probes, so a fall is known to one probe "
			"interval.",
		[VS_MSG_METHOD_TIER] =
			"A plateau is given a tier when its level lies between {0} % below and "
			"{1} % above what the provider promises for that tier at this size and "
			"block size. When several fit, all are named and none is chosen; a level "
			"that fits none is given none.",
		[VS_MSG_METHOD_NO_LADDER] =
			"No tiers are named, because the provider or the volume's size is not "
			"known. --provider and --size-gb tell them.",
		[VS_MSG_METHOD_BOUND] =
			"'Bound by' says what stopped the level from being higher: the volume "
			"when a tier's promise is met, the instance when its network limit is "
			"near, the client when the asked depth was not reached.",
		[VS_MSG_METHOD_CI] = "The widest 95 % interval of a level here is ± {0} %.",
		[VS_MSG_RAW_INTRO] =
			"Everything above, as data. It is embedded in this file; nothing is "
			"fetched.",
		[VS_MSG_RAW_JSON] = "Save the timeline as JSON",
		[VS_MSG_RAW_CSV] = "Save every sample as CSV",
		[VS_MSG_RAW_EVENTS] = "Events",
		[VS_MSG_RAW_MORE] = "{0} more are in the JSON report.",
		[VS_MSG_COL_KIND] = "kind",
		[VS_MSG_COL_TEXT] = "event",
		[VS_MSG_CHART_LABEL] =
			"IOPS over time with plateaus and tiers, and below it the latency. All "
			"its figures are in the tables.",
		[VS_MSG_CHART_HELP] =
			"Drag to zoom, Shift and drag to pan, double-click for everything. Keys: "
			"+ and - zoom, arrows move the cursor, Shift and arrows pan, 0 shows "
			"everything.",
		[VS_MSG_CHART_ZOOM_IN] = "Zoom in",
		[VS_MSG_CHART_ZOOM_OUT] = "Zoom out",
		[VS_MSG_CHART_EARLIER] = "Earlier",
		[VS_MSG_CHART_LATER] = "Later",
		[VS_MSG_CHART_ALL] = "Show all",
		[VS_MSG_CHART_LOAD] = "Load phase",
		[VS_MSG_CHART_IDLE] = "Idle phase",
		[VS_MSG_CHART_STATIC] =
			"The chart above is static: this volscale was built without uPlot.",
		[VS_MSG_CHART_P50] = "p50",
		[VS_MSG_CHART_P99] = "p99",
		[VS_MSG_CHART_PLATEAU] = "plateau",
		[VS_MSG_CHART_VPU] = "control-plane VPU",
		[VS_MSG_CHART_LATENCY] = "latency, ms",
		[VS_MSG_CHART_TIME] = "time since the start",
		[VS_MSG_LIBRARY] = "The chart is drawn by uPlot; its licence:",
	},
};
