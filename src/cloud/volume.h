/* What the control plane says of a volume, its attachments and the instance it is attached to. */
#ifndef VS_CLOUD_VOLUME_H
#define VS_CLOUD_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cloud/client.h"

/* "" and NAN: not told. Flags: 1 yes, 0 no, -1 not told. */
struct vs_oci_volume {
	char id[256];
	char display_name[256];
	char compartment_id[256];
	char availability_domain[128];
	char lifecycle_state[32];
	double size_gb;
	double vpus_per_gb;            /* the default, the lowest of auto-tuning */
	double auto_tuned_vpus_per_gb; /* in force */
	bool performance_based;        /* has that policy; then: */
	double max_vpus_per_gb;
	bool detached_volume; /* has that policy */
	char policies[128];   /* "PERFORMANCE_BASED:50 DETACHED_VOLUME"; "" none */
	int is_hydrated;
	int64_t read_wall_ns; /* about when the server read it: the middle of the exchange */
	int64_t read_mono_ns; /* the same on the monotonic clock */
};

struct vs_oci_attachment {
	char id[256];
	char instance_id[256];
	char type[32]; /* "iscsi", "paravirtualized", "emulated" */
	char lifecycle_state[32];
	char device[64];
	int is_multipath;
	int is_shareable;
};

#define VS_OCI_ATTACHMENTS_MAX 64

struct vs_oci_attachments {
	struct vs_oci_attachment items[VS_OCI_ATTACHMENTS_MAX]; /* those ATTACHED or ATTACHING */
	size_t n;
};

struct vs_oci_instance {
	char shape[64];
	double ocpus;
	double gbps; /* network */
};

/* GET /volumes/{id}, or /bootVolumes/{id} by the OCID's type. */
int vs_oci_get_volume(struct vs_oci *oci, const char *volume_id, struct vs_oci_volume *out,
		      struct vs_error *err) VS_MUST_CHECK;
/* All pages of GET /volumeAttachments of the volume. */
int vs_oci_list_attachments(struct vs_oci *oci, const struct vs_oci_volume *volume,
			    struct vs_oci_attachments *out, struct vs_error *err) VS_MUST_CHECK;
int vs_oci_get_instance(struct vs_oci *oci, const char *instance_id, struct vs_oci_instance *out,
			struct vs_error *err) VS_MUST_CHECK;

/* The readers of the answers. The attachments' adds to what is there. */
int vs_oci_read_volume(const char *text, size_t len, struct vs_oci_volume *out,
		       struct vs_error *err) VS_MUST_CHECK;
int vs_oci_read_attachments(const char *text, size_t len, struct vs_oci_attachments *out,
			    struct vs_error *err) VS_MUST_CHECK;
int vs_oci_read_instance(const char *text, size_t len, struct vs_oci_instance *out,
			 struct vs_error *err) VS_MUST_CHECK;

#endif
