#!/bin/sh
# tutti predict --evidence: what was measured moves what is simulated, and a library's own choice stays unless another
# method is faster with confidence. The machine is simulated: one of its methods takes three times as long as simulated.
#
# usage: evidence.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

headings='machine\tcollective\tnodes\tranks_per_node\tbytes\tmethod\tmedian_ns\trun'
methods='ring_ompi recursive_doubling_ompi bine_lat_over'
table() { # RUN SIZE...: calls without times
  run=$1
  shift
  for size; do
    for method in $methods; do printf 'here\tallreduce\t16\t1\t%s\t%s\t\t%s\n' "$size" "$method" "$run"; done
  done
}
{ printf '%b\n' "$headings" && table a 262144 1048576 4194304; } >calls.tsv
{ printf '%b\n' "$headings" && table b 2097152 && printf 'here\tallreduce\t16\t1\t2097152\tunheard_of\t\tb\n'; } >asked.tsv

# ---- by the simulation alone ----

run 0 predict allreduce --platform grig_mx --like calls.tsv --csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["total_B"], $at["name"], $at["predicted_s"] }' \
  out >simulated
run 0 predict allreduce --platform grig_mx --like asked.tsv
expect ' allreduce/ring@openmpi .* best$'

# ---- the ring takes three times as long; what the library chooses takes what recursive doubling does ----

measured() { # FACTOR of the ring
  printf '%b\n' "$headings"
  awk -v factor="$1" -v OFS='\t' '{ time = $3 * 1e9 * ($2 ~ /^ring/ ? factor : 1)
      print "here", "allreduce", 16, 1, $1, $2, time, "a"
      if ($2 ~ /^recursive/) print "here", "allreduce", 16, 1, $1, "default_ompi", time, "a" }' simulated
}
measured 3 >slow.tsv
measured 1 >equal.tsv
set -- predict allreduce --platform grig_mx --machine here
run 0 "$@" --like asked.tsv --evidence equal.tsv
expect ' ring_ompi .* best$'
run 0 "$@" --like asked.tsv --evidence slow.tsv
expect ' (recursive_doubling_ompi|bine_lat_over) .* best$'
expect ' ring_ompi .* slower$'
expect ' unheard_of  *b  *-  .* not measured$'
cp out first
# What no call can be of is left out; what has too many messages is priced.
{ cat asked.tsv && printf 'here\tallreduce\t15\t1\t2097152\t%s\t\tb\n' bine_bdw_remap_over ring_ompi; } >odd.tsv
run 0 "$@" --like odd.tsv --evidence slow.tsv --most-messages 10
expect '^ *15 .* ring_ompi  *b  *[0-9]'
grep -q '^ *15 .* bine_bdw_remap_over' out && die "a method that needs a power of two, on 15 ranks"
run 0 "$@" --like asked.tsv --evidence slow.tsv
cmp -s first out || die "other bytes in a second run"
run 0 "$@" --like asked.tsv --evidence slow.tsv --json
expect '"expected_loss_percent": [0-9]'

# Calls of several runs are blocks of their own, each with its best; without runs there is no such column.
columns() { head -n 1 out; }
{ cat asked.tsv && sed '1d; s/b$/c/' asked.tsv; } >runs.tsv
cut -f 1-7 asked.tsv >no_runs.tsv
run 0 "$@" --like runs.tsv --evidence slow.tsv --csv
[ "$(awk -F, '$NF ~ /^best/ { print $6 }' out | tr '\n' ' ')" = 'b c ' ] || die "not one best method a run"
[ "$(columns | cut -d , -f 1-7)" = collective,nodes,ranks_per_node,total_B,name,run,simulated_s ] || die "columns: $(columns)"
run 0 predict allreduce --platform grig_mx --like runs.tsv --csv
[ "$(awk -F, '$NF ~ /^best/ { print $6 }' out | tr '\n' ' ')" = 'b c ' ] || die "not one best method a run by simulation"
for evidence in '' '--evidence slow.tsv'; do
  run 0 predict allreduce --platform grig_mx --like no_runs.tsv $evidence --csv
  columns | grep -q run && die "a column of runs without any"
