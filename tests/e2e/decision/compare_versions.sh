#!/bin/sh
# tutti compare --library A --library B with libraries whose times are known: the control, the four verdicts, what is
# launched and what is not again; how an installation is named, and what is refused.
#
# usage: compare_versions.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
mkdir -p bin prefix/bin
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.openmpi
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.mpich
PATH=$place/bin:$PATH
FAKE_TUTTI=$tutti FAKE_TIMES=$place/times FAKE_LOG=$place/log FAKE_NOISE=4
export PATH FAKE_TUTTI FAKE_TIMES FAKE_LOG FAKE_NOISE
printf '#!/bin/sh\n' >program && chmod +x program
printf 'bcast 0 1000000 1\n' >times
: >log

compare() { # STATUS ARGUMENTS...
  status=$1
  shift
  run "$status" compare --program ./program --platform fake --oversubscribe -q "$@"
}
points="--collective bcast,allreduce -P 2,4 -s 8,1KB,64KB"
old=old=mpiexec.openmpi

# A version that is a fifth slower at all points.
compare 1 --library $old --library "new=FAKE_VERSION=5.0.7 FAKE_FACTOR=1.2 mpiexec.openmpi" $points
expect "^old \(OpenMPI-4.1.4\) against new \(OpenMPI-5.0.7\) on fake, OpenMPI-4.1.4, scheme occ"
expect "^control, old against old: slower 0, faster 0, .* of 12 points; half of the points would show a slow-down of [0-9.]* %"
expect "^slower: 12 of 12 points, by (19|20|21)\.[0-9] % in the median"
expect "^faster: 0 of 12 points\$"
expect "^new: FAKE_VERSION=5.0.7 FAKE_FACTOR=1.2 mpiexec.openmpi\$"
[ "$(grep -c 'slower$' out)" -eq 12 ] || die "not slower: $(cat out)"
# The control comes first, and all rounds launch both.
[ "$(grep -c = log)" -eq 104 ] || die "$(grep -c = log) launches for 13 rounds of both in either part, on two numbers of ranks"
cp out first.out && : >log

# Nothing is launched again, nor with --stored; the other way around it is another comparison.
compare 1 --library $old --library "new=FAKE_VERSION=5.0.7 FAKE_FACTOR=1.2 mpiexec.openmpi" $points
cmp -s out first.out || die "another answer: $(cat out)"
compare 1 --library $old --library "new=FAKE_VERSION=5.0.7 FAKE_FACTOR=1.2 mpiexec.openmpi" $points --stored
cmp -s out first.out || die "--stored: $(cat out)"
[ "$(grep -c = log)" -eq 0 ] || die "launched: $(cat log)"
run 2 compare --library $old --library "new=FAKE_VERSION=5.0.7 mpiexec.openmpi" $points --platform fake --stored
expect "results.db: has no pair of launches of these files on fake"

# What a gate asks is in the JSON: the words of the sides, and how many points are not measured. Warnings come once.
compare 1 --library $old --library "new=FAKE_VERSION=5.0.7 FAKE_FACTOR=1.2 mpiexec.openmpi" $points --stored --json
expect '"before_words": "mpiexec.openmpi", "after_words": "FAKE_VERSION=5.0.7 FAKE_FACTOR=1.2 mpiexec.openmpi"'
expect '"not_measured": 0}'
compare 0 --library $old --library "new=OMPI_MCA_coll_tuned_use_dynamic_rulez=1 mpiexec.openmpi" $points --db few.db --rounds 1
expect '^tutti: warning: library new: coll_tuned_use_dynamic_rulez: no such parameter of coll/tuned'
[ "$(grep -c 'none of 12 points can be significant' err)" -eq 1 ] || die "warned twice: $(cat err)"

# A version in the place of another: the pairs of both are in the store.
cp results.db replaced.db
FAKE_VERSION=4.1.5 compare 0 --library $old --library "new=FAKE_VERSION=5.0.7 FAKE_FACTOR=1.2 mpiexec.openmpi" $points --db replaced.db --rounds 1
expect "OpenMPI-4.1.5"

