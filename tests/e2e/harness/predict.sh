#!/bin/sh
# tutti predict: by formula and by schedule, for one call and for maps; decisions of models compared with "measured" times.
# Nothing is simulated: stored predictions of a model take the place of measurements.
#
# usage: predict.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

grig='--platform grig_fast_ethernet'

# Eight ranks, a binomial tree of three levels: 3 (110.65 + 0.0851 * 1000) us; 7 messages one after the other.
run 0 predict bcast -P 8 -m 1000 $grig --model hockney --by both --method bcast/binomial --method bcast/linear
expect 'published parameters'
expect '^  bcast/linear +1370\.250 +1370\.250$'
expect '^  bcast/binomial +587\.250 +587\.250$'
expect '^  best, hockney by formula: bcast/binomial, 587\.250 us$'

# Models do not know a switch that loses throughput.
grep -q 'lose throughput' err && die "what does grig lose: $(cat err)"
run 0 predict alltoall -P 24 -m 16KB --platform boba_gige_switch --parameters published --model hockney
expect '^tutti: note: boba_gige_switch: links of the platform lose throughput when many messages meet, which models do not know'

# The best segment size of table 5.1, and of table 6.1 in the dissertation: 10116 B.
run 0 predict bcast -P 64 -m 768KB $grig --model hockney --segments best --printed
expect '^  best, hockney by printed formula: bcast/(pipeline|split-binary)/'
grep -Eq '^  bcast/split-binary/10[01][0-9][0-9]B ' out || die "no split-binary segment near 10116 B: $(cat out)"

# Segments are tried for a method that has none.
run 0 predict bcast -P 8 -m 4KB $grig --model hockney --method bcast/pipeline --method bcast/binary/2KB --segments 512,1KB
expect '^  bcast/pipeline/512B '
expect '^  bcast/pipeline/1KB '
expect '^  bcast/binary/2KB '
[ "$(grep -c '^  bcast/' out)" -eq 3 ] || die "other methods: $(cat out)"

# Weights decide when models disagree.
run 0 predict bcast -P 16 -m 1 $grig --by schedule --model hockney=3,loggp --method bcast/linear --method bcast/binomial
expect '^  best, hockney by schedule: bcast/binomial, '
expect '^  best, loggp by schedule: bcast/linear, '
expect '^  most votes: bcast/binomial, 3 of 4$'
run 0 predict bcast -P 16 -m 1 $grig --by schedule --model hockney,loggp=3 --method bcast/linear --method bcast/binomial
expect '^  most votes: bcast/linear, 3 of 4$'

# JSON says the same as the table.
run 0 predict barrier -P 16 $grig --model loggp --by both --json
expect '"method": "barrier/bruck", "time_s": \{"loggp by formula": 0\.000[0-9]+, "loggp by schedule": 0\.000[0-9]+\}'
expect '"best": \{"loggp by formula": "barrier/[a-z-]+", "loggp by schedule": "barrier/[a-z-]+"\}'

# A map that was stored is the map that was printed, and its own model loses nothing against it.
run 0 predict bcast -P 2..20 -m 8..1MB*4 $grig --model hockney --segments none
expect '^tutti: note: --size 8..1MB\*4: the last step is 512KB$'
run 0 predict bcast -P 2..20*3 -m 4..1MB*4 $grig --model hockney --segments none
expect '^tutti: note: --ranks 2..20\*3: the last step is 18$'
grep -q 'note: --size' err && die "1 MB is a step: $(cat err)"
run 0 predict bcast -P 2..20 -m 1..256KB*4 $grig --model loggp --segments none,1KB,8KB --store model.db
cp out printed
run 0 map bcast $grig --db model.db
sed '/^  Ties:/d; /^  Incomplete:/d; /^$/d' out >stored
sed 's/model loggp by formula/scheme window/; /^$/d' printed | diff -u - stored >&2 || die 'the stored map is another one'
"$tutti" penalty --collective bcast $grig --db model.db --parameters published model:loggp model:hockney >out 2>err ||
  die "penalty: $(cat err)"
expect '^  model:loggp +0\.00 +0\.00 +0\.00 +0\.00 '
grep -Eq '^  model:hockney +0\.00 +0\.00 ' out && die "hockney decides as loggp does: $(cat out)"

