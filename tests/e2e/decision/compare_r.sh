#!/bin/sh
# Every number that tutti compare prints, calculated again by R from the pairs: of a library with noise, of one without,
# where all differences are equal, and with too few rounds for an interval.
#
# usage: compare_r.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need Rscript r-base-core
mkdir bin
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.openmpi
PATH=$place/bin:$PATH
FAKE_TUTTI=$tutti FAKE_TIMES=$place/times FAKE_LOG=$place/log
export PATH FAKE_TUTTI FAKE_TIMES FAKE_LOG
printf '#!/bin/sh\n' >program && chmod +x program
: >log
printf 'bcast 0 100 0.9\nbcast 101 3000 0.99\nbcast 3001 9000 1.01\nreduce 0 9000 1.06\n' >times
printf '2\n7 1 0 1\n0 1 0 0\n11 1 0 1\n0 1 0 0\n' >my.rules

check() { # NOISE ARGUMENTS...: and what R says
  FAKE_NOISE=$1
  export FAKE_NOISE
  shift
  "$tutti" compare untuned my.rules --program ./program --platform fake --oversubscribe -q "$@" --pairs --csv >pairs.csv 2>err
  [ $? -lt 2 ] || die "$*: $(cat err)"
  Rscript --vanilla "$source/tests/e2e/compare.R" pairs.csv || die "$*: R says otherwise"
}
check 4 --collective bcast,reduce -P 2,4 -s 8,64,512,1KB,4KB,8KB --db noise.db
check 0 --collective bcast,reduce -P 2 -s 8,512,4KB --db equal.db
check 4 --collective bcast -P 2 -s 8,512,4KB --rounds 5 --db few.db
check 9 --collective bcast -P 2 -s 8 --rounds 60 --level 1 --db many.db

# The check checks.
sed 's/,won\(.\)$/,lost\1/; s/,unclear\(.\)$/,lost\1/' pairs.csv >wrong.csv
Rscript --vanilla "$source/tests/e2e/compare.R" wrong.csv >/dev/null 2>&1 && die "a wrong outcome is not found"
echo ok