done

# The library's own choice is one of the methods, and stays where no other is faster with confidence.
{ cat asked.tsv && printf 'here\tallreduce\t16\t1\t2097152\tdefault_ompi\t\tb\n'; } >with_own.tsv
run 0 "$@" --like with_own.tsv --evidence slow.tsv
expect ' default_ompi .* best$'
run 0 "$@" --like with_own.tsv --evidence equal.tsv
expect ' ring_ompi .* best$'
run 0 "$@" --like with_own.tsv --evidence slow.tsv --own-choice allreduce/recursive-doubling@openmpi
expect ' default_ompi .* best$'
run 0 "$@" --like runs.tsv --evidence slow.tsv --own-choice library:openmpi-4.1
expect '^tutti: note: 2 of 2 calls of runs\.tsv have no row of the library.s own choice.* default_ompi'

# ---- what is passed over ----

for time in abc -5 1e300 0 nan 1,5 0x10 ''; do
  printf 'here\tallreduce\t16\t1\t1048576\tring_ompi\t%s\ta\n' "$time"
done >wrong
cat slow.tsv wrong >wrong.tsv
run 0 "$@" --like asked.tsv --evidence slow.tsv
cp out first
run 0 "$@" --like asked.tsv --evidence wrong.tsv --verbose
expect '7: no time of a call under median_ns'
expect "wrong\.tsv:$(($(wc -l <slow.tsv) + 7)): '0x10'"
tail -n "$(wc -l <first)" out | cmp -s first - || die "lines that are passed over change the times"
{ sed 's/$/\tsimulated_ns/; q' asked.tsv && sed '1d; s/$/\tx/' asked.tsv; } >simulated.tsv
run 0 "$@" --like simulated.tsv --evidence slow.tsv
expect "simulated\.tsv:2: 'x'"

# ---- what is refused ----

{ cat slow.tsv && printf 'here\tallreduce\t4x4x4x4x4\t1\t1024\tring_ompi\t5\ta\n'; } >many.tsv
run 2 "$@" --like asked.tsv --evidence many.tsv
expect "many\.tsv:$(wc -l <many.tsv): 1024 ranks on 64 hosts"
sed 's/\t16\t/\t4x4x4x4x4\t/' asked.tsv >many.tsv
run 2 "$@" --like many.tsv --evidence slow.tsv
expect 'many\.tsv:2: 1024 ranks on 64 hosts'
sed '1s/$/\tmedian_ns/' slow.tsv >twice.tsv
run 2 "$@" --like asked.tsv --evidence twice.tsv
expect "twice\.tsv:1: heading 'median_ns' is there 2 times"
echo 'no rules' >rules.txt
run 2 "$@" --like asked.tsv --evidence slow.tsv --own-choice rules.txt
expect 'rules\.txt: no tuning file that is known'

run 2 predict allreduce --platform grig_mx --evidence slow.tsv -P 16
expect '--evidence goes with --like'
run 2 "$@" --like asked.tsv --verbose
expect '--verbose goes with --evidence'
run 2 "$@" --like asked.tsv --own-choice library:openmpi-4.1
expect '--own-choice goes with --evidence'
run 2 "$@" --like asked.tsv --evidence missing.tsv
expect 'missing\.tsv: No such file'
{ printf '%b\n' "$headings" && seq 4001 | sed 's/.*/here\tallreduce\t16\t1\t&\tring_ompi\t1000\ta/'; } >long.tsv
run 2 "$@" --like asked.tsv --evidence long.tsv
expect 'long\.tsv: 4001 measured points, 4000 at most'
printf 'collective\tnodes\n' >short.tsv
run 2 "$@" --like asked.tsv --evidence short.tsv
expect "short\.tsv:1: no heading 'ranks_per_node'"
run 2 "$@" --like asked.tsv --evidence asked.tsv
expect 'asked\.tsv: no measured times of here'
