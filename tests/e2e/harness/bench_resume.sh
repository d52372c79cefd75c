#!/bin/sh
# A sweep that is killed several times ends with exactly the table of an undisturbed one, measures no stored point twice,
# and leaves no process running.
#
# usage: bench_resume.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/tables.sh"
need smpirun simgrid
need sqlite3 sqlite3
[ -r "$build/smpi/tutti-bench" ] || { echo "skipped: no tutti-bench for smpi"; exit 77; }

write_experiment() { # FILE RANKS SIZES
  cat > "$1" <<XML
<experiment name="resume">
  <platform file="machine.xml"/>
  <sweep collective="bcast" root="0">
    <ranks>$2</ranks>
    <sizes>$3</sizes>
    <method algorithm="linear" segments="none 1KB"/>
    <method name="bcast/binomial/8KB"/>
    <method name="bcast/split-binary/1KB"/>
  </sweep>
  <sweep collective="barrier">
    <ranks>$2</ranks>
    <method name="barrier/bruck"/>
  </sweep>
</experiment>
XML
}

write_machine machine.xml

measured_by() { # LOG: what the last run says it measured and found
  sed -n 's/^resume: \([0-9,]*\) points measured, \([0-9,]*\) there already.*/\1 \2/p' "$1" | tr -d , | tail -n 1
}

pause() { # MILLISECONDS
  sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}

# An undisturbed run: reference.txt, its number of points and how long it took.
make_reference() { # EXPERIMENT POINTS
  rm -f reference.db
  start=$(now)
  "$tutti" bench "$1" --db reference.db -j 2 --chunk 20 > run.out 2> run.err || die "reference: $(cat run.err)"
  duration=$(($(now) - start))
  table reference.db > reference.txt
  total=$(rows reference.db)
  [ "$total" -eq "$2" ] || die "$total points instead of $2"
}

kill_after() { # PERCENTAGE
  "$tutti" bench "$experiment" --db "$database" -j 2 --chunk 20 > run.out 2> run.err &
  run=$!
  pause $((duration * $1 / 100))
  kill -KILL $run 2> /dev/null && kills=$((kills + 1))
  wait $run 2> /dev/null
  survivors "$database"
  check_store "$database"
}

kill_later() { # where the machine is busier than it was for the reference: each time later, until something is stored
  part=$((part + part / 2))
  [ "$(rows "$database")" -lt "$total" ] || rm -rf "$database"*
  kill_after $part
  [ $kills -gt 0 ] && [ "$(rows "$database")" -gt 0 ]
}

# Kill a run after each of these percentages of the time of the reference, then let one finish; the table must be the
# same.
kill_and_resume() { # DATABASE EXPERIMENT PERCENTAGES...
  database=$1 experiment=$2
  shift 2
  kills=0
  for part in "$@"; do
    kill_after "$part"
  done
  [ $kills -gt 0 ] && [ "$(rows "$database")" -gt 0 ] || retry 20 "no run was killed after its first points" kill_later
  [ $kills -gt 0 ] || die "no run could be killed in time"
  before=$(rows "$database")
  [ -z "${FAKE_LOG:-}" ] || : > "$FAKE_LOG"
  "$tutti" bench "$experiment" --db "$database" -j 2 > run.out 2> run.err || die "last run: $(cat run.err)"
  set -- $(measured_by run.out)
  [ $(($1 + $2)) -eq "$total" ] || die "$1 measured and $2 there already are not $total"
  [ "$2" -ge "$before" ] || die "$before were stored, but only $2 found"
  [ -z "${FAKE_LOG:-}" ] || [ "$(wc -l < "$FAKE_LOG")" -eq "$1" ] || die "ran $(wc -l < "$FAKE_LOG") points for $1"
  check_store "$database"
  table "$database" > resumed.txt
  cmp reference.txt resumed.txt || die "the table of the resumed run differs"
  [ ! -e "$database.work" ] || die "$database.work is still there: $(ls "$database.work")"
  echo "$kills runs killed, $before of $total points stored by them, $2 found, $1 measured by the last"
}

# --- simulated ---
write_experiment real.xml 2..20 "1 100 1KB 3000 8KB 30000 64KB"
make_reference real.xml $((19 * (7 * 4 + 1)))
kill_and_resume killed.db real.xml 3 6 9 12 15 18
[ "$(measured_by run.out)" != "$total 0" ] || die "the killed runs stored nothing"
"$tutti" bench real.xml --db killed.db > run.out 2> run.err || die "again: $(cat run.err)"
[ "$(measured_by run.out)" = "0 $total" ] || die "measured again: $(cat run.out)"

# --- with a fake smpirun whose points take no time, so that kills hit the storing ---
mkdir bin && ln -s "$source/tests/e2e/fake/smpirun" bin/smpirun
PATH=$place/bin:$PATH
version=$("$tutti" --version)
export PATH FAKE_TUTTI="${version#tutti }" FAKE_LOG="$place/log"
write_experiment fake.xml 2..32 "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
make_reference fake.xml $((31 * (20 * 4 + 1)))
kill_and_resume quick.db fake.xml 3 4 5 6 7 8 9 10

# Files of a chunk that was killed before its job manifest was written.
mkdir quick.db.work && touch quick.db.work/000007.points quick.db.work/000007.hosts
"$tutti" bench fake.xml --db quick.db > run.out 2> run.err || die "with files of a chunk that never was: $(cat run.err)"
[ ! -e quick.db.work ] || die "files of a chunk that never was are still there: $(ls quick.db.work)"
echo ok
