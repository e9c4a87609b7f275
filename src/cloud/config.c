#include "cloud/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <ini.h>

#include "cloud/key.h"

enum {
	MAX_LINE = 4096,
	MAX_FILE = 64 << 10
};

/* Keys, their fields, and the variable that goes over them. */
static const struct {
	const char *key;
	size_t offset;
	const char *env;
} fields[] = {
	{ "tenancy", offsetof(struct vs_oci_profile, tenancy), "OCI_CLI_TENANCY" },
	{ "user", offsetof(struct vs_oci_profile, user), "OCI_CLI_USER" },
	{ "fingerprint", offsetof(struct vs_oci_profile, fingerprint), "OCI_CLI_FINGERPRINT" },
	{ "key_file", offsetof(struct vs_oci_profile, key_file), "OCI_CLI_KEY_FILE" },
	{ "pass_phrase", offsetof(struct vs_oci_profile, pass_phrase), "OCI_CLI_PASSPHRASE" },
	{ "passphrase", offsetof(struct vs_oci_profile, pass_phrase), NULL },
	{ "region", offsetof(struct vs_oci_profile, region), "OCI_CLI_REGION" },
	{ "security_token_file", offsetof(struct vs_oci_profile, security_token_file),
	  "OCI_CLI_SECURITY_TOKEN_FILE" },
	/* the provider's own readers forbid it in the file, so here it has no key */
	{ NULL, offsetof(struct vs_oci_profile, key_content), "OCI_CLI_KEY_CONTENT" },
};

#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

struct reading {
	const char *text;
	size_t len, at;
	int line;
	const char *name;
	bool found;
	struct vs_oci_profile own, defaults;
	struct vs_error *err;
};

static char **field_of(struct vs_oci_profile *profile, size_t i)
{
	return (char **)(void *)((char *)profile + fields[i].offset);
}

static int set_field(struct vs_oci_profile *profile, size_t i, const char *value,
		     struct vs_error *err)
{
	char **field = field_of(profile, i);
	char *copy = strdup(value);

	if (!copy)
		return vs_error_nomem(err);
	vs_key_forget(*field);
	*field = copy;
	return 0;
}

void vs_oci_profile_release(struct vs_oci_profile *profile)
{
	for (size_t i = 0; i < N_FIELDS; i++) {
		char **field = field_of(profile, i);
		vs_key_forget(*field);
		*field = NULL;
	}
}

static void note_section(struct reading *reading, const char *line, size_t len)
{
	size_t name = strlen(reading->name);

	if (len > name + 1 && line[0] == '[' && line[name + 1] == ']' &&
	    strncmp(line + 1, reading->name, name) == 0)
		reading->found = true;
}

/*
 * fgets() for inih, over a text. It looks at each line first: some builds of inih cut a value at
 * " ;", split long lines, or take an indented line for more of the value before, all without a
 * word. Here those are errors, or cannot happen.
 */
static char *next_line(char *out, int size, void *ctx)
{
	struct reading *reading = ctx;
	const char *line = reading->text + reading->at;
	size_t left = reading->len - reading->at, len;
	const char *end;

	if (left == 0 || (reading->err && reading->err->code != VS_OK))
		return NULL;
	end = memchr(line, '\n', left);
	len = end ? (size_t)(end - line) : left;
	reading->at += end ? len + 1 : len;
	reading->line++;
	while (len > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	if (len + 3 > (size_t)size || memchr(line, '\0', len)) {
		(void)vs_error_set(reading->err, VS_EFORMAT, 0,
				   "line %d is longer than %d bytes or not text", reading->line,
				   size - 3);
		return NULL;
	}
#ifndef VS_INIH_GLOBALS
	if (len > 0 && *line != ';' && *line != '#')
		for (size_t i = 0; i + 1 < len; i++)
			if ((line[i] == ' ' || line[i] == '\t') && line[i + 1] == ';') {
				(void)vs_error_set(reading->err, VS_EFORMAT, 0,
						   "line %d has a ';' behind a blank, which this "
						   "build's libinih would cut off; use the "
						   "environment for that value",
						   reading->line);
				return NULL;
			}
#endif
	note_section(reading, line, len);
	memcpy(out, line, len);
	out[len] = '\n';
	out[len + 1] = '\0';
	return out;
}

static int on_value(void *ctx, const char *section, const char *key, const char *value)
{
	struct reading *reading = ctx;
	bool own = strcmp(section, reading->name) == 0;
	bool defaults = strcmp(section, "DEFAULT") == 0;

	for (size_t i = 0; (own || defaults) && key && value && i < N_FIELDS; i++)
		if (fields[i].key && strcasecmp(fields[i].key, key) == 0)
			return set_field(own ? &reading->own : &reading->defaults, i, value,
					 reading->err) == 0;
	return 1;
}

/* What the profile does not say, [DEFAULT] does. */
static void inherit(struct reading *reading)
{
	for (size_t i = 0; i < N_FIELDS; i++) {
		char **own = field_of(&reading->own, i);
		char **from = field_of(&reading->defaults, i);
		if (!*own) {
			*own = *from;
			*from = NULL;
		}
	}
}

int vs_oci_profile_parse(const char *text, size_t len, const char *name, struct vs_oci_profile *out,
			 struct vs_error *err)
{
	struct vs_error own_err = { 0 };
	struct reading reading = { .text = text, .len = len, .name = name, .err = &own_err };
	int bad_line;

#ifdef VS_INIH_GLOBALS
	ini_allow_inline_comments = false;
	ini_allow_multiline = false;
	ini_use_stack = false;
	ini_initial_alloc = MAX_LINE;
	ini_max_line = MAX_LINE;
#endif
	*out = (struct vs_oci_profile){ 0 };
	bad_line = ini_parse_stream(next_line, &reading, on_value, &reading);
	if (own_err.code == VS_OK && bad_line < 0)
		(void)vs_error_nomem(&own_err);
	if (own_err.code == VS_OK && bad_line > 0)
		(void)vs_error_set(&own_err, VS_EFORMAT, 0,
				   "line %d is neither [profile] nor key = value", bad_line);
	if (own_err.code == VS_OK && !reading.found && strcmp(name, "DEFAULT") != 0)
		(void)vs_error_set(&own_err, VS_ENOTFOUND, 0,
				   "there is no profile [%s]; give one with --oci-profile", name);
	if (own_err.code == VS_OK)
		inherit(&reading);
	vs_oci_profile_release(&reading.defaults);
	if (own_err.code != VS_OK) {
		vs_oci_profile_release(&reading.own);
		return vs_error_set(err, own_err.code, own_err.detail, "%s", own_err.text);
	}
	*out = reading.own;
	return 0;
}

int vs_oci_read_file(const char *path, char **text_out, size_t *len_out, struct vs_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char *text;
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		return vs_error_sys(err, errno, "cannot open '%s'", path);
	text = malloc(MAX_FILE + 1);
	if (!text) {
		(void)close(fd);
		return vs_error_nomem(err);
	}
	do {
		n = read(fd, text + len, MAX_FILE - len);
		len += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && len < MAX_FILE) || (n < 0 && errno == EINTR));
	if (n < 0)
		(void)vs_error_sys(err, errno, "cannot read '%s'", path);
	else if (len == MAX_FILE)
		(void)vs_error_set(err, VS_EFORMAT, 0, "'%s' is larger than %d bytes", path,
				   MAX_FILE - 1);
	(void)close(fd);
	text[len] = '\0';
	if (n < 0 || len == MAX_FILE) {
		vs_key_forget(text);
		return -1;
	}
	*text_out = text;
	*len_out = len;
	return 0;
}

