#!/bin/sh
# tutti bench --budget: a part of the points decides nearly as well as all; what is stored is not measured again; a
# larger budget goes on from there; rules for what is decided.
#
# usage: budget.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

sweep='bench bcast,allreduce --platform hdr_fat_tree --engine fast -P 4..64*4 -s 4..1MB*8'
# ---- all points, and an eighth of them ----

run 0 $sweep --db all.db -q
run 0 $sweep --db some.db --budget 120 --rules some.txt --csv
expect '^bcast,4,4,bcast/'
grep -q '^[0-9]*,120,0,' out || die "other than 120 points were measured: $(sed -n 2p out)"
grep -q ',measured,' out && grep -q ',inferred,' out || die "not some measured and some inferred"
cp out first
run 0 $sweep --db some.db --budget 120 --csv --output-db expected.db
cmp -s first out || die "a second run of the same budget decides otherwise"
for collective in bcast allreduce; do
  run 0 penalty some.txt --collective $collective --platform hdr_fat_tree --engine fast --db all.db --json
  mean=$(sed -n 's/.*"mean_percent": *\([0-9.e+-]*\).*/\1/p' out)
  awk -v mean="$mean" 'BEGIN { exit !(mean != "" && mean < 15) }' || die "$collective: a mean loss of $mean %"
done

run 0 $sweep --db some.db --budget 121 --output-db expected.db -q # in place of the first ones
run 0 map bcast --platform hdr_fat_tree --db expected.db --json
expect '"best": \['
run 0 learn quadtree bcast --platform hdr_fat_tree --db expected.db

# ---- going on, ending early ----

run 0 $sweep --db some.db --budget 140 --json
expect '"measured_points": 140,'
run 0 $sweep --db some.db --budget 140 # the maps have the rows of the table
for word in 'measured +decided M' 'measured +open m' 'inferred +decided I' 'inferred +open i'; do
  rows=$(grep -cE " ${word% ?} " out)
  marks=$(sed -n '/ by ranks$/,/^M: /p' out | grep -E '^ +[0-9.]+(KB|MB|B) ' | tr -s ' ' '\n' | grep -cFx "${word##* }")
  [ "$rows" = "$marks" ] || die "$word: $rows rows and $marks marks: $(cat out)"
done
run 0 $sweep --db some.db --budget 100000 --worth 5
expect 'more would save too little$'
run 0 $sweep --db some.db --budget 100000 --worth 0
expect ' points measured, .* expected loss 0.0 %: '
run 0 $sweep --db time.db --budget 2s -q
expect ' points measured, '

# ---- another platform as prior; calls of a program ----

run 0 $sweep --db other.db --budget 8 --prior slingshot_dragonfly
expect '^8 of [0-9]* points measured'

run 0 bench bcast,allreduce --platform slingshot_dragonfly --engine fast -P 4..64*4 -s 4..1MB*8 --db relative.db -q
run 0 $sweep --db other.db --budget 20 --prior-db relative.db
expect '^20 of [0-9]* points measured'

# ---- wrong priors: one method a thousand times too fast; none for calls of one rank, which take no time ----

sqlite3 all.db "update measurement set minimum_s = minimum_s / 1000, median_s = median_s / 1000, mean_s = mean_s / 1000,
  maximum_s = maximum_s / 1000 where method in (select id from method where name in ('bcast/linear', 'allreduce/ring'))"
run 0 $sweep --db wrong.db --budget 5000 --prior-db all.db --rules wrong.txt
expect '^[1-9][0-9]* of [0-9]* points measured'
run 0 $sweep --db true.db -q
for collective in bcast allreduce; do
  run 0 penalty wrong.txt --collective $collective --platform hdr_fat_tree --engine fast --db true.db --json
  mean=$(sed -n 's/.*"mean_percent": *\([0-9.e+-]*\).*/\1/p' out)
  awk -v mean="$mean" 'BEGIN { exit !(mean != "" && mean < 2) }' || die "$collective: a mean loss of $mean %"
done

run 0 bench bcast --platform hdr_fat_tree --engine fast -P 1,8 -s 4 --db one.db --budget 42 --output-db one.expected.db
expect '^bcast +8 +4B .* measured +decided '
expect ', expected loss 0\.[0-9] %: '

# Bits that do not change with the size: one method a number of ranks; none of what is asked for: said.
run 0 bench allreduce --platform grig_mx --engine fast -P 6,8 -s 8,1KB,64KB --db bits.db --budget 78 --reproducible size --rules bits.rules
expect 'Each number of ranks has one method of a reduction for all sizes'
! grep -q 'bytes=' bits.rules || die "methods by size: $(cat bits.rules)"
run 0 bench allreduce --platform grig_mx --engine fast -P 6,8 -s 8,1KB,64KB --db bits.db --budget 78 --reproducible ranks --rules ranks.rules
grep -q 'bytes=' ranks.rules || die "no method by size: $(cat ranks.rules)"

