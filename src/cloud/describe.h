/* Before a run: what is known of the volume, and what would waste two hours. */
#ifndef VS_CLOUD_DESCRIBE_H
#define VS_CLOUD_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cloud/client.h"
#include "cloud/imds.h"
#include "cloud/limits.h"
#include "cloud/volume.h"

#define VS_OCI_WARNINGS_MAX 12

struct vs_oci_description {
	struct vs_oci_volume volume;
	struct vs_oci_attachments attachments;
	bool attachments_known; /* false: they could not be listed */
	const struct vs_oci_attachment
		*attachment;             /* to this instance, else the first; NULL none */
	bool on_instance;                /* this machine is an OCI instance: */
	struct vs_imds_instance me;      /* what it is */
	struct vs_oci_instance instance; /* that the volume is attached to; shape "" not known */
	struct vs_oci_limits limits;     /* of that instance */
	double min_vpu,
		max_vpu; /* the tiers that auto-tuning moves between; equal when it does not */
	char warnings[VS_OCI_WARNINGS_MAX][256]; /* one sentence each, without a full stop */
	size_t n_warnings;
};

/*
 * Asks for the volume (that must be readable), its attachments and the instance; what of the latter
 * two may not be read becomes a warning. Takes a few exchanges; the struct is large, and points
 * into itself: do not copy it.
 */
int vs_oci_describe(struct vs_oci *oci, const char *volume_id, struct vs_oci_description *out,
		    struct vs_error *err) VS_MUST_CHECK;
/* The same from parts already filled: volume, attachments(_known), on_instance, me, instance. Pure.
 */
void vs_oci_judge(struct vs_oci_description *d);

#endif
