#!/bin/sh
# Platform files that SimGrid loads and then crashes on, or simulates differently in each run, are told before they are
# measured; and each of these faults is one: SimGrid itself shows it.
#
# usage: platform_check.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

machine() { # FILE CONFIG ATTRIBUTES [RANKS_PER_NODE]
  cat >"$1" <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
$2
<zone id="w" routing="Full">
<prop id="tutti/ranks-per-node" value="${4:-1}"/>
<cluster id="c" prefix="n" suffix="" speed="1Gf" bw="1GBps" lat="1us" core="${4:-1}" $3/>
</zone>
</platform>
END
}

smpirun --version | grep -q 'SimGrid version 3\.32' && faulty=true || faulty=false # other versions may be mended

bare() { # STATUS FILE HOST HOST: half round trips by SimGrid alone, into bare
  expected=$1
  shift
  printf '%s\n' "$2" "$3" >hosts
  smpirun -np 2 -platform "$1" -hostfile hosts -no-privatize --log=root.thres:warning "$build/smpi/tutti-pingpong" 0 1MB \
    >bare 2>&1
  code=$?
  [ $code -eq "$expected" ] || [ $faulty = false ] || die "$*: status $code instead of $expected of SimGrid: $(cat bare)"
}

config='<config><prop id="smpi/simulate-computation" value="no"/><prop id="smpi/bw-factor" value="0:1"/>
<prop id="smpi/lat-factor" value="0:1"/><prop id="smpi/wtime" value="0"/><prop id="network/crosstraffic" value="no"/>
<prop id="network/weight-S" value="0"/></config>'

# Without <config> two runs of smpirun alone differ; Tutti turns the computation off.
machine none.xml '' 'radical="0-7"'
machine good.xml "$config" 'radical="0-7"'
measure() { # FILE STORE: what is measured on it
  rm -f "$2"
  "$tutti" bench allreduce --platform "./$1" -P 8 -s 1KB,64KB --db "$2" --quiet >/dev/null 2>err || die "bench: $(cat err)"
  "$tutti" map allreduce --platform "./$1" --db "$2" --csv || die "map of $2"
}
measure none.xml first.db >first
: >out
expect '^tutti: warning: .*none\.xml:3: no <config>: SimGrid scales times of messages'
[ "$(grep -c warning err)" -eq 1 ] || die "not one warning: $(cat err)"
measure none.xml second.db >second
cmp -s first second || die "two runs without <config> differ: $(diff first second)"
measure good.xml first.db >first
[ ! -s err ] || die "good.xml: $(cat err)"
measure good.xml second.db >second
cmp -s first second || die "two runs differ: $(diff first second)"
run 0 platform check ./none.xml
run 1 platform check ./none.xml --strict
expect '^tutti: note: status 1: 1 warning, a fault with --strict$'
run 1 platform check ./none.xml --measure
expect '^tutti: note: status 1: 1 warning, a fault with --measure$'
[ "$(wc -c <err)" -lt 300 ] || die "long words: $(cat err)"
sed 's|^<zone.*|&<prop id="tutti/published-alpha" value="9e-6"/>|' good.xml >other.xml
run 1 platform check ./other.xml --measure
expect '^tutti: note: status 1: what is measured and what the file states differ by more than 2 %$'
run 0 platform check ./good.xml

# One group more than a chassis has routers: SimGrid crashes.
machine fly.xml "$config" 'radical="0-8" topology="DRAGONFLY" topo_parameters="3,1;1,1;3,1;1"'
run 0 platform check ./fly.xml
bare 0 fly.xml n0 n8
machine fly.xml "$config" 'radical="0-11" topology="DRAGONFLY" topo_parameters="4,1;1,1;3,1;1"'
bare 139 fly.xml n0 n11
for command in 'platform check' 'platform check --measure' 'bench bcast -P 12 -s 8 --db none.db --platform'; do
  run 2 $command ./fly.xml
  expect '^tutti: .*fly\.xml:9: a dragonfly of 4 groups with 3 routers a chassis'
done
printf '<experiment name="x"><platform name="grig_mx"/><sweep collective="bcast"><ranks>4</ranks><sizes>8</sizes></sweep></experiment>' \
  >x.xml
run 2 whatif ./fly.xml x.xml --set latency=*2 --db none.db
expect '^tutti: .*fly\.xml:9: a dragonfly of 4 groups'
run 2 platform check ./fly.xml --json
expect '"findings": \[$'
expect '"severity": "error", "message": ".*fly\.xml:9: '

