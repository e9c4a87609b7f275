/* The words of the reports for people: one table of messages, one file a language. */
#ifndef VS_REPORTS_LANG_H
#define VS_REPORTS_LANG_H

#include <stdint.h>

#include "base/buf.h"

/* {0} to {9} in a message are filled in; a language may use them in any order. */
enum vs_msg {
	/* the sentence at the top */
	VS_MSG_SUM_EMPTY,
	VS_MSG_SUM_NONE,     /* IOPS, duration */
	VS_MSG_SUM_FLAT,     /* level, duration */
	VS_MSG_SUM_SHORT,    /* level, duration */
	VS_MSG_SUM_RISE,     /* range, duration, steps, IOPS in brackets */
	VS_MSG_SUM_RISE_ONE, /* the same */
	VS_MSG_SUM_DROP,     /* the same */
	VS_MSG_SUM_FALL,     /* to, duration */
	VS_MSG_SUM_NO_FALL,  /* duration */
	VS_MSG_SUM_ENDED,    /* level */
	VS_MSG_SUM_INSTANCE,
	VS_MSG_SUM_CLIENT,
	VS_MSG_SUM_JOIN,        /* sentence, sentence */
	VS_MSG_SUM_END,         /* sentence */
	VS_MSG_TIER,            /* name: "VPU 10" */
	VS_MSG_TIER_OTHER,      /* name, of a provider without VPUs */
	VS_MSG_TIER_RANGE,      /* tier, tier */
	VS_MSG_TIER_RANGE_IOPS, /* IOPS, IOPS */
	VS_MSG_IOPS_RANGE,      /* IOPS, IOPS */
	VS_MSG_IOPS,            /* number */
	VS_MSG_IOPS_OF_TIER,    /* tier, number */
	/* durations */
	VS_MSG_DAYS,
	VS_MSG_HOURS,
	VS_MSG_MINUTES,
	VS_MSG_SECONDS,
	VS_MSG_MILLISECONDS,
	VS_MSG_DURATION_JOIN,
	/* warnings and notes */
	VS_MSG_WARN_EMULATED,
	VS_MSG_WARN_RUNNING,
	VS_MSG_WARN_INTERRUPTED,
	VS_MSG_WARN_FAILED,
	VS_MSG_WARN_CRASHED,
	VS_MSG_WARN_DEVICE, /* ratio in percent */
	VS_MSG_WARN_BIASED,
	VS_MSG_WARN_ERRORS,   /* number */
	VS_MSG_WARN_MISSING,  /* number */
	VS_MSG_NOTE_PENDING,  /* at, IOPS */
	VS_MSG_NOTE_UNSTEADY, /* from, to, spread % */
	VS_MSG_NOTE_STALLS,   /* number, longest */
	VS_MSG_POWER,         /* noise %, duration, step % */
	VS_MSG_POWER_SHORT,
	VS_MSG_POWER_NOISY, /* as VS_MSG_POWER */
	VS_MSG_POWER_SPARSE,
	/* the page */
	VS_MSG_TITLE,
	VS_MSG_CONTENTS,
	VS_MSG_SECTION_TIMELINE,
	VS_MSG_SECTION_PLATEAUS,
	VS_MSG_SECTION_STEPS,
	VS_MSG_SECTION_DECAY,
	VS_MSG_SECTION_LATENCY,
	VS_MSG_SECTION_COST,
	VS_MSG_SECTION_VERDICT,
	VS_MSG_SECTION_METHOD,
	VS_MSG_SECTION_RAW,
	VS_MSG_EMULATED_BADGE,
	VS_MSG_PLATFORM,
	VS_MSG_VOLUME,
	VS_MSG_WORKLOAD,
	VS_MSG_MEASUREMENT,
	VS_MSG_HOST,
	VS_MSG_CPU,
	VS_MSG_CPUS,
	VS_MSG_MEMORY,
	VS_MSG_OS,
	VS_MSG_KERNEL,
	VS_MSG_INSTANCE_LIMIT,
	VS_MSG_TARGET,
	VS_MSG_SIZE,
	VS_MSG_VOLUMES,
	VS_MSG_PROVIDER,
	VS_MSG_LADDER_TOP,
	VS_MSG_PATTERN,
	VS_MSG_BLOCK,
	VS_MSG_DEPTH,
	VS_MSG_JOBS,
	VS_MSG_RATE,
	VS_MSG_RUN,
	VS_MSG_STARTED,
	VS_MSG_LOCAL,
	VS_MSG_DURATION,
	VS_MSG_INTERVAL,
	VS_MSG_SAMPLES,
	VS_MSG_END,
	VS_MSG_TOOL,
	VS_MSG_END_RUNNING, /* in the order of enum vs_end */
	VS_MSG_END_COMPLETED,
	VS_MSG_END_INTERRUPTED,
	VS_MSG_END_FAILED,
	VS_MSG_END_CRASHED,
	VS_MSG_UNKNOWN,
	VS_MSG_COL_INDEX,
	VS_MSG_COL_UTC_AT,
	VS_MSG_P999,
	VS_MSG_MAX,
	VS_MSG_COL_PHASE,
	VS_MSG_COL_START,
	VS_MSG_COL_END,
	VS_MSG_COL_UTC,
	VS_MSG_COL_IOPS,
	VS_MSG_COL_CI,
	VS_MSG_COL_SPREAD,
	VS_MSG_COL_MBPS,
	VS_MSG_COL_VPU,
	VS_MSG_COL_TIER,
	VS_MSG_COL_OFF,
	VS_MSG_COL_BOUND,
	VS_MSG_COL_CONFIRMED,
	VS_MSG_COL_STEP,
	VS_MSG_COL_AT,
	VS_MSG_COL_BETWEEN,
	VS_MSG_COL_FROM,
	VS_MSG_COL_TO,
	VS_MSG_COL_CHANGE,
	VS_MSG_COL_DWELL,
	VS_MSG_COL_OVERSHOOT,
	VS_MSG_COL_LAG,
	VS_MSG_COL_SINCE_IDLE,
	VS_MSG_COL_SINCE_LAST,
	VS_MSG_COL_CHECK,
	VS_MSG_COL_FINDING,
	VS_MSG_COL_STATE,
	VS_MSG_UP,
	VS_MSG_DOWN,
	VS_MSG_LOAD,
	VS_MSG_IDLE,
	VS_MSG_PROBE,
	VS_MSG_BOUND_UNKNOWN,
	VS_MSG_BOUND_VOLUME,
	VS_MSG_BOUND_INSTANCE,
	VS_MSG_BOUND_CLIENT,
	VS_MSG_YES,
	VS_MSG_NO,
	VS_MSG_DRIFTING,
	VS_MSG_NO_TIER,
	VS_MSG_STALL,
	VS_MSG_GAP,
	VS_MSG_PENDING,
	VS_MSG_PLATFORM_NONE,
	VS_MSG_NO_LATENCY,
	VS_MSG_COL_DURATION,
	VS_MSG_COL_LOWEST,
	VS_MSG_DIPS_INTRO,
	VS_MSG_DIPS_MORE, /* number */
	VS_MSG_NO_PLATEAUS,
	VS_MSG_NO_STEPS,
	VS_MSG_NO_DECAY,
	VS_MSG_DECAY_NONE,  /* duration */
	VS_MSG_DECAY_INTRO, /* first fall, number, last level */
	VS_MSG_COST_NONE,
	VS_MSG_COST_NO_TIER,
	VS_MSG_COST_OBSERVED,
	VS_MSG_COST_TOP,
	VS_MSG_COST_BOTTOM,
	VS_MSG_COST_BREAK_EVEN, /* hours */
	VS_MSG_COST_PRICED_AT,  /* date */
	VS_MSG_UNPRICED,
	VS_MSG_COL_PRICE,
	VS_MSG_COL_TIME_AT,
	VS_MSG_CHECK_TIERS,
	VS_MSG_CHECK_TIERS_OK,  /* number */
	VS_MSG_CHECK_TIERS_NOT, /* number, all */
	VS_MSG_CHECK_TIERS_NONE,
	VS_MSG_CHECK_TOP,
	VS_MSG_CHECK_TOP_IS,   /* level, percent */
	VS_MSG_CHECK_TOP_ONLY, /* level */
	VS_MSG_CHECK_BOUND,
	VS_MSG_CHECK_DIPS,
	VS_MSG_CHECK_DIPS_NONE,
	VS_MSG_CHECK_DIPS_SOME, /* number, longest, lowest */
	VS_MSG_CHECK_DEVICE,
	VS_MSG_CHECK_DEVICE_OK, /* percent */
	VS_MSG_CHECK_DEVICE_UNKNOWN,
	VS_MSG_CHECK_COMPLETE,
	VS_MSG_CHECK_COMPLETE_OK,  /* samples */
	VS_MSG_CHECK_COMPLETE_NOT, /* missing, errors */
	VS_MSG_CHECK_COMPLETE_END,
	VS_MSG_CHECK_POWER,
	VS_MSG_STATE_OK,
	VS_MSG_STATE_NOTE,
	VS_MSG_STATE_WARN,
	VS_MSG_VERDICT_NOTE,
	VS_MSG_METHOD_SAMPLE, /* interval */
	VS_MSG_METHOD_PLATEAU,
	VS_MSG_METHOD_STEP,
	VS_MSG_METHOD_TIER, /* low, high */
	VS_MSG_METHOD_NO_LADDER,
	VS_MSG_METHOD_BOUND,
	VS_MSG_METHOD_CI, /* percent */
	VS_MSG_RAW_INTRO,
	VS_MSG_RAW_JSON,
	VS_MSG_RAW_CSV,
	VS_MSG_RAW_EVENTS,
	VS_MSG_RAW_MORE, /* number */
	VS_MSG_COL_KIND,
	VS_MSG_COL_TEXT,
	VS_MSG_CHART_LABEL,
	VS_MSG_CHART_HELP,
	VS_MSG_CHART_ZOOM_IN,
	VS_MSG_CHART_ZOOM_OUT,
	VS_MSG_CHART_EARLIER,
	VS_MSG_CHART_LATER,
	VS_MSG_CHART_ALL,
	VS_MSG_CHART_LOAD,
	VS_MSG_CHART_IDLE,
	VS_MSG_CHART_STATIC,
	VS_MSG_CHART_P50,
	VS_MSG_CHART_P99,
	VS_MSG_CHART_PLATEAU,
	VS_MSG_CHART_VPU,
	VS_MSG_CHART_LATENCY,
	VS_MSG_CHART_TIME,
	VS_MSG_LIBRARY,
	VS_MSG_COUNT,
};

struct vs_lang {
	const char *code; /* "en" */
	const char *text[VS_MSG_COUNT];
};

extern const struct vs_lang vs_lang_en, vs_lang_ja;

/* NULL: English. A language that there is not: NULL. */
const struct vs_lang *vs_lang_named(const char *code);
/* The message with args[0], args[1], ... in its places. */
void vs_lang_fill(const struct vs_lang *lang, enum vs_msg msg, const char *const *args,
		  struct vs_buf *out);
/* "4 min 46 s" in the language's words. Fills text[64] and returns it. */
char *vs_lang_duration(const struct vs_lang *lang, int64_t ns, char *text);

#endif
