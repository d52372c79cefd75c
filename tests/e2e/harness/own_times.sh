#!/bin/sh
# A library's own algorithms in the store beside Tutti's: what is best, what a decision costs, what is learnt for the
# library, and which files are written for it.
#
# usage: own_times.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# Bytes and microseconds: by Tutti's code binomial is best everywhere, by the library's it is best nowhere.
cat >ours <<'END'
bcast/binomial 1 5 8 5 64 5 512 5 4096 5
bcast/linear 1 6 8 6 64 6 512 6 4096 6
END
cat >native <<'END'
bcast/native 1 1 8 1 64 1 512 1 4096 1
END
cat >own <<'END'
bcast/binomial@openmpi 1 2.23 8 2.23 64 2.23 512 2.23 4096 2.23
bcast/linear@openmpi 1 0.9 8 0.9 64 4 512 4 4096 4
bcast/pipeline/1KB@openmpi 1 3 8 3 64 3 512 3 4096 0.5
END

. "$source/tests/e2e/stores.sh"
store both.db openmpi ours native own
store ours.db openmpi ours native
store own.db openmpi native own
echo 'bcast/scatter-ring@mpich 1 3 8 3 64 3 512 3 4096 3' >other
store all.db openmpi native own other
machine='ranks_per_node=2 cores=1' spread=' spread_percent=10'
store noisy.db openmpi native own
machine='ranks_per_node=1' spread=
both='--platform here --db both.db'

# --- maps: ours compete unless there are only the library's, or these are asked for ---

run 0 map bcast $both
expect '^  B +bcast/binomial +10 +100.0 %'
expect '^  Candidates: the methods of tutti; those of other implementations were measured, too \(--of\)\.$'
run 0 map bcast $both --of openmpi
expect '^  L +bcast/linear@openmpi +4 +40.0 %'
expect '^  B +bcast/binomial@openmpi +4 +40.0 %'
expect '^  Candidates: the methods of openmpi;'
run 0 map bcast $both --of openmpi --native --json
expect '"candidates": "openmpi, native"'
run 0 map bcast $both --csv # of the candidates alone: none is faster than the best
awk -F, '{ sub(/\r$/, "") } /runner_up_median_s/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
  at["runner_up_median_s"] && $at["runner_up_median_s"] != "" { seen++; bad += $at["runner_up_median_s"] < $at["median_s"] }
  END { exit bad || !seen }' out || die "a runner-up is faster than the best, or there is none: $(cat out)"
run 0 map bcast --platform here --db own.db
expect '^  L +bcast/linear@openmpi +4 +40.0 %'
grep -q Candidates out && die "only one implementation was measured: $(cat out)"
run 2 map bcast $both --of mpich
expect '--of mpich: no bcast/ALGORITHM@mpich was measured on here'
run 2 map bcast $both --of lam
expect "unknown implementation 'lam': known are tutti, openmpi, mpich, smpi"

# What Open MPI cannot be told is never measured: the map is complete without it. (It has no ring of fewer elements than ranks.)
cat >told <<'END'
allreduce/ring@openmpi 64 5
allreduce/recursive-doubling@openmpi 1 4 64 4
END
store told.db openmpi told
run 0 map allreduce --platform here --db told.db
expect '^  Cannot be measured:$'
expect '^    at 2 of 4 points allreduce/ring@openmpi: openmpi cannot be told to run this on 2 ranks with 1B: '
grep -q Incomplete out && die "incomplete for want of what cannot be measured: $(cat out)"
echo 'allreduce/ring@openmpi 4096 5' >>told
store told.db openmpi told
run 0 map allreduce --platform here --db told.db
expect '^  Incomplete: at 2 of 6 points '

# Methods that are known only where a library picks them are no sign of a gap; others are.
for other in binomial pipeline/1KB; do
  rm -f gap.db
  printf '%s\n' 'bcast/linear 1 6 8 6 4096 6' "bcast/$other 1 5 8 5" >gap
  store gap.db openmpi gap
  run 0 map bcast --platform here --db gap.db
  [ $other = binomial ] || expect '^  Incomplete: at 2 of 6 points '
  [ $other = pipeline/1KB ] || ! grep -q Incomplete out || die "incomplete for want of a library's choice: $(cat out)"
done

