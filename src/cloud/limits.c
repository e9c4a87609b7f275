#include "cloud/limits.h"

#include <math.h>
#include <string.h>

/* Flexible VMs: network follows the OCPUs. */
static const struct {
	const char *shape;
	double gbps_per_ocpu, max_gbps, max_mbps;
} flexible[] = {
	{ "VM.Standard.E4.Flex", 1, 40, 4000 }, { "VM.Standard.E5.Flex", 1, 40, 4800 },
	{ "VM.Standard.E6.Flex", 1, 99, 8000 }, { "VM.Standard3.Flex", 1, 32, 3840 },
	{ "VM.Optimized3.Flex", 4, 40, 4800 },  { "VM.Standard.A1.Flex", 1, 40, 4800 },
	{ "VM.DenseIO.E4.Flex", 1, 32, 3840 },  { "VM.DenseIO.E5.Flex", 1, 48, 3840 },
	{ "VM.Standard.E3.Flex", 1, 40, 4800 },
};

/* Those whose limits are listed one by one. */
static const struct {
	const char *shape;
	double gbps, iops, mbps;
} fixed[] = {
	{ "VM.Standard.E2.1.Micro", 0.48, 6000, 60 },
	{ "VM.Standard2.1", 1, 25000, 120 },
	{ "VM.Standard2.2", 2, 50000, 240 },
	{ "VM.Standard2.4", 4.1, 80000, 480 },
	{ "VM.Standard2.8", 8.2, 160000, 960 },
	{ "VM.Standard2.16", 16.4, 320000, 1920 },
	{ "VM.Standard2.24", 24.6, 480000, 2880 },
	{ "VM.GPU.A10.1", 24, 480000, 2880 },
	{ "VM.GPU.A10.2", 48, 600000, 5760 },
	{ "BM.Standard.E4.128", 100, 1300000, 6000 },
	{ "BM.Standard3.64", 100, 1300000, 6000 },
	{ "BM.Optimized3.36", 100, 1300000, 6000 },
	{ "BM.DenseIO.E4.128", 100, 1300000, 6000 },
	{ "BM.Standard.E5.192", 100, 1300000, 12000 },
	{ "BM.Standard.E6.256", 100, 1300000, 12000 },
	{ "BM.Standard.A1.160", 100, 800000, 6000 },
	{ "BM.Standard2.52", 50, 625000, 3000 },
	{ "BM.DenseIO2.52", 50, 625000, 3000 },
	{ "BM.Standard.E2.64", 50, 625000, 3000 },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void vs_oci_shape_limits(const char *shape, double ocpus, double gbps, struct vs_oci_limits *out)
{
	double max_mbps = (double)INFINITY;

	for (size_t i = 0; i < COUNT(fixed); i++)
		if (strcmp(shape, fixed[i].shape) == 0) {
			*out = (struct vs_oci_limits){ .gbps = isnan(gbps) ? fixed[i].gbps : gbps,
						       .iops = fixed[i].iops,
						       .mbps = fixed[i].mbps };
			return;
		}
	for (size_t i = 0; i < COUNT(flexible); i++)
		if (strcmp(shape, flexible[i].shape) == 0) {
			max_mbps = flexible[i].max_mbps;
			if (isnan(gbps) && !isnan(ocpus)) /* fmin() would hide the NAN */
				gbps = fmin(ocpus * flexible[i].gbps_per_ocpu,
					    flexible[i].max_gbps);
		}
	*out = (struct vs_oci_limits){ .gbps = gbps, .iops = (double)NAN, .mbps = (double)NAN };
	/* the general rule is for virtual machines */
	if (isnan(gbps) || strncmp(shape, "BM.", 3) == 0)
		return;
	out->iops = fmin(20000 * gbps, 600000);
	out->mbps = fmin(120 * gbps, max_mbps);
}

double vs_oci_volume_iops(double size_gb, double vpus_per_gb)
{
	if (vpus_per_gb < 10)
		return fmin(2 * size_gb, 3000);
	return fmin(size_gb * (45 + 1.5 * vpus_per_gb), 2500 * vpus_per_gb);
}
