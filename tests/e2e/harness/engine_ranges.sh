#!/bin/sh
# The fast engine makes groups of processes and moves data on them: its times are those of SMPI, digit by digit, for every
# operation and way of tutti-range that is no library's, on points drawn at random by a seed, ENGINE_SEED, that others may
# change.
#
# usage: engine_ranges.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
. "$source/tests/e2e/draw.sh"

WAYS='ranges create-group/mpich split/mpich'
POINTS=20 # 3 + (2 * 2 + 1) + 4 * 2 + 2 * 2, less what is there twice if uses or counts are the same

write() { # RANKS SIZE STEP COUNT USES
  cat >ranges.xml <<END
<experiment name="ranges">
  <platform name="$platform"/>
  <range operation="create" way="$WAYS" ranks="$1" size="$2"/>
  <range operation="overlapping" way="ranges create-group/mpich" order="cascaded alternating" ranks="$1" size="$3"/>
  <range operation="overlapping" way="split/mpich" order="alternating" ranks="$1" size="$3"/>
  <range operation="bcast reduce scan gather" way="ranges view" ranks="$1" size="ranks" count="$4"/>
  <range operation="subrange-bcast" way="$WAYS" ranks="$1" size="$2" count="$4" uses="$5"/>
  <range operation="subrange-bcast" way="ranges/chain/1KB" ranks="$1" size="$2" count="$4" uses="$5"/>
</experiment>
END
}

rows() { # STORE FLAVOR
  sqlite3 "$1" "SELECT operation, way, \"order\", ranks, size, count, uses, quote(r.median_s) FROM range_run r
    JOIN environment e ON e.id = r.environment WHERE e.flavor = '$2' ORDER BY 1, 2, 3, 4, 5, 6, 7"
}

all=0
for platform in ./supermuc.xml grig_mx ./torus.xml cisco_infiniband ./bgp.xml boba_gige_hosts ./eager.xml; do
  db=$(basename "$platform" .xml).db
  case $platform in ./supermuc.xml | ./torus.xml | ./bgp.xml) few_nodes "$(basename "$platform" .xml)" ;; esac
  [ "$platform" != ./eager.xml ] || # the sender does not wait
    sed 's/\(detached-thresh" value=\)"0"/\1"4001"/; s/\(smpi\/or" value=\)"0:0:0"/\1"0:1e-6:1e-9;1000:2e-6:0"/' \
      "$source/platforms/grig_mx_loggp.xml" >eager.xml
  "$tutti" platform options "$platform" >options 2>err || die "$platform: $(cat err)"
  [ ! -s err ] || { echo "left out: $(cat err)" && continue; } # SimGrid 4 charges overheads of several pieces otherwise
  pick 4 5 7 8 13 16
  ranks=$picked
  [ "$platform" != ./supermuc.xml ] || ranks=$((64 + ranks))
  draw $((ranks - 1))
  size=$((drawn + 1))
  pick 2 3 4
  step=$picked
  pick 0 1 30 700 5000
  count=$picked
  pick 1 2 17
  write "$ranks" "$size" "$step" "$count" "$picked"
  run 0 bench ranges.xml --engine fast --db "$db" -q
  run 0 bench ranges.xml --engine smpi --chunk 1 --db "$db" -q
  rm -rf "$db.work"
  rows "$db" fast >fast
  rows "$db" smpi >smpi
  [ "$(wc -l <fast)" -eq $POINTS ] || die "$platform: not $POINTS points: $(cat fast)"
  cmp -s fast smpi || die "$platform, $ranks ranks: $(diff fast smpi)"
  all=$((all + $(wc -l <fast)))
done
echo "$all points are equal"

# The same bytes again, whatever the number of jobs; 4,096 ranks that SMPI does not run here.
platform=supermuc
write 4096 2048 4 1 2
run 0 bench ranges.xml --engine fast --db big.db -q -j 1
run 0 bench ranges.xml --engine fast --db again.db -q -j 2 --chunk 1
rows big.db fast >fast
rows again.db fast >again
[ "$(wc -l <fast)" -eq $POINTS ] && cmp fast again || die "not the same times twice"

# What it does not know.
run 2 bench ranges.xml --engine fast --orders 2 --db none.db -q
expect "groups are built in one order of start"
sed 's/way="ranges view"/way="ranges native"/' ranges.xml >native.xml
run 2 bench native.xml --engine fast --db none.db -q
expect 'the engine fast measures collectives, groups, and ranges'
