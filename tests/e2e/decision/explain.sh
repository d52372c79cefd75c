#!/bin/sh
# tutti explain: look-ups in files of all kinds, the nearest decisions, times. Compared with the libraries themselves in
# tests/mpi/targets.
#
# usage: explain.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# Numbers: block, rule, and where the next ones begin.
cat >rules.conf <<'END'
1
7 # bcast
2
4 3
0 6 0 0
1001 2 2 4096
20001 4 0 2048
8 1
0 0 0 0
END
run 0 explain bcast -n 5 -s 10000 --decision rules.conf
expect '^  chain, segments of 4096 B, fan-out 2, which is bcast/chain/4KB/k=2$'
expect '^  rules.conf:4:1: 5 ranks: the block of 4, which serves from 0 to 7$'
expect '^  rules.conf:6:1: the rule from 1001 to 20000 bytes: algorithm 2 \(chain\)$'
expect '^  up to 1000B: binomial$'
expect '^  from 20001B on: split_binary_tree'
expect '^  from 8 ranks on: '
# Below the first key the first block is used; version 6 shifts blocks.
run 0 explain bcast -n 2 -s 1 --decision rules.conf --target openmpi-4.1
expect '^  binomial$'
run 0 explain bcast -n 5 -s 1 --decision rules.conf --target openmpi-6
expect '^  the library.s own choice: '
# Rule 0 and no rule: Open MPI's own ladder.
run 0 explain bcast -n 16 -s 4095 --decision rules.conf
expect 'from 16 to 31 ranks, from 0 to 4095 bytes: 7 \(knomial\)$'
expect "^  the library.s own choice: knomial, which is bcast/k-nomial$"
run 0 explain allreduce -n 16 -s 8KB --decision rules.conf
expect 'the file has no rules for allreduce'
# A file that is dropped.
sed 's/^4 3$/4 5/' rules.conf >dropped
run 0 explain bcast -n 5 -s 10000 --decision dropped
expect 'the file is dropped: .*\[OMPI-033\]$'
! grep -q 'has no rules' out || die "dropped, and read: $(cat out)"
if command -v script >/dev/null; then
  COLUMNS=80 script -qc "'$tutti' explain bcast -n 5 -s 10000 --decision dropped" /dev/null </dev/null | tr -d '\r' >folded
  grep -q '^  the file is dropped: ' folded || die "not explained: $(cat folded)"
  ! awk 'length($0) > 80' folded | grep . || die "wider than 80 columns: $(cat folded)"
fi

# What is compared: of allgather all blocks. Neighbour exchange of an odd number of ranks is a ring.
printf '1 0 1 0 2\n0 5 0 0\n1000 2 0 0\n' >allgather
run 0 explain allgather -n 5 -s 199 --decision allgather
expect 'compares 995 bytes'
expect '^  neighbor, which is allgather/ring$'
expect '^  from 200B on: bruck$'
printf '1 0 1 0 1\n0 99 0 0\n' >bad
run 1 explain allgather -n 5 -s 8 --decision bad
expect 'fails with MPI_ERR_ARG'

# JSON of Open MPI 6: the first match.
printf '{"collectives":{"allreduce":[{"comm_size_min":4,"rules":[{"msg_size_min":100,"msg_size_max":200,"alg":"ring"},' >six
printf '{"msg_size_max":150,"alg":3}]}]}}\n' >>six
run 0 explain allreduce -n 8 -s 120 --decision six
expect '^  ring$'
expect '^  up to 99B: recursive_doubling$'
run 0 explain allreduce -n 8 -s 50 --decision six
expect '^  from 100B on: ring$'
run 0 explain allreduce -n 3 -s 50 --decision six
expect 'no block for 3 ranks'

