#!/bin/sh
# tutti compare with a library whose times are known: what is won, what is lost, the file mended; what is measured again
# and what is not; and what is refused.
#
# usage: compare.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
mkdir bin
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.openmpi
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.mpich
PATH=$place/bin:$PATH
FAKE_TUTTI=$tutti FAKE_TIMES=$place/times FAKE_LOG=$place/log
export PATH FAKE_TUTTI FAKE_TIMES FAKE_LOG
printf '#!/bin/sh\n' >program && chmod +x program
: >log

# Rules for bcast alone. Small messages win a fifth, those from 8 KB on lose a half, those of 64 KB win again.
cat >times <<'END'
bcast 0 1000 0.8
bcast 8192 65535 1.5
bcast 65536 1000000 0.9
END
printf '1\n7\n1\n0\n3\n0 1 0 0\n1024 6 0 0\n32768 3 0 4096\n' >my.rules

compare() { # STATUS ARGUMENTS...
  status=$1
  shift
  run "$status" compare --program ./program --platform fake --oversubscribe -q "$@"
}
points="--collective bcast -P 2,4 -s 8,1KB,8KB,32KB,64KB"
outcome() { # RANKS SIZE: of a point in out
  awk -v ranks="$1" -v size="$2" '$1 == "bcast" && $2 == ranks && $3 == size { print $NF }' out
}

compare 1 untuned my.rules $points -o mended.rules
expect "^untuned against my.rules on fake, openmpi, OpenMPI-4.1.4, scheme occ"
expect "signed rank test of Wilcoxon .* 10 points corrected after Holm; level 5 %; 13 rounds, seed 1"
for ranks in 2 4; do
  found=$(for size in 8B 1KB 8KB 32KB 64KB; do outcome $ranks $size; done | tr '\n' ' ')
  [ "$found" = "won unclear lost lost won " ] || die "$ranks ranks: $found"
done
expect "^won: 4 of 10 points, mean -15.0 %, best -20.0 %"
expect "^lost: 4 of 10 points, mean \+50.0 %, worst \+50.0 %"
expect "^all: mean \+14.0 %, worst \+50.0 %"
expect "mended.rules: the library's own choice at 6 of 10 points"

# Each round launches both, in both orders; the points are in many orders.
[ "$(grep -c '^[24] ' log)" -eq 52 ] || die "$(grep -c '^[24] ' log) launches for 13 rounds"
first=$(awk '$1 == 2 { if (n++ % 2 == 0 && $2 == "untuned") before++ } END { print before }' log)
[ "$first" -gt 1 ] && [ "$first" -lt 12 ] || die "untuned came first in $first of 13 rounds"
[ "$(awk '$1 == 2 { $2 = ""; print }' log | sort -u | wc -l)" -gt 20 ] || die "few orders of the points: $(cat log)"

! grep -q '^At .* after / before' out || die "medians that agree: $(cat out)"
# Of few points the verdict stands below, of many above, too.
[ "$(grep -c '^lost: ' out)" -eq 1 ] || die "twice below few points: $(cat out)"
compare 0 untuned my.rules --collective bcast -P 2,4 -s 8..32KB*2 --rounds 2 --db many.db
[ "$(grep -n '^unclear: 2[0-9] of 2[0-9] points' out | cut -d: -f1 | sed q)" -lt 8 ] && [ "$(grep -c '^unclear: ' out)" -eq 2 ] ||
  die "the verdict of many points does not stand first: $(cat out)"
