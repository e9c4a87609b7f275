#include "cloud/json.h"

#include <math.h>
#include <string.h>

#include "model/json.h"

json_t *vs_cloud_json_parse(const char *text, size_t len, struct vs_error *err)
{
	json_error_t where;
	json_t *root;

	if (!text || len == 0) {
		(void)vs_error_set(err, VS_EFORMAT, 0, "the answer is empty where JSON is due");
		return NULL;
	}
	root = vs_json_load(text, len, JSON_ALLOW_NUL, &where, err);
	if (!root)
		(void)vs_error_set(err, VS_EFORMAT, 0,
				   "the answer is not JSON (line %d, column %d)", where.line,
				   where.column);
	return root;
}

void vs_cloud_json_text(const json_t *object, const char *key, char *out, size_t size)
{
	const json_t *value = json_object_get(object, key);
	const char *text = json_string_value(value);
	size_t len = text ? json_string_length(value) : 0;

	if (text && len >= size) {
		len = size - 1;
		while (len > 0 && ((unsigned char)text[len] & 0xc0U) == 0x80)
			len--;
	}
	for (size_t i = 0; i < len; i++)
		out[i] = (char)((unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
	out[len] = '\0';
}

double vs_cloud_json_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_number(value) || !isfinite(json_number_value(value)))
		return (double)NAN;
	return json_number_value(value);
}

int vs_cloud_json_flag(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_boolean(value) ? json_is_true(value) : -1;
}
