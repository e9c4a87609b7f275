#include "cloud/retry.h"

#include <string.h>

#include "base/clock.h"

const struct vs_retry_policy vs_retry_default = {
	.attempts = 8,
	.base_ns = VS_NS_PER_SEC,
	.cap_ns = 30 * VS_NS_PER_SEC,
	.total_ns = 600 * VS_NS_PER_SEC,
};

bool vs_retry_is_worth(int status, const char *code)
{
	if (status == 409)
		return strcmp(code, "IncorrectState") == 0 || strcmp(code, "LockConflict") == 0 ||
		       strcmp(code, "ExternalServerIncorrectState") == 0;
	return status == 0 || status == 429 || (status >= 500 && status != 501);
}

/* splitmix64 */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

int64_t vs_retry_delay_ns(const struct vs_retry_policy *policy, int attempt, int64_t spent_ns,
			  int64_t retry_after_ns, uint64_t *seed)
{
	int64_t delay_ns = policy->base_ns;

	if (attempt >= policy->attempts)
		return -1;
	for (int i = 1; i < attempt && delay_ns < policy->cap_ns; i++)
		delay_ns *= 2;
	if (policy->base_ns > 0)
		delay_ns += (int64_t)(next(seed) % (uint64_t)policy->base_ns);
	if (delay_ns > policy->cap_ns)
		delay_ns = policy->cap_ns;
	if (retry_after_ns > delay_ns)
		delay_ns = retry_after_ns;
	return spent_ns + delay_ns > policy->total_ns ? -1 : delay_ns;
}
