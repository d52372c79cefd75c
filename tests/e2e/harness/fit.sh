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
run 0 fit --check fitted.xml --machine mine --from m.db --csv
awk -F, 'NR == 2 { good = $1 == "allreduce" && $2 == 12 && $3 < 1 && $4 > 0.98 && $5 > 0.7 && $5 <= 1 && $6 == 4 && $7 == 0.75 } END { exit !good }' out ||
  die "accuracy: $(cat out)"
run 0 fit --check fitted.xml --machine mine --from m.db --unfitted --csv
awk -F, 'NR == 2 { good = $2 == 0 && $6 == 4 } END { exit !good }' out || die "fitted to all of them: $(cat out)"
run 0 fit guess.xml --machine mine --from m.db --points 4 --vary bandwidth=0.1..10 -o four.xml
run 0 fit --check four.xml --machine mine --from m.db --fitted 4 --csv
cp out four
run 0 fit --check four.xml --machine mine --from m.db --unfitted --csv
cmp four out || die "not the points of the file: $(cat four out)"
grep -q 'two machines' err && die "the points are of the machine of the fit: $(cat err)"
sed 's/parameters of mine;/parameters of yours;/' fitted.xml >yours.xml
run 0 fit --check yours.xml --machine mine --from m.db
expect '^tutti: note: the points are of mine, but yours was fitted to yours: the errors are also those between two machines$'
cp guess.xml "$place/mine.xml"
TUTTI_PLATFORM_PATH=$place run 0 fit --check guess.xml --machine mine --from m.db
expect '^tutti: note: the points are of mine, whose platform is .*/mine.xml, but guess is simulated: the errors are also '
rm mine.xml
run 2 fit --check guess.xml --machine mien --from m.db
expect "m.db has no points measured on a real machine 'mien' \(did you mean 'mine'\?\) \(--machine\)"
run 2 fit --check guess.xml --machine mine --from absent.db
expect 'absent.db: no such store of measurements; tutti import FILE ... --db absent.db makes one'
run 0 bench barrier --platform ./guess.xml --engine fast -P 4 --db m.db -q
run 2 fit guess.xml --from m.db --vary latency=0.1..10
expect "m.db has no points measured on a real machine 'guess' \(--machine\), only simulated ones"
run 2 fit --check guess.xml --machine mine --from m.db --unfitted
expect 'guess.xml says nothing about points that it was fitted to'
run 0 fit --check guess.xml --machine mine --from m.db --fitted 4 --csv
awk -F, 'NR == 2 { good = $2 == 8 && $3 > 10 } END { exit !good }' out || die "accuracy without points: $(cat out)"

# A fitted platform knows how far its points were: predictions have intervals, in which the points are, and a method
# that is far slower than the best one is not too close to call. The same in a table of points, by either name.
grep -q '<prop id="tutti/fit" value="2 parameters of mine; allreduce/[a-z-]*\(@openmpi\)\? 64 -\?[0-9.e-]*; ' fitted.xml ||
  die "no spread: $(cat fitted.xml)"
run 0 predict allreduce --platform ./fitted.xml -P 16 -s 256KB --csv
tr -d '\r' <out >plain && mv plain out
expect '^collective,nodes,ranks_per_node,total_B,name,method,predicted_s,lower_s,upper_s,verdict$'
awk -F, -v measured="$(awk '$1 == "ring_over" && $2 == 262144 { print 1e-9 * $3 }' times)" '
  $6 == "allreduce/ring" { ring = $7 / measured > 0.98 && $7 / measured < 1.02 && $8 < measured && $9 > measured && $4 == 262144 }
  $10 == "best" { best++; time = $7; upper = $9 }
  NR > 1 && $10 !~ /^(best|slower|too close to call|rounds apart)$/ { wrong++ }
  { lower[NR] = $8; word[NR] = $10 }
  END {
    for (i = 2; i <= NR; i++) if (word[i] != "best" && (lower[i] + 0 <= upper + 0) != (word[i] != "slower")) wrong++
    exit !(ring && best == 1 && !wrong)
  }' out || die "intervals: $(cat times out)"
