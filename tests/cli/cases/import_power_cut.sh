# A log that a power cut left with zeros behind what was written.
i=0
while [ $i -lt 30 ]; do
	i=$((i + 1))
	echo "$((i * 1000)), 25000, 0, 0"
done >job_iops.1.log
head -c 4096 /dev/zero >>job_iops.1.log
volscale import --start-time 1700000000 job_iops.1.log
head -c 4096 /dev/zero >zeros
volscale import zeros