# Predictions by other parameters are other measurements.
for alpha in 1us 2us; do
  run 0 predict bcast -P 2..4 -m 8 $grig --model hockney --parameters hockney:alpha=$alpha,beta=1ns --store given.db
done
run 2 map bcast $grig --db given.db
[ "$(grep -o 'hockney by formula, parameters as given, [0-9a-f]*' err | sort -u | wc -l)" -eq 2 ] ||
  die "not two sets of predictions: $(cat err)"
run 0 map bcast $grig --db given.db \
  --library "$(grep -o 'hockney by formula, parameters as given, [0-9a-f]*' err | head -n 1)"

# Formulas as printed are called so, and are other predictions than corrected ones.
run 0 predict bcast -P 2..4 -m 8 $grig --model loggp --printed --store printed.db
expect ', model loggp by printed formula '
run 0 predict bcast -P 2..4 -m 8 $grig --model loggp --store printed.db
run 2 map bcast $grig --db printed.db
grep -q 'loggp by printed formula, published parameters, [0-9a-f]*' err || die "not told apart: $(cat err)"

# Other parameters than those of the platform.
run 0 predict bcast -P 2 -m 100 $grig --parameters hockney:alpha=1us,beta=1ns --method bcast/linear
expect 'parameters as given'
expect '^  bcast/linear +1\.100$'

# A file beside the command is the platform, whatever is shipped under its name; gamma is the platform's unless said.
sed 's/published-alpha" value="110.65e-6"/published-alpha" value="1e-6"/' "$source/platforms/grig_fast_ethernet.xml" \
  >grig_fast_ethernet.xml
run 0 predict bcast -P 2 -m 0B --platform ./grig_fast_ethernet.xml --model hockney --method bcast/linear
expect '^  bcast/linear +0\.000$'
run 0 predict bcast -P 2 -m 1 --platform ./grig_fast_ethernet.xml --model hockney --method bcast/linear
expect '^  bcast/linear +1\.085$'
rm grig_fast_ethernet.xml
run 0 predict reduce -P 2 -m 1000 $grig --model hockney --parameters hockney:alpha=1us,beta=1ns --gamma 1ns \
  --method reduce/linear
expect '^  reduce/linear +3\.000$'

# An unreadable store that was named is an error.
run 2 predict bcast $grig -P 2 --db absent.db
expect 'absent.db'
echo 'no store' >text.db
run 2 predict bcast $grig -P 2 --db text.db
expect 'text.db'

# Why a method that was asked for has no time.
run 2 predict allreduce $grig -P 10,12 --method allreduce/bine --by schedule
expect '^tutti: allreduce/bine: needs a number of ranks that is a power of two'
run 0 predict allreduce $grig -P 10 --method allreduce/bine --method allreduce/ring --by schedule
expect '^tutti: note: 1 time left out: allreduce/bine: needs a number of ranks that is a power of two'
run 0 predict allreduce $grig -P 10,16 --method allreduce/bine --by schedule
expect '^tutti: note: 1 time left out: allreduce/bine: needs'

# What rounds differently on each rank must be asked for, with one call and with maps.
for sizes in 8 8,16; do
  run 0 predict allreduce $grig -P 16 -s $sizes --by schedule --model hockney --method census --method allreduce/reduce-bcast
  expect '^tutti: note: methods such as allreduce/census are the fastest at [12] points? on grig_fast_ethernet, .*: --rounds-apart lets them be$'
  expect 'allreduce/reduce-bcast(, [0-9.]+ us| +[12] +100.0 %)$'
  for asked in --rounds-apart '--segments none'; do
    run 0 predict allreduce $grig -P 16 -s $sizes --by schedule --model hockney --method census $asked --json
    grep -q 'let them be\|lets them be' err && die "it was asked for: $(cat err)"
    expect '"candidates": "tutti, rounds apart"'
  done
done