# MPICH: the way through the tree.
printf 'allgather/bruck bytes=..99\nallgather/ring\nbcast/two-level\n' >rules.txt
run 0 export rules.txt --format mpich -o rules.json
run 0 explain allgather -n 5 -s 99 --decision rules.json
expect '^  MPIR_Allgather_intra_brucks, which is allgather/bruck$'
expect 'total_msg_size<=499: yes \(495\)$'
expect '^  from 100B on: MPIR_Allgather_intra_ring$'
run 0 explain bcast -n 8 -s 99 --nodes 2 --decision rules.json
expect '^  MPIR_Bcast_intra_smp, which is bcast/two-level/outer=in-order-binomial/inner=in-order-binomial$'
expect '^  its inner, of 99 bytes on 4 ranks, is a call like any other: bcast/in-order-binomial'
run 0 explain bcast -n 8 -s 99 --decision rules.json
expect '^  MPIR_Bcast_intra_binomial, which is bcast/in-order-binomial$'
run 0 explain alltoall -n 8 -s 99 --decision rules.json --in-place
expect '^  MPIR_Alltoall_intra_pairwise_sendrecv_replace, which is alltoall/pairwise-by-rank$'

# Two compositions of CH4 of one name differ in their parts, which the nearest decisions say; they begin next to the call.
cat >ch4.json <<'END'
{"collective=allreduce": {"comm_type=intra": {"comm_hierarchy=parent": {
"composition=MPIDI_Allreduce_intra_composition_alpha": {}}, "comm_hierarchy=any":
{"composition=MPIDI_Allreduce_intra_composition_beta": {}}}}}
END
run 0 explain allreduce -P 64 -s 16 --ranks-per-node 16 --decision ch4.json
expect '^  MPIDI_Allreduce_intra_composition_alpha, which is allreduce/two-level/reduce=in-order-binomial/bcast=in-order-binomial$'
grep -q 'up to 2KB' out && die "beyond the call: $(cat out)"
expect '^  from 32B on: MPIDI_Allreduce_intra_composition_alpha, which is allreduce/two-level/reduce=in-order-binomial/allreduce='
run 0 explain allreduce -P 64 -s 64 --ranks-per-node 16 --decision ch4.json
expect '^  up to 31B: MPIDI_Allreduce_intra_composition_alpha, which is allreduce/two-level/reduce=in-order-binomial/bcast=in-order-binomial$'

# What only the library runs is not simulated: no command is printed that cannot run.
printf 'bcast/native/selector=tuned bytes=..4KB\nbcast/native/selector=han\n' >han.txt
run 0 export han.txt --format openmpi-han-5 -o han.rules
run 0 explain bcast -n 16 -s 8 --decision han.rules --platform grig_fast_ethernet
expect '^  bcast/native/selector=tuned cannot be simulated: '
grep -q 'tutti bench' out && die "a command that cannot run: $(cat out)"

# Tutti's own: the rule, and the way through the tree with values.
run 0 explain allgather -n 5 -s 99 --decision rules.txt
expect '^  rules.txt:1:1: the rule allgather/bruck bytes=..99$'
expect '^  allgather/bruck$' # the name in the file and that of the method are the same: once
cat >tree <<'END'
tutti-decision 1
tree bcast
attribute ranks
attribute total
ranks <= 4 : linear
ranks > 4 :
|   total <= 4096 : binomial
|   total > 4096 : split-binary/1KB
END
run 0 explain bcast -n 8 -s 512 --decision tree
expect '^  tree:6:1: ranks = 8 > 4$'
expect '^  tree:7:1: total = 4096 <= 4096$'
expect '^  from 513B on: bcast/split-binary/1KB$'
run 0 explain bcast -n 8 -s 513 --decision tree
expect '^  tree:8:1: total = 4104 > 4096$'
run 0 explain barrier -n 8 --decision tree
expect 'there is no answer'
run 0 explain bcast -n 5 -s 8 --decision bcast/binomial
run 0 explain allgather -n 5 -s 8 --decision allgather/neighbor-exchange
expect 'its substitute allgather/ring runs$'