compare 1 untuned my.rules $points
# Nothing is launched for what the store has; more rounds launch what is more; --stored launches nothing.
cp out first.out && : >log
compare 1 untuned my.rules $points
cmp -s out first.out || die "another answer: $(cat out)"
[ "$(grep -c '^[24] ' log)" -eq 0 ] || die "measured again: $(cat log)"
compare 1 untuned my.rules $points --rounds 15
[ "$(grep -c '^[24] ' log)" -eq 8 ] || die "$(grep -c '^[24] ' log) launches for two more rounds"
: >log
compare 1 untuned my.rules $points --stored
[ ! -s log ] || die "--stored launches: $(cat log)"
expect "level 5 %; 15 rounds, seed 1" # as many as the store has
compare 1 untuned my.rules $points --stored --rounds 20
expect "level 5 %; 15 rounds, seed 1"
compare 1 untuned my.rules $points --stored --rounds 13
cmp -s first.out out || die "--stored: $(cat out)"

# Noise: medians of each side say something else than the pairs do, and a line says why.
cp times quiet && echo 'bcast 0 1000000 1' >times
FAKE_NOISE=60 compare 0 untuned my.rules --collective bcast -P 2 -s 8..1KB*2 --db noisy.db --rounds 8
tr '\n' ' ' <out | grep -q 'At [1-9][0-9]* points\{0,1\} after / before differs from the change by more than 1 %, .* is the one that counts' ||
  die "no word of medians: $(cat out)"
mv quiet times

# What is suggested measures the same: the points, and how they are launched.
compare 1 untuned my.rules $points --root 1 --launcher-args "--mca mpi_yield_when_idle 1" --db again.db -o again.rules
expect "to see what it does now: tutti compare untuned again.rules --platform fake --db again.db --collective bcast -P 2,4 -s 8,1KB,8KB,32KB,64KB --root 1 --program ./program --launcher-args '--mca mpi_yield_when_idle 1' --oversubscribe\$"
compare 1 untuned my.rules -P 2 --db again.db -o again.rules
expect "untuned again.rules --platform fake --db again.db -P 2 --program ./program --oversubscribe -s 1B,1KB,32KB\$"

# What the store has under other settings is said, by bench and by compare, and what is other.
bench() { # DATABASE ARGUMENTS...
  database=$1
  shift
  run 0 bench bcast --flavor openmpi --methods native -P 2 -s 8,1KB --program ./program --platform fake --db "$database" -q "$@"
}
bench other.db --launcher-args "--mca mpi_yield_when_idle 1"
grep -q "under other settings" err && die "there is nothing else: $(cat err)"
bench other.db --launcher-args "--mca mpi_yield_when_idle 1" -s 8,64KB
grep -q "under other settings" err && die "these are the settings: $(cat err)"
bench other.db
expect "^tutti: note: other.db has 3 measurements on fake under other settings \(environment 1\): settings OMPI_MCA_mpi_yield_when_idle=1 there, none of these settings here\$"
# A file that is in the environment is told when native is measured under it.
tuned='^tutti: warning: OpenMPI-[0-9.]* runs under a tuning file, .*: native is not what it does untuned$'
! grep -q "$tuned" err || die "there is no file: $(cat err)"
OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/my.rules
export OMPI_MCA_coll_tuned_use_dynamic_rules OMPI_MCA_coll_tuned_dynamic_rules_filename
bench tuned.db
expect "$tuned"
compare 1 untuned my.rules -P 2 -s 8,8KB --collective bcast --db tuned.db
! grep -q "$tuned" err || die "compare gives the library its files: $(cat err)"
unset OMPI_MCA_coll_tuned_use_dynamic_rules OMPI_MCA_coll_tuned_dynamic_rules_filename
run 2 compare untuned my.rules --platform grig_mx --db other.db
expect '^tutti: platform grig_mx is a simulated one \(.*/grig_mx.xml\), and openmpi runs on a real machine, which wants a name of its own'
run 2 bench bcast --flavor openmpi --methods native -P 2 -s 8 --program ./program --platform grig_mx --db other.db -q
expect '^tutti bench: platform grig_mx is a simulated one'
run 2 compare untuned my.rules --platform faek --db other.db
expect "^tutti: other.db: the store has no platform 'faek' \(did you mean 'fake'\?\), only fake; this measures another machine of that name:\$"
expect '^  tutti bench [a-z,]* --platform faek --flavor openmpi .*--db other.db$'
cp other.db name.db
run 0 bench bcast --flavor openmpi --methods native -P 2 -s 8 --program ./program --platform faek --db name.db -q
expect "^tutti: note: name.db: a new platform 'faek'; the store has 'fake' of the same hosts\$"
run 0 bench bcast --flavor openmpi --methods native -P 2 -s 1KB --program ./program --platform faek --db name.db -q
grep -q "a new platform" err && die "it is not new: $(cat err)"
compare 1 untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --launcher-args "--bind-to core"
expect "^tutti: note: other.db has 3 measurements on fake under other settings \(environment 1\): settings OMPI_MCA_mpi_yield_when_idle=1 there, settings --bind-to=core here\$"
compare 1 untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db
grep -q "under other settings" err && die "these are the settings: $(cat err)"

