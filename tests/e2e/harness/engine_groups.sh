#!/bin/sh
# The fast engine builds groups: its times are those of SMPI, digit by digit, and so are all counts of the actors, on
# points drawn at random by a seed, ENGINE_SEED, that others may change.
#
# usage: engine_groups.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3

. "$source/tests/e2e/draw.sh"
# write RANKS BRANCHING COLOURS NODE_RANKS: an experiment with all builders that can.
write() {
  draw 1000
  cat >groups.xml <<END
<experiment name="groups">
  <platform name="$platform"/>
  <group branching="$2" colours="$3" node-ranks="$4" seed="$drawn"><ranks>$1</ranks>$members</group>
</experiment>
END
}
# One point a launch: under SMPI a point changes the order in which the ranks start in the next one.
compare() {
  run 0 bench groups.xml --engine fast --db "$db" -q
  run 0 bench groups.xml --chunk 1 --db "$db" -q
  rm -rf "$db.work"
}
# What each flavor found, without its name and without the memory of an endpoint, which only messages over MPI have.
rows() {
  sqlite3 "$1" "
    SELECT g.builder, g.ranks, g.fraction, g.exact, g.members, g.branching, g.seed, g.colours, g.node_ranks,
      quote(g.median_s), start, upward, relocation, downward, balance, hash, scan, reduction, finish, lookup, sent_B,
      groups, fingerprint, size, height, degree, critical_path, largest_message_B, memory_B
    FROM group_build g JOIN environment e ON e.id = g.environment WHERE e.flavor = '$2' ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"
}
all=0
for platform in ./bgp.xml grig_mx ./torus.xml ./supermuc.xml cisco_infiniband ./costs.xml ./switch.xml boba_gige_hosts ./small.xml ./tiny.xml; do
  db=$(basename "$platform" .xml).db
  case $platform in
    ./bgp.xml | ./torus.xml | ./supermuc.xml) few_nodes "$(basename "$platform" .xml)" ;;
    # costs without a limit that they hide behind: many bytes and entries, no torus
    ./costs.xml) sed 's|<zone id="world" routing="Full">|&<prop id="tutti/actor-send-s" value="3e-7"/>\
      <prop id="tutti/actor-byte-s" value="1e-8"/><prop id="tutti/actor-entry-s" value="2e-7"/>\
      <prop id="tutti/actor-candidate-s" value="6e-7"/>|' \
      "$source/platforms/cisco_infiniband.xml" >costs.xml
      grep -q actor-byte-s costs.xml || die "no costs in costs.xml" ;;
    ./small.xml) # eager messages that do not wait for their receive, and eager ones that do
      sed 's/\(async-small-thresh" value=\)"0"/\1"300"/; s/\(detached-thresh" value=\)"[0-9]*"/\1"400"/' \
        "$source/platforms/boba_gige_hosts.xml" >small.xml
      grep -q 'thresh" value="300"' small.xml || die "no small messages in small.xml" ;;
    ./tiny.xml) # of the messages of actors, 12 to 128 bytes, some do not wait, others do
      sed 's/async-small-thresh" value="300"/async-small-thresh" value="40"/' small.xml >tiny.xml ;;
    ./switch.xml) # where messages meet
      run 0 whatif boba_gige --set backbone-bandwidth=100MBps --set backbone-latency=0us --set backbone-contention=2/0.2 -o switch.xml ;;
  esac
  pick 1 2 3 7 16 25 31
  ranks=$picked
  [ "$platform" != ./bgp.xml ] || { draw 200; ranks=$((60 + drawn)); }
  [ "$platform" != grig_mx ] || ranks=$((ranks % 16 + 1))
  pick 2 3 5
  branching=$picked
  pick 0.05 0.3 0.6 0.9 1
  draw "$ranks"
  members="<fractions>$picked</fractions><members>$drawn</members>"
  write "$ranks" "$branching" 1 1
  compare
  pick "3 1" "1 4"
  set -- $picked
  members='<fractions>0.7</fractions>'
  write "$ranks" "$branching" "$1" "$2"
  compare
  rows "$db" fast >fast
  rows "$db" smpi >smpi
  [ "$(wc -l <fast)" -ge 15 ] || die "$platform: only $(wc -l <fast) groups"
  cmp -s fast smpi || die "$platform: $(diff fast smpi)"
  all=$((all + $(wc -l <fast)))
done
echo "$all builds are equal"

# The same bytes again, whatever the number of jobs; 4,096 ranks that SMPI does not run here.
platform=bgp members='<fractions>0.3 0.99</fractions>'
write 4096 3 1 1
run 0 bench groups.xml --engine fast --db big.db -q -j 1
run 0 bench groups.xml --engine fast --db again.db -q -j 2 --chunk 1
rows big.db fast >fast
rows again.db fast >again
[ "$(wc -l <fast)" -eq 14 ] && cmp fast again || die "not the same times twice"

# What it does not know.
run 2 bench groups.xml --engine fast --orders 2 --db none.db -q
expect "groups are built in one order of start"
cat >sort.xml <<'END'
<experiment name="sort"><platform name="bgp"/><sort ranks="4" count="8"/></experiment>
END
run 2 bench sort.xml --engine fast --db none.db -q
expect 'the engine fast measures collectives, groups, and ranges'