# Errors.
run 2 predict bcast $grig -P 2 -m 18446744073709551615
expect 'more than can be predicted'
run 2 predict bcast $grig -P 2 --root 1
expect '--root'
run 2 predict bcast $grig -P 2 --printed --by schedule
expect '--printed'
run 2 predict bcast $grig -P 2 --model hockney --parameters loggp:L=1us,o=1us,g=1us,G=1ns
expect 'not the model hockney'
run 2 predict bcast --platform boba_gige_hosts --model hockney
expect 'the published parameters do not give the model hockney'
run 2 predict bcast --model hockney
expect '--platform NAME is missing: tutti platform list has the names'
run 2 predict bcast $grig --model lazy
expect "'lazy' is none of the models hockney, loggp, plogp"
run 2 predict bcast $grig --model hockney=-1
expect "weight '-1' of the model hockney is not a number above 0"
run 2 predict bcast $grig --method reduce/linear
expect 'reduce/linear is no method of bcast'
run 2 predict barrier $grig -m 8
expect 'a barrier has no message'
run 2 predict bcast $grig -P 0
expect '--ranks'
run 2 predict bcast $grig -P 1..10000 -s 1..10000
expect '\-\-ranks and --size: more than 4194304 times to predict'
run 2 predict bcast $grig --segments 1KX
expect "'1KX' is none of none, best and a size"
run 2 predict bcast --platform torus
expect 'no parameters were measured \(tutti params torus\)'
run 0 platform new torus 4x2 --latency 2us --bandwidth 1GBps -o torus.xml
for options in '' '--method allreduce/bucket'; do
  run 0 predict allreduce --platform ./torus.xml --parameters published --by schedule -P 8 -s 1KB $options
  expect 'allreduce/bucket/torus=4x2'
done
run 2 predict allreduce --platform fugaku -P 45 --method allreduce/bucket
expect 'there is no such call of allreduce that can be predicted: allreduce/bucket: needs torus='
run 2 predict bcast $grig --model hockney --method bcast/chain/k=2
expect 'bcast/chain'
run 2 predict bcast $grig -P 2,4 --plot map.svg
expect 'a picture shows one model, not 3'
run 2 predict allgather --platform leonardo -P '4..8*2' -s 1KB,64KB --method ring --method allgather/bruck --plot map.svg
expect 'maps of a fitted platform are simulated:$'
expect "^  tutti bench allgather --platform leonardo --engine fast -P '4..8\*2' -s 1KB,64KB --methods ring,allgather/bruck$"
expect '^  tutti map allgather --platform leonardo --engine fast --plot map.svg$'
sed -n 's/^  tutti //p' err >fitted
run 0 $(sed -n "1s/'//gp" fitted) --db fitted.db -q
run 0 map allgather --db fitted.db
expect '^  Of a fitted platform: times are known to a factor of [0-9.]+ in 90 of 100 cases; tutti predict says which'
run 2 predict barrier --platform leonardo --output-db own.db
expect '^  tutti bench barrier --platform leonardo --engine fast --db own.db -P 64$'
expect '^  tutti map barrier --platform leonardo --engine fast --db own.db$'
"$tutti" penalty $grig --db model.db model:loggp >out 2>err && die 'penalty of a model without a collective'
expect 'say which with --collective'

# PLogP fitted to barriers and broadcasts: a pipeline, which it was fitted to, is what was simulated.
run 0 bench barrier,bcast --platform grig_mx_loggp --engine fast -P 2..16*2 -s 1..64KB*4 --methods linear,pipeline --db fit.db
run 0 params grig_mx_loggp --db fit.db -q
run 0 predict bcast --platform grig_mx_loggp --db fit.db --engine fast --parameters fitted --model plogp -P 16 -s 16KB --method bcast/pipeline
expect '16KB; parameters fitted to barriers and broadcasts$'
predicted=$(awk '$1 == "bcast/pipeline" { print $2 }' out)
simulated=$(sqlite3 fit.db "SELECT 1e6 * median_s FROM measurement t JOIN method d ON d.id = t.method WHERE d.name = 'bcast/pipeline'
  AND ranks = 16 AND rank_B = 16384")
awk -v p="$predicted" -v s="$simulated" 'BEGIN { exit !(p > 0 && s > 0 && p / s < 1.001 && s / p < 1.001) }' ||
  die "fitted: $predicted us are predicted of $simulated us"
run 2 predict bcast --platform grig_mx --db fit.db --parameters fitted
run 0 params grig_mx --db fit.db -q
run 2 predict bcast --platform grig_mx --db fit.db --parameters fitted
expect 'barrier'