# Without --platform: the only one, or a choice of them.
run 0 map allreduce --db told.db
expect '^tutti: --platform here, the only one in told.db$'
run 0 learn quadtree allreduce --db told.db --fill
expect '^tutti: --platform here, the only one in told.db$'
run 0 guidelines --db told.db
expect '^tutti: --platform here, the only one in told.db$'
run 0 import --format tutti records --db told.db --platform there
run 2 map allreduce --db told.db
expect 'told.db: 2 platforms match; choose one by adding:$'
expect '^  --platform here --flavor openmpi$'
expect '^  --platform there --flavor openmpi$'
run 2 map allreduce --db told.db --flavor mpich
expect 'told.db: 2 platforms, of other flavors; choose one by adding:$'
expect '^  --platform here --flavor openmpi$'
expect '^  --platform there --flavor openmpi$'
run 2 map allreduce --db absent.db
expect 'absent.db: no such store of measurements; this makes one:$'
expect '^  tutti bench allreduce --platform .* --db absent.db$'
for command in 'learn c45 bcast' 'penalty bcast/binomial' guidelines 'guidelines --platform grig_mx' report; do
  run 2 $command --db absent.db
  expect 'absent.db: no such store of measurements; this makes one:$'
  expect '^  tutti bench [a-z,]+ --platform .* --db absent.db$'
done

# Of real machines the map says how well its times are known, and who had no core.
grep -q 'Noise:\|Oversubscribed:' out && die "speaks of noise where none was measured: $(cat out)"
run 0 map bcast --platform here --db noisy.db --native --times
expect '^  Noise: the best times are known to 10.0 % or better, the least well with [24] ranks and [0-9K]*B\.$'
expect '^    By the medians, noise and all: at 4 of [0-9]+ points bcast/native differs from the best by less than the noise of both\.'
expect '^  Oversubscribed: 2, 4 ranks took turns on 1 core a node\.$'
expect '^ +2 +4KB +bcast/pipeline/1KB@openmpi +0.500 .* 0.050 '
run 0 map bcast --platform here --db noisy.db --times --json
expect '"cores": 1,'
expect '"noise_s": '

# Slower than the best by less than the noise counts as 0, which is said; explain says the same.
run 0 penalty bcast/native --platform here --db noisy.db --of openmpi --native
expect '^  bcast/native +0.00 +100.00 +20.00 +0.00 '
expect '^  bcast/native: 4 of 10 points count as 0 %: slower than the best by less than the noise of both$'
run 0 penalty bcast/native --platform here --db noisy.db --of openmpi --native --json
expect '"within_noise": 4,'
run 0 explain bcast -P 2 -s 8 --decision bcast/native --platform here --db noisy.db --of openmpi --native
expect '^\* bcast/native +1.000 +0.00 *$'
expect '^  bcast/native counts as 0 %: slower than the best by less than the noise of both$'

# Slower than the untuned library: the gain is below 1, which is explained.
run 0 map bcast --platform here --db own.db
expect '^ +bcast/native +0.869 +0.448 +2.000 '
expect '^    Below 1: bcast/native is faster there than all of these methods; with --native'
run 0 map bcast --platform here --db own.db --native
grep -q 'Below 1' out && die "nothing is slower than what may be chosen: $(cat out)"

# What was not measured has no penalty, for a reason that has no numbers of nothing.
run 2 penalty bcast/k-nomial --platform here --db own.db
expect '^tutti: bcast/k-nomial: its choice was not measured at any of 10 points$'

# --- penalties: the best by Tutti's code, far from it by the library's ---

run 0 penalty bcast/binomial $both
expect '^  bcast/binomial +0.00 +0.00 +0.00 +0.00 '
run 0 penalty bcast/binomial bcast/binomial@openmpi $both --of openmpi --native --json
[ "$(grep -o '"mean_percent": 177.51[0-9]*' out | wc -l)" -eq 2 ] || die "other penalties: $(cat out)"
expect '"candidates": "openmpi, native"'

# One table has one reference, which it names: that of the library, if one of the decisions is about its algorithms.
run 0 penalty bcast/binomial bcast/linear@openmpi $both --json
[ "$(grep -o '"candidates": "openmpi, native"' out | wc -l)" -eq 2 ] || die "two references: $(cat out)"
[ "$(grep -o '"max_percent": [0-9.]*' out | head -1)" = '"max_percent": 346' ] || die "another reference: $(cat out)"
run 0 penalty bcast/binomial bcast/linear@openmpi $both
expect '^Penalty against the best measured method of openmpi, native on here, scheme window$'
run 0 penalty bcast/binomial bcast/linear@openmpi $both --of tutti
expect '^Penalty against the best measured method of tutti on here, scheme window$'
expect '^  bcast/linear@openmpi +-82.00 '
run 0 penalty --against bcast/binomial bcast/linear@openmpi $both
expect '^Improvement over bcast/binomial on here, scheme window, methods of openmpi, native: '
expect '^  best measured +all +55.16 +77.58 '
run 2 penalty bcast/linear@openmpi bcast/scatter-ring@mpich --platform here --db all.db
expect 'bcast/scatter-ring@mpich is about algorithms of mpich, a decision before it about those of openmpi: --of says by which'

