#!/bin/sh
# tutti predict: by formula and by schedule, for one call and for maps; decisions of models beside what was "measured".
# Nothing is simulated: what a model predicts, stored, is what it is compared with.
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

# The best segment size of table 5.1, and of table 6.1 in the dissertation: 10116 B.
run 0 predict bcast -P 64 -m 768KB $grig --model hockney --segments best --printed
expect '^  best, hockney by formula: bcast/(pipeline|split-binary)/'
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
expect '^  most votes: bcast/binomial$'
run 0 predict bcast -P 16 -m 1 $grig --by schedule --model hockney,loggp=3 --method bcast/linear --method bcast/binomial
expect '^  most votes: bcast/linear$'

# JSON says the same as the table.
run 0 predict barrier -P 16 $grig --model loggp --by both --json
expect '"method": "barrier/bruck", "time_s": \{"loggp by formula": 0\.000[0-9]+, "loggp by schedule": 0\.000[0-9]+\}'
expect '"best": \{"loggp by formula": "barrier/[a-z-]+", "loggp by schedule": "barrier/[a-z-]+"\}'

# A map that was stored is the map that was printed, and its own model loses nothing against it.
run 0 predict bcast -P 2..20 -m 1..256KB*4 $grig --model loggp --segments none,1KB,8KB --store model.db
cp out printed
"$tutti" map bcast $grig --db model.db >stored 2>err || die "map: $(cat err)"
sed 's/model loggp by formula/scheme window/' printed | diff -u - stored >&2 || die 'the stored map is another one'
"$tutti" penalty --collective bcast $grig --db model.db --parameters published model:loggp model:hockney >out 2>err ||
  die "penalty: $(cat err)"
expect '^  model:loggp +0\.00 +0\.00 +0\.00 +0\.00 '
grep -Eq '^  model:hockney +0\.00 +0\.00 ' out && die "hockney decides as loggp does: $(cat out)"

# Predictions by other parameters are other measurements.
run 0 predict bcast -P 2..4 -m 8 $grig --model hockney --parameters hockney:alpha=1us,beta=1ns --store model.db
"$tutti" map bcast $grig --db model.db >out 2>err && die 'mixes the predictions of two models'
"$tutti" map bcast $grig --db model.db --library 'hockney by formula, parameters as given' >out 2>err ||
  die "map: $(cat err)"

# Other parameters than those of the platform.
run 0 predict bcast -P 2 -m 100 $grig --parameters hockney:alpha=1us,beta=1ns --method bcast/linear
expect 'parameters as given'
expect '^  bcast/linear +1\.100$'

# What cannot be asked.
run 2 predict bcast --model hockney
expect '--platform NAME is missing'
run 2 predict bcast $grig --model lazy
expect "'lazy' is none of the models hockney, loggp, plogp"
run 2 predict bcast $grig --model hockney=-1
expect "weight '-1' of the model hockney is not a positive number"
run 2 predict bcast $grig --method reduce/linear
expect 'reduce/linear is no method of bcast'
run 2 predict barrier $grig -m 8
expect 'a barrier has no message'
run 2 predict bcast $grig -P 0
expect '--ranks'
run 2 predict bcast $grig --segments 1KX
expect "'1KX' is none of none, best and a size"
run 2 predict bcast --platform torus
expect 'no parameters were measured \(tutti params torus\)'
run 2 predict bcast $grig --model hockney --method bcast/chain/k=2
expect 'bcast/chain'
run 2 predict bcast $grig -P 2,4 --plot map.svg
expect 'a picture shows one model, not 3'
"$tutti" penalty $grig --db model.db model:loggp >out 2>err && die 'penalty of a model without a collective'
expect 'say which with --collective'
