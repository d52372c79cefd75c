#!/bin/sh
# A launcher that hangs keeps neither tutti nor anything else waiting: signals end tutti bench at once, silence ends a
# job, and nothing that a launcher started is left, also when tutti is killed or the launcher ends before its children.
#
# usage: limits.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
need setsid util-linux
mkdir bin fake && ln -s "$source/tests/e2e/fake/hanging" bin/smpirun && ln -s "$source/tests/e2e/fake/smpirun" fake/smpirun
ordinary=$PATH
PATH=$place/bin:$ordinary
printf '#!/bin/sh\n' > program && chmod +x program
FAKE_HANGS=$place/hangs
export PATH FAKE_HANGS

cat > machine.xml <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config><prop id="smpi/simulate-computation" value="no"/><prop id="smpi/bw-factor" value="0:1"/><prop id="smpi/lat-factor" value="0:1"/></config>
  <cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="125MBps" lat="20us"/>
</platform>
XML
cat > limits.xml <<'XML'
<experiment name="limits">
  <platform file="machine.xml"/>
  <sweep collective="bcast" root="0">
    <ranks>2 3</ranks>
    <sizes>1 1KB 8KB</sizes>
    <method name="bcast/linear"/>
  </sweep>
</experiment>
XML

descendants() { # processes, a line each, that were started with the variable FAKE_HANGS of this test
  (variable=FAKE_HANGS=$FAKE_HANGS && unset FAKE_HANGS && grep -lzxF "$variable" /proc/[0-9]*/environ 2> /dev/null | cut -d / -f 3)
}

end() { # of the test: it leaves nothing even if tutti does
  for process in $(descendants); do kill -KILL "$process"; done
  rm -rf "$place"
}
trap end EXIT

none_left() {
  [ -z "$(descendants)" ]
}

no_rest() { # WHAT: nothing is left some seconds later
  within 300 none_left && return
  for process in $(descendants); do
    tr '\0' ' ' < /proc/"$process"/cmdline
    echo
  done > left 2>&1
  die "$1: left behind: $(cat left)"
}

begin_bench() { # WHERE-IT-HANGS OPTIONS...: until it hangs
  rm -rf "$FAKE_HANGS" store.db*
  FAKE_HANGS_AT=$1
  export FAKE_HANGS_AT
  shift
  env --default-signal=INT "$tutti" bench --program ./program limits.xml --db store.db "$@" > out 2> err &
  run=$!
  within 600 test -e "$FAKE_HANGS" || die "the launcher was not started: $(cat err)"
}

is_over() {
  [ ! -e /proc/$run ] || grep -q ') Z ' /proc/$run/stat
}

ended_by() { # STATUS: within seconds
  within 300 is_over || die "tutti does not end"
  wait $run
  code=$?
  [ $code -eq "$1" ] || die "status $code instead of $1: $(cat err)"
}

said() { # COUNT WORDS: so many lines of err have them
  [ "$(grep -c "$2" err)" -ge "$1" ]
}

# --- signals, while the launcher is asked for its version and while it launches ---
for at in version launch; do
  for signal in TERM:143 HUP:129 INT:130; do
    begin_bench $at
    kill -"${signal%:*}" $run
    ended_by "${signal#*:}"
    expect "limits.xml: ended by .*; what was measured is stored"
    no_rest "$signal, $at"
  done
done
echo "ok: signals"

# --- tutti is killed ---
for at in version launch; do
  begin_bench $at
  kill -KILL $run
  wait $run 2> /dev/null
  no_rest "kill -9, $at"
done
echo "ok: nothing is left of a killed run"