# A file of the library is judged by the library without being told so.
run 0 export bcast/binomial --format openmpi -o binomial.rules
run 0 penalty binomial.rules --collective bcast $both --worst 1
expect '^  binomial.rules +123.00 +346.00 +177.51 '
expect '^  binomial.rules: by the times of the algorithms that openmpi was told to run$'
expect '^ +346.00 +2 +4KB +bcast/binomial@openmpi +bcast/pipeline/1KB@openmpi$'

# --- explanations: what runs under a file of the library is its own code; what was not measured is not said to be ---

run 0 explain bcast -P 2 -s 64 --decision binomial.rules $both
expect '^\* bcast/binomial@openmpi +2.230 +123.00 *$'
expect '^  bcast/native +1.000 +0.00 *$'
grep -q '^[* ] bcast/binomial  ' out && die "Tutti's code does not run under the file: $(cat out)"
grep -q 'tutti params\|not measured' out && die "a hint that does not help: $(cat out)"
run 2 explain bcast -P 2 -s 64 --decision binomial.rules $both --environment 9
expect '^tutti: both.db: no environment 9 on platform here; there is:$'
expect '^  --environment 1  # openmpi, Library-1$'
run 0 explain bcast -P 2 -s 64 --decision binomial.rules --platform here --db ours.db
expect '^\* bcast/binomial@openmpi +- +- *$'
expect '^  bcast/binomial +5.000 '
expect '^  bcast/binomial@openmpi was not measured; this does it:$'
bench='^    tutti bench bcast --platform here --flavor openmpi --methods bcast/binomial@openmpi -P 2'
expect "$bench -s 64B --scheme window --db ours.db$"
run 0 bench $(sed -n 's/^    tutti bench //p' out) --write asked.xml
grep -q '<method name="bcast/binomial@openmpi"' asked.xml || die "the suggested line says something else: $(cat asked.xml)"
grep -q 'tutti params' out && die "a hint that does not help: $(cat out)"
run 0 explain bcast -P 2 -s 63 --decision binomial.rules $both
expect '^On here, where this call was not measured$'
expect "$bench -s 63B --scheme window --db both.db$"
grep -q 'tutti params' out && die "only the sweep is lacking: $(cat out)"
run 0 explain reduce -P 2 -s 64 --decision reduce/binomial $both
expect '^    tutti bench reduce --platform here .*--methods reduce/binomial -P 2 -s 64B --db both.db$'
grep -q 'tutti params' out && die "only the sweep is lacking: $(cat out)"

# What a library chooses untuned runs its own code, not Tutti's of the same name; native, if that version was measured.
run 0 explain bcast -P 4 -s 64 --decision library:openmpi-4.1 $both
expect '^\* bcast/binomial@openmpi +2.230 +123.00 *$'
grep -q '^[* ] bcast/binomial  ' out && die "Tutti's code does not run in Open MPI: $(cat out)"
run 0 penalty library:openmpi-4.1 --collective bcast $both --worst 9
expect '^ +123.00 +4 +64B +bcast/binomial@openmpi +bcast/native$'
library=OpenMPI-4.1.4
store untuned.db openmpi ours native
library=Library-1
run 0 explain bcast -P 2 -s 64 --decision library:openmpi-4.1 --platform here --db untuned.db
expect '^\* bcast/native +1.000 +'
run 0 explain bcast -P 2 -s 63 --decision library:openmpi-4.1 --platform here --db untuned.db
expect '^    tutti bench bcast --platform here --flavor openmpi --of openmpi -P 2 -s 63B --scheme window --db untuned.db$'
run 0 explain bcast -P 2 -s 64 --decision library:openmpi-1.x --platform here --db untuned.db
expect '^    tutti bench bcast --platform here --flavor openmpi --methods bcast/binomial@openmpi -P 2 -s 64B --scheme window --db'

# --- learning: for a target its own algorithms, and its own choice where that is best ---

