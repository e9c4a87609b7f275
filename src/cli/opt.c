#include "cli/opt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define MAX_WORDS 128

static const struct vs_opt help_option = { .name = "help",
					   .letter = 'h',
					   .type = VS_OPT_FLAG,
					   .help = "show this help" };

/* The i-th option of a command over all its tables, --help last; NULL at the end. */
static const struct vs_opt *option_at(const struct vs_opt_command *cmd, size_t i)
{
	for (size_t t = 0; t < sizeof(cmd->tables) / sizeof(cmd->tables[0]) && cmd->tables[t]; t++)
		for (const struct vs_opt *opt = cmd->tables[t]; opt->name; opt++)
			if (i-- == 0)
				return opt;
	return i == 0 ? &help_option : NULL;
}

static const struct vs_opt *find_long(const struct vs_opt_command *cmd, const char *name,
				      size_t len)
{
	const struct vs_opt *opt;

	for (size_t i = 0; (opt = option_at(cmd, i)) != NULL; i++)
		if (strlen(opt->name) == len && strncmp(opt->name, name, len) == 0)
			return opt;
	return NULL;
}

static const struct vs_opt *find_letter(const struct vs_opt_command *cmd, char letter)
{
	const struct vs_opt *opt;

	for (size_t i = 0; (opt = option_at(cmd, i)) != NULL; i++)
		if (opt->letter && opt->letter == letter)
			return opt;
	return NULL;
}

/* Levenshtein's distance, for words shorter than 64. */
static size_t distance(const char *a, const char *b)
{
	size_t row[64], la = strlen(a), lb = strlen(b);

	if (la >= 64 || lb >= 64)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[lb];
}

const char *vs_opt_nearest(const char *typed, const char *const *words, size_t n)
{
	const char *best = NULL;
	size_t best_distance = strlen(typed) / 3 + 2;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(typed, words[i]);
		if (d < best_distance) {
			best_distance = d;
			best = words[i];
		}
	}
	return best;
}

static int set_choice(const struct vs_opt *opt, const char *text, const char **field,
		      struct vs_error *err)
{
	const char *p = opt->arg;
	size_t len = strlen(text);

	while (len > 0) {
		size_t word = strcspn(p, "|");
		if (word == len && strncmp(p, text, len) == 0) {
			*field = text;
			return 0;
		}
		if (p[word] == '\0')
			break;
		p += word + 1;
	}
	return vs_error_set(err, VS_EUSAGE, 0, "'%s' is none of %s", text, opt->arg);
}

static int add_item(struct vs_opt_list *list, const char *text, struct vs_error *err)
{
	const char **items = reallocarray(list->items, list->n + 1, sizeof(*items));

	if (!items)
		return vs_error_nomem(err);
	list->items = items;
	list->items[list->n++] = text;
	return 0;
}

static int set_value(const struct vs_opt *opt, const char *text, void *values, struct vs_error *err)
{
	void *field = (char *)values + opt->offset;
	int rc = 0;

	switch (opt->type) {
	case VS_OPT_FLAG:
		*(bool *)field = true;
		break;
	case VS_OPT_TEXT:
		*(const char **)field = text;
		break;
	case VS_OPT_LIST:
		rc = add_item(field, text, err);
		break;
	case VS_OPT_U64:
		rc = vs_units_parse_u64(text, field, err);
		break;
	case VS_OPT_NUMBER:
		rc = vs_units_parse_number(text, field, err);
		break;
	case VS_OPT_SIZE:
		rc = vs_units_parse_size(text, field, err);
		break;
	case VS_OPT_DURATION:
		rc = vs_units_parse_duration(text, field, err);
		break;
	case VS_OPT_CHOICE:
		rc = set_choice(opt, text, field, err);
		break;
	}
	return rc == 0 ? 0 : vs_error_prefix(err, "--%s: ", opt->name);
}

static int unknown_option(const struct vs_opt_command *cmd, const char *name, size_t len,
			  struct vs_error *err)
{
	const char *words[MAX_WORDS], *near;
	const struct vs_opt *opt;
	char typed[64];
	size_t n = 0;

