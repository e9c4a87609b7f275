# a level of eight noisy readings between two quiet ones: three of them lie at it, and it is tier 20
{
	echo time_s,iops
	n=0
	for iops in 25000 25001 25000 24999 25000 25000 25001 51900 51300 51040 50500 51600 50100 50300 51700 74999 75000 74998 \
		75000 74999 74990 75001 70300; do
		n=$((n + 1))
		echo $n,$iops
	done
} >level.csv
volscale import --start-time 2026-01-31T12:00:00Z --size-gb 1024 level.csv
volscale report --format csv | cut -d, -f1,3,4,7,8,12,13
