/* ~/.oci/config: profiles, inheritance, the traps of INI readers, and the environment over it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cloud/config.h"
#include "cloud/region.h"

#define BIG "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static const struct {
	const char *name, *text, *profile;
	const char *user, *pass, *region, *key_file; /* NULL: not set */
	const char *error;
} cases[] = {
	{ "default profile", "[DEFAULT]\nuser=u\nregion=r\n", "DEFAULT", "u", NULL, "r", NULL,
	  NULL },
	{ "inherits what it lacks", "[DEFAULT]\nuser=u\nregion=r\n[A]\nregion=a\n", "A", "u", NULL,
	  "a", NULL, NULL },
	{ "default behind the profile", "[A]\nregion=a\n[DEFAULT]\nuser=u\nregion=r\n", "A", "u",
	  NULL, "a", NULL, NULL },
	{ "an empty profile inherits all", "[DEFAULT]\nuser=u\n[A]\n", "A", "u", NULL, NULL, NULL,
	  NULL },
	{ "other profiles are not looked at", "[B]\nuser=b\n[A]\nregion=a\n", "A", NULL, NULL, "a",
	  NULL, NULL },
	{ "a ';' inside a pass phrase stays", "[DEFAULT]\npass_phrase = a ; b # c = d\n", "DEFAULT",
	  NULL, "a ; b # c = d", NULL, NULL, NULL },
	{ "a line of 300 bytes is one line", "[DEFAULT]\nkey_file=" BIG BIG BIG BIG "\nuser=u\n",
	  "DEFAULT", "u", NULL, NULL, BIG BIG BIG BIG, NULL },
	{ "an indented line is its own key", "[DEFAULT]\nregion=r\n  user=u\n\tpass_phrase=p\n",
	  "DEFAULT", "u", "p", "r", NULL, NULL },
	{ "keys in capitals, blanks, CRLF, BOM", "\xef\xbb\xbf[DEFAULT]\r\nUSER  =  u \r\n",
	  "DEFAULT", "u", NULL, NULL, NULL, NULL },
	{ "comments and unknown keys", "# x\n; y\n[DEFAULT]\n; z\nnew_thing=1\nuser=u\n", "DEFAULT",
	  "u", NULL, NULL, NULL, NULL },
	{ "no newline at the end", "[DEFAULT]\nuser=u", "DEFAULT", "u", NULL, NULL, NULL, NULL },
	{ "the last of two wins", "[DEFAULT]\nuser=a\nuser=b\n", "DEFAULT", "b", NULL, NULL, NULL,
	  NULL },
	{ "empty file, default profile", "", "DEFAULT", NULL, NULL, NULL, NULL, NULL },
	{ "no such profile", "[DEFAULT]\nuser=u\n", "A", NULL, NULL, NULL, NULL, "no profile [A]" },
	{ "a name that begins another", "[AB]\nuser=u\n", "A", NULL, NULL, NULL, NULL,
	  "no profile [A]" },
	{ "a line that is neither", "[DEFAULT]\nuser=u\nhunter2\n", "DEFAULT", NULL, NULL, NULL,
	  NULL, "line 3 is neither" },
};

static void check_text(const char *got, const char *want)
{
	if (!want)
		assert_null(got);
	else
		assert_string_equal(got ? got : "(null)", want);
}

static void profiles_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vs_oci_profile p;
		struct vs_error err = { 0 };
		int rc = vs_oci_profile_parse(cases[i].text, strlen(cases[i].text),
					      cases[i].profile, &p, &err);

		print_message("%s: %s\n", cases[i].name, err.text);
		assert_int_equal(rc, cases[i].error ? -1 : 0);
		if (cases[i].error) {
			assert_non_null(strstr(err.text, cases[i].error));
			assert_null(strstr(err.text, "hunter2"));
			continue;
		}
		check_text(p.user, cases[i].user);
		check_text(p.pass_phrase, cases[i].pass);
		check_text(p.region, cases[i].region);
		check_text(p.key_file, cases[i].key_file);
		vs_oci_profile_release(&p);
	}
}

static void hostile_text_is_an_error(void **state)
{
	static const char nul[] = "[DEFAULT]\nuser=a\0b\n";
	char *longer = malloc(9000);
	struct vs_oci_profile p;
	struct vs_error err = { 0 };

	(void)state;
	assert_non_null(longer);
	assert_int_equal(vs_oci_profile_parse(nul, sizeof(nul) - 1, "DEFAULT", &p, &err), -1);
	assert_non_null(strstr(err.text, "line 2"));
	memset(longer, 'a', 9000);
	memcpy(longer, "[DEFAULT]\nuser=", 15);
	vs_error_clear(&err);
	assert_int_equal(vs_oci_profile_parse(longer, 9000, "DEFAULT", &p, &err), -1);
	assert_non_null(strstr(err.text, "line 2 is longer than"));
	free(longer);
}