run 0 learn quadtree bcast $both --target openmpi -o own.tree
expect '^  quadtree +0.00 +0.00 +0.00 +0.00 '
for leaf in native linear@openmpi pipeline/1KB@openmpi; do
  grep -q ": $leaf " own.tree || die "no leaf $leaf: $(cat own.tree)"
done
grep -q 'binomial' own.tree && die "binomial is nowhere best: $(cat own.tree)"
grep -q 'note:' err && die "a note: $(cat err)"
run 0 explain bcast -P 4 -s 64 --decision own.tree $both --json
expect '"chosen": true, "method": "bcast/native", "measured_s": 1e-06'
# Linear is 10 % faster than its own choice: not enough if the times are known to 10 % only, or if 15 % are asked for.
for options in '--db noisy.db' '--db both.db --margin 15'; do
  run 0 learn quadtree bcast --platform here $options --target openmpi -o clear.tree
  grep -q ': pipeline/1KB@openmpi ' clear.tree || die "$options: what is clearly faster is not learnt: $(cat clear.tree)"
  grep -q 'linear' clear.tree && die "$options: what may be no faster is learnt: $(cat clear.tree)"
done
run 0 learn quadtree bcast --platform here --db ours.db --target openmpi -o ours.tree
expect "^tutti: note: bcast: Tutti's schedules stand for the algorithms of openmpi \(bcast/...@openmpi\), which were not measured on here"
grep -q ': binomial ' ours.tree || grep -q '^binomial' ours.tree || die "not Tutti's: $(cat ours.tree)"
run 0 learn quadtree bcast $both --native -o native.tree
grep -q '^native' native.tree || die "native is best everywhere: $(cat native.tree)"
run 0 explain bcast -P 2 -s 64 --decision native.tree
expect "^  the library's own choice: bcast/native$"
run 0 explain bcast -P 2 -s 8 --decision own.tree
expect '^  bcast/linear@openmpi$'
expect "^  openmpi runs its own algorithm, not Tutti's: only a file for it can say that"

# --- exports: refused where the library is better off alone, or nobody knows ---

run 2 export bcast/binomial --format openmpi $both -o refused.rules
expect '^tutti: bcast: openmpi left alone is faster than with the file by more than 5 % at 10 of 10 points; the file takes 123.00 % more time in the mean, at worst 123.00 %: decide by its own times, or write the file all the same with --force:$'
expect '^  tutti learn LEARNER bcast --target openmpi-4.1 --platform here --db both.db --scheme window$'
run 2 export ours.tree --format openmpi --platform here --db ours.db -o refused.rules
expect "^tutti: bcast: the file runs the code of openmpi, whose times on here are not known at 10 of 10 points; by those of Tutti's code the file loses 0.00 % in the mean: measure bcast/binomial@openmpi, or write the file all the same with --force \\(after tutti bench --budget the store of its --output-db has all times\\):\$"
expect "^  tutti bench bcast --platform here --flavor openmpi --of openmpi -P 2,4 -s 1B,8B,64B,512B,4KB --db ours.db --methods 'bcast/binomial@openmpi'\$"
run 2 export bcast/scatter-ring --format mpich --platform here --db ours.db -o refused.rules
expect 'the file runs the code of mpich'
expect '^  tutti bench bcast --platform here --flavor mpich --of mpich '
printf 'bcast/linear bytes=..64\nbcast/chain/8KB/k=2\n' >unknown.txt
run 2 export unknown.txt --format openmpi $both -o refused.rules
expect 'whose times on here are not known at 4 of 10 points; by those of the other points .* measure bcast/chain/8KB/k=2@openmpi \(first on 2 ranks, 512B\), or '
run 2 export unknown.txt --format openmpi --platform here --db noisy.db -o refused.rules
expect "^  tutti bench bcast .* --db noisy.db --oversubscribe --methods 'bcast/chain/8KB/k=2@openmpi'\$"
# A library cannot be told which parts a method has.
printf '%s\n' "allreduce/ring 1 5 64 5" "allreduce/reduce-bcast 1 3 64 3" >parts
library=OpenMPI-4.1.4
store parts.db openmpi parts
run 2 export allreduce/reduce-bcast/reduce=pipeline --format openmpi --platform here --db parts.db -o refused.rules
expect "^  tutti bench allreduce .* --methods '.*allreduce/reduce-bcast@openmpi"
# A limit of messages that is never reached makes no difference: what the file reads as another one was measured.
for version in OpenMPI-4.1.4 MPICH-4.0.2; do
  flavor=$(echo "${version%-*}" | tr A-Z a-z)
  printf '%s\n' "alltoall/native 1 5 64 5" "alltoall/linear-sync@$flavor 1 4 64 4" >sync
  library=$version
  store sync-$flavor.db $flavor sync
  run 0 export alltoall/linear-sync --format $flavor --platform here --db sync-$flavor.db -o sync.$flavor
  expect '^alltoall: decided by alltoall/linear-sync; 0 of 4 points .* as written: mean 0.00 %, worst 0.00 %;.* by the own times of'
