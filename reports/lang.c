#include "reports/lang.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

const struct vs_lang *vs_lang_named(const char *code)
{
	static const struct vs_lang *const langs[] = { &vs_lang_en, &vs_lang_ja };

	if (!code)
		return &vs_lang_en;
	for (size_t i = 0; i < sizeof(langs) / sizeof(langs[0]); i++)
		if (strcmp(langs[i]->code, code) == 0)
			return langs[i];
	return NULL;
}

void vs_lang_fill(const struct vs_lang *lang, enum vs_msg msg, const char *const *args,
		  struct vs_buf *out)
{
	const char *p = lang->text[msg];

	while (*p) {
		size_t len = strcspn(p, "{");

		vs_buf_add(out, p, len);
		p += len;
		if (*p == '\0')
			break;
		vs_buf_add(out, args[p[1] - '0'], strlen(args[p[1] - '0']));
		p += 3;
	}
}

char *vs_lang_duration(const struct vs_lang *lang, int64_t ns, char *text)
{
	static const int64_t spans[] = { 86400, 3600, 60, 1 };
	static const enum vs_msg units[] = { VS_MSG_DAYS, VS_MSG_HOURS, VS_MSG_MINUTES,
					     VS_MSG_SECONDS };
	int64_t sec = (ns + VS_NS_PER_SEC / 2) / VS_NS_PER_SEC;
	size_t unit = 0;
	int len;

	if (ns < VS_NS_PER_SEC) {
		(void)snprintf(text, 64, "%lld%s", (long long)(ns / VS_NS_PER_MS),
			       lang->text[VS_MSG_MILLISECONDS]);
		return text;
	}
	while (sec < spans[unit])
		unit++;
	len = snprintf(text, 64, "%lld%s", (long long)(sec / spans[unit]), lang->text[units[unit]]);
	if (unit < 3 && sec % spans[unit] / spans[unit + 1] > 0)
		(void)snprintf(text + len, 64 - (size_t)len, "%s%lld%s",
			       lang->text[VS_MSG_DURATION_JOIN],
			       (long long)(sec % spans[unit] / spans[unit + 1]),
			       lang->text[units[unit + 1]]);
	return text;
}
