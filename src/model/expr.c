#include "model/expr.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define MAX_DEPTH 32

static int eval(const json_t *expr, const struct vs_expr_params *params, int depth, double *out,
		struct vs_error *err);

static int bad(struct vs_error *err, const char *what)
{
	return vs_error_set(err, VS_EFORMAT, 0, "%s", what);
}

static int find(const struct vs_expr_params *params, const char *name, size_t *out,
		struct vs_error *err)
{
	if (!name)
		return bad(err, "a parameter's name must be a text");
	for (size_t i = 0; i < params->n; i++) {
		if (strcmp(params->item[i].name, name) == 0) {
			*out = i;
			return 0;
		}
	}
	return vs_error_set(err, VS_EFORMAT, 0, "there is no parameter '%.64s'", name);
}

int vs_expr_set(struct vs_expr_params *params, const char *name, double number, const char *text,
		struct vs_error *err)
{
	size_t i = params->n;

	if (find(params, name, &i, NULL) != 0) {
		if (params->n == VS_EXPR_PARAMS)
			return bad(err, "more than 16 parameters");
		params->n++;
	}
	params->item[i].name = name;
	params->item[i].number = number;
	params->item[i].text = text;
	return 0;
}

static int number_of(const json_t *name, const struct vs_expr_params *params, double *out,
		     struct vs_error *err)
{
	size_t i;

	if (find(params, json_string_value(name), &i, err) != 0)
		return -1;
	if (params->item[i].text)
		return vs_error_set(err, VS_EFORMAT, 0, "parameter '%.64s' is not a number",
				    params->item[i].name);
	*out = params->item[i].number;
	return 0;
}

static int eval_param(const json_t *arg, const struct vs_expr_params *params, int depth,
		      double *out, struct vs_error *err)
{
	(void)depth;
	return number_of(arg, params, out, err);
}

/* An optional bound of a "lin"; missing: fallback. */
static int bound(const json_t *lin, const char *key, double fallback,
		 const struct vs_expr_params *params, int depth, double *out, struct vs_error *err)
{
	const json_t *expr = json_object_get(lin, key);

	*out = fallback;
	return expr ? eval(expr, params, depth, out, err) : 0;
}

static int eval_lin(const json_t *arg, const struct vs_expr_params *params, int depth, double *out,
		    struct vs_error *err)
{
	json_t *per = json_object_get(arg, "per");
	double sum, min, max;
	const char *name;
	json_t *factor;

	if (bound(arg, "base", 0, params, depth, &sum, err) != 0 ||
	    bound(arg, "min", -HUGE_VAL, params, depth, &min, err) != 0 ||
	    bound(arg, "max", HUGE_VAL, params, depth, &max, err) != 0)
		return -1;
	json_object_foreach(per, name, factor)
	{
		size_t i;
		if (find(params, name, &i, err) != 0)
			return -1;
		if (!json_is_number(factor) || params->item[i].text)
			return bad(err, "\"per\" takes numbers");
		sum += json_number_value(factor) * params->item[i].number;
	}
	if (isnan(sum) || isnan(min) || isnan(max))
		*out = (double)NAN;
	else
		*out = fmin(fmax(sum, min), max);
	return 0;
}

static int eval_table(const json_t *arg, const struct vs_expr_params *params, int depth,
		      double *out, struct vs_error *err)
{
	const json_t *rows = json_object_get(arg, "rows");
	double by;

	if (number_of(json_object_get(arg, "by"), params, &by, err) != 0)
		return -1;
	if (!json_is_array(rows))
		return bad(err, "a \"table\" needs \"rows\"");
	*out = (double)NAN;
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		if (json_array_size(row) != 2 || !json_is_number(json_array_get(row, 0)))
			return bad(err, "a row of a \"table\" is [up to, value]");
		if (by <= json_number_value(json_array_get(row, 0)))
			return eval(json_array_get(row, 1), params, depth, out, err);
	}
	return 0;
}

static int eval_map(const json_t *arg, const struct vs_expr_params *params, int depth, double *out,
		    struct vs_error *err)
{
	const json_t *rows = json_object_get(arg, "rows"), *row;
	size_t i;

	if (find(params, json_string_value(json_object_get(arg, "by")), &i, err) != 0)
		return -1;
	if (!json_is_object(rows) || !params->item[i].text)
		return bad(err, "a \"map\" needs \"rows\" and goes by a text");
	row = json_object_get(rows, params->item[i].text);
	*out = (double)NAN;
	return row ? eval(row, params, depth, out, err) : 0;
}

static double fold_min(double a, double b)
{
	return isnan(a) || isnan(b) ? (double)NAN : fmin(a, b);
}

