/* Options as data: one table a subcommand makes its parser, defaults, --help, man page, completion.
 */
#ifndef VS_CLI_OPT_H
#define VS_CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum vs_opt_type {
	VS_OPT_FLAG,     /* bool: no value; sets true */
	VS_OPT_TEXT,     /* const char * */
	VS_OPT_LIST,     /* struct vs_opt_list: repeatable */
	VS_OPT_U64,      /* uint64_t */
	VS_OPT_NUMBER,   /* double */
	VS_OPT_SIZE,     /* uint64_t bytes */
	VS_OPT_DURATION, /* int64_t ns */
	VS_OPT_CHOICE,   /* const char *: one of `arg`, "a|b|c" */
};

struct vs_opt_list {
	const char **items;
	size_t n;
};

/* A table ends with { .name = NULL }. */
struct vs_opt {
	const char *name; /* long, without the dashes */
	char letter;      /* 0 none */
	enum vs_opt_type type;
	size_t offset;    /* of the field in the command's options struct */
	const char *arg;  /* what --help calls the value; the alternatives of a CHOICE */
	const char *init; /* default as text, parsed as if given; NULL leaves the field as it was */
	const char *help; /* one or two lines */
};

/* A row for a field of the struct `type`: VS_OPT(VS_OPT_TEXT, "db", struct x, db, "FILE", NULL,
 * "help").
 */
#define VS_OPT(kind, name, type, field, arg, init, help) \
 {                                                       \
  name, 0, kind, offsetof(type, field), arg, init, help  \
 }

struct vs_opt_command {
	const char *name;     /* "observe" */
	const char *operands; /* "TARGET..." or "" */
	const char *summary;  /* one line */
	const char *text; /* paragraphs for --help and the man page: what, examples, exit codes */
	const struct vs_opt *tables[4]; /* own options first, shared ones behind; NULL ends */
	size_t min_operands, max_operands;
};

/*
 * Parses argv[1..] into values (a struct of the command's). Operands are left in *operands_out,
 * borrowed from argv, which is reordered. 0 go on; 1 --help was printed on stdout; -1 VS_EUSAGE.
 * Lists are freed by vs_opt_release().
 */
int vs_opt_parse(const struct vs_opt_command *cmd, int argc, char **argv, void *values,
		 char ***operands_out, size_t *n_operands_out, struct vs_error *err) VS_MUST_CHECK;
void vs_opt_release(const struct vs_opt_command *cmd, void *values);
void vs_opt_print_help(const struct vs_opt_command *cmd, FILE *out);
void vs_opt_print_man(const struct vs_opt_command *cmd, FILE *out); /* a section of volscale.1 */
/* For completion: "--flag --with-value= --choice=a|b". */
void vs_opt_print_words(const struct vs_opt_command *cmd, FILE *out);

/* The nearest of the words to what was typed, or NULL when none is near. */
const char *vs_opt_nearest(const char *typed, const char *const *words, size_t n);

#endif
