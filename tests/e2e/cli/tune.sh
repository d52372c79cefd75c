#!/bin/sh
# tutti tune with a library whose times are known: a file that wins is found, mended and compared again; one that does not
# is not written; what was killed goes on; what is asked for that cannot be.
#
# usage: tune.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
mkdir bin
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.openmpi
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.mpich
PATH=$place/bin:$PATH
FAKE_TUTTI=$tutti FAKE_TIMES=$place/times FAKE_LOG=$place/log FAKE_METHODS=$place/methods FAKE_NOISE=3
export PATH FAKE_TUTTI FAKE_TIMES FAKE_LOG FAKE_METHODS FAKE_NOISE
printf '#!/bin/sh\n' >program && chmod +x program
: >log

tune() { # STATUS ARGUMENTS...
  status=$1
  shift
  run "$status" tune --program ./program --platform fake --oversubscribe -P 2 --budget 6s "$@"
}
# What is measured promises half the time everywhere. In truth a fifth is won below 1 KB, and a half is lost above 8 KB.
printf 'bcast/binomial@openmpi 0.5\nbcast/binomial@mpich 0.5\nbcast/scatter-ring@mpich 0.3\n' >methods
printf 'bcast 0 1000 0.8\nbcast 8192 1000000 1.5\n' >times
for flavor in openmpi mpich; do
  tune 0 bcast --flavor $flavor -s 8,64,1KB,16KB,64KB
  sed -n 1p out | grep -Eq 'is faster with the file at [1-9][0-9]* of the [0-9]* points at which it changes the choice, by up to 2[0-9] %' ||
    die "$flavor: the verdict is not first: $(cat out)"
  expect '^bcast +[0-9]+ +[0-9]+ +0 +'
  expect 'tutti tune: step 2, write '
  expect 'tutti tune: step 4, before and after'
  file=$(sed -n 's/^The file: //p' out)
  [ -s "$file" ] || die "no file: $(cat out)"
  run 0 compare untuned "$file" --program ./program --platform other --oversubscribe -P 2 -s 8,64,1KB,16KB,64KB --collective bcast -q
  expect '^won: [1-9]'
done
run 0 explain bcast -P 2 -s 64KB --decision tutti-tune-openmpi/tuned.rules
grep -q 'own choice' out || die "what loses is still in the file"
tune 0 bcast --flavor openmpi -s 8,64,1KB,16KB,64KB --json
expect '"outcome": "tuned"'
expect '"undo": "unset OMPI_MCA_coll_tuned_use_dynamic_rules OMPI_MCA_coll_tuned_dynamic_rules_filename'
expect 'goes on with what tutti-tune-openmpi has'

# Nothing is launched again, but to look at the library.
: >log
tune 0 bcast --flavor openmpi -s 8,64,1KB,16KB,64KB -q
[ "$(grep -c =. log)" -eq 0 ] || die "measured again: $(cat log)"
: >log
tune 0 bcast --flavor openmpi -s 8,64,1KB,16KB,64KB -q --again
[ "$(grep -c =. log)" -gt 20 ] || die "--again measures little: $(cat log)"

# What the folder has is used only if it is as it was written.
for damaged in candidate.rules decided.rules; do
  cp tutti-tune-openmpi/$damaged kept
  sed 1d kept >tutti-tune-openmpi/$damaged
  tune 2 bcast --flavor openmpi -s 8,64,1KB,16KB,64KB
  expect "tutti-tune-openmpi/$damaged is not as it was written: remove it"
  cp kept tutti-tune-openmpi/$damaged
done
rm tutti-tune-openmpi/candidate.rules && : >log
tune 0 bcast --flavor openmpi -s 8,64,1KB,16KB,64KB
expect 'step 1, write '
cmp kept tutti-tune-openmpi/decided.rules || die "decided again"

# Luck in the measurements is no gain: the library is left alone.
echo 'bcast 0 10000000 1.05' >times
tune 0 bcast --flavor openmpi -s 8,1KB --dir luck
sed -n 1p out | grep -q '^Leave OpenMPI-4.1.4 alone: no other choice was found that is faster beyond the noise' || die "$(cat out)"
[ ! -e luck/tuned.rules ] || die "a file was written"
# Nothing is promised: nothing is compared.
: >methods
tune 0 bcast --flavor openmpi -s 8,1KB --dir nothing
sed -n 1p out | grep -q '^Leave OpenMPI-4.1.4 alone: by what was measured its own choice' || die "$(cat out)"
! grep -q 'before and after' err || die "compared: $(cat err)"
tune 0 bcast --flavor openmpi -s 8,1KB --dir nothing --budget 8s # more time, more measurements
expect 'step 1, measure '
tune 0 bcast --flavor openmpi -s 8,1KB --dir nothing --budget 8s
! grep -q 'step 1' err || die "measured again: $(cat err)"