static double fold_max(double a, double b)
{
	return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

static double fold_mul(double a, double b)
{
	return a * b;
}

static double fold_add(double a, double b)
{
	return a + b;
}

static double fold_sub(double a, double b)
{
	return a - b;
}

static double fold_over(double a, double b)
{
	return fold_max(0, a - b);
}

static int eval_fold(const json_t *arg, const struct vs_expr_params *params, int depth,
		     double (*fold)(double, double), double *out, struct vs_error *err)
{
	double value;

	if (json_array_size(arg) == 0)
		return bad(err, "an operator without operands");
	for (size_t i = 0; i < json_array_size(arg); i++) {
		if (eval(json_array_get(arg, i), params, depth, &value, err) != 0)
			return -1;
		*out = i == 0 ? value : fold(*out, value);
	}
	return 0;
}

static int eval_if(const json_t *arg, const struct vs_expr_params *params, int depth, double *out,
		   struct vs_error *err)
{
	bool yes;

	if (json_array_size(arg) != 3)
		return bad(err, "\"if\" is [condition, then, else]");
	if (vs_expr_test(json_array_get(arg, 0), params, &yes, err) != 0)
		return -1;
	return eval(json_array_get(arg, yes ? 1 : 2), params, depth, out, err);
}

static const struct {
	const char *name;
	int (*eval)(const json_t *arg, const struct vs_expr_params *params, int depth, double *out,
		    struct vs_error *err);
	double (*fold)(double a, double b);
	size_t operands; /* 0: one or more */
} operators[] = {
	{ "p", eval_param, NULL, 0 },     { "lin", eval_lin, NULL, 0 },
	{ "table", eval_table, NULL, 0 }, { "map", eval_map, NULL, 0 },
	{ "min", NULL, fold_min, 0 },     { "max", NULL, fold_max, 0 },
	{ "mul", NULL, fold_mul, 0 },     { "add", NULL, fold_add, 0 },
	{ "sub", NULL, fold_sub, 2 },     { "over", NULL, fold_over, 2 },
	{ "if", eval_if, NULL, 0 },
};

static int eval_operator(const char *name, const json_t *arg, const struct vs_expr_params *params,
			 int depth, double *out, struct vs_error *err)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (strcmp(operators[i].name, name) != 0)
			continue;
		if (operators[i].eval)
			return operators[i].eval(arg, params, depth, out, err);
		if (operators[i].operands && json_array_size(arg) != operators[i].operands)
			return vs_error_set(err, VS_EFORMAT, 0, "\"%s\" takes two operands", name);
		return eval_fold(arg, params, depth, operators[i].fold, out, err);
	}
	return vs_error_set(err, VS_EFORMAT, 0, "there is no operator '%.64s'", name);
}

static int eval(const json_t *expr, const struct vs_expr_params *params, int depth, double *out,
		struct vs_error *err)
{
	void *first;

	if (depth >= MAX_DEPTH)
		return bad(err, "an expression is nested too deeply");
	if (json_is_number(expr)) {
		*out = json_number_value(expr);
		return 0;
	}
	if (json_is_null(expr)) {
		*out = (double)NAN;
		return 0;
	}
	if (json_object_size(expr) != 1)
		return bad(err, "an expression is a number, null or an object with one operator");
	/* jansson's iterator takes no const. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	first = json_object_iter((json_t *)(uintptr_t)expr);
	return eval_operator(json_object_iter_key(first), json_object_iter_value(first), params,
			     depth + 1, out, err);
}

int vs_expr_eval(const json_t *expr, const struct vs_expr_params *params, double *out,
		 struct vs_error *err)
{
	return eval(expr, params, 0, out, err);
}

int vs_expr_test(const json_t *condition, const struct vs_expr_params *params, bool *out,
		 struct vs_error *err)
{
	const json_t *pair, *value;
	bool less = false;
	size_t i;

	*out = true;
	if (!condition)
		return 0;
	pair = json_object_get(condition, "eq");
	if (!pair) {
		pair = json_object_get(condition, "lt");
		less = true;
	}
	if (json_array_size(pair) != 2)
		return bad(err, "a condition is {\"eq\" or \"lt\": [parameter, value]}");
	if (find(params, json_string_value(json_array_get(pair, 0)), &i, err) != 0)
		return -1;
	value = json_array_get(pair, 1);
	if (params->item[i].text && json_is_string(value) && !less)
		*out = strcmp(params->item[i].text, json_string_value(value)) == 0;
	else if (!params->item[i].text && json_is_number(value))
		*out = less ? params->item[i].number < json_number_value(value)
			    : fabs(params->item[i].number - json_number_value(value)) < 1e-9;
	else
		return bad(err,
			   "a condition compares a number with a number or a text with a text");
	return 0;
}
