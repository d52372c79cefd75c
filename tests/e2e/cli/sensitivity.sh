#!/bin/sh
# How a time depends on the machine: derivatives by hand; a method is the best between the ends of its interval and no
# longer; a program is 1, 2, 5 % slower where tutti forecast says so, on platform files that are changed that far.
#
# usage: sensitivity.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need python3 python3-minimal

trace=$source/tests/fuzz/seeds/small.workload # 4 ranks, one a node

holds() { # EXPRESSION about d, the JSON in out, and row(KEY VALUE...) of its sensitivities
  python3 -c "import json, sys
d = json.load(open('out'))
row = lambda parameter, **by: next(r for r in d['sensitivities'] if r['parameter'] == parameter
                                   and all(r[k] == v for k, v in by.items()))
near = lambda a, b, part=1e-9: abs(a - b) <= part * abs(b)
sys.exit(0 if ($1) else 1)" || die "JSON, not '$1': $(cat out)"
}
value() { # EXPRESSION: as above
  python3 -c "import json
d = json.load(open('out'))
row = lambda parameter, **by: next(r for r in d['sensitivities'] if r['parameter'] == parameter
                                   and all(r[k] == v for k, v in by.items()))
print($1)"
}

# ---- explain: three messages one after the other, each L + 2 o ----

model=loggp:L=50us,o=7us,g=9us,G=3us
run 0 explain bcast -P 8 -s 1 --decision bcast/binomial --platform grig_mx --parameters $model --sensitivity --json
holds '[r["slope"] for r in d["sensitivities"] if r["model"] == "loggp"] == [3, 6, 0, 0, 0, 0] and row("o")["unit"] == "s" and row("G")["unit"] == "s/B"'
holds 'near(row("L")["share_percent"], 100 * 150 / 192) and near(row("L")["more_1"], 1.92e-6 / 3, 1e-6)'
holds 'near(row("o")["more_5"], 5 * 1.92e-6 / 6, 1e-6) and row("gamma")["more_1"] is None and row("gamma")["holds_to"] is None'

# ---- the interval: another latency on either side of its end ----

explain() { # METHOD L: of allreduce, and its latency
  run 0 explain allreduce -P 16 -s 8KB --decision "$1" --platform grig_mx --parameters "loggp:L=$2,o=1us,g=2us,G=2ns" --sensitivity ${3:-}
}
explain allreduce/ring 5us
method=$(sed -n 's|^  loggp: allreduce/ring is not the best now, \(allreduce/.*\) is$|\1|p' out)
[ -n "$method" ] || die "no better method: $(cat out)"
explain allreduce/ring 5us --json
holds 'row("L")["holds_from"] is None and row("L")["above_method"] is None'
explain "$method" 5us --json
from=$(value 'row("L")["holds_from"]') to=$(value 'row("L")["holds_to"]') above=$(value 'row("L")["above_method"]')
[ "$above" != None ] && [ "$from" != None ] || die "no end of $method: $(cat out)"
explain "$method" "$(python3 -c "print($to * (1 - 1e-6))")s" --json
holds "near(row('L')['holds_to'], $to, 1e-8) and near(row('L')['holds_from'], $from, 1e-8)"
explain "$method" "$(python3 -c "print($to * (1 + 1e-6))")s"
expect "^  loggp: $method is not the best now, $above is\$"

# ---- methods whose ranks round apart are no candidates unless asked for ----

small() { # [OPTION]
  run 0 explain allreduce -P 47 -s 8B --decision allreduce/recursive-doubling --platform grig_mx --sensitivity ${1:-}
}
small
! grep -Eq 'allreduce/(census|swing-latency|trivance-latency) is' out || die "a method that no decision chooses: $(cat out)"
small --rounds-apart
expect '^  loggp: allreduce/recursive-doubling is not the best now, allreduce/census is$'

# ---- the same on the platform: three messages of a broadcast over links of one host each; another latency of its file ----