static const char *env_text(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* "~/x" with HOME in the place of '~'; a copy. */
static char *expand(const char *path)
{
	const char *home = env_text("HOME");
	char *out = NULL;

	if (path[0] != '~' || path[1] != '/' || !home)
		return strdup(path);
	return asprintf(&out, "%s%s", home, path + 1) < 0 ? NULL : out;
}

/* Where the provider's own tools look; a copy. */
static char *find_file(const char *file)
{
	const char *named = file ? file : env_text("OCI_CLI_CONFIG_FILE");
	char *path = expand(named ? named : "~/.oci/config");

	if (named || !path || access(path, F_OK) == 0)
		return path;
	free(path);
	named = env_text("OCI_CONFIG_FILE");
	path = expand(named ? named : "~/.oraclebmc/config");
	if (named || !path || access(path, F_OK) == 0)
		return path;
	free(path);
	return expand("~/.oci/config");
}

static int apply_environment(struct vs_oci_profile *profile, struct vs_error *err)
{
	const char *value;

	for (size_t i = 0; i < N_FIELDS; i++) {
		value = fields[i].env ? env_text(fields[i].env) : NULL;
		if (value && set_field(profile, i, value, err) != 0)
			return -1;
	}
	value = env_text("OCI_REGION");
	if (value && !profile->region && !(profile->region = strdup(value)))
		return vs_error_nomem(err);
	return 0;
}

static int expand_field(char **field, struct vs_error *err)
{
	char *path;

	if (!*field)
		return 0;
	path = expand(*field);
	if (!path)
		return vs_error_nomem(err);
	free(*field);
	*field = path;
	return 0;
}

int vs_oci_profile_load(const char *file, const char *name, struct vs_oci_profile *out,
			struct vs_error *err)
{
	bool by_environment = env_text("OCI_CLI_KEY_FILE") || env_text("OCI_CLI_KEY_CONTENT");
	const char *profile = name ? name : env_text("OCI_CLI_PROFILE");
	char *path = find_file(file), *text = NULL;
	size_t len = 0;
	int rc = 0;

	*out = (struct vs_oci_profile){ 0 };
	if (!path)
		return vs_error_nomem(err);
	if (!file && by_environment && access(path, F_OK) != 0)
		rc = 0;
	else if (vs_oci_read_file(path, &text, &len, err) != 0) {
		rc = -1;
		if (err && err->code == VS_ESYS && err->detail == ENOENT) {
			vs_error_clear(err);
			(void)vs_error_set(err, VS_ENOTFOUND, ENOENT,
					   "there is no '%s'; name the file with --oci-config, or "
					   "on an instance give --oci-auth instance",
					   path);
		}
	} else {
		rc = vs_oci_profile_parse(text, len, profile ? profile : "DEFAULT", out, err);
		if (rc != 0)
			(void)vs_error_prefix(err, "'%s': ", path);
	}
	vs_key_forget(text);
	free(path);
	if (rc == 0 &&
	    (apply_environment(out, err) != 0 || expand_field(&out->key_file, err) != 0 ||
	     expand_field(&out->security_token_file, err) != 0))
		rc = -1;
	if (rc != 0)
		vs_oci_profile_release(out);
	return rc;
}
