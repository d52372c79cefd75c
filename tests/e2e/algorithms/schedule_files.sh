#!/bin/sh
# Files of `tutti schedule`: GOAL and DOT as in the golden files, equal twice, also when all schedules together would not fit
# into memory; a write error is reported and leaves no partial file. With TUTTI_GOLDEN=write the golden files are written
# instead: look at them and commit them.
#
# usage: schedule_files.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

refused() { # NAMED ARGUMENTS...: status 2 and a message that names what is at fault
  named=$1
  shift
  "$tutti" schedule "$@" >out 2>err
  code=$?
  [ $code -eq 2 ] || die "tutti schedule $*: status $code instead of 2: $(cat out err)"
  grep -qF -- "$named" err || die "tutti schedule $*: does not name '$named': $(cat err)"
}

# ---- a small one, compared exactly ----

set -- reduce/binomial/64B -P 4 -n 20 --type-size 8 --root 1
"$tutti" schedule "$@" >plain || die "schedule $*"
"$tutti" schedule "$@" --goal small.goal --dot small.dot --gamma 3.2ns --delta 1ns >text || die "schedule $* with files"
cmp plain text || die "the text is another with files"
for file in small.goal small.dot; do
  [ "${TUTTI_GOLDEN:-}" != write ] || cp "$file" "$source/tests/golden/$file"
  diff "$source/tests/golden/$file" "$file" || die "$file is not tests/golden/$file"
done
"$tutti" schedule "$@" --no-verify --goal again.goal --gamma 3.2ns --delta 1000ps --unit 0.001us >text || die "--no-verify"
grep -q ': not verified$' text || die "says nothing of what was not done: $(cat text)"
cmp small.goal again.goal || die "another file without verification, or in other units"
"$tutti" schedule "$@" --goal finer.goal --gamma 3.2ns --unit 1ps >text || die "--unit"
[ "$(grep -c ': calc 205000*$\|: calc 204800$' finer.goal)" -eq "$(grep -c ': calc 205$' small.goal)" ] ||
  die "picoseconds: $(cat finer.goal)"

# ---- a large one: 65,536 ranks whose schedules are never all there ----

limit=65536 # KiB
(ulimit -v $limit && "$tutti" --version >/dev/null 2>&1) || limit=unlimited # sanitizers take more for themselves
(ulimit -v $limit && "$tutti" schedule barrier/bruck -P 65536 --no-verify --goal large.goal >text) || die "too large"
awk '/: send 1b to / { sends++ } /: recv 1b from / { receives++ } /^rank / { ranks++ }
     END { exit !(ranks == 65536 && sends == 16 * ranks && receives == sends) }' large.goal || die "not all messages"

# ---- links of a machine: a pipeline of 8 on a torus of 4 x 2 ----

run 0 platform new torus 4x2 --latency 2us --bandwidth 1GBps -o torus.xml
"$tutti" schedule bcast/pipeline -P 8 -n 100 --platform ./torus.xml >text || die "schedule --platform"
grep -qE '^dimension 1 +7 +700 +100$' text && grep -qE '^dimension 2 +1 +100 +100$' text || die "loads: $(cat text)"
run 0 schedule allreduce/bucket -P 8 -n 100 --platform ./torus.xml --no-verify --json
expect '"link_levels"'
expect '"allreduce/bucket/torus=4x2"'
refused "needs torus=..., the sides, at most three, of a box of as many ranks" allreduce/bucket -P 6 --platform ./torus.xml
refused "9 ranks on 8 hosts" bcast/linear -P 9 --platform ./torus.xml

# ---- jobs of a machine: two switches of two nodes in cell 1, one in cell 2; ranks in the order of the list ----

printf '%s\t%s\t%s\t%s\t%s\n' first_node last_node rack cell switch 1 2 x 1 10 3 4 x 1 11 7 8 y 2 12 >nodes.tsv
printf '# jobs\nnodes\tnode_numbers\n4\t1-2,7-8\n3\tn3 n7:x1 n0004\n' >jobs.tsv
run 0 schedule bcast/linear -n 10 --allocation jobs.tsv --levels nodes.tsv --csv
cat >expected <<'EOF'
line,nodes,level,part_count,messages,sent_B,max_sent_B
3,4,node,4,3,30,30
3,4,switch,2,2,20,20
3,4,cell,2,2,20,20
4,3,node,3,2,20,20
4,3,switch,2,1,10,10
4,3,cell,2,1,10,10
EOF
tr -d '\r' <out | diff expected - || die "other levels"
run 0 schedule allgather/ring --against allgather/direct-messaging --allocation jobs.tsv --levels nodes.tsv --csv
# Job 1: two edges of the ring cross, by 3 blocks each, where each of 4 blocks goes to 2 ranks directly; job 2: 2 by 2, and 4.
tr -d '\r' <out >rows
grep -qx '3,4,2,25' rows && grep -qx '4,3,2,0' rows || die "reductions: $(cat out)"
run 0 schedule allreduce/bine --against allreduce/rabenseifner --allocation jobs.tsv --levels nodes.tsv
expect '^ *4 +2 +-?[0-9]+\.[0-9][0-9]$'
expect '1 job left out: allreduce/bine: needs a number of ranks that is a power of two'
run 0 schedule bcast/linear --allocation jobs.tsv --levels nodes.tsv --ranks-per-node 2 --csv
tr -d '\r' <out | grep -qx '3,4,node,4,6,48,48' || die "two ranks a node: $(cat out)"

