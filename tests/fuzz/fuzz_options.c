/* The words behind a command: the first byte says which command, a line is a word. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/opt.h"

#define WORDS_MAX  32
#define STRUCT_MAX 4096 /* bytes; no command's options are as long */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct vs_command *const commands[] = {
	&vs_cmd_observe, &vs_cmd_watch,   &vs_cmd_rehearse, &vs_cmd_import,
	&vs_cmd_report,  &vs_cmd_compare, &vs_cmd_verify,   &vs_cmd_tiers,
	&vs_cmd_runs,    &vs_cmd_cloud,   &vs_cmd_price,
};
#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* The fields of every option lie in what the parser is given. */
static void check_table(const struct vs_opt_command *cmd)
{
	for (size_t t = 0; t < sizeof(cmd->tables) / sizeof(cmd->tables[0]) && cmd->tables[t]; t++)
		for (const struct vs_opt *opt = cmd->tables[t]; opt->name; opt++)
			VS_ASSERT(opt->offset + sizeof(struct vs_opt_list) <= STRUCT_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	union {
		char bytes[STRUCT_MAX];
		max_align_t align;
	} values = { { 0 } };
	const struct vs_opt_command *cmd;
	struct vs_error err = { 0 };
	char *argv[WORDS_MAX + 2], *text, *rest, **operands;
	size_t n_operands = 0;
	int argc = 0, rc;

	if (size < 1)
		return 0;
	cmd = commands[data[0] % N_COMMANDS]->opt;
	check_table(cmd);
	text = malloc(size);
	VS_ASSERT(text != NULL);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	argv[argc++] = (char *)(uintptr_t)cmd->name;
	for (char *word = strtok_r(text, "\n", &rest); word && argc <= WORDS_MAX;
	     word = strtok_r(NULL, "\n", &rest)) {
		/* --help prints pages */
		if (strncmp(word, "--h", 3) != 0 && strncmp(word, "-h", 2) != 0)
			argv[argc++] = word;
	}
	argv[argc] = NULL;
	rc = vs_opt_parse(cmd, argc, argv, &values, &operands, &n_operands, &err);
	VS_ASSERT(rc == 0 || rc == 1 || (rc == -1 && err.code == VS_EUSAGE && err.text[0]));
	if (rc == 0)
		VS_ASSERT(n_operands >= cmd->min_operands && n_operands <= cmd->max_operands);
	for (size_t i = 0; rc == 0 && i < n_operands; i++)
		VS_ASSERT(operands[i] != NULL);
	vs_opt_release(cmd, &values);
	free(text);
	return 0;
}