# Of pairs under two settings --stored takes those that are chosen by the line to be pasted.
compare 2 untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --stored
line=$(sed -n 's/^ *\(--environment [0-9]*\) .*--bind-to=core.*/\1/p' err)
[ -n "$line" ] || die "no line to be pasted: $(cat err)"
compare 1 untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --stored $line
compare 1 untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --stored --setting --bind-to=core
compare 2 untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --stored --setting UCX_TLS=sm
expect "other.db: has no pair of launches of these files on fake"

# Of several sets of measurements the points are those under the settings of the launches, or of the line to be pasted.
compare 0 untuned my.rules -P 2 --db other.db --rounds 1
expect "^tutti: --environment 2, the only one in other.db under the settings of these launches\$"
[ "$(outcome 2 64KB)" = "" ] || die "points of other settings: $(cat out)"
OMPI_MCA_mpi_yield_when_idle=1 compare 0 untuned my.rules -P 2 --db other.db --rounds 1
expect "^tutti: --environment 1, the only one in other.db"
[ "$(outcome 2 64KB)" = unclear ] || die "points of other settings: $(cat out)"
compare 2 untuned my.rules -P 2 --db other.db --rounds 1 --launcher-args "--bind-to core"
expect "^tutti: other.db: 2 sets of measurements match; choose one by adding:\$"
expect "^ *--environment 1 "
compare 0 untuned my.rules -P 2 --db other.db --rounds 1 --environment 1
grep -q "the only one in other.db under" err && die "the environment was said: $(cat err)"

# Of sets of two hosts those of this one.
cp other.db twin.db
sqlite3 twin.db "UPDATE environment SET hosts = '0123456789abcdef'"
run 0 merge --db hosts.db other.db twin.db
compare 0 untuned my.rules -P 2 --db hosts.db --rounds 1
expect "^tutti: --environment [0-9]*, the only one in hosts.db under the settings of these launches on this host\$"

# Pairs of both schemes: each is taken by its own, occ unless --scheme says otherwise.
pair="untuned my.rules -P 2 -s 8,8KB --collective bcast --db schemes.db"
compare 1 $pair
: >log
compare 1 $pair --scheme window
grep -q "^2 " log || die "pairs of occ stand for those of window"
: >log
for scheme in occ window; do
  compare 1 $pair --scheme $scheme
  expect "^untuned against my.rules on fake, .*, scheme $scheme\$"
  compare 1 $pair --scheme $scheme --stored
  expect "^lost: 1 of 2 points"
done
grep -q "^2 " log && die "measured again: $(cat log)"
run 0 report -o schemes.html --db schemes.db

# The platform is that of the store, if it has one of the library.
run 1 compare untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --stored $line
expect "^tutti: --platform fake, the only one in other.db\$"
expect "^untuned against my.rules on fake, openmpi, OpenMPI-4.1.4"
run 0 bench bcast --flavor mpich --methods native -P 2 -s 8 --program ./program --platform else --db other.db -q
run 1 compare untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --stored $line
run 0 bench bcast --flavor openmpi --methods native -P 2 -s 8 --program ./program --platform else --db other.db -q
run 2 compare untuned my.rules -P 2 -s 8,8KB --collective bcast --db other.db --stored $line
expect "^tutti: other.db: 2 platforms match; choose one by adding:\$"
expect "^  --platform else --flavor openmpi\$"
expect "^  --platform fake --flavor openmpi\$"

