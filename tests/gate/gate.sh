#!/bin/sh
# The regression gate on Tutti itself. Its times are those of SimGrid 3.32, 4.0 and 4.1 alike, but the command compares
# times of one version only: the baseline is given the name of the one that is here.
#
# usage: gate.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

cp "$source"/tests/gate/* .
library=$(smpirun -version | sed -n 's/^SimGrid version \([^ ]*\).*/SimGrid-\1/p')
sed -i "s/^library .*/library $library/" gate.baseline
digest=$(sed '1d; /^#/d; /^$/d; /^end /d' gate.baseline | sha256sum | cut -d ' ' -f 1)
sed -i "s/^\(end .*sha256=\).*/\1$digest/" gate.baseline

run 0 check --baseline gate.baseline --junit "$build/gate.junit.xml" --quiet -j 2
cat out
! grep -q 'not compared' out || die "times of another version"
