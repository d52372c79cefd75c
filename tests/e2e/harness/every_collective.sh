#!/bin/sh
# Every algorithm of the catalogue is measured: experiments/every_collective.xml in simulation, equal records twice, decision
# map and penalty of each collective; errors for what cannot be measured; a few methods under MPICH.
#
# usage: every_collective.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
experiment=$source/experiments/every_collective.xml

# A call of MPI does not say all counts, which alltoallv/tuna needs.
"$tutti" algorithms | grep '^[a-z]' | grep -v '/tuna$' | sort >catalogue
[ -s catalogue ] || die "the catalogue is empty"
collectives=$(cut -d / -f 1 catalogue | sort -u)

# ---- all of it, twice ----

bench() { # DATABASE: measure all points into it; DATABASE.points lists them
  "$tutti" bench "$experiment" --db "$1" --quiet >out 2>err || die "bench: $(cat err)"
  [ ! -s err ] || die "bench says: $(cat err)"
  sqlite3 "$1" "SELECT m.name, scheme, ranks, ranks_per_node, root, count, type_B, rank_B, total_B, repetitions,
                       quote(minimum_s), quote(median_s), quote(mean_s), quote(maximum_s)
                FROM measurement JOIN method m ON m.id = method ORDER BY 1, 2, 3, 4, 5, 6, 7" >"$1.points"
}
bench one.db
points=$(sed -n 's/^every_collective: \([0-9,]*\) points measured, 0 there already.*/\1/p' out)
bench two.db
grep -q "^| .every_collective.xml. .* $points points" "$source/experiments/README.md" ||
  die "experiments/README.md says other than $points points of every_collective.xml"
[ "$(wc -l <one.db.points)" -eq "$(echo "$points" | tr -d ,)" ] || die "$points points, but stored are $(wc -l <one.db.points)"
cmp one.db.points two.db.points || die "two runs differ"
"$tutti" bench "$experiment" --db two.db --quiet >out || die "bench a second time: $(cat out)"
grep -q "^every_collective: 0 points measured, $points there already" out || die "measured again: $(cat out)"

for collective in $collectives; do
  "$tutti" map "$collective" --platform fast_ethernet --db one.db >map || die "no map of $collective"
  ! grep -Eq '^ .* \.( |$)' map || die "holes in the map of $collective: $(cat map)"
done
while read -r method; do # a method of this algorithm, whatever its parameters; one on a torus must be told of it
  case $method in */bucket | */bucket-blocks | *-torus | */torus-trees) continue ;; esac
  grep -Eq "^$method[|/]" one.db.points || die "$method was not measured"
done <catalogue
"$tutti" penalty allreduce/ring allreduce/two-level/ranks_per_node=2 --platform fast_ethernet --db one.db >penalty ||
  die "no penalty"

# ---- the measuring program itself: the same bytes ----

expected=$((3 * $(grep -vc '/two-process$' catalogue)))
defaults() { # every algorithm, those made of nodes or levels or on a torus told of them
  sed '/\(two-level\|two-level-pipelined\|full-lane\|multi-leader\|node-aware\|multi-leader-node-aware\|locality-aware-bruck\)$/s|$|/ranks_per_node=2|; /\(bucket\|bucket-blocks\|[a-z-]*-torus\|torus-trees\)$/s|$|/torus=2x2x2|; /multi-level$/s|$|/levels=2x2|; /two-process$/d' catalogue | paste -s -d , -
}
for scheme in occ window; do
  for run in one two; do
    simulate fast_ethernet 8 "$build/smpi/tutti-bench" --scheme $scheme --method "$(defaults)" --size 0,40,4KB \
      --type-size 8 >$scheme.$run
  done
  [ "$(grep -c '^tutti-measurement' $scheme.one)" -eq $expected ] || die "$scheme prints: $(cat $scheme.one)"
  cmp $scheme.one $scheme.two || die "two runs under $scheme differ"
  grep -q "^tutti-end v=1 measurements=$expected\$" $scheme.one || die "the records end with $(tail -n 1 $scheme.one)"
done
simulate fast_ethernet 2 "$build/smpi/tutti-bench" --method "$(grep '/two-process$' catalogue | paste -s -d , -)" >records
grep -q "^tutti-end v=1 measurements=$(grep -c '/two-process$' catalogue)\$" records || die "two ranks: $(cat records)"

# ---- errors ----

refuse() { # WORDS METHOD SIZE TYPE-SIZE
  simulate_badly "$build/smpi/tutti-bench" --method "$2" --size "$3" --type-size "$4" >out 2>err
  grep -q "^tutti-bench: .*$1" err || die "$2 of $3 bytes: $(cat out err)"
  ! grep -q '^tutti-\(measurement\|end\)' out || die "$2 of $3 bytes was measured: $(cat out)"
}
simulate_badly() {
  smpirun -np 4 -platform "$TUTTI_PLATFORM_PATH/fast_ethernet.xml" -hostfile hosts -no-privatize \
    --log=root.thres:warning "$@" && die "$* succeeded"
}
"$tutti" platform hostfile fast_ethernet --ranks 4 -o hosts || die "no hostfile"
refuse 'displacements in 4 blocks of 1073741824 elements do not fit' alltoallv/linear 1GB 1
refuse 'displacements in 4 blocks of 1073741824 bytes do not fit' alltoallw/pairwise 1GB 8
refuse 'blocks of .* bytes are more than memory can address' allgather/ring 3000000000GB 1
refuse 'the messages of 4 ranks take .* GB of memory, and this machine has' alltoall/linear 100000GB 1
refuse 'exscan is measured on elements of 1, 4 or 8 bytes, not 3' exscan/linear 30B 3
refuse 'needs to know which ranks share a node' allreduce/two-level 8 1

# ---- a real machine ----

real=
if [ -x "$build/mpich/tutti-bench" ] && command -v mpiexec.mpich >/dev/null; then
  mpiexec.mpich -n 2 "$build/mpich/tutti-bench" --repetitions 8 --size 8,8KB --method \
    allreduce/ring,alltoallw/pairwise,scatterv/linear,allgather/two-process,reduce_scatter/butterfly,exscan/binomial \
    >records 2>err || die "mpich: $(cat err)"
  [ "$(grep -c '^tutti-measurement v=1' records)" -eq 12 ] || die "mpich prints: $(cat records)"
  tail -n 1 records | grep -Eqx 'tutti-end v=1 measurements=12 date=[^ ]+ load=[0-9.]+' || die "mpich ends with $(tail -n 1 records)"
  real=", 12 points under MPICH"
fi
echo "$points points of $(wc -l <catalogue) algorithms twice, the same$real"