# Faster; equal within what is asked for; and too noisy for either.
compare 0 --library "new=FAKE_FACTOR=1.2 mpiexec.openmpi" --library $old $points --db faster.db
expect "^faster: 12 of 12 points, by 1[567]\.[0-9] % in the median"
compare 0 --library $old --library "same=FAKE_FACTOR=1.01 mpiexec.openmpi" $points --db equal.db --within 8
expect "^equal within 8 %: 12 of 12 points"
compare 0 --library $old --library "same=FAKE_FACTOR=1.01 mpiexec.openmpi" $points --db equal.db --within 1.2 --stored
expect "^not measured: 12 of 12 points; if they are equal, half of them need [0-9]* rounds or more to show it"
FAKE_NOISE=60 compare 0 --library $old --library "new=FAKE_FACTOR=1.05 mpiexec.openmpi" $points --db noisy.db
expect "^not measured: 12 of 12 points"
expect "^control, .* not measured 12 of 12 points"

# Two libraries, two files, and few rounds: no verdict.
compare 1 --library $old --library "other=FAKE_FACTOR=1.3 mpiexec.mpich" $points --db both.db
expect "^old \(OpenMPI-4.1.4\) against other \(MPICH-4.0.2\) on fake"
expect "^slower: 12 of 12"
compare 0 --library $old --library "new=FAKE_FACTOR=1.3 mpiexec.openmpi" $points --db both.db --rounds 5
expect "^not measured: 12 of 12"
printf '1\n7\n1\n0\n1\n0 6 0 1024\n' >my.rules
printf 'bcast 0 1000000 1.3\n' >times
compare 1 untuned my.rules --within 5 --collective bcast -P 2 -s 8,1KB --db files.db
expect "^untuned against my.rules on fake"
expect "^slower: 2 of 2 points"
expect "^control, untuned against untuned: slower 0"

# A prefix has its own libraries and its own measuring program; a launcher may be any words, with quotes.
printf '#!/bin/sh\necho "$LD_LIBRARY_PATH $*" >>"$FAKE_LOG.prefix"\nexec mpiexec.openmpi "$@"\n' >prefix/bin/mpiexec
cp program prefix/bin/tutti-bench
chmod +x prefix/bin/mpiexec
compare 0 --library prefix --library "words=sh -c 'exec mpiexec.openmpi \"\$@\"' \"a shell\"" --collective bcast -P 2 -s 8 --rounds 1 --db words.db
expect "^prefix \(OpenMPI-4.1.4\) against words \(OpenMPI-4.1.4\)"
grep -q "^$place/prefix/lib:$place/prefix/lib64 .*-np 2 .*-x LD_LIBRARY_PATH $place/prefix/bin/tutti-bench --points /dev/stdin" log.prefix ||
  die "not as a prefix: $(cat log.prefix)"

# Without points what is usual is measured.
compare 0 --library $old --library "again=AGAIN=1 mpiexec.openmpi" --rounds 1 --db usual.db
for collective in bcast reduce allreduce gather allgather scatter alltoall barrier; do
  expect "^$collective  *[0-9]*  .* not measured"
done

# ---- what is refused ----

refused() { # MESSAGE ARGUMENTS...
  message=$1
  shift
  : >log
  compare 2 "$@" -P 2 -s 8 --collective bcast --db refused.db
  expect "$message"
  [ ! -s log ] && [ ! -e refused.db ] || die "something was measured: $*"
}
refused "which before\?; which after\?" --library $old
printf 'UCC_TL_UCP_TUNE=allreduce:0-4096:host:[2-63]:@dbt\n' >told.ucc
refused "told.ucc: is of ucc, not of an MPI library .*: --library plain=mpiexec --library" untuned told.ucc
refused "library is given twice" --library $old --library $old --library $old
refused "library old, --library old: both are the same, which the control compares anyway.*again=AGAIN=1" --library $old --library $old
refused "library old, --library same: both are the same" --library $old --library "same=  'mpiexec.openmpi'"
refused "library: two are named 'old': give each a name of its own, --library old=" --library $old --library "old=A=1 mpiexec.openmpi"
refused "library new: mpiexec.nowhere: no such command, and no folder" --library $old --library new=mpiexec.nowhere
refused "library new: .*/none/bin/mpiexec: cannot be executed" --library $old --library "new=$(mkdir -p none; pwd)/none"
refused "library new: .*a quote or a backslash ends nothing" --library $old --library "new=mpiexec 'a"
refused "library new: say what starts its ranks, its prefix, or --flavor" --library $old --library new=A=1
refused "library new: .*asked by --version, names neither Open MPI nor MPICH: say --flavor" --library $old --library new=true
refused "library new: a[0-9]* is one variable too many" --library $old --library "new=$(seq -f 'a%g=1' 17 | tr '\n' ' ') mpiexec"
refused "launcher: each --library says what starts its ranks" --library $old --library $old --launcher mpirun
refused "output mends by what is won and lost" untuned my.rules --within 5 -o mended
echo ok
