#include "probes/import_sysstat_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probes/import_devices.h"
#include "probes/import_sysstat.h"
#include "probes/import_text.h"

#define MAX_DEPTH 32
#define MAX_TEXT  128

/*
 * Character by character: a file that was cut off, or that has a comma where none belongs, is then
 * no other case. All that is kept is the path of keys to where we are.
 */
struct json {
	struct vs_import *im;
	struct vs_devices *devices;
	bool since_boot;

	char keys[MAX_DEPTH][24]; /* of the object or array at each depth */
	bool is_array[MAX_DEPTH];
	int depth;
	char text[MAX_TEXT]; /* a string or a bare word */
	size_t len;
	bool in_string, escaped, in_word;
	char key[24]; /* waits for its value */

	bool in_report; /* an object of "statistics" */
	bool began;     /* its report was handed on */
	bool first;
	double wall_s, length_s;
	char date[24], time[24]; /* sadf: "timestamp": {"date", "time"} */
	bool utc;
	char device[64];
	struct vs_device_row row;
};

/* The key of the array or object that we are in, `up` levels above. */
static const char *inside(const struct json *json, int up)
{
	return json->depth > up && json->depth - up <= MAX_DEPTH ? json->keys[json->depth - up - 1]
								 : "";
}

static int begin_report(struct json *json, struct vs_error *err)
{
	int64_t wall_ms;
	char text[56];
	size_t date = strlen(json->date), time = strlen(json->time);
	bool zone;

	if (json->began)
		return 0;
	json->began = true;
	if (date && time) {
		memcpy(text, json->date, date);
		text[date] = ' ';
		memcpy(text + date + 1, json->time, time + 1);
		if (vs_text_wall(text, &wall_ms, &zone)) {
			json->wall_s = (double)wall_ms / 1000;
			vs_devices_set_dated(json->devices, zone || json->utc);
		}
	}
	if (vs_devices_report(json->devices, json->wall_s, json->length_s,
			      json->first && json->since_boot, err) != 0)
		return -1;
	json->first = false;
	return 0;
}

static int end_device(struct json *json, struct vs_error *err)
{
	if (!json->device[0])
		return 0;
	if (begin_report(json, err) != 0 ||
	    vs_devices_row(json->devices, json->device, &json->row, err) != 0)
		return -1;
	json->device[0] = '\0';
	return 0;
}

