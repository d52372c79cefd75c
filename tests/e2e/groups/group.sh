#!/bin/sh
# Groups and their counts are the same for every builder and transport; the same command prints the same bytes; a build
# alone equals one after others; a sweep continues where it was.
#
# usage: group.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
[ -r "$build/smpi/tutti-group" ] || { echo "skipped: no tutti-group for smpi"; exit 77; }

twice() { # FILE ARGUMENTS...: tutti group says the same both times
  file=$1
  shift
  "$tutti" group "$@" >"$file" 2>err || die "tutti group $*: $(cat err)"
  "$tutti" group "$@" >again 2>err || die "tutti group $*, again: $(cat err)"
  cmp "$file" again || die "tutti group $* says something else the second time"
}

field() { # FILE NAME: its values in a JSON file, without quotes
  sed -n "s/.*\"$2\": \"*\([^,\"}]*\).*/\1/p" "$1"
}

# --- within this process ---

twice here --ranks 60 --fraction 0.4 --seed 7 --json
builders=$(field here builder | wc -l)
[ "$builders" -ge 3 ] || die "only $builders builders: $(cat here)"
[ "$(field here fingerprint | sort -u | wc -l)" -eq 1 ] || die "the builders disagree about the members: $(cat here)"
[ "$(field here median_s | sort -u)" = null ] || die "times without a clock: $(cat here)"
twice table --ranks 60 --fraction 0.4 --seed 7
grep -q 'in-process: 60 processes, fraction=0.4' table || die "the table has no title: $(cat table)"
twice exact --members 17 --ranks 60 --json
[ "$(field exact members | sort -u)" = 17 ] || die "not 17 members: $(cat exact)"
twice colours shrink-hash/no-filler --ranks 60 --fraction 1 --colours 3 --json
grep -q '"groups": 3,' colours || die "not three groups: $(cat colours)"
twice able --ranks 60 --fraction 1 --colours 3 --json
cmp colours able || die "all builders that can build three groups: $(cat able)"

# --- simulated: the same members, and the same number of messages where the order of arrival has no effect ---

twice there --ranks 60 --fraction 0.4 --seed 7 --platform fast_ethernet --quiet --json
[ "$(field there fingerprint)" = "$(field here fingerprint)" ] || die "other members: $(cat here there)"
for name in builder members height upward downward hash start reduction; do
  [ "$(field there $name)" = "$(field here $name)" ] || die "$name differs: $(cat here there)"
done
field there median_s | grep -q null && die "no time: $(cat there)"
twice engine --ranks 60 --fraction 0.4 --seed 7 --platform fast_ethernet --engine fast --quiet --json
for file in there engine; do sed 's/"endpoint_B": [0-9]*//' $file >$file.same; done # the engine has no endpoints
cmp there.same engine.same || die "the engines differ: $(diff there engine)"

simulate fast_ethernet 60 "$build/smpi/tutti-group" --builder all --fraction 0.4,0.7 --seed 7 >all
simulate fast_ethernet 60 "$build/smpi/tutti-group" --builder all --fraction 0.4,0.7 --seed 7 >again
cmp all again || die "two runs of tutti-group differ"
simulate fast_ethernet 60 "$build/smpi/tutti-group" --builder shrink-hash/no-filler --fraction 0.7 --seed 7 >one
grep 'shrink-hash/no-filler .*fraction=0.7 ' all >all.point
grep '^tutti-group' one | cmp -s - all.point || die "alone and after others: $(cat one all.point)"
fingerprint=$(field here fingerprint | head -n 1)
[ "$(grep -c "fraction=0.4 .*fingerprint=$fingerprint " all)" -eq "$builders" ] || die "other members: $(cat all)"

# --- a sweep ---

write_experiment() { # FRACTIONS
  cat >sweep.xml <<XML
<experiment name="sweep">
  <platform name="fast_ethernet"/>
  <group branching="2 3" seed="7">
    <ranks>20 30</ranks>
    <fractions>$1</fractions>
    <builder name="centralized"/>
    <builder name="shrink-hash/no-filler"/>
  </group>
</experiment>
XML
}

bench() { # EXPECTED
  "$tutti" bench sweep.xml --db sweep.db -q >out 2>err || die "the sweep failed: $(cat err)"
  grep -q "^sweep: $1" out || die "the sweep says: $(cat out)"
}

write_experiment 0.3
bench '8 points measured, 0 there already'
write_experiment '0.3 0.6'
bench '8 points measured, 8 there already'
bench '0 points measured, 16 there already'
[ "$(sqlite3 sweep.db 'SELECT count(DISTINCT fingerprint) FROM group_build WHERE ranks = 30 AND fraction = 0.3')" = 1 ] ||
  die "the members of one draw differ"
[ "$(sqlite3 sweep.db "SELECT count(*) FROM group_build WHERE builder = 'centralized' AND median_s > 0 AND
  messages = upward + downward AND upward = ranks - 1")" = 8 ] || die "$(sqlite3 sweep.db 'SELECT * FROM group_build')"
cp "$source/platforms/fast_ethernet.xml" own.xml
"$tutti" group centralized -n 30 -f 0.3 -s 7 --platform ./own.xml --engine fast --db own.db >out 2>err || die "$(cat err)"
grep -q '^own: 30 processes' out || die "not the name of the platform: $(cat out)"
"$tutti" group centralized -n 30 -f 0.3 -s 7 --platform fast_ethernet --db sweep.db >stored 2>err || die "$(cat err)"
[ "$(sqlite3 sweep.db 'SELECT count(*) FROM group_build')" = 16 ] || die "a stored group was built again"

# --- what a builder cannot build is skipped if builders are not named ---

sed -i 's/seed="7"/seed="7" node-ranks="4"/; /<builder/d' sweep.xml
"$tutti" bench sweep.xml --db nodes.db -q >out 2>err || die "the sweep of nodes failed: $(cat err)"
[ "$(sqlite3 nodes.db "SELECT count(*), count(DISTINCT builder) FROM group_build")" = '8|1' ] || die "nodes: $(cat out)"

echo "$builders builders, in process and simulated: the same groups; a sweep of 16, in two parts"
