# What does not agree between a report (the input) and the schedule that the kernel followed ($changes, an array of
# [wall seconds, IOPS]); nothing when all agrees. The first $up changes fall into the load phase, the last of them
# goes on into the idle phase, whose probes are $probe_s seconds apart.
def abs: if . < 0 then -. else . end;
def seconds: capture("(?<s>.*)\\.(?<ms>[0-9]{3})Z$") | ((.s + "Z") | fromdateiso8601) + (.ms | tonumber) / 1000;
def tier: {"25000": "10", "50000": "20", "75000": "30", "100000": "40", "122880": "50", "138240": "60"}[tostring];

(.run.started_at | seconds) as $start
| ($changes | map({at_s: (.[0] - $start), iops: .[1]})) as $all
| ($all[:$up] | map(. + {phase: "load"})) as $load
| (if $probe_s > 0 then $all[$up - 1:] | map(. + {phase: "idle"}) else [] end) as $idle
| ($load + $idle) as $want
| ($load[1:] | map(. + {direction: "up", slack_s: 1.5})) as $rises
| ($idle[1:] | map(. + {direction: "down", slack_s: $probe_s})) as $falls
| ($rises + $falls) as $want_steps
| (if (.plateaus | length) == ($want | length) then empty
   else "\(.plateaus | length) plateaus instead of \($want | length): \(.plateaus | map(.iops))" end),
  (range([(.plateaus | length), ($want | length)] | min) as $i
   | .plateaus[$i] as $p | $want[$i] as $w
   | (if $p.phase == $w.phase then empty else "plateau \($i): phase \($p.phase) instead of \($w.phase)" end),
     (if ($p.iops / $w.iops - 1 | abs) <= 0.01 then empty else "plateau \($i): \($p.iops) IOPS instead of \($w.iops)" end),
     (if $p.tier == ($w.iops | tier) then empty else "plateau \($i): tier \($p.tier) instead of \($w.iops | tier)" end)),
  (if (.steps | length) == ($want_steps | length) then empty
   else "\(.steps | length) steps instead of \($want_steps | length): \(.steps | map([.direction, .at_s]))" end),
  (range([(.steps | length), ($want_steps | length)] | min) as $i
   | .steps[$i] as $s | $want_steps[$i] as $w
   | (if $s.direction == $w.direction then empty else "step \($i): \($s.direction) instead of \($w.direction)" end),
     (if ($s.at_s - $w.at_s | abs) <= $w.slack_s then empty
      else "step \($i): at \($s.at_s) s instead of \($w.at_s) +- \($w.slack_s)" end)),
  (if .totals.errors == 0 and .totals.missing == 0 then empty else "errors or missing samples: \(.totals)" end),
  (.events[] | select(.kind == "device-mismatch") | "event: \(.text)")
