#!/bin/sh
# Whatever goes wrong in tutti bench is told in one sentence with exit status 2, and what was stored stays.
#
# usage: bench_failures.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
unset TUTTI_PLATFORM_PATH TUTTI_PLOTS
need sqlite3 sqlite3
mkdir bin && ln -s "$source/tests/e2e/fake/smpirun" bin/smpirun
PATH=$place/bin:$PATH
version=$("$tutti" --version)
export PATH FAKE_TUTTI="${version#tutti }"
printf '#!/bin/sh\n' > program && chmod +x program

cat > machine.xml <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="125MBps" lat="20us"/>
</platform>
XML

write_experiment() { # FILE PLATFORM RANKS METHOD
  cat > "$1" <<XML
<experiment name="failures">
  <platform file="$2"/>
  <sweep collective="bcast" root="0">
    <ranks>$3</ranks>
    <sizes>1 1KB 8KB</sizes>
    <method name="$4"/>
    <method name="bcast/binomial"/>
  </sweep>
</experiment>
XML
}

bench() { # ARGUMENTS...: runs, keeps what it says
  "$tutti" bench --program ./program "$@" > out 2> err
  code=$?
}

expect() { # STATUS PART-OF-MESSAGE: one sentence, of tutti
  [ $code -eq "$1" ] || die "status $code instead of $1 for '$2': $(cat err)"
  grep -qF -- "$2" err || die "'$(cat err)' does not say '$2'"
  [ "$(wc -l < err)" -eq 1 ] || die "more than one line: $(cat err)"
  echo "ok: $(head -c 200 err | head -n 1)"
}

stored() {
  sqlite3 "$1" 'PRAGMA integrity_check; SELECT count(*) FROM measurement' | tr '\n' ' '
}

# --- jobs that fail ---
write_experiment good.xml machine.xml 2..6 bcast/linear
for mode in deadlock abort kill exit no-end wrong-end wrong-order garbage wrong-run; do
  rm -rf store.db*
  case $mode in
    deadlock) says="Deadlock detected" ;;
    abort) says="rank 3: out of memory" ;;
    kill) says="was killed by signal 9 (Killed) while measuring" ;;
    exit) says="ended with status 7 while measuring" ;;
    no-end) says="ended without its closing record while measuring" ;;
    wrong-end) says="ended with 6 measurements, counting 7 itself" ;;
    wrong-order) says="count=77777 type_B=1 was measured where" ;;
    garbage) says="went wrong while measuring" ;;
    wrong-run) says="reports library SimGrid-3.31 where SimGrid-3.32 was expected" ;;
  esac
  export FAKE_MODE=$mode FAKE_RANKS=5
  bench good.xml --db store.db
  expect 2 "$says"
  expect 2 "tutti: good.xml: tutti-bench on 5 ranks"
  unset FAKE_MODE FAKE_RANKS
  set -- $(stored store.db)
  [ "$1" = ok ] && [ "$2" -lt 30 ] || die "$mode: stored: $*"
  [ "$2" -ge 3 ] || [ $mode = wrong-run ] || die "$mode: the points before the failure are not stored"
  bench good.xml --db store.db
  [ $code -eq 0 ] || die "$mode: second run: $(cat err)"
  grep -qF "$((30 - $2)) points measured, $2 there already" out || die "$mode: second run: $(cat out)"
  [ "$(stored store.db)" = "ok 30 " ] || die "$mode: in the end: $(stored store.db)"
done

# --- ended by a signal ---
measures() { # DATABASE: a job of its run has printed points
  grep -q tutti-measurement "$1".work/*.records
}
FAKE_GATE=$place/gate
export FAKE_GATE
FAKE_MODE=hold "$tutti" bench --program ./program good.xml --db ended.db > out 2> err &
run=$!
wait_until measures ended.db
kill -TERM $run
wait $run
code=$?
expect 143 "ended by Terminated; what was measured is stored"
set -- $(stored ended.db)
[ "$1" = ok ] && [ "$2" -ge 1 ] && [ "$2" -lt 30 ] || die "after SIGTERM: $*"
[ ! -e ended.db.work ] || die "after SIGTERM: $(ls ended.db.work)"

# --- a second run on the same store ---
FAKE_MODE=hold "$tutti" bench --program ./program good.xml --db busy.db > out.first 2> err.first &
run=$!
wait_until measures busy.db
bench good.xml --db busy.db
touch "$FAKE_GATE"
expect 2 "busy.db.work is in use by another run, process $run"
wait $run || die "the first of two runs: $(cat err.first)"
[ "$(stored busy.db)" = "ok 30 " ] || die "the first of two runs stored $(stored busy.db)"

# --- bad input ---
bench
[ $code -eq 2 ] || die "no experiment: $code"
bench good.xml more.xml
[ $code -eq 2 ] || die "two experiments: $code"
for jobs in 0 -1 x 1e9 ''; do
  bench good.xml -j "$jobs"
  [ $code -eq 2 ] && grep -qF -- "--jobs" err || die "-j '$jobs': $code, $(cat err)"
done
bench nowhere.xml
expect 2 "nowhere.xml"
printf '<experiment name="x">\n<platform' > broken.xml
bench broken.xml
expect 2 "broken.xml:2"
write_experiment unknown.xml machine.xml 2..6 bcast/none-such
bench unknown.xml
expect 2 "unknown.xml:"
write_experiment crowded.xml machine.xml 2..9 bcast/linear
bench crowded.xml --db crowded.db
expect 2 "crowded.xml"
[ ! -e crowded.db ] || die "crowded.db was made in vain"
write_experiment lost.xml nowhere/machine.xml 2..6 bcast/linear
bench lost.xml
expect 2 "machine.xml"
echo "this is no database, but a text of some length" > text.db
bench good.xml --db text.db
expect 2 "text.db"
grep -q "this is no database" text.db || die "text.db was changed"
[ ! -e text.db.work ] || die "text.db.work is left"
bench good.xml --db nowhere/store.db
expect 2 "nowhere/store.db"
bench good.xml --program nowhere/tutti-bench
expect 2 "no measuring program for flavor smpi: nowhere/tutti-bench"
rm bin/smpirun
PATH=$place/bin bench good.xml
expect 2 "smpirun not found in PATH: install SimGrid (Debian: simgrid)"
printf '#!/bin/sh\necho "Segmentation fault"\nexit 1\n' > bin/smpirun && chmod +x bin/smpirun
bench good.xml --db version.db
expect 2 "smpirun -version does not print a version of SimGrid but 'Segmentation fault'"
echo ok
