#include "cloud/describe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum {
	UHP_VPU = 30,
	PARAVIRTUALIZED_IOPS = 150000,
	BOOT_IOPS = 50000
};

static void VS_PRINTF(2, 3) warn(struct vs_oci_description *d, const char *fmt, ...)
{
	va_list ap;

	if (d->n_warnings == VS_OCI_WARNINGS_MAX)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(d->warnings[d->n_warnings++], sizeof(d->warnings[0]), fmt, ap);
	va_end(ap);
}

static void judge_volume(struct vs_oci_description *d)
{
	const struct vs_oci_volume *v = &d->volume;

	if (v->lifecycle_state[0] && strcmp(v->lifecycle_state, "AVAILABLE") != 0)
		warn(d, "the volume is %s, not AVAILABLE", v->lifecycle_state);
	if (v->is_hydrated == 0)
		warn(d, "the volume is not hydrated: its data is still being copied in, reads are "
			"slower than the tier until that is done");
	if (!v->performance_based)
		warn(d,
		     "the volume has no performance-based auto-tune policy: it stays at VPU %.6g "
		     "under any load",
		     v->vpus_per_gb);
	else if (v->max_vpus_per_gb <= v->vpus_per_gb)
		warn(d,
		     "auto-tune ends at VPU %.6g, no higher than the default %.6g: nothing will "
		     "move",
		     v->max_vpus_per_gb, v->vpus_per_gb);
}

static void judge_attachment(struct vs_oci_description *d)
{
	const struct vs_oci_attachment *a = d->attachment;
	char limit[VS_UNITS_TEXT_MAX];

	if (!a) {
		if (d->attachments_known)
			warn(d, "the volume is attached to no instance");
		return;
	}
	if (d->attachments.n > 1)
		warn(d, "the volume is attached to %zu instances, which share its performance",
		     d->attachments.n);
	if (d->on_instance && d->me.id[0] && strcmp(a->instance_id, d->me.id) != 0)
		warn(d, "the volume is attached to another instance than this one");
	if (d->max_vpu >= UHP_VPU && a->is_multipath != 1)
		warn(d,
		     "the attachment is %s, and VPU %.6g is reached only with multipath (30 and "
		     "more): detach it, attach it again with multipath",
		     a->is_multipath == 0 ? "without multipath" : "not known to have multipath",
		     d->max_vpu);
	if (strcmp(a->type, "paravirtualized") == 0 &&
	    vs_oci_volume_iops(d->volume.size_gb, d->max_vpu) > PARAVIRTUALIZED_IOPS)
		warn(d, "a paravirtualized attachment gives at most %s IOPS, below VPU %.6g's",
		     vs_units_format_count(PARAVIRTUALIZED_IOPS, limit), d->max_vpu);
}

static void judge_instance(struct vs_oci_description *d)
{
	double top = vs_oci_volume_iops(d->volume.size_gb, d->max_vpu);
	char have[VS_UNITS_TEXT_MAX], want[VS_UNITS_TEXT_MAX];
	bool metal = strncmp(d->instance.shape, "BM.", 3) == 0;

	(void)vs_units_format_count(top, want);
	if (strncmp(d->volume.id, "ocid1.bootvolume.", 17) == 0 && top > BOOT_IOPS)
		warn(d, "a boot volume gives at most 50,000 IOPS, below VPU %.6g's %s", d->max_vpu,
		     want);
	if (d->limits.iops < top)
		warn(d,
		     "the instance (%s, %.6g Gbps) gives at most %s IOPS, below the %s of VPU "
		     "%.6g: a flat top may be the instance",
		     d->instance.shape, d->limits.gbps, vs_units_format_count(d->limits.iops, have),
		     want, d->max_vpu);
	if (d->max_vpu >= UHP_VPU && !metal && d->instance.ocpus < 16)
		warn(d, "the instance has %.6g OCPUs; a tier of VPU 30 and more needs 16 on a VM",
		     d->instance.ocpus);
}

void vs_oci_judge(struct vs_oci_description *d)
{
	const struct vs_oci_volume *v = &d->volume;

	d->n_warnings = 0;
	d->attachment = d->attachments.n ? &d->attachments.items[0] : NULL;
	for (size_t i = 0; d->on_instance && d->me.id[0] && i < d->attachments.n; i++)
		if (strcmp(d->attachments.items[i].instance_id, d->me.id) == 0)
			d->attachment = &d->attachments.items[i];
	d->min_vpu = d->max_vpu = v->vpus_per_gb;
	if (v->performance_based && v->max_vpus_per_gb > v->vpus_per_gb)
		d->max_vpu = v->max_vpus_per_gb;
	if (d->instance.shape[0])
		vs_oci_shape_limits(d->instance.shape, d->instance.ocpus, d->instance.gbps,
				    &d->limits);
	else
		d->limits = (struct vs_oci_limits){ (double)NAN, (double)NAN, (double)NAN };
	judge_volume(d);
	judge_attachment(d);
	judge_instance(d);
}

/* The shape: from the metadata service when the volume is attached here, else from the API. */
static int find_instance(struct vs_oci *oci, struct vs_oci_description *d, struct vs_error *err)
{
	const struct vs_oci_attachment *first = d->attachments.n ? &d->attachments.items[0] : NULL;
	bool here = false;

	d->instance = (struct vs_oci_instance){ .ocpus = (double)NAN, .gbps = (double)NAN };
	for (size_t i = 0; d->on_instance && i < d->attachments.n; i++)
		here |= strcmp(d->attachments.items[i].instance_id, d->me.id) == 0;
	if (here || (!first && d->on_instance)) {
		(void)snprintf(d->instance.shape, sizeof(d->instance.shape), "%s", d->me.shape);
		d->instance.ocpus = d->me.ocpus;
		d->instance.gbps = d->me.gbps;
		return 0;
	}
	if (!first || !first->instance_id[0] ||
	    vs_oci_check_ocid(first->instance_id, "instanceId", NULL) != 0)
		return 0;
	return vs_oci_get_instance(oci, first->instance_id, &d->instance, err);
}

int vs_oci_describe(struct vs_oci *oci, const char *volume_id, struct vs_oci_description *out,
		    struct vs_error *err)
{
	struct vs_error me_err = { 0 }, attachments_err = { 0 }, instance_err = { 0 };

	memset(out, 0, sizeof(*out));
	if (vs_oci_check_ocid(volume_id, "volume", err) != 0 ||
	    vs_oci_get_volume(oci, volume_id, &out->volume, err) != 0)
		return -1;
	out->on_instance = vs_imds_read(&out->me, &me_err) == 0;
	out->attachments_known = vs_oci_list_attachments(oci, &out->volume, &out->attachments,
							 &attachments_err) == 0;
	if (!out->attachments_known)
		out->attachments.n = 0;
	if (find_instance(oci, out, &instance_err) != 0)
		out->instance =
			(struct vs_oci_instance){ .ocpus = (double)NAN, .gbps = (double)NAN };
	vs_oci_judge(out);
	if (attachments_err.code == VS_ECANCELED || instance_err.code == VS_ECANCELED)
		return vs_error_set(err, VS_ECANCELED, 0, "canceled");
	if (me_err.code == VS_ENOMEM || attachments_err.code == VS_ENOMEM ||
	    instance_err.code == VS_ENOMEM)
		return vs_error_nomem(err);
	if (!out->attachments_known)
		warn(out, "the attachments are not known: %.200s", attachments_err.text);
	if (instance_err.code != VS_OK)
		warn(out, "the instance's shape is not known: %.200s", instance_err.text);
	return 0;
}