done
library=Library-1
# Of several methods those are measured that nobody knows, where the file runs them.
printf 'alltoall/pairwise@openmpi 1 4\nalltoall/linear@openmpi 64 4\n' >some
store some.db openmpi sync some
printf 'alltoall/linear bytes=..1\nalltoall/pairwise\n' >some.txt
run 2 export some.txt --format openmpi --platform here --db some.db -o refused.rules
expect 'measure alltoall/linear@openmpi \(first on 2 ranks, 1B\), alltoall/pairwise@openmpi \(first on 2 ranks, 64B\), or write'
expect "^  tutti bench alltoall .* -P 2,4 -s 1B,64B --db some.db --methods 'alltoall/linear@openmpi,alltoall/pairwise@openmpi'\$"
[ ! -e refused.rules ] || die 'a refused file was written'
run 0 export bcast/binomial --format openmpi $both -o forced.rules --force
expect '^tutti: warning: bcast: openmpi left alone is faster'
expect '; by the own times of openmpi; against untuned: mean \+123.00 %, worst \+123.00 %, slower at 10, faster at 0 of 10 points$'
grep -q '^1 6 0 0  # bcast/binomial$' forced.rules || die "not written: $(cat forced.rules)"

run 0 export own.tree --format openmpi $both -o own.rules --json
expect 'luck included. To measure what the file wins and loses, before it is used:$'
expect '^  tutti compare untuned own.rules --between --platform here --db both.db --scheme window$'
expect '^bcast: decided by own.tree; 0 of 10 points \(0.0 %\) replaced; penalty before: mean 0.00 %, worst 0.00 %; as written: mean 0.00 %, worst 0.00 %; by the own times of openmpi; against untuned: mean -14.00 %, worst \+0.00 %, slower at 0, faster at 6 of 10 points$'
expect '"candidates": "openmpi, native", "untuned": \{"points": 10, "mean_percent": -14, "max_percent": 0, "slower": 0, "faster": 6\}'
grep -q "^23 0 0 0  # Open MPI's own choice$" own.rules || die "nothing is left to Open MPI: $(cat own.rules)"
grep -q '@' own.rules && grep -v '^#' own.rules | grep -q '@' && die "a name that Open MPI does not know: $(cat own.rules)"
run 0 lint own.rules # measured from 2 ranks on: no block for a single one, which does not come to coll/tuned
expect ': 0 errors, 0 warnings, 0 notes$'
run 0 explain bcast -P 2 -s 64 --decision own.rules --db both.db
expect '^tutti: note: times are left out: --platform NAME shows those of a platform of both.db$'
run 0 explain bcast -P 2 -s 64 --decision own.rules
expect "^  the library's own choice"
run 0 penalty own.rules --collective bcast $both
expect '^  own.rules +0.00 +0.00 +0.00 '
run 0 export own.tree --format openmpi-6 $both -o own.json
run 0 lint own.json
expect ': 0 errors, 0 warnings, [0-9]* notes?$'
run 0 export bcast/native barrier/bruck --format openmpi-6 -o own.json
grep -q bcast own.json && die "a list without rules: $(cat own.json)"
run 0 lint own.json
for target in tutti c mpich smpi; do
  run 2 export own.tree --format $target
  expect 'own.tree names algorithms as openmpi runs them \(bcast/...@openmpi\): only files for openmpi can say them'
done

# --- the same for MPICH, whose files have the conditions of its own choice ---