# Bits that do not change with the size: one algorithm, which the file takes on other numbers of ranks, too.
printf 'allreduce/recursive-doubling@openmpi 0.5\n' >methods
printf 'allreduce 0 10000000 0.8\n' >times
tune 0 allreduce --flavor openmpi -s 8,64KB --dir bits --reproducible size
expect 'the file decides reductions on all numbers of ranks'
for size in 8B 64KB; do
  run 0 explain allreduce -P 7 -s $size --decision bits/tuned.rules
  expect '^  reproducible: ranks, arrival, nodes, size$'
done

# A launch that fails ends it; the same command goes on with what is stored.
echo 'bcast/binomial@openmpi 0.5' >methods && echo 'bcast 0 10000000 0.8' >times && : >log
FAKE_FAIL=tuned tune 2 bcast --flavor openmpi -s 8,1KB --dir cut -o cut.rules
expect 'the network is down'
tune 0 bcast --flavor openmpi -s 8,1KB --dir cut -o cut.rules
expect "^The file: .*/cut.rules"
! grep -q 'step 1, measure' err || die "measured again: $(cat err)"

# Another tuning is not mixed with this one; what is there that is no tuning stays.
touch cut/mine
tune 2 bcast --flavor openmpi -s 8,2KB --dir cut
expect 'cut has another tuning: OpenMPI-4.1.4 on fake, bcast -P 2 -s 8B,1KB'
tune 0 bcast --flavor openmpi -s 8,2KB --dir cut --again -q
[ -e cut/mine ] || die "--again removed another file"

# A file that the environment names is not what the library does by itself.
: >none.rules
OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/none.rules tune 0 bcast --flavor openmpi -s 8 --dir alone
expect 'OMPI_MCA_coll_tuned_dynamic_rules_filename=.*none.rules is not used'

tune 2 bcast --flavor smpi
expect "flavor is mpich or openmpi"
tune 2 bcast --flavor openmpi --submit-only --launcher slurm
expect 'submit-only'
tune 2 bcast --flavor openmpi --budget soon
expect "'soon'"
run 2 tune --launcher slurm
expect 'slurm needs -P'
tune 2 bcast --flavor openmpi --profile none.profile
expect 'none.profile'
tune 2 bcast --flavor openmpi -s 8 --dir none.rules
expect 'none.rules/tuning.txt: Not a directory'
tune 2 bcast --flavor openmpi -s 8 -o nowhere/x.rules
expect 'nowhere/x.rules'

# For the calls of a program: its collectives, ranks and sizes.
run 0 tune --flavor openmpi --program ./program --platform fake --oversubscribe --budget 3s --profile "$source/tests/fuzz/seeds/plain.profile" --dir profile -q
sed -n 1p profile/tuning.txt | grep -q ' on fake, ' || die "$(cat profile/tuning.txt)"
# A folder without the word what was tuned; one whose name begins as options do; the program is not replaced.
rm cut/tuning.txt
tune 2 bcast --flavor openmpi -s 8,2KB --dir cut
expect 'cut has results of which nothing says what was tuned; say --again'
tune 0 bcast --flavor openmpi -s 8 --dir=-dash -q
[ -e ./-dash/decided.json ] || die "no results in -dash"
tune 2 bcast --flavor openmpi -s 8 --dir program-kept -o program
expect 'program: would be replaced, and is the file of --program, too'

# Killed while it asks which library it is: that launch measures nothing, and the next run goes on.
mkdir fast
printf '#!/bin/sh\n"%s/fast/mpiexec.openmpi" "$@"\nstatus=$?\nsleep 2\nexit $status\n' "$place" >slow
chmod +x slow && mv bin/mpiexec.openmpi fast/ && mv slow bin/mpiexec.openmpi
timeout -s KILL 1 "$tutti" tune bcast --flavor openmpi --program ./program --platform fake --oversubscribe -P 2 -s 8 --budget 3s --dir killed >out 2>err
mv fast/mpiexec.openmpi bin/ && sleep 2
tune 0 bcast --flavor openmpi -s 8 --dir killed -q
# Ended by a signal it leaves nothing that is half written.
timeout -s TERM 0.5 "$tutti" tune bcast --flavor openmpi --program ./program --platform fake --oversubscribe -P 2 -s 8,64KB --budget 9s --dir ended >out 2>err
[ $? -eq 124 ] || die "not ended: $(cat out err)"
[ -z "$(find ended -name 'decided.json.*')" ] || die "left behind: $(ls ended)"
echo ok