static void copy(char *to, size_t size, const char *from)
{
	size_t len = strlen(from);

	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

static void read_value(struct json *json, bool is_string)
{
	const char *key = json->key;
	int64_t wall_ms;
	double value;
	bool zone;

	if (strcmp(inside(json, 0), "timestamp") == 0) {
		if (strcmp(key, "date") == 0)
			copy(json->date, sizeof(json->date), json->text);
		else if (strcmp(key, "time") == 0)
			copy(json->time, sizeof(json->time), json->text);
		else if (strcmp(key, "utc") == 0)
			json->utc = json->text[0] == '1';
		else if (strcmp(key, "interval") == 0 &&
			 vs_text_is_number(json->text, false, &value) && value > 0)
			json->length_s = value;
	} else if (strcmp(key, "timestamp") == 0) {
		if (vs_text_wall(json->text, &wall_ms, &zone)) {
			json->wall_s = (double)wall_ms / 1000;
			vs_devices_set_dated(json->devices, zone);
		}
	} else if (strcmp(key, "disk_device") == 0 || strcmp(key, "disk-device") == 0) {
		copy(json->device, sizeof(json->device), json->text);
		if (is_string)
			return;
	} else if (vs_sysstat_cell(json->text, &value)) {
		vs_sysstat_put(&json->row, key, value);
	}
}

static int open_level(struct json *json, bool is_array, struct vs_error *err)
{
	if (json->depth >= MAX_DEPTH)
		return vs_error_set(err, VS_EFORMAT, 0,
				    "its JSON is nested deeper than any report of sysstat");
	memcpy(json->keys[json->depth], json->key, sizeof(json->key));
	json->is_array[json->depth] = is_array;
	json->depth++;
	json->key[0] = '\0';
	if (!is_array && strcmp(inside(json, 1), "statistics") == 0) {
		json->in_report = true;
		json->began = false;
		json->wall_s = json->length_s = (double)NAN;
		json->date[0] = json->time[0] = '\0';
	} else if (!is_array && strcmp(inside(json, 1), "disk") == 0) {
		json->device[0] = '\0';
		vs_sysstat_row_init(&json->row);
	}
	return 0;
}

static int close_level(struct json *json, struct vs_error *err)
{
	bool is_array;

	if (json->depth == 0)
		return 0;
	is_array = json->is_array[json->depth - 1];
	json->key[0] = '\0';
	if (!is_array && strcmp(inside(json, 1), "disk") == 0 && end_device(json, err) != 0)
		return -1;
	/* With -z a report may have no disk at all. */
	if (is_array && strcmp(inside(json, 0), "disk") == 0 && json->in_report &&
	    begin_report(json, err) != 0)
		return -1;
	if (!is_array && strcmp(inside(json, 1), "statistics") == 0)
		json->in_report = false;
	json->depth--;
	return 0;
}

static void end_word(struct json *json)
{
	json->in_word = false;
	json->text[json->len] = '\0';
	if (json->key[0])
		read_value(json, false);
	json->key[0] = '\0';
}

/* A character outside of strings. */
static int structure(struct json *json, char c, struct vs_error *err)
{
	if (json->in_word && strchr(",]} \t", c))
		end_word(json);
	switch (c) {
	case '"':
		json->in_string = true;
		json->len = 0;
		return 0;
	case '{':
	case '[':
		return open_level(json, c == '[', err);
	case '}':
	case ']':
		return close_level(json, err);
	case ':':
	case ',':
	case ' ':
	case '\t':
		return 0;
	default:
		if (!json->in_word)
			json->len = 0;
		json->in_word = true;
		if (json->len < MAX_TEXT - 1)
			json->text[json->len++] = c;
		return 0;
	}
}

static void string(struct json *json, char c)
{
	if (!json->escaped && c == '"') {
		json->in_string = false;
		json->text[json->len] = '\0';
		if (json->key[0]) {
			read_value(json, true);
			json->key[0] = '\0';
		} else {
			copy(json->key, sizeof(json->key), json->text);
		}
		return;
	}
	json->escaped = !json->escaped && c == '\\';
	if (!json->escaped && json->len < MAX_TEXT - 1)
		json->text[json->len++] = c;
}

static int read_all(struct json *json, struct vs_error *err)
{
	size_t len;
	bool cut;
	char *line;
	int rc;

	while ((rc = vs_reader_line(json->im->in, &line, &len, &cut, err)) == 1) {
		for (size_t i = 0; i < len; i++) {
			if (json->in_string)
				string(json, line[i]);
			else if (structure(json, line[i], err) != 0)
				return -1;
		}
		if (json->in_word && !cut)
			end_word(json);
	}
	if (rc != 0)
		return -1;
	if (json->in_report && json->began)
		vs_devices_drop_last(json->devices);
	return vs_devices_finish(json->devices, err);
}

bool vs_sysstat_json_looks(const char *head)
{
	head += strspn(head, " \t\r\n");
	return *head == '{' && strstr(head, "\"sysstat\"");
}

bool vs_sysstat_json_detect(const char *head, const char *key)
{
	return vs_sysstat_json_looks(head) && strstr(head, key);
}

int vs_sysstat_json_read(struct vs_import *im, bool since_boot, struct vs_error *err)
{
	struct json *json = calloc(1, sizeof(*json));
	int rc;

	if (!json)
		return vs_error_nomem(err);
	json->im = im;
	json->first = true;
	json->since_boot = since_boot && !im->options->keep_first;
	json->wall_s = json->length_s = (double)NAN;
	rc = vs_devices_open(im, &json->devices, err) == 0 ? read_all(json, err) : -1;
	vs_devices_free(json->devices);
	free(json);
	return rc;
}
