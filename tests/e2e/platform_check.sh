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

# Without <config> two runs differ; with it they do not.
machine none.xml '' 'radical="0-7"'
machine good.xml "$config" 'radical="0-7"'
measure() { # FILE STORE: what is measured on it
  rm -f "$2"
  "$tutti" bench allreduce --platform "./$1" -P 8 -s 1KB,64KB --db "$2" --quiet >/dev/null 2>err || die "bench: $(cat err)"
  "$tutti" map allreduce --platform "./$1" --times --db "$2" --csv || die "map of $2"
}
measure none.xml first.db >first
: >out
expect '^tutti: warning: .*none\.xml:3: no <config>: SimGrid measures the computation of this computer'
[ "$(grep -c warning err)" -eq 1 ] || die "not one warning: $(cat err)"
measure none.xml second.db >second
cmp -s first second && die "two runs without <config> are equal: is the warning still true?"
measure good.xml first.db >first
[ ! -s err ] || die "good.xml: $(cat err)"
measure good.xml second.db >second
cmp -s first second || die "two runs differ: $(diff first second)"
run 1 platform check ./none.xml
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

# Several chassis: host 3 to host 4, both in chassis 1, takes a link too many.
machine chassis.xml "$config" 'radical="0-8" topology="DRAGONFLY" topo_parameters="1,1;3,1;3,1;1"'
bare 0 chassis.xml n3 n4
grep -q 'bytes=0 time_s=4\.016e-06' bare || [ $faulty = false ] || die "chassis: is it mended in this SimGrid? $(cat bare)"
run 1 platform check ./chassis.xml
expect '^tutti: warning: .*chassis\.xml:9: a dragonfly of 3 chassis a group: .* one chassis of 9 routers$'

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
echo "faults of platform files are faults of SimGrid, and are told"
