/* What an instance lets through, by its shape: the ceiling beside the volume's. */
#ifndef VS_CLOUD_LIMITS_H
#define VS_CLOUD_LIMITS_H

/* NAN: not known. */
struct vs_oci_limits {
	double gbps;
	double iops;
	double mbps;
};

/*
 * ocpus and gbps as the API or the metadata service say, NAN unknown; then flexible shapes' network
 * is reckoned from the OCPUs. A shape that is not known gets the general rule of its network.
 */
void vs_oci_shape_limits(const char *shape, double ocpus, double gbps, struct vs_oci_limits *out);
/* What one volume promises at 4 KiB, IOPS: min(S x (45 + 1.5 v), 2500 v); VPU 0: min(2 S, 3000). */
double vs_oci_volume_iops(double size_gb, double vpus_per_gb);

#endif