run 0 predict allreduce --platform ./fitted.xml -P 16 -s 256KB --per-algorithm
expect '^allreduce on fitted, simulated; .* in 90 of 100 cases, by 12 points of the fit, all of allreduce, corrected for each algorithm$'
expect '^ +16 +1 +256KB +allreduce/ring '
run 0 predict allgather --platform ./fitted.xml -P 16 -s 1KB --method ring
expect ' in 90 of 100 cases, by 12 points of the fit, none of allgather$'
expect '^nodes  on a node  block  method '
expect '^ +16 +1 +1KB +allgather/ring '
run 0 predict allgather --platform ./fitted.xml -P 16 -s 1KB --method ring --csv
expect '^allgather,16,1,16384,,allgather/ring,'
run 0 predict allreduce --platform ./fitted.xml -P 16 -s 8 --method census --method ring
expect ' allreduce/census .* rounds apart$'
expect ' allreduce/ring .* best$'
expect 'note: methods such as allreduce/census are the fastest at 1 point on fitted, .*: --rounds-apart lets them be$'
run 0 predict allreduce --platform ./fitted.xml -P 16 -s 8 --method census --method ring --rounds-apart
expect ' allreduce/census .* best$'
{
  printf 'machine\tnodes\tbytes\tranks_per_node\tcollective\tmethod\n'
  printf 'mine\t16\t262144\t1\tallreduce\tring_over\nmine\t16\t262144\t1\tallreduce\tallreduce/rabenseifner\n'
  printf 'mine\t16\t262144\t1\tbcast\tbinomial_ompi\nyours\t16\t262144\t1\tallreduce\tring_over\n'
  printf 'mine\t16\t262144\t1\tallreduce\tnothing_ompi\nmine\t7\t262144\t1\tallreduce\tallreduce/bine\n'
  printf 'mine\t16\t2\t1\tallreduce\tring_over\nmine\t16\t64\t1\tallreduce\tring_over_4096\nmine\t2x8\t262144\t2\tallreduce\trecursive_doubling_ompi\n'
} >like.tsv
cp out alone
printf 'nodes\tbytes\tranks_per_node\tcollective\tmethod\n9999\t64\t1\tallreduce\tallreduce/ring\n' >large.tsv
run 2 predict allreduce --platform ./fitted.xml --like large.tsv
expect '^tutti: large.tsv:2: .*9999'
run 2 predict allreduce --platform ./fitted.xml -P 16 --engine smpi
expect 'a fitted platform are simulated by fast or flow'
run 0 predict allreduce --platform ./fitted.xml -P 16 -s 256KB --method allreduce/ring --engine flow
expect 'simulated by the engine flow; a measured time'
run 2 predict allreduce --platform ./fitted.xml -P 10 --method allreduce/bine
expect 'no such call of allreduce that can be predicted: allreduce/bine: needs a number of ranks that is a power of two'
run 0 predict allreduce --platform ./fitted.xml -P 10 --method allreduce/bine --method allreduce/ring
expect '^tutti: note: 1 time left out: allreduce/bine: needs a number of ranks that is a power of two'
run 0 predict allreduce --platform ./fitted.xml --like like.tsv --machine mine --csv
[ "$(cut -d, -f2,3,5,6 out)" = 'nodes,ranks_per_node,name,method
16,1,ring_over,allreduce/ring
16,1,allreduce/rabenseifner,allreduce/rabenseifner
2x8,2,recursive_doubling_ompi,allreduce/recursive-doubling@openmpi' ] || die "points of a table: $(cat out)"
grep -q 'like.tsv left out: 2 of methods that Tutti does not have, 2 outside their domain, 0 with too many' err ||
  die "left out: $(cat err)"
[ "$(awk -F, '$6 == "allreduce/ring" { printf "%.2f", 1e6 * $7 }' out)" = \
  "$(run 0 predict allreduce --platform ./fitted.xml -P 16 -s 256KB --method allreduce/ring >&2; awk '/ring/ { print $5 }' out)" ] ||
  die "another time in a table: $(cat out)"
run 0 predict allreduce --platform ./fitted.xml --like like.tsv --machine mine --most-messages 200 --csv
[ "$(sed 1d out | cut -d, -f5 | tr '\n' ' ')" = 'allreduce/rabenseifner recursive_doubling_ompi ' ] || die "16 ranks of a ring send 480 messages: $(cat out)"
run 0 fit --check fitted.xml --machine mine --from m.db --per-algorithm
run 0 whatif fitted.xml --set latency=*2 --output changed.xml
grep -q tutti/fit changed.xml && die 'the spread is that of another machine'
run 2 fit --check guess.xml --machine mine --from m.db --per-algorithm
expect 'guess.xml says nothing about points that it was fitted to'
run 2 predict allreduce --platform ./guess.xml -P 16 --parameters hockney:alpha=1us,beta=1ns --per-algorithm
expect 'are for platforms that tutti fit has written'
run 2 predict allreduce --platform ./fitted.xml --like times
expect "times:1: no heading 'collective'"
sed 's/; allreduce[^;]*/; allreduce\/rign 64 0/' fitted.xml >broken.xml
run 2 predict allreduce --platform ./broken.xml -P 16
expect 'broken.xml: tutti/fit: .*rign'

# Ranks are where their job had them: on one switch, on two of a cell, in two cells, by 2, 4 and 6 cables of 1 us; the
# job is that of the run, or the first one with as many nodes.
printf '%s\t%s\t%s\t%s\n' first_node last_node cell switch 1101 1102 1 10 1103 1104 1 11 2101 2102 2 12 >nodes.tsv
run 0 platform new fat-tree 2x2x2 --latency 3us --hop-latency 1us --bandwidth 10GBps -o tree.xml
{
  printf 'machine\tnodes\tranks_per_node\tcollective\tlibrary\tsettings\tbytes\tmethod\trepetitions\t'
  printf 'min_ns\tmedian_ns\tmean_ns\tmax_ns\trun\n'
  for run in a b c; do
    printf 'mine\t2\t1\tbcast\tOMPI-4.1.5\t\t4\tlinear_ompi\t1\t1000\t1000\t1000\t1000\t%s/0\n' $run
  done
} >runs.tsv
run 0 import --format pico runs.tsv --db runs.db
printf 'machine\trun\tnodes_by_rank\n%s\n' "mine	a/alloc.csv	as1r1b02 as1r1b01" "yours	b/alloc.csv	as1r1b02 as1r1b01" \
  "mine	b/alloc.csv	as1r1b01 as1r1b03" "mine	c/alloc.csv	as2r1b01 as1r1b01" >jobs.tsv
run 0 fit tree.xml --machine mine --from runs.db --vary bandwidth=0.9..1.1 --allocation jobs.tsv --levels nodes.tsv --csv
awk -F, '$6 ~ /^bcast/ && NF == 13 { time[++n] = 1e6 * $11 } END { for (i in time) printf "%.2f\n", time[i] - time[1] }' out |
  sort -n >differences
[ "$(tr '\n' ' ' <differences)" = '0.00 2.00 4.00 ' ] || die "times of placed ranks: $(cat out)"
printf 'nodes\tranks_per_node\tbytes\tcollective\tmethod\n2\t1\t4\tbcast\tlinear_ompi\n' >like.tsv
time_of() { # the predicted time on the nodes, or on consecutive hosts
  [ $# -eq 0 ] || printf '%s\n' "$1" >job.tsv
  run 0 predict bcast --platform ./tree.xml --like like.tsv ${1:+--allocation job.tsv --levels nodes.tsv} --csv
  awk -F, 'NR == 2 { printf "%.0f", 1e9 * $7 }' out
}
near=$(time_of) far=$(time_of 1101,2101)
[ $((far - near)) -eq 4000 ] || die "far: $near $far"
run 0 fit --check tree.xml --machine mine --from runs.db --allocation jobs.tsv --levels nodes.tsv
run 2 fit --check tree.xml --machine mine --from runs.db --allocation jobs.tsv
expect '--allocation and --levels belong together'
run 2 fit --check tree.xml --machine mine --from runs.db --allocation job.tsv --levels no-such.tsv
expect 'no-such.tsv'
sed '$d' jobs.tsv >fewer.tsv
run 2 fit --check tree.xml --machine mine --from runs.db --allocation fewer.tsv --levels nodes.tsv
expect 'fewer.tsv has no job of 2 nodes of run c/0'
printf '1101,1105\n' >job.tsv
run 2 predict bcast --platform ./tree.xml --like like.tsv --allocation job.tsv --levels nodes.tsv
expect 'job.tsv:1: node 1105 is not in nodes.tsv'
printf '1101,1101\n' >job.tsv
run 2 predict bcast --platform ./tree.xml --like like.tsv --allocation job.tsv --levels nodes.tsv
expect 'job.tsv:1: node 1101 stands there twice'
printf '%s\t%s\t%s\n' first_node last_node switch 1101 1104 1 >wide.tsv
printf '1101,1103\n' >job.tsv
run 2 predict bcast --platform ./tree.xml --like like.tsv --allocation job.tsv --levels wide.tsv
expect 'job.tsv:1: node 1103: the platform has fewer or smaller switches or groups'
run 2 predict bcast --platform ./machine.xml --like like.tsv --allocation job.tsv --levels nodes.tsv
expect 'the platform is no fat tree and no dragonfly'

# One choice for all places of a job: of least worst loss on half of the jobs that the platform has places for, judged on the
# others; by the times of each job alone.
groups="$source/experiments/machines/lumi_groups.tsv"
call='bcast --platform lumi -P 8 -s 4KB --method chain --method k-ary --method binomial'
printf 'nodes\tnode_numbers\n8\t%s\n8\t%s\n8\t%s\n8\t%s\n8\t%s\n4\t5000-5003\n' \
  5000,5124,5001,5125,5002,5126,5003,5127 1000-1255 5000-5007 5000,5124,5248,5001,5125,5249,5002,5126 \
  6000,6200,6001,6201,6002,6202,6003,6203 >all.tsv
sed 's/1000-1255/1128-1135/' all.tsv >jobs.tsv
run 0 predict $call --allocation all.tsv --levels "$groups" --scenarios 2 --robust worst
expect '^passed over, 1 in all:$'
printf '8\tnid[5200-5203]?\n' | cat all.tsv - >more.tsv
run 0 predict $call --allocation more.tsv --levels "$groups" --csv
expect '^passed over, 2 in all:$'
expect '^    more.tsv:3: the first field says 8 nodes, and 256 are listed$'
sed -n 3p all.tsv >bad.tsv
run 2 predict $call --allocation bad.tsv --levels "$groups"
expect 'bad.tsv has no job; of its lines 1 is passed over, the first: bad.tsv:1: the first field says 8 nodes, and 256 are listed'
run 0 predict $call --allocation jobs.tsv --levels "$groups" --scenarios 2 --robust worst --csv \
  --output-db joint.db
tr -d '\r' <out >plain && mv plain out
expect '^ranks,size_B,near_method,near_mean_loss_percent,near_worst_loss_percent,robust_method,robust_mean_loss_percent,robust_worst_loss_percent$'
expect '^passed over, 1 in all:$'
expect '^    jobs.tsv:3: node 1128: the platform has fewer'
tail -n 1 out >chosen
for line in 2 4 5 6; do
  sed -n ${line}p jobs.tsv >job.tsv
  run 0 predict $call --allocation job.tsv --levels "$groups" --csv
  tr -d '\r' <out | awk -F, -v job=$line 'NR > 1 { print job, $6, $7 }'
done >alone
awk -F'[ ,]' 'FNR == NR { time[$1, $2] = $3 + 0; names[$2]; if (!($1 in best) || $3 + 0 < best[$1]) best[$1] = $3 + 0; next }
  function loss(job, name) { return 100 * (time[job, name] / best[job] - 1) }
  function larger(a, b) { return a > b ? a : b }
  function near(a, b) { return a - b < 1e-7 && b - a < 1e-7 }
  { least = 1e9
    for (name in names) if (larger(loss(2, name), loss(5, name)) < least) { least = larger(loss(2, name), loss(5, name)); pick = name }
    exit !($6 == pick && $3 != $6 && near($7, (loss(4, pick) + loss(6, pick)) / 2) && near($8, larger(loss(4, pick), loss(6, pick))) &&
      near($5, larger(loss(4, $3), loss(6, $3)))) }' alone chosen || die "not the least worst loss: $(cat alone chosen)"
run 0 map bcast --platform lumi --db joint.db --csv
grep -q "$(cut -d, -f6 chosen)" out || die "another map is stored: $(cat chosen out)"
run 2 predict $call --allocation jobs.tsv --levels "$groups" --scenarios 3 --robust worst
expect 'jobs.tsv has 4 jobs of 8 nodes on the platform, not 6'
run 2 predict $call --scenarios 3 --robust worst
expect '--scenarios goes with --allocation and --robust'
run 2 predict bcast --platform grig_mx -P 8 --allocation jobs.tsv --levels "$groups" --scenarios 2 --robust mean
expect '--scenarios: the platform is not one that tutti fit has written'

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
expect "m.db has no points measured on a real machine 'yours' \(--machine\)"
run 2 fit guess.xml --machine mine --from m.db --points 1 --vary latency=0.5..2
expect '1 points do not fix 1 parameters'
run 2 fit guess.xml --machine mine --from missing.db --vary latency=0.5..2
run 2 fit --check guess.xml --machine mine --from m.db --ranks 4