static void environment_goes_over_the_file(void **state)
{
	char dir[] = "/tmp/vs-config-XXXXXX", path[64];
	struct vs_oci_profile p;
	struct vs_error err = { 0 };
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/config", dir);
	file = fopen(path, "w");
	assert_non_null(file);
	(void)fputs("[DEFAULT]\nuser=u\nregion=r\nkey_file=~/k.pem\n[P]\nuser=p\n", file);
	assert_int_equal(fclose(file), 0);
	(void)setenv("HOME", dir, 1);
	(void)setenv("OCI_CLI_CONFIG_FILE", path, 1);
	(void)setenv("OCI_CLI_PROFILE", "P", 1);
	(void)setenv("OCI_CLI_REGION", "e", 1);
	(void)setenv("OCI_REGION", "never", 1);
	assert_int_equal(vs_oci_profile_load(NULL, NULL, &p, &err), 0);
	assert_string_equal(p.user, "p");
	assert_string_equal(p.region, "e");
	(void)snprintf(path, sizeof(path), "%s/k.pem", dir);
	assert_string_equal(p.key_file, path);
	vs_oci_profile_release(&p);

	print_message("a file that is not there\n");
	assert_int_equal(vs_oci_profile_load("/nonexistent/config", NULL, &p, &err), -1);
	assert_int_equal(err.code, VS_ENOTFOUND);
	assert_non_null(strstr(err.text, "--oci-config"));

	print_message("the environment alone\n");
	vs_error_clear(&err);
	(void)setenv("OCI_CLI_CONFIG_FILE", "/nonexistent/config", 1);
	(void)setenv("OCI_CLI_KEY_CONTENT", "PEM", 1);
	(void)setenv("OCI_CLI_USER", "eu", 1);
	assert_int_equal(vs_oci_profile_load(NULL, NULL, &p, &err), 0);
	assert_string_equal(p.user, "eu");
	assert_string_equal(p.key_content, "PEM");
	vs_oci_profile_release(&p);
	(void)snprintf(path, sizeof(path), "%s/config", dir);
	(void)unlink(path);
	(void)rmdir(dir);
}

static void regions_find_their_realm(void **state)
{
	static const struct {
		const char *region, *ocid, *id, *domain; /* id NULL: refused */
	} rows[] = {
		{ "us-phoenix-1", NULL, "us-phoenix-1", "oraclecloud.com" },
		{ "phx", "ocid1.tenancy.oc1..x", "us-phoenix-1", "oraclecloud.com" },
		{ "uk-gov-london-1", "ocid1.tenancy.oc4..x", "uk-gov-london-1",
		  "oraclegovcloud.uk" },
		{ "eu-frankfurt-2", "ocid1.tenancy.oc19..x", "eu-frankfurt-2", "oraclecloud.eu" },
		{ "ap-chiyoda-1", "ocid1.tenancy.oc8..x", "ap-chiyoda-1", "oraclecloud8.com" },
		{ "xx-new-1", "ocid1.tenancy.oc99..x", NULL, NULL },
		{ "evil.example/x", NULL, NULL, NULL },
		{ "", NULL, NULL, NULL },
		{ "xx-mine-1", "ocid1.tenancy.oc99..x", "xx-mine-1", "mine.example" },
	};

	(void)state;
	(void)setenv("HOME", "/nonexistent", 1);
	(void)setenv("OCI_REGION_METADATA",
		     "{\"realmKey\":\"oc99\",\"realmDomainComponent\":\"mine.example\","
		     "\"regionKey\":\"MIN\",\"regionIdentifier\":\"xx-mine-1\"}",
		     1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct vs_region region;
		struct vs_error err = { 0 };
		int rc = vs_region_resolve(rows[i].region, rows[i].ocid, &region, &err);

		print_message("'%s': %s\n", rows[i].region, err.text);
		assert_int_equal(rc, rows[i].id ? 0 : -1);
		if (rows[i].id) {
			assert_string_equal(region.id, rows[i].id);
			assert_string_equal(region.domain, rows[i].domain);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_are_read),
		cmocka_unit_test(hostile_text_is_an_error),
		cmocka_unit_test(environment_goes_over_the_file),
		cmocka_unit_test(regions_find_their_realm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