	(void)snprintf(typed, sizeof(typed), "%.*s", (int)len, name);
	while (n < MAX_WORDS && (opt = option_at(cmd, n)) != NULL)
		words[n++] = opt->name;
	near = vs_opt_nearest(typed, words, n);
	if (near)
		return vs_error_set(err, VS_EUSAGE, 0, "unknown option --%s; did you mean --%s?",
				    typed, near);
	return vs_error_set(err, VS_EUSAGE, 0,
			    "unknown option --%s; 'volscale %s --help' lists them", typed,
			    cmd->name);
}

/* Reads one option at argv[*i], its value maybe from argv[*i + 1]. 1: --help. */
static int parse_one(const struct vs_opt_command *cmd, int argc, char **argv, int *i, void *values,
		     struct vs_error *err)
{
	const char *arg = argv[*i], *value = NULL;
	const struct vs_opt *opt;

	if (arg[1] == '-') {
		size_t len = strcspn(arg + 2, "=");
		opt = find_long(cmd, arg + 2, len);
		if (!opt)
			return unknown_option(cmd, arg + 2, len, err);
		if (arg[2 + len] == '=')
			value = arg + 3 + len;
	} else {
		opt = find_letter(cmd, arg[1]);
		if (!opt)
			return vs_error_set(err, VS_EUSAGE, 0,
					    "unknown option %s; 'volscale %s --help' lists them",
					    arg, cmd->name);
		if (arg[2] != '\0')
			value = arg + 2;
	}
	if (opt == &help_option)
		return 1;
	if (opt->type == VS_OPT_FLAG && value)
		return vs_error_set(err, VS_EUSAGE, 0, "--%s takes no value", opt->name);
	if (opt->type != VS_OPT_FLAG && !value) {
		if (*i + 1 >= argc)
			return vs_error_set(err, VS_EUSAGE, 0, "--%s needs a value: %s", opt->name,
					    opt->arg);
		value = argv[++*i];
	}
	return set_value(opt, value, values, err);
}

static int check_operands(const struct vs_opt_command *cmd, char **operands, size_t n,
			  struct vs_error *err)
{
	if (n > cmd->max_operands)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "one operand too many: '%s'; usage: volscale %s [options] %s",
				    operands[cmd->max_operands], cmd->name, cmd->operands);
	if (n < cmd->min_operands)
		return vs_error_set(err, VS_EUSAGE, 0,
				    "no %s given; usage: volscale %s [options] %s", cmd->operands,
				    cmd->name, cmd->operands);
	return 0;
}

int vs_opt_parse(const struct vs_opt_command *cmd, int argc, char **argv, void *values,
		 char ***operands_out, size_t *n_operands_out, struct vs_error *err)
{
	const struct vs_opt *opt;
	size_t n = 0;
	bool only_operands = false;

	for (size_t k = 0; (opt = option_at(cmd, k)) != NULL; k++)
		if (opt->init && set_value(opt, opt->init, values, err) != 0)
			return -1;
	for (int i = 1; i < argc; i++) {
		int rc;
		if (only_operands || argv[i][0] != '-' || argv[i][1] == '\0') {
			argv[1 + n++] = argv[i];
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			only_operands = true;
			continue;
		}
		rc = parse_one(cmd, argc, argv, &i, values, err);
		if (rc > 0)
			vs_opt_print_help(cmd, stdout);
		if (rc != 0)
			return rc;
	}
	*operands_out = argv + 1;
	*n_operands_out = n;
	return check_operands(cmd, argv + 1, n, err);
}

void vs_opt_release(const struct vs_opt_command *cmd, void *values)
{
	const struct vs_opt *opt;

	for (size_t i = 0; (opt = option_at(cmd, i)) != NULL; i++) {
		if (opt->type == VS_OPT_LIST) {
			struct vs_opt_list *list = (void *)((char *)values + opt->offset);
			free(list->items);
			*list = (struct vs_opt_list){ 0 };
		}
	}
}

/* "-o, --output FILE" */
static int format_left(const struct vs_opt *opt, char *text, size_t size)
{
	char letter[8] = "    ";

	if (opt->letter)
		(void)snprintf(letter, sizeof(letter), "-%c, ", opt->letter);
	return snprintf(text, size, "%s--%s%s%s", letter, opt->name, opt->arg ? " " : "",
			opt->arg ? opt->arg : "");
}