run 0 explain bcast -P 8 -s 1 --decision bcast/binomial --platform grig_mx --sensitivity --json
holds 'near(row("latency", model="engine")["slope"], 3 * 2 * row("latency: from host 0")["slope"])'
engine() { # METHOD FACTOR [OPTION]: of allreduce, and of the latency of the file
  python3 - "$source/platforms/grig_mx.xml" "$2" <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
open("other.xml", "w").write(re.sub(r' lat="([0-9.e-]+)us"', lambda m: ' lat="%.12gus"' % (float(m[1]) * float(sys.argv[2])), text))
PYTHON
  run 0 explain allreduce -P 16 -s 8KB --decision "$1" --platform ./other.xml --sensitivity ${3:-}
}
engine allreduce/ring 1
method=$(sed -n 's|^  engine: allreduce/ring is not the best now, \(allreduce/.*\) is$|\1|p' out)
[ -n "$method" ] || die "no better method on the platform: $(cat out)"
engine "$method" 1 --json
to=$(value 'row("latency", model="engine")["holds_to"]') above=$(value 'row("latency", model="engine")["above_method"]')
[ "$above" != None ] || die "no end of $method on the platform: $(cat out)"
engine "$method" "$(python3 -c "print($to * (1 + 1e-5))")"
expect "^  engine: $method is not the best now, $above is\$"
engine "$method" "$(python3 -c "print($to * (1 - 1e-5))")" --json
holds "near(row('latency', model='engine')['holds_to'], 1, 1e-4)"

# ---- several cards a node, fair sharing: shares add up, one is negative; below a nanosecond nothing is said of overheads ----

run 0 platform new fat-tree 6x5/2 --latency 1.3us --bandwidth 12.5GBps --ranks-per-node 2 --overhead 300ns -o ft.xml
run 0 explain allreduce -P 14 -s 48KB --decision allreduce/swing --platform ./ft.xml --sensitivity --json
holds 'near(sum(r["share_percent"] for r in d["sensitivities"] if r["model"] == "engine" and ":" not in r["parameter"]), 100, 1e-4)'
holds 'row("reduction", model="engine")["slope"] < 0 and row("rest", model="engine")["slope"] > 0'
holds 'row("overhead", model="engine")["below_method"] is None and near(row("overhead", model="engine")["holds_from"], 1 / 300, 1e-5)'
holds 'row("latency", model="engine")["below_method"] is None and row("latency", model="engine")["holds_from"] == 0'
run 0 explain allreduce -P 14 -s 48KB --decision allreduce/swing --platform ./ft.xml --sensitivity
expect '^  engine: the time jumps where (latency|overhead) rises to '

# ---- one of two cables of a host is named by both of its ends ----

cat >two.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="tree" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="2us" topology="FAT_TREE" topo_parameters="2;4,2;2,2;1,1"/></platform>
XML
run 0 explain alltoall -P 8 -s 1KB --decision alltoall/linear --platform ./two.xml --sensitivity
expect '^engine  latency: link [0-9]+ \(level 1, host 3 to [0-9]\) '
! grep -Eq 'from host [0-9]+ ' out || die "which of two cables: $(cat out)"

# ---- programs ----

run 0 forecast "$trace" --platform grig_mx_loggp --sensitivity --json
holds 'near(sum(r["value"] * r["slope"] for r in d["sensitivities"] if r["unit"] == "1" and ":" not in r["parameter"]), d["program_s"], 0.2)'
holds 'sum(": from host" in r["parameter"] or ": to host" in r["parameter"] for r in d["sensitivities"]) >= 4'
holds 'near(sum(r["slope"] for r in d["sensitivities"] if r["parameter"].startswith("latency: ")), row("latency")["slope"])'
holds 'near(row("each message")["value"] * row("each message")["slope"], row("latency")["slope"])'
for parameter in latency bandwidth overhead; do
  key=$parameter
  [ $parameter = bandwidth ] && key='1 / bandwidth'
  for percent in 1 5; do
    run 0 forecast "$trace" --platform grig_mx_loggp --sensitivity --json
    before=$(value 'd["program_s"]')
    factor=$(value "1 + row('$key')['more_$percent']")
    [ $parameter = bandwidth ] && operator=/ || operator='*'
    run 0 forecast "$trace" --platform grig_mx_loggp --set "$parameter=$operator$factor" --json
    holds "near(d['scenarios'][[r['scenario'] != 'as it is' and r['part'] == 'program' for r in d['scenarios']].index(True)]['time_s'], $before * (1 + $percent / 100), 1e-5)"
  done
done

# ---- factors are those of --set, by differences: several ranks a node, a loopback, a limiter that is not always fast ----

