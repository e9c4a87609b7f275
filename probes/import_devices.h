/* Reports of several disks at once (iostat, sar): which disk is meant, and its samples. */
#ifndef VS_PROBES_IMPORT_DEVICES_H
#define VS_PROBES_IMPORT_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "probes/import_context.h"

/* What one report says of one disk, per second; NAN: not told. */
struct vs_device_row {
	double iops; /* reads and writes together, where they are not told apart */
	double reads, writes;
	double bytes;
};

struct vs_devices;

/*
 * Rows are kept in an unlinked temporary file until the whole input is read: which of several disks
 * is the busiest is known only then.
 */
int vs_devices_open(struct vs_import *im, struct vs_devices **out,
		    struct vs_error *err) VS_MUST_CHECK;
void vs_devices_free(struct vs_devices *devices); /* NULL allowed */

/*
 * A report begins. wall_s: its time, seconds since 1970 or of the day, NAN when it has none;
 * length_s: what it covers, NAN when not told; from_boot: an average since boot, which is no
 * sample.
 */
int vs_devices_report(struct vs_devices *devices, double wall_s, double length_s, bool from_boot,
		      struct vs_error *err) VS_MUST_CHECK;
/* A disk of that report. */
int vs_devices_row(struct vs_devices *devices, const char *name, const struct vs_device_row *row,
		   struct vs_error *err) VS_MUST_CHECK;
/* The tool's own mean of a disk over the whole recording. */
int vs_devices_average(struct vs_devices *devices, const char *name, double iops,
		       struct vs_error *err) VS_MUST_CHECK;
/* The last report is cut off: it is left out. */
void vs_devices_drop_last(struct vs_devices *devices);
/* What a report covers where neither its time nor the report says it; 1 s without this. */
void vs_devices_set_interval(struct vs_devices *devices, double seconds);
/* Where the first report's interval began. */
void vs_devices_began(struct vs_devices *devices, double wall_s);
/* The times have a date: started_wall_ms may be taken from them. */
void vs_devices_set_dated(struct vs_devices *devices, bool zone_known);

/* Picks the disk and emits its samples, the run's target and notes of what was not taken. */
int vs_devices_finish(struct vs_devices *devices, struct vs_error *err) VS_MUST_CHECK;

#endif
