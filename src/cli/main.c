/* volscale: the table of subcommands, and the way to the one that was asked for. */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/version.h"

/* In the order of --help. One a line, so that two additions do not meet. */
static const struct vs_command *const commands[] = {
	/* clang-format off */
	&vs_cmd_observe,
	&vs_cmd_watch,
	&vs_cmd_rehearse,
	&vs_cmd_import,
	&vs_cmd_report,
	&vs_cmd_compare,
	&vs_cmd_verify,
	&vs_cmd_tiers,
	&vs_cmd_runs,
	&vs_cmd_cloud,
	&vs_cmd_price,
	/* clang-format on */
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_usage(FILE *out)
{
	(void)fputs(
		"usage: volscale COMMAND [options] [operands]\n\n"
		"Observes how a cloud volume's performance scales: holds a fixed read workload,\n"
		"records every second, finds plateaus and steps, and names the tier of each. It\n"
		"never writes to a volume.\n\ncommands:\n",
		out);
	for (size_t i = 0; i < N_COMMANDS; i++)
		(void)fprintf(out, "  %-10s %s\n", commands[i]->opt->name,
			      commands[i]->opt->summary);
	(void)fputs(
		"\n'volscale COMMAND --help' explains one.\n"
		"exit codes: 0 done, 1 failed, 2 usage, 3 verify failed, 130 interrupted after\n"
		"everything was saved\n",
		out);
}

/* Options of one command a line, for the completion script that is built from it. */
static void print_words(void)
{
	for (size_t i = 0; i < N_COMMANDS; i++) {
		(void)printf("%s: ", commands[i]->opt->name);
		vs_opt_print_words(commands[i]->opt, stdout);
	}
}

static void print_man(void)
{
	(void)printf(".TH VOLSCALE 1 \"\" \"volscale %s\" \"User Commands\"\n"
		     ".SH NAME\nvolscale \\- observe how a cloud volume's performance scales\n"
		     ".SH SYNOPSIS\n.B volscale\nCOMMAND [options] [operands]\n.SH COMMANDS\n",
		     VS_VERSION);
	for (size_t i = 0; i < N_COMMANDS; i++)
		vs_opt_print_man(commands[i]->opt, stdout);
	(void)fputs(
		".SH EXIT STATUS\n0 done, 1 failed, 2 usage, 3 verify failed, 130 interrupted after "
		"everything was saved\n.SH ENVIRONMENT\n.TP\n.B VOLSCALE_DB\nthe database when "
		"\\-\\-db is not given\n",
		stdout);
}

static const struct vs_command *find_command(const char *name)
{
	const char *words[N_COMMANDS], *near;

	for (size_t i = 0; i < N_COMMANDS; i++) {
		words[i] = commands[i]->opt->name;
		if (strcmp(name, words[i]) == 0)
			return commands[i];
	}
	near = vs_opt_nearest(name, words, N_COMMANDS);
	if (near)
		vs_cli_note("unknown command '%s'; did you mean '%s'?", name, near);
	else
		vs_cli_note("unknown command '%s'; 'volscale --help' lists them", name);
	return NULL;
}

/* An exit code, or -1 with err. */
static int run(int argc, char **argv, struct vs_error *err)
{
	const struct vs_command *command;

	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_usage(stdout);
		return VS_EXIT_DONE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		(void)printf("volscale %s\n", VS_VERSION);
		return VS_EXIT_DONE;
	}
	if (strcmp(argv[1], "--dump-words") == 0 || strcmp(argv[1], "--dump-man") == 0) {
		if (strcmp(argv[1], "--dump-man") == 0)
			print_man();
		else
			print_words();
		return VS_EXIT_DONE;
	}
	command = find_command(argv[1]);
	return command ? command->main(argc - 1, argv + 1, err) : VS_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	struct vs_error err = { 0 };
	void (*sigpipe)(int);
	int rc;

	(void)setlocale(LC_CTYPE,
			""); /* the numeric locale stays C: what we write, machines read */
	/* a run must not end because nobody reads its events */
	sigpipe = signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		print_usage(stderr);
		return VS_EXIT_USAGE;
	}
	rc = run(argc, argv, &err);
	if (rc >= 0 && vs_cli_flush(&err) != 0)
		rc = -1;
	if (rc >= 0)
		return rc;
	if (err.code == VS_ESYS && err.detail == EPIPE) {
		/* as other commands end whose reader has seen enough: without a word */
		(void)signal(SIGPIPE, sigpipe);
		(void)raise(SIGPIPE);
	}
	vs_cli_note("%s", err.text);
	return err.code == VS_EUSAGE ? VS_EXIT_USAGE : VS_EXIT_FAILED;
}
