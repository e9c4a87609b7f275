#include "model/verification.h"

const char *vs_verdict_name(enum vs_verdict verdict)
{
	static const char *const names[] = { "pass", "fail", "skip" };

	return names[verdict];
}
