# each: one line that names the thing and the remedy, and nothing is made
head -c 1048576 /dev/zero >file
observe() {
	timeout 20 volscale observe --runtime 1s "$@"
	echo $?
}
observe
observe .
observe --bs 3k file
observe --bs 100 file
observe --interval 10ms file
observe --rw write file
observe --iodepth 0 file
observe --runtime 1x file
observe --provider nobody file
timeout 20 volscale rehearse --min-tier 15
echo $?
ls
