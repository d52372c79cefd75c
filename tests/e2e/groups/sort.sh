#!/bin/sh
# tutti-sort: every algorithm sorts every distribution of every type, in simulation and on real MPI; the same command
# prints the same bytes; a point alone equals one after others; options and points files have the same effect.
#
# usage: sort.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
[ -r "$build/smpi/tutti-sort" ] || { echo "skipped: no tutti-sort for smpi"; exit 77; }

distributions=uniform,equal,few,sorted,reversed,staggered,single

expect_points() { # FILE COUNT: so many results, and a closing record that says so
  [ "$(grep -c '^tutti-sort ' "$1")" -eq "$2" ] || die "not $2 points: $(cat "$1")"
  grep -Eqx "tutti-end v=1 measurements=$2( date=[^ ]+ load=[0-9.]+)?" "$1" || die "no end of $2 points: $(cat "$1")"
}

field() { # FILE NAME: its values
  sed -n "s/^tutti-sort.* $2=\([^ ]*\).*/\1/p" "$1"
}

# --- all of it: 3 algorithms, 7 distributions, 3 types, 3 counts ---

simulate fast_ethernet 16 "$build/smpi/tutti-sort" --algorithm janus,sample,hypercube --distribution $distributions \
  --type double,int64,struct --count 0,1,50 --seed 3 >all
expect_points all 189
[ "$(field all elements | sort -n | uniq -c | awk '{ printf "%s:%s ", $2, $1 }')" = "0:63 16:63 800:63 " ] ||
  die "other numbers of elements: $(cat all)"
grep 'algorithm=janus ' all >janus
awk '{ for (i = 3; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] }
       if (v["least_elements"] != v["count"] || v["most_elements"] != v["count"]) exit 1 }' janus ||
  die "Janus Quicksort is not balanced: $(cat janus)"
[ "$(field all minimum_s | grep -c '^0$')" -eq 0 ] || die "sorted in no time: $(cat all)"

# --- the same again, and alone ---

simulate fast_ethernet 16 "$build/smpi/tutti-sort" --algorithm janus,sample,hypercube --type int64 --count 1,50 --seed 3 >some
simulate fast_ethernet 16 "$build/smpi/tutti-sort" --algorithm janus,sample,hypercube --type int64 --count 1,50 --seed 3 >again
expect_points some 6
cmp some again || die "two runs differ"
grep '^tutti-sort' some | while read -r line; do
  grep -qxF -- "$line" all || die "not as among others: $line"
done || exit 1

# --- layers, orders and assignments; a points file ---

cat >file.points <<END
tutti-points v=1 ranks_per_node=2
costs element_s=2e-9 entry_s=1e-9
janus layer=ranges order=alternating assignment=greedy distribution=uniform type=double count=20 seed=5
janus layer=create-group/mpich count=20 seed=5
janus layer=split/mpich order=cascaded assignment=deterministic count=20 seed=5
janus layer=create-group count=20 seed=5
janus layer=split count=20 seed=5
sample layer=- order=- assignment=- count=20 seed=5
END
simulate fast_ethernet 13 "$build/smpi/tutti-sort" --points file.points >file
expect_points file 6
simulate fast_ethernet 13 "$build/smpi/tutti-sort" --element-s 2e-9 --entry-s 1e-9 --ranks-per-node 2 --algorithm janus,sample \
  --count 20 --seed 5 >options
expect_points options 2
for algorithm in janus.layer=ranges sample; do
  grep "algorithm=$algorithm" options >one
  grep "algorithm=$algorithm" file | cmp -s - one || die "not the same by options: $(cat one file)"
done
[ "$(field file layer | sort -u | wc -l)" -eq 6 ] || die "not six layers: $(cat file)"

# Groups of MPI cost time, those of ranges none.
[ "$(field file median_s | head -n 3 | sort -g | head -n 1)" = "$(field file median_s | head -n 1)" ] ||
  die "ranges are not the fastest: $(cat file)"

# --- errors ---

smpirun -np 13 -platform "$TUTTI_PLATFORM_PATH/fast_ethernet.xml" -hostfile hosts -no-privatize --log=root.thres:critical \
  "$build/smpi/tutti-sort" --algorithm hypercube --count 1 >out 2>err && die "a hypercube of 13 ranks: $(cat out)"
grep -q '^tutti-sort: .*needs a power of two of ranks, not 13' err || die "a hypercube of 13 ranks: $(cat err)"

refuse_points() { # MESSAGE, after the file was written
  smpirun -np 13 -platform "$TUTTI_PLATFORM_PATH/fast_ethernet.xml" -hostfile hosts -no-privatize --log=root.thres:critical \
    "$build/smpi/tutti-sort" --points bad.points >out 2>err && die "sorted: $(cat out)"
  grep -q "^tutti-sort: $1" err || die "not '$1': $(cat err)"
}
: >bad.points
refuse_points 'bad.points: is empty'
printf 'tutti-points v=1\nsample count=4 layer=ranges\n' >bad.points
refuse_points 'bad.points:2: sample has no layer'

# --- real MPI ---

if [ -x "$build/mpich/tutti-sort" ] && command -v mpiexec.mpich >/dev/null; then
  mpiexec.mpich -n 4 -env LD_PRELOAD "$build/mpich/libtest-yield.so" "$build/mpich/tutti-sort" --repetitions 2 \
    --algorithm janus,sample,hypercube --layer ranges,create-group,split,create-group/mpich --count 1,33 \
    --type struct >out 2>err || die "mpich: $(cat err)"
  expect_points out 12
  one=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
  taskset -c "$one" mpiexec.mpich -n 2 -env LD_PRELOAD "$build/mpich/libtest-yield.so" "$build/mpich/tutti-sort" \
    --repetitions 1 --algorithm janus --count 1 >out 2>err || die "two ranks on one core: $(cat err)"
  expect_points out 1
  grep -q '^note: 2 ranks of tutti-sort take turns on 1 core: ' err || die "two ranks on one core: $(cat err)"
fi

echo "189 points of three algorithms, the same again, alone, and from a file; six layers"