printf 'machine\trun\tnodes_by_rank\nhere\t1\t1-2\nthere\t1\t3,7\n' >machines.tsv
run 0 schedule bcast/linear --allocation machines.tsv --levels nodes.tsv --machine there --csv
tr -d '\r' <out | cut -d, -f1 | sort -u | tr '\n' ' ' | grep -qx '3 line ' || die "jobs of another machine: $(cat out)"
refused "machines.tsv: no jobs of a machine 'her' (did you mean 'here'?)" bcast/linear --allocation machines.tsv \
  --levels nodes.tsv --machine her
refused "--machine: only with --allocation" bcast/linear --machine here

jobs_refused() { # NAMED JOB: the message names line 2 of bad.tsv
  printf 'nodes\tnode_numbers\n%b\n' "$2" >bad.tsv
  refused "bad.tsv:2: $1" bcast/linear --allocation bad.tsv --levels nodes.tsv
}
jobs_refused "node 5 is not in nodes.tsv" '2\t4-5'
jobs_refused "a node stands there twice" '2\t4,4'
jobs_refused "the first field says 3 nodes, and 2 are listed" '3\t3-4'
jobs_refused "not the number or name of a node: 'x'" '1\tx'
jobs_refused "'4-3': numbers and ascending ranges" '1\t4-3'
jobs_refused "no nodes" '0\t'
jobs_refused "'1-9999999': more than" '1\t1-9999999'
# One bad line of several is passed over, and named.
printf 'nodes\tnode_numbers\n3\t3-4\n2\t1-2\n2\t4-5\n' >some.tsv
run 0 schedule bcast/linear --allocation some.tsv --levels nodes.tsv --csv
tr -d '\r' <out | cut -d, -f1 | sort -u | tr '\n' ' ' | grep -qx '3 line ' || die "other jobs than the good one: $(cat out)"
expect '^passed over, 2 in all:$'
expect '^    some.tsv:2: the first field says 3 nodes, and 2 are listed$'
expect '^    some.tsv:4: node 5 is not in nodes.tsv$'
refused "--allocation: give --levels" bcast/linear --allocation jobs.tsv
refused "--against: only with --allocation" bcast/linear --against bcast/binomial
refused "neither --ranks nor" bcast/linear -P 4 --allocation jobs.tsv --levels nodes.tsv
refused "--against: reduce/linear is no method of bcast" bcast/linear --against reduce/linear --allocation jobs.tsv --levels nodes.tsv
refused "no-such" bcast/linear --allocation no-such --levels nodes.tsv
nodes_refused() { # NAMED LINES
  printf '%b\n' "$2" >bad.tsv
  refused "$1" bcast/linear --allocation jobs.tsv --levels bad.tsv
}
nodes_refused "bad.tsv:1: headings first_node" 'first_node\tlast_node\track'
nodes_refused "bad.tsv:3: node 2 is in line 2, too" 'first_node\tlast_node\tcell\n1\t2\t1\n2\t3\t1'
nodes_refused "bad.tsv:2: cell: not a whole number: 'a'" 'first_node\tlast_node\tcell\n1\t2\ta'
nodes_refused "bad.tsv:2: 2 fields, but 3 headings" 'first_node\tlast_node\tcell\n1\t2'
nodes_refused "bad.tsv: no nodes" 'first_node\tlast_node\tcell'

# ---- errors ----

run 0 schedule --help
expect "Exit status: 0 done, 1 the proof found a fault of the method, 2 wrong usage"