# So does what export suggests: the settings of the store are not those of this process.
bench told.db -P 2,4 --oversubscribe --methods native,linear@openmpi --launcher-args "--mca mpi_yield_when_idle 1 --bind-to core"
run 0 export bcast/linear --format openmpi --platform fake --db told.db --environment 1 -o told.rules
expect "^  OMPI_MCA_mpi_yield_when_idle=1 tutti compare untuned told.rules --between --platform fake --db told.db --environment 1 --launcher-args='--bind-to core'\$"
OMPI_MCA_mpi_yield_when_idle=1 compare 0 untuned told.rules --db told.db --environment 1 --launcher-args='--bind-to core' --rounds 1
grep -q "under other settings" err && die "these are the settings: $(cat err)"

# Learners put the bounds of rules between two sizes: just inside they may lose. Mended, a rule is left where it wins.
cp times all.times
printf 'bcast 4097 8000 3.5\nbcast 8001 40000 0.8\nbcast 40001 50000 1.4\n' >times
printf '1\n7\n1\n0\n3\n0 0 0 0\n4097 6 0 0\n46341 0 0 0\n' >inside.rules
sizes="--collective bcast -P 2 -s 4KB,16KB,64KB --db between.db"
compare 0 untuned inside.rules $sizes --unchanged
compare 1 untuned inside.rules $sizes --between -o between.rules
found=$(for size in 4097B 16KB 46340B; do outcome 2 $size; done | tr '\n' ' ')
[ "$found" = "lost won lost " ] || die "between: $found, $(cat out)"
expect "tutti compare untuned between.rules .* -P 2 -s 4KB,16KB,64KB --between"
[ "$(outcome 2 13776B)" = won ] || die "no size within the rule that is no power of two: $(cat out)"
for size in 4097 13775 32769 46340; do
  run 0 explain bcast -P 2 -s $size --decision between.rules
  expect "own choice"
done
run 0 explain bcast -P 2 -s 16KB --decision between.rules
grep -q "own choice" out && die "what wins was not kept: $(cat between.rules)"
compare 0 untuned between.rules $sizes --between
expect "^lost: 0 of "

# A rule that wins at the powers of two of a sweep and loses between them: where nothing was measured it does not stand,
# and --between measures there, and where the library changes its mind (bcast on 2 ranks: at 1 KB).
printf 'bcast 512 512 0.3\nbcast 513 4095 1.7\nbcast 4096 4096 0.6\n' >times
printf '1\n7\n1\n0\n3\n0 0 0 0\n512 3 0 1024\n4097 0 0 0\n' >special.rules
sizes="--collective bcast -P 2 -s 64..32KB*8 --db special.db"
compare 0 untuned special.rules $sizes -o special.mended
expect "^1 of the points won keeps the rule for its size alone, since nothing was measured near above: use --between, or add -s 1448\$"
for size in 700 1024 3072; do
  run 0 explain bcast -P 2 -s $size --decision special.mended
  expect "own choice"
done
for size in 512 4096; do
  run 0 explain bcast -P 2 -s $size --decision special.mended
  grep -q "own choice" out && die "what wins was not kept: $(cat special.mended)"
done
compare 0 untuned special.mended $sizes --between
expect "^won: 2 of 2 points"
compare 1 untuned special.rules $sizes --between -o special.mended
grep -q "keeps the rule for its size alone" err && die "there is no gap: $(cat err)"
[ "$(outcome 2 1KB)" = lost ] || die "not where the library changes its mind: $(cat out)"
[ "$(outcome 2 3KB)" = lost ] || die "no size that is no power of two: $(cat out)"

