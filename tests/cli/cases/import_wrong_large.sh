# A gigabyte of what is no recording, as a file and through a pipe, in each format: refused at its beginning, in one line.
formats='auto fio-console fio-log fio-hist fio-json iostat sar csv elbencho vdbench'
try() { # COMMAND...: imports what it prints, in each format
	for format in $formats; do
		"$@" 2>/dev/null | volscale import --format "$format" - >said 2>&1
		echo "exit $?: $(cat said)"
	done | sort | uniq -c | sed 's/^ *//'
	[ -e volscale.db ] && echo 'a database was left behind'
}
a_gigabyte_of() {
	head -c 1G /dev/zero | tr '\0' "$1"
}
echo '== zeros'
try head -c 1G /dev/zero
echo '== no line end'
try a_gigabyte_of a
echo '== rows, and then no line end'
rows_and_zeros() {
	yes '1000, 25000, 0, 0' | head -n 9000
	head -c 1G /dev/zero
}
try rows_and_zeros
echo '== a sparse file'
truncate -s 1G sparse
for format in $formats; do
	volscale import --format "$format" sparse
	echo $?
done 2>&1 | sort | uniq -c | sed 's/^ *//'
