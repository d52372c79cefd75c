#!/bin/sh
# Groups are made, checked and timed in every way, simulated and by real libraries; simulated times are those of the
# model, and equal every time; what cannot be measured is an error with a reason.
#
# usage: range.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
[ -r "$build/smpi/tutti-range" ] || { echo "skipped: no tutti-range for smpi"; exit 77; }

POINTS=35 # of all operations in all ways: 2 * 5 + 3 (two orders) + 4 * 3 + 5 * 2 (two uses)

complete() { # FILE POINTS
  grep -Eqx "tutti-end v=1 measurements=$2( date=[^ ]+ load=[0-9.]+)?" "$1" || die "no closing record of $2 points: $(cat "$1" err)"
  [ "$(grep -c '^tutti-range ' "$1")" = "$2" ] || die "not $2 points: $(cat "$1")"
}

point() { # FILE OPERATION WAY [MORE]: the median of the one point like that
  sed -n "s,^tutti-range .* operation=$2 way=$3 .*${4:-}.* median_s=\([^ ]*\) .*,\1,p" "$1"
}

holds() { # CONDITION WHAT
  awk "BEGIN { exit !($1) }" || die "$2: not $1"
}

# --- simulated ---

ranges() { # RANKS ARGUMENTS...
  ranks=$1
  shift
  simulate fast_ethernet "$ranks" "$build/smpi/tutti-range" "$@"
}

for ranks in 8 16; do
  ranges $ranks -o all -c 3 >all || exit 1
  complete all $POINTS
  ranges $ranks -o all -c 3 >again || exit 1
  cmp all again || die "two runs of $ranks ranks differ"
done
ranges 5 -o all -s 2 -c 0 >odd || exit 1 # groups of two that share a process; no data
complete odd $POINTS

holds "$(point all create ranges) > 2.4e-8 && $(point all create ranges) < 2.6e-8" "the price of a range"
holds "$(point all overlapping ranges order=cascaded) > 4.9e-8" "the price of two ranges"
for operation in bcast reduce scan gather; do
  [ "$(point all $operation ranges)" = "$(point all $operation view)" ] ||
    die "$operation on a range of all takes another time than on their view: $(cat all)"
done
cascaded=$(point all overlapping create-group/mpich order=cascaded)
holds "$cascaded > 1.5 * $(point all overlapping create-group/mpich order=alternating)" "a cascade of five groups"
holds "$(point all subrange-bcast split/mpich uses=1) - $(point all subrange-bcast ranges uses=1) > 1e-4" "a split"
holds "$(point all subrange-bcast ranges uses=50) > 25 * $(point all subrange-bcast ranges uses=1)" "fifty broadcasts, which overlap"

ranges 16 -o create,overlapping -w ranges --range-s 1e-6 >dear || exit 1
complete dear 3
holds "$(point dear create ranges) > 0.99e-6 && $(point dear create ranges) < 1.01e-6" "--range-s"
ranges 16 -o create -w create-group/mpich,split/mpich --entry-s 1e-6 --compare-s 2e-6 >dear || exit 1
group=$(point all create create-group/mpich) split=$(point all create split/mpich)
holds "$(point dear create create-group/mpich) - $group > 7.9e-6" "a table of 8 at 1 us an entry"
holds "$(point dear create split/mpich) - $split > 63e-6" "a table of 16, and 24 comparisons of 2 us"

# --- a points file; a point alone is what it is after others; another method ---

cat >points <<'POINTS'
tutti-points v=1 repetitions_max=3 ranks_per_node=1
costs range_s=2.5e-8 inner=7
subrange-bcast way=split/mpich order=- size=8 count=3 uses=50

bcast way=ranges/chain/k=2 count=3 type_B=8
POINTS
ranges 16 --points points >some || exit 1
complete some 2
grep 'operation=subrange-bcast way=split/mpich .* uses=50' all >expected
grep 'operation=subrange-bcast' some | cmp - expected || die "alone and after others: $(cat some all)"
[ "$(point some bcast ranges/chain/k=2)" != "$(point all bcast ranges)" ] || die "a chain takes the time of a tree"
ranges 16 -o bcast -w ranges --method chain/k=2 -c 3 >one || exit 1
[ "$(point one bcast ranges/chain/k=2)" = "$(point some bcast ranges/chain/k=2)" ] || die "--method: $(cat one some)"