# Programs of another build.
run 0 platform check ./good.xml --measure --build-dir "$build"
run 2 platform check ./good.xml --measure --build-dir nowhere
expect '^tutti: no measuring program for flavor smpi: nowhere/smpi/tutti-pingpong: .*, or say --build-dir DIR for DIR/smpi/tutti-pingpong$'

# Errors come before warnings.
sed '/<config>/,/<\/config>/d' fly.xml >both.xml
run 2 platform check ./both.xml
sed -n 's/^tutti: \([a-z]*\): .*/\1/p' err | tr '\n' ' ' >order
[ "$(cat order)" = 'error warning ' ] || die "order: $(cat err)"

# Several chassis: host 3 to host 4, both in chassis 1, takes a link too many.
machine chassis.xml "$config" 'radical="0-8" topology="DRAGONFLY" topo_parameters="1,1;3,1;3,1;1"'
bare 0 chassis.xml n3 n4
grep -q 'bytes=0 time_s=4\.016e-06' bare || [ $faulty = false ] || die "chassis: is it mended in this SimGrid? $(cat bare)"
run 1 platform check ./chassis.xml --strict
expect '^tutti: warning: .*chassis\.xml:9: a dragonfly of 3 chassis a group: .* one chassis of 9 routers$'

# A torus with sides of 1: with one it runs.
machine ones.xml "$config" 'radical="0-3" topology="TORUS" topo_parameters="4,1,1"'
bare 134 ones.xml n0 n1
run 2 platform check ./ones.xml
expect '^tutti: error: \./ones\.xml:9: topo_parameters="4,1,1": a torus with 2 sides of 1: .*: leave sides of 1 out$'
machine one.xml "$config" 'radical="0-3" topology="TORUS" topo_parameters="4,1"'
bare 0 one.xml n0 n1
run 0 platform check ./one.xml --strict

# Several ranks on a node of a torus that has no loopback, or half of one.
machine torus.xml "$config" 'radical="0-3" topology="TORUS" topo_parameters="2,2"' 2
bare 134 torus.xml n0 n0
run 2 bench bcast --platform ./torus.xml -P 4 -s 8 --db none.db
expect '^tutti: .*torus\.xml:9: no loopback_bw and loopback_lat for 2 ranks a node: .* ends with the first message'
machine half.xml "$config" 'radical="0-3" loopback_lat="1us"' 2
bare 134 half.xml n0 n0
run 2 platform check ./half.xml

# A host at every distance is measured.
machine tree.xml "$config" 'radical="0-7" topology="FAT_TREE" topo_parameters="3;2,2,2;1,1,1;1,1,1" loopback_bw="5GBps"
loopback_lat="1us"' 2
run 0 platform check ./tree.xml --measure
sed -n '/by distance/,$p' out | sed 1,2d >distances
printf '%s\n' 'n0 0 1.0032 0.0002' 'n1 2 2.016 0.001' 'n2 4 4.016 0.001' 'n4 6 6.016 0.001' >expected
awk '{ print $1, $2, $3, $4 }' distances | cmp -s - expected || die "distances: $(cat out)"
run 0 platform check ./tree.xml --measure --json
expect '\{"host": "n4", "links": 6, "alpha_s": 6\.016e-06, "beta_s_per_B": 1e-09\}'