# ---- faults ----

refuse() { # WHAT ARGUMENTS...
  what=$1
  shift
  "$tutti" "$@" >out 2>err && die "$* is done"
  expect "$what"
}

refuse "'soon' is neither a time" $sweep --budget soon
refuse "'0' is neither a time" $sweep --budget 0
refuse '--prior, --prior-db, --profile, --rounds-apart, --reproducible, --rules and --output-db go with --budget' $sweep --rules rules.txt
refuse 'no method of its 1 point.* is reproducible by size' bench allreduce --platform grig_mx --engine fast -P 6 -s 8 --methods ring --budget 3 --reproducible size
refuse 'not with --all' bench --all --budget 3
refuse 'nowhere. not found' $sweep --budget 3 --prior nowhere
refuse 'nothing' $sweep --budget 3 --profile nothing
: >empty.db
refuse 'empty.db: is empty, and no store' $sweep --budget 3 --prior-db empty.db
refuse 'nothing is measured' $sweep --budget 3 --prior-db relative.db --prior nowhere

# ---- no output replaces a store or what is read ----

cp some.db kept.db
ln -s some.db link
for file in some.db ./some.db link; do
  refuse "rules: $file: would be replaced, and is the file of --db, too" $sweep --budget 122 --db some.db --rules $file
done
refuse 'is the file of --prior-db, too' $sweep --budget 3 --db none.db --prior-db relative.db --rules relative.db
refuse 'is the file of --output-db, too' $sweep --budget 3 --db none.db --rules new --output-db ./new
refuse 'is the file of --db, too' $sweep --budget 3 --rules results.db
refuse 'output: some.db: would be replaced' export bcast/binomial --format openmpi --db some.db -o some.db
refuse 'some.db: is a store of measurements' export bcast/binomial --format openmpi -o some.db
cmp -s some.db kept.db || die "a store was changed"

refuse 'nowhere/x.db: No such file' $sweep --budget 3 --db none.db --output-db nowhere/x.db
refuse 'some.txt: .*not a database' $sweep --budget 3 --db none.db --output-db some.txt
[ ! -e none.db ] || die "something was measured before that"

# ---- sweeps that rules do not tell apart ----

apart() { # WHAT COLLECTIVE ATTRIBUTE: of a second sweep
  cat >apart.xml <<EOF
<experiment name="apart" engine="fast">
  <platform name="hdr_fat_tree"/>
  <sweep collective="bcast"><ranks>4</ranks><sizes>8</sizes></sweep>
  <sweep collective="$2" $3><ranks>4</ranks><sizes>8</sizes></sweep>
</experiment>
EOF
  refuse "its sweeps of bcast and $2 have different $1" bench apart.xml --budget 3 --db none.db
}

apart 'arrival patterns' bcast 'arrival="uniform/1ms/seed=1"'
apart noises allreduce 'noise="detour/1ms/100us"'
apart roots bcast 'root="1"'

# ---- a rule for neighboring ranks with the same methods ----

run 0 bench bcast --platform hdr_fat_tree --engine fast -P 5..8 -s 4,4KB --methods binomial --budget 3 --db rules.db --rules rules.txt
[ "$(cat rules.txt)" = bcast/binomial ] || die "not one rule: $(cat rules.txt)"

# ---- calls of a program count by its time in them ----

profile=$source/tests/fuzz/seeds/plain.profile
run 0 $sweep --db profile.db --budget 20 --profile "$profile" # the others do not matter
expect '^bcast +4 +2KB .* measured +decided '
expect '^1[0-9] of [0-9]* points measured.*, 2 of 2 calls decided.*: more would save too little$'
refuse 'calls no collective of the sweep' bench alltoall --platform hdr_fat_tree --engine fast -P 4 -s 8 --budget 3 --db none.db \
  --profile "$profile"

sed 's/total_s=[0-9.]*/total_s=1e308/' "$profile" >long.profile
refuse 'long\.profile: its times are too long to be added' $sweep --budget 20 --db none.db --profile long.profile

# ---- rules for a library, of methods that it does not have ----

run 0 bench bcast --platform hdr_fat_tree --engine fast -P 4..64*4 -s 4..1MB*16 --budget 20 --db part.db --rules part.txt \
  --output-db all-times.db -q
refuse 'the store of its --output-db has all times' export part.txt --format openmpi --platform hdr_fat_tree --db part.db -o part.tuned
run 0 export part.txt --format openmpi --platform hdr_fat_tree --db all-times.db -o part.tuned
