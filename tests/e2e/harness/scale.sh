#!/bin/sh
# 8,192 simulated ranks on a torus: schedules run, take the time of the bare MPI calls, and give no warnings.
#
# usage: scale.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
ranks=8192

for mode in schedules bare; do
  simulate torus $ranks "$build/smpi/bench-scale" $mode >$mode
  grep -Eqx "tutti-scale v=1 mode=$mode ranks=$ranks simulated_s=[0-9.e-]+" $mode || die "$mode prints: $(cat $mode)"
  [ "$(wc -l <$mode)" -eq 1 ] || die "$mode prints more than a line: $(cat $mode)"
done
schedules=$(sed 's/.*simulated_s=//' schedules)
bare=$(sed 's/.*simulated_s=//' bare)
[ "$schedules" = "$bare" ] || die "schedules take $schedules s, the bare calls $bare s"
awk -v time="$bare" 'BEGIN { exit !(time > 1e-6 && time < 1e-2) }' || die "$bare s are no time of 8,192 ranks"
echo "$ranks ranks: $schedules s simulated, with schedules and without"
