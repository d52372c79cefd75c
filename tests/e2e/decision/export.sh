#!/bin/sh
# tutti export: what it writes, prints and refuses. Files are read by the libraries in tests/mpi/targets.
#
# usage: export.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

cat >rules.txt <<'END'
bcast/binary bytes=..999
bcast/pipeline/1KB
barrier/bruck
END

# To standard output, and to a file that is complete and readable by all; the output says how to use it.
run 0 export rules.txt --format openmpi
cp out printed
expect '^bcast: decided by rules.txt$'
run 0 export rules.txt --format openmpi -o rules.conf
cmp -s printed rules.conf || die 'standard output and the file differ'
expect "^export OMPI_MCA_coll_tuned_dynamic_rules_filename='$PWD/rules.conf'\$"
[ ! -s out ] || die "more than the file: $(cat out)"
run 0 export rules.txt --format openmpi -o rules.conf
cmp -s printed rules.conf || die 'the same command, other bytes'
ls | grep -q 'rules.conf\..' && die 'something is left over'

# One collective, two files, a method.
run 0 export rules.txt --format openmpi --collective barrier
expect '^6  # barrier$'
grep -q '^7' out && die "bcast is there, too: $(cat out)"
run 0 export bcast/binomial barrier/tree --format c
expect '^int tutti_bcast\(int'
expect '^int tutti_barrier\(int'
run 0 export barrier/bruck --format smpi
grep -qx -e '--cfg=smpi/barrier:ompi_bruck' out || die "not an option of SMPI: $(cat out)"

# Valid JSON.
for target in openmpi-6 mpich-4.0 mpich-4.1 mpich-5; do
  run 0 export allreduce/recursive-doubling barrier/bruck --format $target -o file.json
  run 0 lint file.json --target $target
  if command -v python3 >/dev/null; then
    python3 -m json.tool file.json >/dev/null || die "$target: not JSON"
  fi
done
printf 'bcast/chain/4KB/k=2 ranks=..8 bytes=..99\nbcast/binomial\nallgatherv/ring\nalltoall/linear-sync/max_requests=8\n' >many.txt
run 0 export many.txt --format openmpi-6 -o many.json
! grep -q '"seg_size": 0' many.json || die "a segment size of 0, which the schema does not have: $(cat many.json)"
if command -v python3 >/dev/null; then
  python3 "$source/tests/e2e/openmpi_schema.py" many.json || die "$(cat many.json)"
  sed 's/"reqs"/"requests"/' many.json >wrong.json
  ! python3 "$source/tests/e2e/openmpi_schema.py" wrong.json 2>/dev/null || die 'the form is not checked'
fi
grep -q 'k_dissemination": {"k=2"' file.json || die 'MPICH 4.1 and later have no dissemination without k'
run 0 export allreduce/recursive-multiplying --format mpich-5.0.2 -o file.json
grep -q 'recursive_multiplying": {"k=4": {}}' file.json || die "no name of MPICH 4.3: $(cat file.json)"
run 0 lint file.json --target mpich-5
run 2 export bcast/circulant --format mpich-5 # MPICH 5.0 has no circ_graph

# A tree of MPICH with all of its parameters, and back.
run 0 export allreduce/k-nomial/8KB/k=3/buffers=1 --format mpich-4.1 -o file.json
grep -q 'tree": {"tree_type=knomial_2": {}, "k=3": {}, "buffer_per_child=0": {}, "chunk_size=8192": {}}' file.json || die 'no allreduce on a tree'
run 0 export file.json --format tutti
expect '^allreduce/k-nomial/8KB/k=3/buffers=1$'
run 2 export allreduce/k-nomial/buffers=3 --format mpich-4.1

# A decision file is read back unchanged.
printf 'tutti-decision 1\ntree bcast\nattribute ranks\nattribute bytes\nbytes <= 999 : binary\nbytes > 999 : linear\n' >tree
run 0 export tree --format tutti -o again
run 0 export again --format openmpi
cp out second
run 0 export tree --format openmpi
sed '/: decided by/d' out >first
sed '/: decided by/d' second | cmp -s - first || die "the tree came back as another: $(cat again)"

# A method that the library does not have is replaced by the best that it has, by measurements (here predictions).
run 0 predict bcast -P 2..16 -m 1..64KB*4 --platform grig_fast_ethernet --model hockney --segments none,1KB --store model.db
run 0 export bcast/two-level/ranks_per_node=2 --format tutti
run 2 export bcast/k-ary/k=3 --format openmpi
expect 'bcast/k-ary/k=3 is not supported by openmpi-4.1; measurements'
run 2 export bcast/binomial --format mpich-4.0
expect 'bcast/binomial is not supported by mpich-4.0, which has in-order-binomial; measurements'
run 2 export bcast/k-ary --format openmpi-han-5 --platform grig_fast_ethernet --db model.db
expect 'it knows native/selector=tuned, .* not simulated: measure them on a machine that has it \(tutti bench --flavor openmpi\), or name'
run 2 export bcast/k-ary --format mpich-ch4-4.1 --platform grig_fast_ethernet --db model.db
expect 'it knows native/selector=alpha, .* not simulated: measure them on a machine that has it \(tutti bench --flavor mpich\)'
run 0 export bcast/k-ary --format openmpi --platform grig_fast_ethernet --db model.db -o best.conf
expect '; 135 of 135 points \(100.0 %\) replaced; as written: mean [1-9][0-9.]* %, worst [0-9.]+ %$'
expect "^tutti: note: bcast: Tutti's schedules stand for the algorithms of openmpi .* \(tutti compare\)$"
grep -q '^17  # ranks' best.conf || die 'beyond the measured communicators something is claimed'
run 0 export bcast/k-ary --format openmpi --platform grig_fast_ethernet --db model.db --extend -o best.conf
grep -q '^17  # ranks' best.conf && die 'the last answers do not go on'
# Rules for few points: before and as written are of the same ones, and none is missing.
echo 'bcast/k-ary ranks=..9' >few.rules
run 0 export few.rules --format openmpi --platform grig_fast_ethernet --db model.db -o few.conf
expect '; ([0-9]+) of \1 points \(100.0 %\) replaced; as written: mean [1-9][0-9.]* %, worst [0-9.]+ %$'
run 0 export bcast/k-ary --format smpi --platform grig_fast_ethernet --db model.db
expect '^--cfg=smpi/bcast:'