# What has won on 2 ranks says nothing about another algorithm on 3, where --between measures.
printf 'bcast 0 1000000 0.7\n' >times
printf '1\n7\n2\n2\n1\n0 3 0 1024\n3\n1\n0 2 0 8192\n' >blocks.rules
compare 0 untuned blocks.rules --collective bcast -P 2 -s 64KB -o blocks.mended
run 0 explain bcast -P 2 -s 64KB --decision blocks.mended
grep -q "own choice" out && die "what wins was not kept: $(cat blocks.mended)"
run 0 explain bcast -P 3 -s 64KB --decision blocks.mended
expect "own choice"
compare 0 untuned blocks.rules --collective bcast -P 2,5 -s 64KB --between --rounds 1
[ "$(outcome 3 64KB)" = unclear ] || die "the first number of ranks of a block was not measured: $(cat out)"
mv all.times times

# Mended, it loses nowhere and wins where it won.
: >log
compare 0 untuned mended.rules $points
expect "^won: 4 of 4 points"
expect "^lost: 0 of 4 points"
expect "^6 points at which the file changes nothing are not measured \(--unchanged measures them\)\$"
grep "^[24] " log | grep -q "=1024" && die "a point that is the library's own choice was measured: $(cat log)"
grep "^[24] " log | grep -q "=65536" || die "nothing was measured: $(cat log)"
cp out first.out
compare 0 untuned mended.rules $points --stored
cmp -s first.out out || die "--stored: $(cat out)"
compare 0 untuned mended.rules $points --json
expect '"unchanged": 6'
compare 0 untuned mended.rules $points -o mended.again
grep -v '^#' mended.rules >one && grep -v '^#' mended.again | cmp -s - one || die "mended twice: $(cat mended.again)"
compare 0 untuned mended.rules $points --unchanged
expect "^unclear: 6 of 10 points"
run 0 lint mended.rules
grep -q "own choice stands at 6 of 10" mended.rules || die "no comment: $(cat mended.rules)"

# What is lost where the library chooses itself, having rules costs: the collective gets none.
FAKE_LOOKUP=1.1 compare 1 untuned mended.rules $points -o none.rules --db lookup.db --unchanged
expect "^lost: 6 of 10 points, mean \+10.0 %"
expect "bcast: lost even where the library chooses itself: all rules for it are left out"
expect "none.rules: the library's own choice at 10 of 10 points: nothing is left of mended.rules there, so there is nothing to install"
grep -q '^0  # collectives' none.rules || die "rules are left: $(cat none.rules)"
: >log
compare 0 untuned none.rules $points
expect "^10 points at which the file changes nothing are not measured"
[ "$(grep -c '^[24] ' log)" -eq 0 ] || die "something was measured: $(cat log)"
compare 0 none.rules none.rules $points --rounds 1 # with itself: how far launches are apart
expect "^unclear: 10 of 10 points"

# What makes no difference is the library's own, unless it is to be kept.
run 0 explain bcast -P 4 -s 1KB --decision mended.rules
expect "own choice"
compare 1 untuned my.rules $points -o same.rules --keep-unclear
expect "same.rules: the library's own choice at 4 of 10 points"
run 0 explain bcast -P 4 -s 1KB --decision same.rules
grep -q "own choice" out && die "what makes no difference was not kept"

# The other way round: before is the file.
compare 1 my.rules untuned $points --rounds 13
expect "^won: 4 of 10 points, mean -33.3 %, best -33.3 %"