cat >goal <<'GOAL'
num_ranks 6
rank 0 {
a: send 100000b to 1 tag 1
b: send 70000b to 2 tag 2
b requires a
c: recv 50000b from 5 tag 3
c requires b
}
rank 1 {
a: recv 100000b from 0 tag 1
}
rank 2 {
a: recv 70000b from 0 tag 2
b: send 30000b to 4 tag 4
b requires a
}
rank 4 {
a: recv 30000b from 2 tag 4
b: send 90000b to 5 tag 5
b requires a
}
rank 5 {
a: recv 90000b from 4 tag 5
b: send 50000b to 0 tag 3
b requires a
}
GOAL
for case in 900MBps:window 90MBps:0 900MBps:0 90MBps:window; do # of the limiter, and of TCP-gamma
  cat >nodes.xml <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><config><prop id="network/TCP-gamma" value="$(echo "${case#*:}" | sed 's/window/16000/')"/></config>
<cluster id="nodes" prefix="n" suffix="" radical="0-2" speed="1Gf" core="2" bw="300MBps" lat="20us" limiter_link="${case%:*}"
 bb_bw="1GBps" bb_lat="5us" loopback_bw="200MBps" loopback_lat="30us"><prop id="tutti/ranks-per-node" value="2"/></cluster></platform>
XML
  run 0 forecast goal --platform ./nodes.xml --sensitivity --json
  holds 'row("1 / bandwidth: node")["slope"] > 0 and near(row("latency: node")["slope"] + row("latency: host")["slope"] + row("latency: backbone")["slope"], row("each message")["value"] * row("each message")["slope"])'
  before=$(value 'd["program_s"]')
  for key in latency '1 / bandwidth'; do
    run 0 forecast goal --platform ./nodes.xml --sensitivity --json
    slope=$(value "row('$key')['slope']")
    [ "$key" = latency ] && edit='latency=*1.01' || edit='bandwidth=/1.01'
    run 0 forecast goal --platform ./nodes.xml --set "$edit" --sensitivity --json
    holds "abs([s['time_s'] for s in d['scenarios'] if s['scenario'] != 'as it is' and s['part'] == 'program'][0] - $before - 0.01 * $slope) < 2e-4 * $before"
  done
done

# ---- links that a file names: of two in a row from one host each has its own name, which --set takes ----

cat >named.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
<link id="first" bandwidth="90MBps" latency="30us"/><link id="second" bandwidth="120MBps" latency="70us"/>
<link id="both" bandwidth="50MBps" latency="20us" sharing_policy="SPLITDUPLEX"/>
<route src="a" dst="b"><link_ctn id="first"/><link_ctn id="second"/></route>
<route src="a" dst="c"><link_ctn id="first"/><link_ctn id="both" direction="UP"/></route>
<route src="b" dst="c"><link_ctn id="second"/><link_ctn id="both" direction="UP"/></route></zone></platform>
XML
printf 'num_ranks 3\nrank 0 {\na: send 90000b to 1 tag 1\nb: recv 40000b from 2 tag 2\nb requires a\n}\nrank 1 {\na: recv 90000b from 0 tag 1\nb: send 50000b to 2 tag 3\nb requires a\n}\nrank 2 {\na: recv 50000b from 1 tag 3\nb: send 40000b to 0 tag 2\nb requires a\n}\n' >three
run 0 forecast three --platform ./named.xml --sensitivity --json
holds 'len({r["parameter"] for r in d["sensitivities"] if r["scenario"] == "as it is"}) == sum(r["scenario"] == "as it is" for r in d["sensitivities"])'
holds 'row("latency: link both_UP")["slope"] > 0 and row("1 / bandwidth: link both_DOWN")["slope"] > 0'
before=$(value 'd["program_s"]')
for link in first second; do
  slope=$(value "row('latency: link $link')['slope']")
  run 0 forecast three --platform ./named.xml --sensitivity --json --set "//link[@id=\"$link\"]/@latency=*1.001"
  holds "near([s['time_s'] for s in d['scenarios'] if s['scenario'].startswith('//') and s['part'] == 'program'][0] - $before, 0.001 * $slope, 1e-4)"
done

run 0 whatif grig_mx_loggp --set 'latency=*2' --trace "$trace" --sensitivity --json --db none.db
holds '{r["scenario"] for r in d["sensitivities"]} == {"before", "after"}'
holds 'row("latency", scenario="after")["slope"] > row("latency", scenario="before")["slope"]'
run 0 whatif grig_mx_loggp --set 'latency=*2' --trace "$trace" --sensitivity --db none.db
expect '^The time depends on$'
expect '^after: it tolerates [0-9.]+ us more latency of each message for 1 %, '
expect '^before +latency +1x '

run 0 forecast three --platform ./named.xml --set latency=*2 --sensitivity
[ "$(grep -c '^network/weight-S is [0-9.]*: where flows of different routes share a link' out)" -eq 1 ] || die "no note: $(cat out)"

# ---- usage ----

run 2 explain bcast -P 8 -s 1 --decision bcast/binomial --sensitivity
expect '--sensitivity: to the parameters of which platform'
run 2 whatif grig_mx_loggp --set 'latency=*2' bcast --sensitivity
expect 'and --sensitivity go with a --trace'
exit 0
