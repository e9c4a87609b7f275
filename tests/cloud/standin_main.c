/*
 * standin KEY.pem URL_FILE [--script FILE] [--seed N --percent N] [--fault NAME]... [--plain]
 *         [--tls CERTIFICATE_FILE] [--port N]
 * The stand-in as a program, until it is killed; its URL goes into URL_FILE, and with --tls what a
 * client must trust into CERTIFICATE_FILE.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin.h"

static bool write_line(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");

	return out && fprintf(out, "%s\n", text) >= 0 && fclose(out) == 0;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = calloc(1, 65537);

	if (!file || !text || fread(text, 1, 65536, file) == 0) {
		perror(path);
		exit(2);
	}
	(void)fclose(file);
	return text;
}

int main(int argc, char **argv)
{
	struct standin_options options = { .policies = true, .multipath = true };
	enum standin_fault faults[64];
	const char *ca = NULL;
	size_t n_faults = 0;
	struct standin *s;
	sigset_t set;
	int sig;

	if (argc < 3)
		return 2;
	options.key = read_file(argv[1]);
	for (int i = 3; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";
		if (strcmp(argv[i], "--plain") == 0) {
			options.policies = options.multipath = false;
			continue;
		}
		if (strcmp(argv[i], "--script") == 0)
			options.script = read_file(value);
		else if (strcmp(argv[i], "--seed") == 0)
			options.seed = strtoull(value, NULL, 10);
		else if (strcmp(argv[i], "--percent") == 0)
			options.percent = (int)strtol(value, NULL, 10);
		else if (strcmp(argv[i], "--port") == 0)
			options.port = (uint16_t)strtoul(value, NULL, 10);
		else if (strcmp(argv[i], "--tls") == 0)
			ca = value, options.tls = true;
		else if (strcmp(argv[i], "--fault") == 0 && standin_fault_value(value) >= 0 &&
			 n_faults < 64)
			faults[n_faults++] = (enum standin_fault)standin_fault_value(value);
		else
			return 2;
		i++;
	}
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	s = standin_start(&options);
	for (size_t i = 0; s && i < n_faults; i++)
		standin_push(s, faults[i]);
	/* the URL last: who waits for it may read the rest */
	if (!s || (ca && !write_line(ca, standin_certificate(s))) ||
	    !write_line(argv[2], standin_url(s)))
		return 1;
	(void)sigwait(&set, &sig);
	(void)fprintf(stderr, "requests %u refused %u %s\n", standin_requests(s),
		      standin_refused(s), standin_reason(s));
	standin_stop(s);
	return 0;
}