# --- what a silent launch says is shown while it hangs: once, and nothing that a terminal obeys ---
FAKE_SAYS="ssh: Could not resolve hostname nowhere: Name or service not known
$(printf 'and \033[2Jmore')"
export FAKE_SAYS
begin_bench launch -j 1
within 300 grep -q 'ssh: Could not resolve hostname nowhere' err || die "a silent launch is not heard: $(cat err)"
! is_over || die "tutti has ended: $(cat err)"
sleep 1
kill -TERM $run
ended_by 143
no_rest "a silent launch"
left='and is ended in 60 s unless it prints more'
cat > expected <<TEXT
tutti: tutti-bench on 3 ranks has printed no record yet $left; it says on standard error:
    ssh: Could not resolve hostname nowhere: Name or service not known
    and \\x1b[2Jmore
TEXT
head -n 3 err | cmp - expected || die "not all of what a silent launch said: $(cat err)"
[ "$(grep -c 'ssh: Could not' err)" -eq 1 ] || die "more than once: $(cat err)"

# Notes of the measuring program say nothing about the silence: they come once a command, and not with -q.
FAKE_SAYS="note: 3 ranks of tutti-bench take turns on 2 cores: times are those of ranks that wait for a core
ssh: Permission denied"
begin_bench launch -j 2
within 300 said 2 'ssh: Permission denied' || die "two silent launches are not heard: $(cat err)"
kill -TERM $run
ended_by 143
[ "$(grep -c 'note: ' err)" -eq 1 ] || die "not one note: $(cat err)"
begin_bench launch -j 1 -q
within 300 grep -q 'ssh: Permission denied' err || die "a silent launch is not heard with -q: $(cat err)"
kill -TERM $run
ended_by 143
grep -q 'note: ' err && die "a note with -q: $(cat err)"
FAKE_SAYS="note: 3 ranks of tutti-bench take turns on 2 cores: times are those of ranks that wait for a core"
begin_bench launch -j 1 -q
sleep 4
kill -TERM $run
ended_by 143
grep -q 'standard error' err && die "a launch that says nothing but a note, with -q: $(cat err)"

# A host that cannot be reached is told at once: this job is ended before the silence of others is long enough.
FAKE_SAYS="ssh: Could not resolve hostname nowhere: Name or service not known"
begin_bench launch -j 1 --job-timeout 2s
ended_by 2
expect '^tutti: tutti-bench on 3 ranks has printed no record yet and is ended in 2 s unless it does \(--job-timeout\); it says'
expect '^    ssh: Could not resolve hostname nowhere'
expect 'printed nothing for 2 s \(--job-timeout\) before its first record: ssh: Could not resolve hostname nowhere'
unset FAKE_SAYS
echo "ok: a silent launch"

# --- silence ---
begin_bench launch --job-timeout 2s
ended_by 2
expect "^tutti: limits.xml: tutti-bench on [23] ranks printed nothing for 2 s \(--job-timeout\) before its first record .see "
[ "$(wc -l < err)" -eq 1 ] || die "more than one line: $(cat err)"
no_rest "--job-timeout"

# --- silence after some points, which are stored ---
version=$("$tutti" --version)
rm -rf store.db*
FAKE_TUTTI=${version#tutti } FAKE_MODE=hold FAKE_GATE=$place/gate FAKE_AFTER=1 PATH=$place/fake:$ordinary \
  "$tutti" bench --program ./program limits.xml --db store.db -j 1 --job-timeout 2s > out 2> err
code=$?
[ $code -eq 2 ] || die "status $code: $(cat err)"
expect "tutti-bench on 3 ranks printed nothing for 2 s \(--job-timeout\) while measuring bcast/linear with"
[ "$(sqlite3 store.db 'SELECT count(*) FROM measurement')" = 1 ] || die "the point before the silence is not stored"
no_rest "silence after a point"
echo "ok: silence"

# --- no limit, and an ill-written one ---
FAKE_TUTTI=${version#tutti } PATH=$place/fake:$ordinary run 0 bench --program ./program limits.xml --db store.db \
  --job-timeout none
for time in 0s x -1s; do
  run 2 bench limits.xml --job-timeout $time
  expect "--job-timeout: '$time' is no time such as"
done

# --- measured parameters ---
if [ -r "$build/smpi/tutti-params" ]; then
  FAKE_HANGS_AT=launch
  run 2 params "$place/machine.xml" --db params.db --job-timeout 2s --program "$build/smpi/tutti-params"
  expect "tutti-params on 2 ranks printed nothing for 2 s"
  no_rest "tutti params"
fi
echo ok
