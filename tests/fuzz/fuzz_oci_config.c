/* ~/.oci/config as anybody may have left it: profiles, inheritance, odd lines. No error quotes a
 * secret. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cloud/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_profile(const char *text, size_t len, const char *name)
{
	struct vs_oci_profile profile;
	struct vs_error err = { 0 };

	if (vs_oci_profile_parse(text, len, name, &profile, &err) == 0)
		vs_oci_profile_release(&profile);
	else
		VS_ASSERT(err.code != VS_OK && !strstr(err.text, "SECRET"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	VS_ASSERT(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	read_profile(text, size, "DEFAULT");
	read_profile(text, size, "A");
	free(text);
	return 0;
}
