#!/bin/sh
# A platform that differs from a machine by known factors is fitted back to it; accuracy says what that changes.
#
# usage: fit.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

run 0 platform new cluster 16 --latency 4us --overhead 1us --bandwidth 10GBps --gamma 0.2ns -o machine.xml
run 0 platform new cluster 16 --latency 2us --overhead 1us --bandwidth 25GBps --gamma 0.2ns -o guess.xml

# What the machine takes, as if it had been measured: a fit that hardly moves prints times of points.
points() { # the table that has the times "METHOD BYTES NANOSECONDS" of standard input
  printf 'machine\tnodes\tranks_per_node\tcollective\tlibrary\tsettings\tbytes\tmethod\trepetitions\t'
  printf 'min_ns\tmedian_ns\tmean_ns\tmax_ns\trun\n'
  while read -r method bytes time; do
    printf 'mine\t16\t1\tallreduce\tOMPI-4.1.5\t\t%s\t%s\t10\t%s\t%s\t%s\t%s\tr\n' "$bytes" "$method" $time $time $time $time
  done
}
for method in ring_over rabenseifner_over recursive_doubling_ompi; do
  for bytes in 64 4096 262144 16777216; do
    echo $method $bytes 1000
  done
done | points >nothing.tsv
run 0 import --format pico nothing.tsv --db nothing.db
run 0 fit machine.xml --machine mine --from nothing.db --vary latency=0.99999..1.00001 --csv
awk -F, '$6 ~ /^allreduce/ && NF == 13 {
  name = $6; sub(/.*\//, "", name); owner = sub(/@openmpi/, "", name) ? "_ompi" : "_over"; gsub(/-/, "_", name)
  printf "%s%s %d %.0f\n", name, owner, $9, 1e9 * $11 }' out >times
[ "$(wc -l <times)" -eq 12 ] || die "not 12 times: $(cat times out)"
points <times >measured.tsv
echo 'default_ompi 64 10' | points | sed 1d >>measured.tsv
run 0 import --format pico measured.tsv --db m.db

# The factors are those by which the files differ; what is written is the machine.
run 0 fit guess.xml --machine mine --from m.db --vary '//cluster/@lat=0.1..10' --vary bandwidth=0.1..10 -o fitted.xml
expect '^12 points fitted in [0-9]+ rounds: mean error 0\.[0-9] %, [0-9.]+ % before$'
expect '^//cluster/@lat=0.1..10 .* times (2\.9[89]|3|3\.0[01])[0-9]* '
expect '^bandwidth=0.1..10 .* times 0\.(399|4)[0-9]* '
grep -q '^<!-- Fitted by tutti fit to 12 measured points of mine;' fitted.xml || die "no comment: $(cat fitted.xml)"
grep -q 'fitted)' fitted.xml || die "no description"
run 0 platform check fitted.xml
cp fitted.xml first.xml
run 0 fit guess.xml --machine mine --from m.db --vary '//cluster/@lat=0.1..10' --vary bandwidth=0.1..10 -o fitted.xml
cmp first.xml fitted.xml || die "not the same bytes"

# A number at a place of a value; one that is at its bound, and one that nothing depends on.
run 0 fit guess.xml --machine mine --from m.db --vary latency=1..1.5 --vary '//prop[@id="smpi/ois"]#2=0.5..2' \
  --vary '//prop[@id="smpi/iprobe"]=0.5..2'
expect 'latency=1..1.5 .*at a bound'
expect 'smpi/ois.* +0:1e-06:0 '
expect 'smpi/iprobe.* the points do not depend on it'

# Accuracy: times are right, and the choice is the best; the library's own, of one size, was faster still.
run 0 accuracy fitted.xml --machine mine --from m.db --csv
awk -F, 'NR == 2 { good = $1 == "allreduce" && $2 == 12 && $3 < 1 && $4 > 0.98 && $5 == 4 && $6 == 0.75 } END { exit !good }' out ||
  die "accuracy: $(cat out)"
run 0 accuracy guess.xml --machine mine --from m.db --fitted 4 --csv
awk -F, 'NR == 2 { good = $2 == 8 && $3 > 10 } END { exit !good }' out || die "accuracy without points: $(cat out)"

# What cannot be done is said.
run 2 fit guess.xml --machine mine --from m.db
expect 'no parameter given: use --vary'
run 2 fit guess.xml --machine mine --from m.db --vary latency=2..3
expect "'latency=2..3' is not EDIT=LOW..HIGH"
run 2 fit guess.xml --machine mine --from m.db --vary sppeed=0.5..2
expect "unknown word 'sppeed' \(did you mean 'speed'"
run 2 fit guess.xml --machine mine --from m.db --vary '//prop[@id="smpi/ois"]#1=0.5..2'
expect 'number 1 of "0:1e-06:0" is 0, which no factor changes'
run 2 fit guess.xml --machine mine --from m.db --vary '//prop[@id="smpi/ois"]#9=0.5..2'
expect 'has no number 9'
run 2 fit guess.xml --machine yours --from m.db --vary latency=0.5..2
expect "m.db has no such points of a machine 'yours'"
run 2 fit guess.xml --machine mine --from m.db --points 1 --vary latency=0.5..2
expect '1 points do not fix 1 parameters'
run 2 fit guess.xml --machine mine --from missing.db --vary latency=0.5..2
run 2 accuracy guess.xml --machine mine --from m.db --ranks 4
