#!/bin/sh
# Simulated measurements are exact: the same command prints the same bytes, and a point alone has the same times, to the last
# digit, as after other points.
#
# usage: records.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

methods=bcast/split-binary/1KB,bcast/linear,reduce/binomial/8KB,barrier/bruck,bcast/scatter-ring
sizes=0,1,1000,8KB,100000

point_of() { # FILE METHOD SIZE: the record of a point
  grep "^tutti-measurement .*method=$2 .*count=$3 " "$1"
}

alone() { # PLATFORM RANKS SCHEME METHOD SIZE
  simulate "$1" "$2" "$build/smpi/tutti-bench" --scheme "$3" --method "$4" --size "$5" >one
  grep '^tutti-measurement' one >one.point
  [ "$(wc -l <one.point)" -eq 1 ] || die "$4 of $5 bytes alone: $(cat one)"
  point_of all "$4" "$5" | sort -u >all.point
  cmp -s one.point all.point || die "$4 of $5 bytes, alone and after others: $(cat one.point all.point)"
}

compare() { # PLATFORM RANKS SCHEME
  simulate "$1" "$2" "$build/smpi/tutti-bench" --scheme "$3" --method "$methods" --size "$sizes" >all
  simulate "$1" "$2" "$build/smpi/tutti-bench" --scheme "$3" --method "$methods" --size "$sizes" >again
  cmp all again || die "two runs on $1 with $2 ranks differ"
  [ "$(tail -n 1 all)" = "tutti-end v=1 measurements=25" ] || die "the records on $1 end with $(tail -n 1 all)"
  alone "$1" "$2" "$3" bcast/split-binary/1KB 0
  alone "$1" "$2" "$3" bcast/linear 1
  alone "$1" "$2" "$3" bcast/split-binary/1KB 100000
  alone "$1" "$2" "$3" bcast/scatter-ring 100000
  alone "$1" "$2" "$3" reduce/binomial/8KB 8192
  alone "$1" "$2" "$3" barrier/bruck 0
  echo "$1, $2 ranks, $3: 25 points twice, 6 alone: the same"
}

compare grig_fast_ethernet 12 occ
compare grig_fast_ethernet 7 window
compare infiniband 33 occ
compare torus 40 occ
