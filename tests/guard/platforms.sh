#!/bin/sh
# Platform files that try to reach beyond themselves: no file but those named is written, no program but the known ones
# is started, and a file beside them that holds a secret is not opened, whatever the file says.
#
# usage: platforms.sh BUILD_DIR SOURCE_DIR [COUNT [EVERY [SEEDS [FIRST]]]]
#
# COUNT files (200) are made from the platforms of SOURCE_DIR and of the folder SEEDS, from number FIRST (0) on. All are
# checked; of those that are taken smpirun gets every EVERY-th (8), and the fast engine four times as many.
# By hand: platforms.sh build . 10000 20 FOLDER
set -u
every=${4:-8} seeds=${5:-} first=${6:-0}
. "$2/tests/guard/begin.sh"
echo 'not to be told' >files/secret.txt # beside them: looked at before it is refused, but not told

cat >hosts.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
END

# Seeds that are taken as they are, and are small enough for many runs.
set --
for seed in hosts.xml "$source"/platforms/*.xml ${seeds:+"$seeds"/*.xml}; do
  [ "$(wc -c <"$seed")" -lt 40000 ] || continue
  "$tutti" platform check "$seed" >out 2>/dev/null
  [ $? -le 1 ] && set -- "$@" "$seed"
done
"$build/tests/smuggle" "$first" "$count" "$work/victim.txt" "$work/secret.txt" "$work/files" "$@" || exit 2

simulating() { # COMMAND...
  watched --write "/dev/shm/*" --run '/usr/bin/smpirun' --run '/usr/lib/*/simgrid/smpimain' --run '/usr/bin/dash' \
    --run '/usr/bin/bash' --run '/usr/bin/env' --run '/usr/bin/dirname' --run '/usr/bin/mktemp' --run '/usr/bin/grep' \
    --run '/usr/bin/basename' --run '/usr/bin/true' --run '/usr/bin/rm' timeout 60 "$@"
}
measure() { # ENGINE
  rm -rf s.db* tmp/*
  ranks=$(sed -n 's/.*: valid, \([0-9]*\) hosts.*/\1/p' checked)
  [ "${ranks:-0}" -ge 2 ] || return
  simulating "$tutti" bench bcast --platform "$file" -P 2 -s 8 --engine "$1" --db s.db --quiet
  [ -e s.db ] && [ $status -eq 0 ] && echo "$1" >>measured
}

taken=0 simulated=0 engines=0
: >measured
for file in "$work"/files/*.xml; do
  simulating "$tutti" platform check "$file"
  [ $status -le 1 ] || continue
  cp out checked
  taken=$((taken + 1))
  [ $((taken * 4 % every)) -lt 4 ] || continue
  engines=$((engines + 1))
  measure fast
  [ $((taken % every)) -eq 0 ] || continue
  simulated=$((simulated + 1))
  measure smpi
done
check_victim
echo "$count files, $taken of them taken: $engines given to the fast engine ($(grep -c fast measured) measured)," \
  "$simulated to smpirun ($(grep -c smpi measured) measured); $faults faults"
[ $faults -eq 0 ] && [ $taken -gt 0 ] && [ "$(grep -c smpi measured)" -gt 0 ]