cat >own <<'END'
bcast/scatter-ring@mpich 1 0.5 8 0.5 64 3 512 3 4096 3
bcast/scatter-recursive-doubling@mpich 1 9 8 9 64 9 512 9 4096 9
END
store mpich.db mpich ours native own
mpich='--platform here --db mpich.db'
run 0 learn quadtree bcast $mpich --target mpich -o mpich.tree
grep -q ': native ' mpich.tree || die "native is nowhere best: $(cat mpich.tree)"
run 2 export bcast/scatter-recursive-doubling --format mpich $mpich -o refused.json
expect 'mpich left alone is faster than with the file'
run 0 export mpich.tree --format mpich $mpich -o mpich.json
expect '; against untuned: mean -20.00 %, worst \+0.00 %, slower at 0, faster at 4 of 10 points$'
run 0 lint mpich.json
expect ': 0 errors, 0 warnings, [0-9]* notes?$'
run 0 explain bcast -P 2 -s 64 --decision mpich.json
expect '^  MPIR_Bcast_intra_binomial'
expect "^  this is the library's own choice: it runs the same without the file$"
echo 'bcast/native bytes=..600
bcast/in-order-binomial' >small.txt
for ranks in 2..2 2..8 4..24; do
  run 0 export small.txt --format mpich --ranks $ranks -o small.json
  run 0 lint small.json
  expect ': 0 errors, 0 warnings, [0-9]* notes?$'
done
run 0 penalty mpich.json --collective bcast $mpich
expect '^  mpich.json: by the times of the algorithms that mpich was told to run$'

# --- what MPICH would run anyway (its binomial tree on up to 7 ranks): no gain, no loss, no rule ---

cat >own <<'END'
bcast/in-order-binomial@mpich 1 0.5 8 1.5 64 3 512 3 4096 3
bcast/scatter-ring@mpich 1 9 8 9 64 9 512 9 4096 0.5
END
library=MPICH-4.0.2
store known.db mpich ours native own
known='--platform here --db known.db'
run 0 learn quadtree bcast $known --target mpich -o known.tree
expect "^  quadtree: 8 of 10 points: the library's own choice$"
grep -q binomial known.tree && die "the library's own choice is learnt as if it were another: $(cat known.tree)"
run 0 penalty bcast/scatter-ring@mpich --against bcast/in-order-binomial@mpich $known
expect "^  bcast/in-order-binomial@mpich: 10 of 10 points: the library's own choice$"
run 0 penalty bcast/in-order-binomial@mpich $known --worst 3
expect "^  bcast/in-order-binomial@mpich: 10 of 10 points: the library's own choice$"
expect '^  bcast/in-order-binomial@mpich +0.00 +100.00 +20.00 '
run 0 penalty bcast/in-order-binomial@mpich $known --json
expect '"own_choices": 10,'
store mine.db mpich native own
# The map, the penalty and the explanation have one time of it: that of native.
run 0 map bcast $known --of mpich --native --times
expect '^ +2 +1B +bcast/[a-z@-]+ +1.000 +bcast/[a-z@-]+ +1.000'
grep -q '0\.500.*1B\|1B.*0\.500' out && die "the time of the method when it was forced: $(cat out)"
run 0 explain bcast -P 2 -s 1 --decision bcast/in-order-binomial@mpich $known
expect '^. bcast/in-order-binomial@mpich +1.000 +0.00 *$'
expect '^. bcast/native +1.000 +0.00 *$'
echo bcast/native >native.txt
for decision in bcast/native native.txt bcast/in-order-binomial; do # that name no algorithm of MPICH's
  run 0 penalty $decision --db mine.db
  expect "^  $decision: 10 of 10 points: the library's own choice$"
done
run 0 map bcast --db mine.db # at 4 KB alone is what is best another one
expect '^ +bcast/native +1.149 +1.000 +2.000 +2 ranks, 4KB +10$'
run 0 report --db mine.db --json # the page has the same times
expect '"decision": "bcast/native", "kind": "native", "mean_percent": 20, .*"min_percent": 0, "max_percent": 100,'
run 0 export known.tree --format mpich $known -o known.json
expect "; 8 of 10 points: the library's own choice; by the own times of mpich; against untuned: mean -10.00 %, worst \+0.00 %, slower at 0, faster at 2 of 10 points$"
run 0 export bcast/in-order-binomial --format mpich $known -o nothing.json --json
expect "^bcast: .*; 0 of 10 points \(0.0 %\) replaced; .*; 10 of 10 points: the library's own choice; .* worst \+0.00 %, slower at 0, faster at 0 of 10 points$"
expect "^The library's own choice everywhere: there is nothing to install$"
expect '"own_choices": 10,'
grep -q 'tutti compare\|^export ' err && die "there is nothing to compare and nothing to install: $(cat err)"
run 0 explain bcast -P 4 -s 64 --decision nothing.json
expect '^  MPIR_Bcast_intra_binomial'
echo "both implementations: maps, penalties, learnt and exported for Open MPI and MPICH"
