# What is no recording: one line that names the file and the remedy, exit 1, no database left behind.
try() {
	volscale import "$@"
	rc=$?
	[ $rc = 1 ] || echo "exit $rc"
	[ -e volscale.db ] && echo 'a database was left behind'
}
mkdir folder
: >empty
printf '\377\330\377\340\000\020JFIF\000\001\001\001\000H\000H\000\000' >photo.jpg
head -c 300000 /dev/zero >zeros
head -c 300000 /dev/zero | tr '\0' 'x' >long
printf 'time_s,iops\n' >header.csv
printf 'a\n' | gzip -n >log.gz
printf 'Linux 5.4.0 (h)  08/29/2023  _x86_64_  (4 CPU)\n\n13:00:01  CPU  %%user  %%iowait  %%idle\n13:00:11  all  1.00  0.00  98.00\n' >sar-u.txt
printf 'hints = 1\n  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)\n    1      16        65        49   195.838       196    0.183048    0.231163\n' >rados.txt
printf '1 315454 3170 12984460 315454 315454 315454 0 2 100470442\n1 388005 2577 10556565 388005 388005 388005 0 1 100131093\n' >ioping.txt
printf 'Total Ops:\n  Read: 67\n  Write: 0\n' >amzn.txt
printf 'fio-3.19\nStarting 1 process\n' >banner.txt
printf '3;fio-3.19;j;0;0;0;0;25000;1000\n' >terse.txt
printf 'procs -----------memory---------- ---swap--\n r  b   swpd   free\n 1  0      0      1\n' >vmstat.txt
printf 'timestamp,value\n2014-04-02 14:25:00,0.0\n2014-04-02 14:30:00,1.0\n' >other.csv
for f in folder empty photo.jpg zeros long header.csv log.gz sar-u.txt rados.txt ioping.txt amzn.txt banner.txt other.csv terse.txt vmstat.txt missing.txt /dev/null; do
	try "$f"
done
try --format iostat photo.jpg
try --format csv empty
try empty photo.jpg
# The database that is there keeps what it had.
printf 'time_s,iops\n0,1\n1,1\n' >good.csv
volscale import good.csv
volscale import zeros
volscale import header.csv
volscale runs --format csv | wc -l
