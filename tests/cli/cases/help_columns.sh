# A terminal has 80 columns; the choices of import --format are one word.
for command in '' observe watch rehearse import report compare verify runs tiers price cloud; do
	volscale $command --help
done | awk 'length($0) > 80'