# --- what is refused ---

refuse() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  "$tutti" platform hostfile fast_ethernet --ranks 8 -o hosts
  smpirun -np 8 -platform "$TUTTI_PLATFORM_PATH/fast_ethernet.xml" -hostfile hosts -no-privatize \
    --log=root.thres:error "$build/smpi/tutti-range" "$@" >out 2>err && die "$*: no error: $(cat out)"
  grep -Eq "tutti-range: .*$pattern" err || die "$*: no complaint like '$pattern': $(cat err)"
  ! grep -q '^tutti-end' out || die "$*: has a closing record"
}

refuse "nothing to time"
refuse "unknown operation 'sort'" -o create,sort
refuse "create has no way 'native': it has ranges, create-group" -o create -w native
refuse "bcast has no way 'rangesX'" -o bcast -w rangesX
refuse "unknown order 'random'" -o overlapping --order random
refuse "the order is alternating" -o overlapping -w split --order cascaded
refuse "no group of 8 of 8 ranks" -o create -s 8
refuse "no group of 9 of 8 ranks" -o subrange-bcast -s 9
refuse "no group of 1 of 8 ranks" -o overlapping -s 1
refuse "cannot use 'size=x'" -o create -s x
refuse "cannot use 'count=-1'" -o bcast -c -1
refuse "more than an MPI call takes" -o scan -w native -c 3000000000
refuse "with uses=0" -o subrange-bcast --uses 0
refuse "unknown bcast algorithm 'none'" -o bcast -w view --method none
refuse "takes no method" -o bcast -w native/binomial
refuse "is run by the MPI library, whose way is 'native'" -o bcast -w ranges/native
refuse "cannot use 'range_s=2'" -o create --range-s 2
refuse "cannot use 'inner=0'" -o create --inner 0
refuse "'0' is not a whole number" -o create --repetitions 0
refuse "operation does not go with --points" -o create --points points
refuse "GB of memory, and this machine has" -o bcast -w view -c 2000000000
refuse "No such file" --points nowhere
echo 'create way=ranges count=1' >>points
refuse "points:6: create moves no data: count=1" --points points
sed -i '$d' points && echo 'bcast way=view uses=2' >>points
refuse "points:6: bcast with uses=2" --points points
sed -i '$d' points && echo 'bcast way=view order=cascaded' >>points
refuse "points:6: bcast has no order" --points points
sed -i '$d' points && echo 'scan way=view size=4' >>points
refuse "points:6: scan is an operation of all 8 ranks" --points points
sed -i '$d' points && echo 'scan count=4' >>points
refuse "points:6: the point has no way=" --points points
sed -i '$d' points && echo 'costs range_s=0' >>points
refuse "points:6: costs stand before all points" --points points

# --- by real libraries: every way, and a range is faster than what sends messages ---

OMPI_MCA_op=^avx OMPI_MCA_btl_base_warn_component_unused=0
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_op OMPI_MCA_btl_base_warn_component_unused OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
ranges_are_faster() { # every way, of which those that send messages take ten times as long
  timeout $PATIENCE mpiexec.$flavor $options "$build/$flavor/tutti-range" -o all -c 100 --repetitions 6 >out 2>err ||
    die "$flavor: $(cat err)"
  complete out $POINTS
  for way in split create-group split/mpich create-group/mpich; do
    condition="$(point out create $way) > 10 * $(point out create ranges)"
    awk "BEGIN { exit !($condition) }" || return 1
  done
}
real=
for flavor in mpich openmpi; do
  [ -x "$build/$flavor/tutti-range" ] || continue
  options="-n 4"
  [ $flavor = openmpi ] && options="--oversubscribe -n 4"
  [ $flavor = mpich ] && [ -r "$build/mpich/libtest-yield.so" ] &&
    options="$options -env LD_PRELOAD $build/mpich/libtest-yield.so"
  retry 20 "times on a busy machine" ranges_are_faster || die "$flavor: not $condition"
  real="$real, $flavor"
done

echo "$POINTS points on smpi$real"
