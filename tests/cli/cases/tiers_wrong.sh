# what cannot be a ladder
try() { volscale tiers "$@"; echo "exit $?"; }
try --provider aws
try --size-gb 20
try --size-gb many
try --currency Yen
try --price-gb -1
try --catalogue none.json
echo '{"schema": "volcat/1", "products": {"oci": {"limits": {"iops": {"root": [4]}}}}}' >bad.json
try --catalogue bad.json
echo '{"products": {}}' >bad.json
try --catalogue bad.json
echo '{"schema": "volcat/1",' >bad.json
try --catalogue bad.json