# A value carries no further option, and no name a command: SimGrid itself shows that it would. What is not allowed is
# refused by all that reads a platform file.
option() { # NAME VALUE: into option.xml
  machine option.xml "$(printf '%s' "$config" | sed "s|</config>|<prop id=\"$1\" value=\"$2\"/></config>|")" 'radical="0-3"'
}
smuggles() { # PATTERN OF THE ERROR
  for command in 'platform check' 'platform check --measure' 'bench bcast -P 2 -s 8 --engine smpi --db none.db --platform' \
    'bench bcast -P 2 -s 8 --engine fast --db none.db --platform' 'params --db none.db' 'platform hostfile -P 2'; do
    run 2 $command ./option.xml
    expect "^tutti: .*option\.xml:6: $1"
  done
  [ "$(cat victim)" = mine ] || die "$1: the file of another is overwritten"
}
echo mine >victim
option smpi/keep-temps "no tracing:yes tracing/smpi:yes tracing/filename:$PWD/victim"
smuggles 'smpi/keep-temps=.*: expected one of no off false 0'
bare 0 option.xml n0 n1
[ "$(cat victim)" != mine ] || [ $faulty = false ] || die "SimGrid does not split values: is it mended?"
echo mine >victim
option smpi/wtime "0,tracing:yes"
smuggles 'smpi/wtime="0,tracing:yes": not a number of seconds'
option smpi/coll-selector "ompi tracing:yes"
smuggles 'smpi/coll-selector=.*: expected one of ompi'
option smpi/replay "$PWD/victim"
smuggles 'option smpi/replay lets SimGrid read any file and print of it'
option smpi/comp-adjustment-file "$PWD/victim"
smuggles 'option smpi/comp-adjustment-file lets SimGrid read any file'
machine option.xml "$config" 'radical="0-3"'
sed -i 's/prefix="n" suffix=""/prefix="n" suffix="$(echo>victim)"/' option.xml
run 2 bench bcast --platform ./option.xml -P 2 -s 8 --db none.db
expect '^tutti: .*option\.xml:9: <cluster> suffix="\$\(echo>victim\)": a name has letters, digits'

# An option that only prints is taken.
option smpi/display-timing yes
run 0 platform check ./option.xml
run 0 bench bcast --platform ./option.xml -P 2 -s 8 --engine smpi --db timing.db --quiet
smpirun -np 2 -platform option.xml -hostfile hosts -no-privatize "$build/smpi/tutti-pingpong" 0 1KB >bare 2>&1
grep -qi 'simulat.* time' bare || [ $faulty = false ] || die "smpi/display-timing prints nothing: $(cat bare)"

# The name of a platform is that of its file, which may be anything that can be typed: it is a name everywhere, also in
# pictures and in commands to paste.
mkdir names
odd="a'b \"c\" \$(touch x) \`touch y\`;touch z|touch u"
cp good.xml "names/$odd.xml"
cd names || exit 1
run 0 bench bcast,reduce --platform "./$odd.xml" -P 4,8 -s 8,1KB --db odd.db --quiet
if command -v gnuplot >/dev/null; then
  run 0 map bcast --platform "$odd" --db odd.db --plot map.svg
  run 0 map bcast --platform "$odd" --db odd.db --loss --decision library:openmpi-4.1 --plot loss.svg
  run 0 report --db odd.db --plots pictures -o report.html
  [ -s map.svg ] && [ -s loss.svg ] && [ "$(ls pictures)" ] || die "no pictures: $(ls . pictures)"
fi
"$tutti" report --db odd.db -o report.html >/dev/null 2>&1 || die "report of an odd name"
"$tutti" map allreduce --platform "$odd" --db odd.db >/dev/null 2>hint && die "a map of nothing"
sed -n 's/.*\(tutti bench .*\)/\1/p' hint >command # pasted, it says the name
grep -q "^tutti bench " command || die "no command in: $(cat hint)"
sed 's/^tutti bench/printf "%s\\n"/' command | sh >words 2>&1
grep -qxF "$odd" words || grep -qxF "./$odd.xml" words || die "pasted, $(cat command) says $(cat words)"
for made in x y z u; do
  [ ! -e $made ] || die "the name of a platform ran: $made"
done
cd .. || exit 1

# A profile is read from beside the file, whatever the current folder is.
mkdir beside other
printf '0 1\n0.001 0.5\nLOOPAFTER 1\n' >beside/load
sed 's|<zone.*|<zone id="w" routing="Full"><host id="a" speed="1Gf" speed_file="load"/><host id="b" speed="1Gf"/>|; /<cluster/d; /tutti.ranks/d
  s|</zone>|<link id="l" bandwidth="1GBps" latency="1us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone>|' good.xml >beside/load.xml
(cd other && run 1 platform check ../beside/load.xml --measure) || exit 1
(cd other && run 0 bench bcast --platform ../beside/load.xml -P 2 -s 8 --engine smpi --db load.db --quiet) || exit 1
echo 'secret' >beside/load
(cd other && run 2 bench bcast --platform ../beside/load.xml -P 2 -s 8 --engine smpi --db load.db --quiet
  expect 'load\.xml:[0-9]*: speed_file="load": line 1 of that file has more than numbers') || exit 1
echo "faults of platform files are faults of SimGrid, and are told"
