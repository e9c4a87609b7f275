# the ladder of a provider: in each format, with a block size, in another currency, from a file
for format in text csv json markdown; do
	echo "# $format"
	volscale tiers --size-gb 1024 --format $format
done
echo "# ten volumes of 3072 GB"
volscale tiers --size-gb 3072 --volumes 10 --format csv | sed -n 1,5p
echo "# at 1 MiB the MB/s bind"
volscale tiers --size-gb 1024 --bs 1m --format csv | sed -n 1,4p
echo "# another currency, and one that is not priced"
volscale tiers --size-gb 50 --price-gb 3.06 --price-vpu 0.204 --currency JPY --format csv | sed -n 1,4p
volscale tiers --size-gb 50 --currency EUR --format json | sed -n 1,6p
echo "# other providers"
volscale tiers --provider aws-gp3 --size-gb 500 --bs 64k
volscale tiers --provider azure-premium-ssd --size-gb 1000 --format csv
volscale tiers --list
volscale tiers --list --format csv | sed -n 1,3p
echo "# a file over the built-in ones"
cat >own.json <<'JSON'
{"schema": "volcat/1", "products": {
  "aws-gp3": {"rungs": [{"name": "ours", "set": {"iops": 12000, "mibps": 400}}]},
  "cellar": {"name": "Cellar", "size": {"min": 1, "max": 10}, "limits": {"iops": 700}, "rungs": [{"name": "only"}]}}}
JSON
volscale tiers --catalogue own.json --provider aws-gp3 --size-gb 200 --format csv
volscale tiers --catalogue own.json --provider cellar --size-gb 5
