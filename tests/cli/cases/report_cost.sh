# the cost of a run: tier by tier, in another currency, unpriced; a level that two tiers promise
awk 'BEGIN {
	print "time_s,iops"
	for (i = 0; i < 90; i++) print i "," (i < 28 ? 25000 : i < 51 ? 50000 : 75000) * (1 + (i * 7 % 5 - 2) * 0.001)
}' >series.csv
volscale import --size-gb 1024 --start-time 2026-01-31T12:00:00Z series.csv
cost() { volscale report "$@" | sed -n '/^cost/,/^$/p; /^billed/,/^$/p'; }
cost
echo "# yen"
cost --price-gb 3.06 --price-vpu 0.204 --currency JPY
echo "# no price is known"
cost --currency EUR
volscale report --currency EUR --format json | sed -n '/"cost"/,/}/p'
echo "# priced"
volscale report --format json | sed -n '/"cost"/,/}/p'
echo "# two tiers"
awk 'BEGIN { print "time_s,iops"; for (i = 0; i < 60; i++) print i "," 7500 * (1 + (i * 7 % 5 - 2) * 0.001) }' >two.csv
volscale import --provider azure-premium-ssd --size-gb 1000 two.csv
volscale report | sed -n '/^#/,$p'
volscale report --format json | grep -o '"tier": null, "tiers": [^]]*]'
