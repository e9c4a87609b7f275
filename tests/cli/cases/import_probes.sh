# a decay seen through probes, 100 ms a reading: the last probe, alone at 3,750, is tier 20 and not an outlier of 30
load="2988.8 2999.6 3000.3 2999.8 3007.9 2992.2 2999.9 3000.0 2988.7 3010.9 3000.4 2999.5 3971.0 3809.2 3750.1 3750.0
3749.8 3620.2 3880.0 3687.1 3803.1 3760.2 3750.2 3740.0 3757.8 5270.6 4479.7 4521.7 4480.6 4506.8 4503.1 4499.7
4496.6 4499.8 4503.9 4497.2 4502.8 5319.4 5679.8 5252.2 5255.9 5242.3 5249.7 5239.8 5261.2 5248.3 5250.5 5250.8
5260.2 5249.8 6991.7 6000.6 5984.9 6001.6 6011.2 6001.0 5859.1 6142.1 5997.8 5869.5"
probes="5990.1 6061.0 6007.0 5640.1 6006.6 5982.8 5288.9 5280.0 5251.5 5221.0 5259.7 5221.0 5314.3 5249.1 5239.2 4548.1
4491.0 4511.4 4483.7 4488.7 4512.0 4497.9 4498.6 4511.6 3841.0 3750.0 3750.1"
{
	for iops in $load; do echo "load $iops"; done
	echo "idle 0 idle 0 idle 0" | xargs -n 2
	for iops in $probes; do echo "probe $iops"; done
	echo "idle 0"
} | awk 'BEGIN { print "time_s,iops,phase" }
	function row(phase, iops) { printf "%.1f,%s,%s\n", ++n / 10, iops, phase }
	$1 == "probe" && k++ % 3 == 0 { for (i = 0; i < 7; i++) row("idle", 0) }
	{ row($1, $2) }
	END { for (i = 0; i < 6; i++) row("idle", 0) }' >probes.csv
volscale import --start-time 2026-01-31T12:00:00Z --size-gb 50 probes.csv
volscale report --format csv | cut -d, -f1,2,7,8,12,13