/* Words of text from column `column` on, wrapped at 79. */
static void print_wrapped(FILE *out, const char *text, int column)
{
	int at = column;

	while (*text) {
		int len = (int)strcspn(text, " \n");
		if (at > column && at + 1 + len > 79) {
			(void)fprintf(out, "\n%*s", column, "");
			at = column;
		} else if (at > column) {
			(void)fputc(' ', out);
			at++;
		}
		(void)fwrite(text, 1, (size_t)len, out);
		at += len;
		text += len;
		text += strspn(text, " \n");
	}
	(void)fputc('\n', out);
}

static void print_option(FILE *out, const struct vs_opt *opt)
{
	enum {
		COLUMN = 30
	};
	char left[128], help[512];
	int len = format_left(opt, left, sizeof(left));

	(void)snprintf(help, sizeof(help), opt->init && *opt->init ? "%s (default %s)" : "%s",
		       opt->help, opt->init ? opt->init : "");
	(void)fprintf(out, "  %s", left);
	if (len + 2 >= COLUMN)
		(void)fprintf(out, "\n%*s", COLUMN, "");
	else
		(void)fprintf(out, "%*s", COLUMN - 2 - len, "");
	print_wrapped(out, help, COLUMN);
}

void vs_opt_print_help(const struct vs_opt_command *cmd, FILE *out)
{
	const struct vs_opt *opt;

	(void)fprintf(out, "usage: volscale %s [options]%s%s\n\n%s\n", cmd->name,
		      *cmd->operands ? " " : "", cmd->operands, cmd->summary);
	if (cmd->text)
		(void)fprintf(out, "\n%s\n", cmd->text);
	(void)fprintf(out, "\noptions:\n");
	for (size_t i = 0; (opt = option_at(cmd, i)) != NULL; i++)
		print_option(out, opt);
}

/* roff takes a leading dot or quote as a command and '-' as a hyphen. */
static void print_roff(FILE *out, const char *text)
{
	bool line_start = true;

	for (; *text; text++) {
		if (line_start && (*text == '.' || *text == '\''))
			(void)fputs("\\&", out);
		if (*text == '-' || *text == '\\')
			(void)fputc('\\', out);
		(void)fputc(*text, out);
		line_start = *text == '\n';
	}
}

static void print_man_option(FILE *out, const struct vs_opt *opt)
{
	(void)fputs(".TP\n\\fB", out);
	if (opt->letter)
		(void)fprintf(out, "\\-%c\\fR, \\fB", opt->letter);
	(void)fputs("\\-\\-", out);
	print_roff(out, opt->name);
	(void)fputs("\\fR", out);
	if (opt->arg) {
		(void)fputs(" \\fI", out);
		print_roff(out, opt->arg);
		(void)fputs("\\fR", out);
	}
	(void)fputc('\n', out);
	print_roff(out, opt->help);
	if (opt->init && *opt->init) {
		(void)fputs(" (default ", out);
		print_roff(out, opt->init);
		(void)fputc(')', out);
	}
	(void)fputc('\n', out);
}

void vs_opt_print_man(const struct vs_opt_command *cmd, FILE *out)
{
	const struct vs_opt *opt;

	(void)fprintf(out, ".SS volscale %s [options] %s\n", cmd->name, cmd->operands);
	print_roff(out, cmd->summary);
	(void)fputc('\n', out);
	if (cmd->text) {
		(void)fputs(".PP\n.nf\n", out);
		print_roff(out, cmd->text);
		(void)fputs("\n.fi\n", out);
	}
	for (size_t i = 0; (opt = option_at(cmd, i)) != NULL; i++)
		print_man_option(out, opt);
}

void vs_opt_print_words(const struct vs_opt_command *cmd, FILE *out)
{
	const struct vs_opt *opt;

	for (size_t i = 0; (opt = option_at(cmd, i)) != NULL; i++)
		(void)fprintf(out, "%s--%s%s%s", i ? " " : "", opt->name,
			      opt->type == VS_OPT_FLAG ? "" : "=",
			      opt->type == VS_OPT_CHOICE ? opt->arg : "");
	(void)fputc('\n', out);
}
