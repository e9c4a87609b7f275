/* The expressions of a catalogue: a JSON tree, nothing to parse, nothing to run. Private to model.
 */
#ifndef VS_MODEL_EXPR_H
#define VS_MODEL_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

#define VS_EXPR_PARAMS 16

/* What an expression may refer to; texts are borrowed. */
struct vs_expr_params {
	struct {
		const char *name;
		const char *text; /* NULL: a number */
		double number;
	} item[VS_EXPR_PARAMS];
	size_t n;
};

/* Adds one, or replaces the one of that name. */
int vs_expr_set(struct vs_expr_params *params, const char *name, double number, const char *text,
		struct vs_error *err) VS_MUST_CHECK;
/*
 * expr: number | null (not known: NAN) | {"p": name} | {"lin": {base, per {param: coefficient},
 * min, max}} | {"table": {by, rows [[up to, expr], ...]}} (NAN behind the last row) | {"map": {by,
 * rows {text: expr}}} (NAN for an unknown text) | {"min" | "max" | "mul" | "add": [expr, ...]} |
 * {"sub": [a, b]} | {"over": [a, b]} = max(0, a - b) | {"if": [condition, a, b]}.
 * What is not known makes what is computed from it not known. VS_EFORMAT.
 */
int vs_expr_eval(const json_t *expr, const struct vs_expr_params *params, double *out,
		 struct vs_error *err) VS_MUST_CHECK;
/* condition: {"eq" | "lt": [param, number or text]}; NULL is true. */
int vs_expr_test(const json_t *condition, const struct vs_expr_params *params, bool *out,
		 struct vs_error *err) VS_MUST_CHECK;

#endif
