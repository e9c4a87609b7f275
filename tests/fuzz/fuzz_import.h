/* What the targets of the importers share: bytes as a file, a sink that checks what it is given. */
#ifndef VS_TESTS_FUZZ_IMPORT_H
#define VS_TESTS_FUZZ_IMPORT_H

#include <stddef.h>
#include <stdint.h>

#include "probes/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Imports data as a file of that format. Aborts when a sample is impossible, out of order, or when
 * the import succeeds without a sample.
 */
void vs_fuzz_import(const char *format, const uint8_t *data, size_t size);
void vs_fuzz_import_with(const struct vs_import_options *options, const uint8_t *data, size_t size);

#endif
