/* What kept a plateau from going faster. */
#ifndef VS_ANALYSIS_BOUND_H
#define VS_ANALYSIS_BOUND_H

#include "base/run.h"
#include "model/catalogue.h"
#include "model/timeline.h"

/*
 * Sets bound_by of every plateau, from its level, its tiers and the run. ladder may be NULL. The
 * first that holds:
 *
 * - client: the level is the rate that was asked for (--rate-iops, within 2 %);
 * - volume: the level fits a tier, and nobody says that a higher one was in force;
 * - instance: on OCI, the IOPS lie within 3 % of its shape's documented limit (the observation
 *   "oci-instance" "iops", else 20,000 a Gbit/s); anywhere, the bytes lie between 0.92 and 1.01 of
 *   its line rate (what 1500 byte and jumbo frames leave of it is inside);
 * - client: fewer than 90 % of the reads asked for were in flight, or the generator had no CPU left
 *   for half of the time or more;
 * - unknown.
 *
 * The line rate is the run's instance_gbps, else what the instance's metadata said of it
 * ("networkingBandwidthInGbps"). The CPU is the observation "generator" "cpu_saturated_pct".
 */
void vs_bound_judge(const struct vs_run *run, const struct vs_ladder *ladder,
		    struct vs_timeline *timeline);

/*
 * IOPS that a line rate allows at a block size when every read is one iSCSI PDU (48 bytes of
 * header) in jumbo frames: 12 Gbit/s and 4 KiB give 358,400, of a raw 366,211. NAN without either.
 */
double vs_bound_iscsi_iops(double gbps, int64_t block_bytes);

#endif