# MPICH: its file has rules for everything.
printf 'bcast/in-order-binomial bytes=..1000\nbcast/scatter-ring\n' >rules.txt
run 0 export rules.txt --format mpich -o my.json
printf 'bcast 0 1000000 1.5\n' >times
compare 1 untuned my.json --collective bcast,reduce -P 2,8 -s 8,64KB -o mended.json
expect "^lost: 2 of 2 points"
expect "^6 points at which the file changes nothing" # binomial is MPICH's own choice for 8 B, and all is for reduce
compare 0 untuned mended.json --collective bcast,reduce -P 2,8 -s 8,64KB
expect "^8 points at which the file changes nothing"
compare 0 untuned mended.json --collective bcast,reduce -P 2,8 -s 8,64KB --unchanged
expect "^lost: 0 of 8 points"
"$tutti" lint mended.json >out 2>&1
expect "^mended.json for mpich-4.0.2: 0 errors"

# A time that is none ends it.
FAKE_ZERO=8 compare 2 untuned my.rules --collective bcast -P 2 -s 8,1KB --db zero.db
expect "a time of 0 s was measured"

# Rounds are those that the measured points need, and too few of these are told beforehand.
compare 1 untuned mended.rules $points --db few.db
expect "4 points corrected after Holm; level 5 %; 12 rounds"
compare 0 untuned mended.rules $points --rounds 7 --db few.db
expect "with 7 rounds none of 4 points can be significant at 5 %: that takes at least 8"
compare 0 untuned my.rules --collective bcast -P 2 -s 8 --rounds 5 --db few.db
expect "with 5 rounds none of 1 point can be significant at 5 %: that takes at least 6"

# A launch that fails ends it; the rounds before are there.
: >log
FAKE_FAIL=6 compare 2 untuned my.rules --collective bcast -P 2 -s 8 --db failed.db
expect "tutti-bench on 2 ranks ended with status 3 before its first record: the network is down"
: >log
compare 0 untuned my.rules --collective bcast -P 2 -s 8 --db failed.db --rounds 2
[ "$(grep -c '^2 ' log)" -eq 0 ] || die "the rounds before the failure are lost: $(cat log)"

refused() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  compare 2 "$@" --db refused.db
  expect "$pattern"
}
printf '1\n7\n1\n0\n1\n5 1 0 0\n' >dropped.rules
refused "dropped.rules:[0-9:]+ .*OMPI-[0-9]+.: with openmpi-4.1.4: The whole file is dropped silently" untuned dropped.rules $points
refused "my.json: is no tuning file of openmpi" untuned my.json --flavor openmpi $points
printf '1\n7\n1\n0\n1\n0 99 0 0\n' >ignored.rules
refused "^tutti: ignored.rules:6:3: .* \[OMPI-007\]: with openmpi-4.1.4: The file is read; the call that gets this rule fails .* \(tutti lint lists all faults\)" untuned ignored.rules
refused "ignored.rules:6:3: .* the call that gets this rule fails" untuned ignored.rules $points
refused "my.rules: has no rules for (reduce, allreduce|allreduce, reduce)" untuned my.rules --collective allreduce,reduce -P 2 -s 8
refused "my.rules: has no rules for gather" untuned my.rules --collective gather
compare 0 untuned my.rules --collective allreduce -P 2 -s 8 --unchanged --rounds 1 --db refused.db
printf '0\n' >empty.rules
refused "the files have no rules: which collectives" untuned empty.rules
refused "'openmp' \(did you mean 'openmpi'\?\)" untuned untuned --flavor openmp $points
refused "unrecognized option '--slurm-args'" untuned my.rules $points --slurm-args -t
run 0 compare --help-all
grep -q "'slurm'" out && die "the help offers the queue, which is refused: $(cat out)"
refused "which library\? Name a tuning file, or use --flavor" untuned untuned $points
refused "nothing.rules: No such file" untuned nothing.rules $points
refused "BEFORE must be 'untuned'" my.rules mended.rules $points -o x.rules
refused "in one allocation" untuned my.rules $points --launcher slurm
refused "--flavor is mpich or openmpi" untuned untuned --flavor smpi $points
refused "rules.txt: is no tuning file of an MPI library" untuned rules.txt $points
refused "has no pair of launches|no such|missing|No such" untuned my.rules $points --stored
echo ok
