#!/bin/sh
# adapt.sh BUILD_DIR: the regret of tuning while a program runs, on maps that the fast engine measures: five collectives on 4 to
# 32 ranks of Grig, 8 B to 1 MB; exact, with noise, with late arrivals, and with both. The figures of
# docs/how-to/interpose.md. A minute.
set -eu
. "$(dirname "$0")/launch.sh"

collectives=bcast,allreduce,allgather,alltoall,reduce
arrivals="uniform/100us/seed=1 uniform/1ms/seed=2 straggler/1ms/seed=1"
noise=spread/20%/outliers=1%/by=10/seed=1
store=$work/store.db

measure() { # PLATFORM OPTION...
  platform=$1
  shift
  "$build/tutti" bench $collectives --platform "$source/platforms/$platform.xml" --engine fast --segments none,8KB \
    -P 4,8,16,32 -s 8,256,8KB,64KB,1MB --db "$store" -q "$@" >&2
}
measure grig_mx
measure grig_mx --arrival "$arrivals"
measure boba_gige

for prior in - boba_gige; do
  for collective in $(echo $collectives | tr , ' '); do
    for disturbance in "none" "$noise" "none|$arrivals" "$noise|$arrivals"; do
      echo "$collective, candidates $prior, noise and arrivals: $disturbance"
      late=${disturbance#*|}
      if [ "$late" = "$disturbance" ]; then
        "$build/bench-adapt" "$store" grig_mx "$collective" $prior "$disturbance"
      else
        "$build/bench-adapt" "$store" grig_mx "$collective" $prior "${disturbance%%|*}" "$late"
      fi
    done
  done
done
