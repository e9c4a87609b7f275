#!/bin/sh
# plain.sh WRITE_FIXTURE_PLAIN - the page of a build with -DVOLSCALE_UPLOT=off: the static chart, and
# nothing of uPlot but the script's question whether it is there.
set -eu
page=$("$1" scale html)
has() {
	printf '%s' "$page" | grep -q -- "$1" || {
		echo "FAILED: no '$1' in the page"
		exit 1
	}
}
has 'built without uPlot'
has '<svg class="chart"'
has 'id="step-3"'
if printf '%s' "$page" | grep -q '<noscript>\|Leon Sorokin\|id="plot"'; then
	echo "FAILED: there is something of the interactive chart"
	exit 1
fi
