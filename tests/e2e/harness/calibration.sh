#!/bin/sh
# tutti platform check --measure accepts a platform with the published parameters, and no other.
#
# usage: calibration.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

check() { # STATUS PLATFORM: sets out
  "$tutti" platform check "$2" --measure >out 2>err
  code=$?
  [ $code -eq "$1" ] || die "$2: status $code instead of $1: $(cat out err)"
  ! grep -v '^tutti: note: status 1: what is measured and what the file states differ' err || die "$2 says: $(cat err)"
  [ "$1" = 1 ] || [ ! -s err ] || die "$2 says: $(cat err)"
}

scaled() { # ATTRIBUTE FACTOR: the platform with all values of an attribute of its cluster changed
  awk -v attribute="$1" -v factor="$2" '
    match($0, "<cluster.* " attribute "=\"[0-9.e+]+") {
      end = RSTART + RLENGTH
      start = end
      while (substr($0, start - 1, 1) != "\"")
        start--
      $0 = substr($0, 1, start - 1) sprintf("%.10g", factor * substr($0, start, end - start)) substr($0, end)
      changed = 1
    }
    { print }
    END { exit !changed }' "$source/platforms/grig_fast_ethernet.xml" >changed.xml || die "no $1 found to change"
}

check 0 grig_fast_ethernet
grep -q '^alpha.* 0\.00 %$' out && grep -q '^beta.* 0\.00 %$' out || die "grig_fast_ethernet is off: $(cat out)"
check 0 infiniband

scaled lat 1.05
check 1 ./changed.xml
grep -q '^alpha.* 4\.9[0-9] %  beyond 2 %$' out || die "5 % more latency: $(cat out)"
grep -q '^beta.* 0\.00 %$' out || die "5 % more latency: $(cat out)"

scaled bw 0.95
check 1 ./changed.xml
grep -q '^beta.* 5\.26 %  beyond 2 %$' out || die "5 % less bandwidth: $(cat out)"

scaled lat 1.01
check 0 ./changed.xml
grep -q '^alpha.* 0\.9[0-9] %$' out || die "1 % more latency: $(cat out)"
echo "published values are met; 5 % off is told, 1 % off is shown"