# What a file does not say of itself is said beside it: its version, and where it can be compared.
run 0 export allreduce/recursive-doubling --format mpich-5 -o five.json
expect '^The file does not say for which version it is: tutti lint --target mpich-5.0 five.json$'
run 0 export allreduce/recursive-doubling --format openmpi-6 -o six.json
expect 'before it is used, on a machine with a library that reads it \(.* is here|here is .*\):$'
grep -q 'does not say for which version' err && die "it does: $(cat err)"

# A file of a library decides on what it has rules for.
run 0 export rules.conf --format openmpi-4.1
cp out again
grep -v '^#' rules.conf | sed 's/ *#.*//' >first
grep -v '^#' again | sed 's/ *#.*//' | cmp -s - first || die "other rules: $(cat again)"
printf '1\n7\n1\n0\n1\n0 99 0 0\n' >ignored.conf
run 2 export ignored.conf --format openmpi
expect '^tutti: ignored.conf has no answer for what is to be written: no rule that its library follows whatever the ranks a node \(see tutti lint, and tutti explain --ranks-per-node\)$'

# What models pick: the times that they predicted are lost by nothing, and the C function picks the same to the byte.
for model in hockney loggp; do
  run 0 predict bcast -P 2..64 -m 1..64KB*2 --platform grig_mx --parameters published --model $model \
    --segments none,1KB,8KB --store $model.db
  run 0 export model:$model --collective bcast --platform grig_mx --db $model.db --parameters published --format tutti -o picks
  run 0 penalty picks --platform grig_mx --db $model.db --csv
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "max_percent") column = i } NR == 2 { exit !(column && $column == 0) }' out ||
    die "what model:$model picks loses by its own times: $(cat out)"
done
cat >ask.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "picks.c"
int main(int count, char **words)
{
  for (int i = 1; i + 1 < count; i += 2)
    puts(tutti_choice_at(tutti_bcast(atoi(words[i]), strtoull(words[i + 1], NULL, 10)))->method);
  return 0;
}
END
run 0 export model:hockney --collective bcast --parameters hockney:alpha=5.64us,beta=4.2ns --format c -P 2..64 -o picks.c
expect '^tutti: model:hockney chooses among all algorithms with a formula'
cc -o ask ask.c || die "the source code of a model is none"
for point in '8 1' '24 2048' '64 100001' '33 1048576'; do
  # shellcheck disable=SC2086
  ./ask $point >picked
  run 0 predict bcast -P ${point% *} -m ${point#* } --parameters hockney:alpha=5.64us,beta=4.2ns --model hockney \
    --segments none,1KB,8KB,32KB,128KB --platform grig_mx
  expect "best, hockney by formula: $(cat picked), "
done
run 2 export model:hockney --format c
expect 'model:hockney decides for any collective: say which with --collective'
run 2 export model:hockny --collective bcast --platform grig_mx --parameters published --format c
expect "'hockny' \(did you mean 'hockney'\?\) is none of the models"
run 2 export model:hockney --collective bcast --by both --platform grig_mx --parameters published --format c
expect 'a model decides by formula or by schedule'

# Errors.
run 2 export rules.txt --format lam
expect "nothing is written for 'lam'"
run 2 export rules.txt --format ompo
expect "nothing is written for 'ompo'"
run 2 export rules.txt
expect 'in which format\? --format NAME'
run 2 export --format c
expect 'which decision'
run 2 export absent.txt --format c
expect 'absent.txt'
run 2 export bcast/linear bcast/binomial --format c
expect 'both decide on bcast'
run 2 export bcast/linear --collective reduce --format c
expect 'not one of the collective reduce'
run 2 export rules.txt --collective reduce --format c
expect 'rules.txt has no answer'
run 2 export scatterv/linear --format openmpi
expect 'no choice of algorithms for scatterv'
run 2 export rules.txt --format c --ranks 8
expect "'8' is not FROM..TO"
run 2 export rules.txt --format c -o "$PWD"
expect 'no regular file'
run 2 export rules.txt --format c -o absent/file.c
expect 'absent/file.c'
cp rules.conf kept
run 2 export bcast/k-ary/k=3 --format openmpi -o kept
cmp -s kept rules.conf || die 'a file was lost to a failure'
run 2 export rules.txt --format c --platform grig_fast_ethernet --db absent.db
expect 'absent.db'
