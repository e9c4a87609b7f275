/* The words of the reports for people: one table of messages, one file a language. */
#ifndef VS_REPORTS_LANG_H
#define VS_REPORTS_LANG_H

#include <stdint.h>

#include "base/buf.h"

/* {0} to {9} in a message are filled in; a language may use them in any order. */
enum vs_msg {
	/* the sentence at the top */
	VS_MSG_SUM_NONE,     /* samples */
	VS_MSG_SUM_FLAT,     /* level, duration */
	VS_MSG_SUM_RISE,     /* from, to, duration, steps */
	VS_MSG_SUM_RISE_ONE, /* from, to, duration */
	VS_MSG_SUM_DROP,     /* from, to, duration */
	VS_MSG_SUM_FALL,     /* to, duration */
	VS_MSG_SUM_NO_FALL,  /* duration */
	VS_MSG_SUM_JOIN,     /* sentence, sentence */
	VS_MSG_SUM_END,      /* sentence */
	VS_MSG_TIER,         /* name: "VPU 10" */
	VS_MSG_TIER_OTHER,   /* name, of a provider without VPUs */
	VS_MSG_TIER_RANGE,   /* tier, tier, IOPS, IOPS */
	VS_MSG_IOPS_RANGE,   /* IOPS, IOPS */
	VS_MSG_IOPS,         /* number */
	VS_MSG_IOPS_OF_TIER, /* tier, number */
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
	VS_MSG_WARN_ERRORS,  /* number */
	VS_MSG_WARN_MISSING, /* number */
	VS_MSG_NOTE_PENDING, /* at, IOPS */
	VS_MSG_NOTE_STALLS,  /* number, longest */
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