refused "--gamma: only with --goal, --timeline or --critical-path" bcast/linear --gamma 1ns
refused "--unit: only with --goal" bcast/linear --unit 1ps --dot no.dot
refused "--title: only with --timeline" bcast/linear --title x
refused "--timeline: under which --model" bcast/linear --timeline no.svg
refused "--critical-path: under which --model" bcast/linear --critical-path
refused "--model: only with --timeline" bcast/linear --model hockney:alpha=1us,beta=1ns
refused "'no.gif' does not end with" bcast/linear --timeline no.gif --model hockney:alpha=1us,beta=1ns
refused "'plogp:L=1us' is neither" bcast/linear --timeline no.svg --model plogp:L=1us
refused "'hockney' is neither" bcast/linear --timeline no.svg --model hockney
refused "hockney: beta is missing" bcast/linear --timeline no.svg --model hockney:alpha=1us
refused "L is given twice" bcast/linear --timeline no.svg --model loggp:L=1us,L=2us
refused "'alpha' is no parameter of loggp" bcast/linear --timeline no.svg --model loggp:alpha=1us
refused "o=1: has no unit" bcast/linear --timeline no.svg --model loggp:o=1
refused "no.svg: a timeline of 26400 vertices" barrier/bruck -P 1200 --timeline no.svg --model hockney:alpha=1us,beta=0
refused "no.svg: the schedules have nothing to draw" bcast/linear -P 1 --timeline no.svg --model hockney:alpha=1us,beta=0
refused "--gamma: " bcast/linear --goal no.goal --gamma 3
refused "--delta: " bcast/linear --goal no.goal --delta -3ns
refused "--unit: a unit of time is more than 0" bcast/linear --goal no.goal --unit 0
refused "root 9 is not in a group of 8 ranks" bcast/linear --goal no.goal --root 9
refused "root 9 is not in a group of 8 ranks" bcast/linear --goal no.goal --root 9 --no-verify
refused "power of two" allgather/recursive-doubling -P 6 --dot no.dot --no-verify
[ ! -e no.goal ] && [ ! -e no.dot ] && [ ! -e no.svg ] || die "wrote all the same"
refused "absent/x.goal: No such file" bcast/linear --goal absent/x.goal
refused "/dev/full: could not be written: No space left" bcast/linear --goal /dev/full
refused "/dev/full: could not be written as far as rank " barrier/bruck -P 5000 --no-verify --dot /dev/full
echo before >long.goal
refused "long.goal: rank 0, vertex " reduce/linear --goal long.goal --gamma 52w --unit 1ps -n 4294967295 --no-verify
[ "$(cat long.goal)" = before ] || die "the old file is lost: $(head long.goal)"

# ---- the critical path: three messages of L + 2 o + 999 G one after the other ----

"$tutti" schedule bcast/binomial -P 8 -n 1000 --critical-path --model loggp:L=50us,o=7us,g=9us,G=3ns >path ||
  die "no critical path"
grep -q '^critical path    200\.991 us under loggp, 6 steps$' path || die "another path: $(cat path)"
grep -Eq '^ +193\.991 +200\.991 +7  receives from 3, 1000 B$' path || die "another last step: $(cat path)"

# ---- timelines ----

need gnuplot gnuplot-nox
timeline() { # TEXT ARGUMENTS...: a picture, the same twice, that shows the text
  shown=$1
  shift
  for file in one.svg two.svg; do
    "$tutti" schedule "$@" --timeline $file >text 2>err || die "schedule $*: $(cat err)"
    [ ! -s err ] || die "schedule $* says: $(cat err)"
  done
  cmp one.svg two.svg || die "schedule $* draws something else the second time"
  grep -qF ">$shown<" one.svg || die "schedule $* does not show '$shown'"
}
# By the formulas: 4 levels of L + 2 o + (m - 1) G; 2 steps of alpha + beta m, of which one reduces.
timeline "bcast/binomial, 16 ranks, 1024 B, loggp: 184.92 us" bcast/binomial -P 16 -n 1024 \
  --model loggp:L=20us,o=8us,g=10us,G=10ns
timeline "allreduce/ring, 2 ranks, 1000 B, hockney: 250 us" allreduce/ring -P 2 -n 1000 --gamma 20ns \
  --model hockney:alpha=20us,beta=0.2us
for shown in send receive reduce message "Time \[us\]"; do
  grep -q ">$shown<" one.svg || die "no '$shown' in the picture"
done

# ---- Graphviz reads it ----

need dot graphviz
"$tutti" algorithms | grep '^[a-z]' >catalogue
while read -r method; do
  "$tutti" schedule "$method" -P 4 -n 12 --dot graph.dot >text 2>err || "$tutti" schedule "$method/ranks_per_node=2" -P 4 \
    -n 12 --dot graph.dot >text 2>err || "$tutti" schedule "$method/torus=2x2" -P 4 -n 12 --dot graph.dot >text 2>err ||
    "$tutti" schedule "$method/levels=2x2" -P 4 -n 12 --dot graph.dot >text 2>err ||
    "$tutti" schedule "$method" -P 2 -n 12 --dot graph.dot >text 2>err ||
    die "$method: $(cat err)"
  dot -Tplain graph.dot >layout 2>err || die "$method: dot: $(cat err)"
  [ ! -s err ] || die "$method: dot says: $(cat err)"
  messages=$(sed -n 's/^messages *\([0-9]*\) .*/\1/p' text)
  [ "$(grep -c '^edge s_[0-9_]* r_.* dashed ' layout)" -eq "$messages" ] || die "$method: not $messages messages"
done <catalogue
dot -Tsvg small.dot >small.svg && grep -q '</svg>' small.svg || die "no picture"
echo "GOAL and DOT of $(wc -l <catalogue) algorithms"
