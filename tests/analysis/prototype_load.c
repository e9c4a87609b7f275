#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "prototype.h"

static void *symbol(void *object, const char *name)
{
	void *found = dlsym(object, name);

	if (!found) {
		(void)fprintf(stderr, "the prototype: %s\n", dlerror());
		exit(1);
	}
	return found;
}

bool prototype_load(const char *file, struct prototype *out)
{
	void *object;

	*out = (struct prototype){ .steps = NULL };
	if (!file)
		return false;
	object = dlopen(file, RTLD_NOW);
	if (!object) {
		(void)fprintf(stderr, "the prototype: %s\n", dlerror());
		exit(1);
	}
	/* the way that POSIX shows to make a function of a symbol */
	*(void **)&out->steps = symbol(object, "prototype_steps");
	*(void **)&out->live = symbol(object, "prototype_live");
	return true;
}