# Times: a store of a model's predictions, the best of which has no penalty.
grig='--platform grig_fast_ethernet'
run 0 predict bcast -P 8 -m 512,1KB $grig --model hockney --segments none --store model.db
run 0 explain bcast -n 8 -s 512 --decision tree $grig --db model.db
expect '^\* bcast/binomial +[0-9.]+ +[0-9.]+ +[0-9.]+'
expect '^  bcast/[a-z-]+ +[0-9.]+ +0\.00 +'
[ "$(grep -c '^[ *] bcast/[a-z-]* *[0-9]' out)" -eq 6 ] || die "not five runners-up: $(cat out)"
run 0 explain bcast -n 8 -s 512 --decision tree $grig --db model.db --json --runners-up 2
command -v python3 >/dev/null && { python3 -m json.tool out >/dev/null || die 'not JSON'; }
expect '"chosen": true, "method": "bcast/binomial", "measured_s": '
# A platform that is neither in the store nor a file: the sentence of tutti map.
for database in '--db model.db' ''; do
  run 2 map bcast --platform grig_fast_ethernt $database
  cp err said
  expect "did you mean 'grig_fast_ethernet'\?"
  run 2 explain bcast -n 8 -s 512 --decision tree --platform grig_fast_ethernt $database
  cmp err said || die "tutti map says something else: $(cat said err)"
done
run 0 explain bcast -n 8 -s 512 --decision tree $grig

# A tuning file is a decision of its own, for its only collective, or one that is named.
run 0 export bcast/binomial --format openmpi -P 2..8 -o one.conf
run 0 penalty one.conf $grig --db model.db
cp out only
run 0 penalty one.conf $grig --db model.db --collective bcast
cmp out only || die "not for its only collective: $(cat only)"
run 0 export bcast/binomial allgather/ring --format openmpi -P 2..8 -o two.conf
run 2 penalty two.conf $grig --db model.db
expect 'two.conf is a tuning file, for several collectives: say for which with --collective'
run 0 export rules.conf --collective bcast --format tutti -o rules.tutti
run 0 explain bcast -n 5 -s 10000 --decision rules.tutti
expect 'chain/4KB/k=2$'

run 2 explain bcast -n 8 --decision missing
# A method for a torus gets the sides of the platform: without them it serves no call.
echo allreduce/swing-torus >torus.rules
run 0 explain allreduce -P 64 -s 1KB --decision torus.rules
expect '^  allreduce/swing-torus, which is allreduce/rabenseifner$'
run 0 explain allreduce -P 64 -s 1KB --decision torus.rules --platform torus
expect '^  allreduce/swing-torus/torus=[0-9x]+$'
expect '^  reproducible: ranks, arrival, nodes$'

# A file of what ran may say any number: schedules are built of calls and methods that are not too large.
{
  printf 'collective\tranks\troot\tbytes\ttype_B\tordered\tin_place\tcalls\tvaried\tmessages\tsent_B\tfingerprint\n'
  printf 'bcast\t16777216\t0\t8\t8\t0\t0\t1\t0\t16777215\t134217720\t0123456789abcdef\n'
  printf 'alltoall\t8000\t0\t8\t8\t0\t0\t1\t0\t63992000\t511936000\t0123456789abcdef\n'
  printf 'bcast\t8000\t0\t1099511627776\t1\t0\t0\t1\t0\t7999\t1\t0123456789abcdef\n'
} >ran.tsv
run 0 explain --ran ran.tsv --decision library:openmpi-4.1
expect '^bcast +16777216 .* too large$'
expect '^alltoall +8000 .* too large$'
expect '^bcast +8000 .* not recognized$'
expect '^tutti: note: 2 kinds of calls passed over \(too large\): more than 8192 ranks or 4194304 messages$'
run 0 explain bcast --ran ran.tsv --decision bcast/chain/1

run 2 explain bcast -n 0 --decision tree
run 2 explain bcast -n 8 --ppn 2 --nodes 4 --decision tree
echo '1 passed, 0 failed'
