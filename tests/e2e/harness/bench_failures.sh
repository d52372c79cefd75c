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
<config><prop id="smpi/simulate-computation" value="no"/><prop id="smpi/bw-factor" value="0:1"/><prop id="smpi/lat-factor" value="0:1"/></config>
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

expect() { # STATUS PART-OF-MESSAGE [LINES]: one sentence, of tutti, below the LINES (0) that a job left
  [ $code -eq "$1" ] || die "status $code instead of $1 for '$2': $(cat err)"
  tail -n 1 err | grep -qF -- "$2" || die "'$(cat err)' does not say '$2'"
  [ "$(wc -l < err)" -eq $((1 + ${3:-0})) ] || die "not one line and ${3:-0}: $(cat err)"
  echo "ok: $(head -c 200 err | head -n 1)"
}

stored() {
  sqlite3 "$1" 'PRAGMA integrity_check; SELECT count(*) FROM measurement' | tr '\n' ' '
}

# --- jobs that fail ---
write_experiment good.xml machine.xml 2..6 bcast/linear
for mode in deadlock abort critical kill exit no-end wrong-end wrong-order negative garbage wrong-run; do
  rm -rf store.db*
  case $mode in
    deadlock) says="Deadlock detected" ;;
    abort) says="rank 3: out of memory" ;;
    critical) says="while measuring bcast/binomial with 1 B: There is no connecting path between a and b. (see store.db.work/" ;;
    kill) says="was killed by signal 9 (Killed) while measuring" ;;
    exit) says="ended with status 7 while measuring" ;;
    no-end) says="ended without its closing record while measuring" ;;
    wrong-end) says="ended with 6 measurements, counting 7 itself" ;;
    wrong-order) says="count=77777 type_B=1 was measured where" ;;
    negative) says="field 'minimum_s' is '-1e-06', but nothing takes less than no time" ;;
    garbage) says="went wrong while measuring" ;;
    wrong-run) says="reports library SimGrid-3.31 where SimGrid-3.32 was expected" ;;
  esac
  export FAKE_MODE=$mode FAKE_RANKS=5
  bench good.xml --db store.db
  lines=0
  [ $mode != abort ] || lines=3
  [ $mode != critical ] || lines=5
  expect 2 "$says" $lines
  expect 2 "tutti: good.xml: tutti-bench on 5 ranks" $lines
  unset FAKE_MODE FAKE_RANKS
  set -- $(stored store.db)
  [ "$1" = ok ] && [ "$2" -lt 30 ] || die "$mode: stored: $*"
  [ "$2" -ge 3 ] || [ $mode = wrong-run ] || die "$mode: the points before the failure are not stored"
  bench good.xml --db store.db
  [ $code -eq 0 ] || die "$mode: second run: $(cat err)"
  grep -qF "$((30 - $2)) points measured, $2 there already" out || die "$mode: second run: $(cat out)"
  [ "$(stored store.db)" = "ok 30 " ] || die "$mode: in the end: $(stored store.db)"
done

# --- one that fails ends the sweep; with --keep-going the others are measured, unless it fails before its first record ---
rm -rf store.db*
FAKE_MODE=exit bench good.xml --db store.db --keep-going
expect 2 "tutti: good.xml: 5 of its jobs failed; the same command measures what is missing" 5
[ "$(grep -c "tutti-bench on [2-6] ranks ended with status 7 while measuring" err)" = 5 ] || die "not each failure: $(cat err)"
[ "$(stored store.db)" = "ok 25 " ] || die "not all others: $(stored store.db)"
FAKE_MODE=silent-end bench good.xml --db none.db -j 1 --keep-going
expect 2 "tutti-bench on 6 ranks ended with status 255 before its first record: " 4

# --- a launch that fails with more than one line: all of them are shown, and nothing that a terminal obeys ---
export FAKE_MODE=silent-end
bench good.xml --db silent.db -j 1
expect 2 "tutti-bench on 6 ranks ended with status 255 before its first record: " 4
cat > expected <<'TEXT'
tutti: tutti-bench on 6 ranks says on standard error:
    ssh: Could not resolve hostname nowhere: Name or service not known
    A daemon failed.
    Check the \x1b[1mhosts\x1b[0m.
TEXT
head -n 4 err | cmp - expected || die "not all of what the launcher said: $(cat err)"
FAKE_MODE=flood bench good.xml --db silent.db -j 1
awk 'BEGIN { while (i++ < 20000) print "line", i }' | head -c 65536 | head -n -1 > flood
sed -n 's/^    //p' err | head -n "$(wc -l < flood)" | cmp - flood || die "not the beginning of a flood"
grep -q '^    (its first 65536 bytes; all of it: silent.db.work/[0-9]*.err)$' err || die "no note: $(tail -n 3 err)"
[ "$(wc -c < err)" -lt 120000 ] || die "a flood has no bound"
all=$(sed -n 's/.*all of it: \(.*\))$/\1/p' err)
[ "$(wc -l < "$all")" -eq 20000 ] || die "$all has not all of it"
unset FAKE_MODE

# --- more ranks than cores: refused before anything is stored, unless that is asked for ---
ln -s "$source/tests/e2e/fake/smpirun" bin/mpiexec.mpich
write_experiment real.xml machine.xml "2 5000" bcast/linear
sed -i 's/<platform .*/<platform kind="real" name="here" flavor="mpich"\/>/' real.xml
cores=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
says="5000 ranks are more than the $cores core"
bench real.xml --db real.db
expect 2 "tutti: real.xml: $says"
grep -q -- "--oversubscribe measures them all the same" err || die "no way out: $(cat err)"
[ ! -e real.db ] || die "real.db was made in vain"
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=none.json bench real.xml --db real.db
expect 2 "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names none.json: No such file or directory: MPICH crashes in MPI_Init"
SLURM_JOB_CPUS_PER_NODE='16(x312),7' bench real.xml --db real.db
expect 2 "tutti: real.xml: 5000 ranks are more than the 4999 cores that they can have"
bench real.xml --db real.db --oversubscribe
grep -q "^failures: up to 5000 ranks took turns on $cores core" out || die "oversubscription is not shown: $(cat out err)"
FAKE_MODE=noisy bench real.xml --db noisy.db --oversubscribe
[ $code -eq 0 ] || die "noise: $(cat err)"
grep -q '^failures: medians are known to 12.5 % or better, the least well that of bcast/.* ranks=[0-9]*; 12 of 12 not to' out ||
  die "noise is not shown: $(cat out)"
FAKE_MODE=noisy FAKE_SPREAD=535 bench real.xml --db wide.db --oversubscribe
grep -q '^failures: not all medians are known: that of bcast/.* is not, its interval is 535 % of it to either side; 12 of' out ||
  die "times that are not known read like success: $(cat out)"
grep -q '^tutti: warning: failures: the times of 12 of 12 points are noisy' err || die "no warning of noise: $(cat err)"
"$tutti" params here --flavor mpich --program ./program --db none.db --ranks 5000 > out 2> err
code=$?
expect 2 "tutti: here: $says"
bench good.xml --oversubscribe
expect 2 "good.xml: is simulated, under smpirun:"
expect 2 "are for real machines (--flavor openmpi or mpich)"
"$tutti" bench bcast --platform grig_fast_ethernet --engine fast --ranks-per-node 2 -P 4 -s 8 >out 2>err
code=$?
expect 2 "is simulated, by an engine of Tutti, which starts no ranks: "
expect 2 "; the ranks of a node are those of the platform"

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

# A sweep that the options say has no file: it is called as in the line that counts its points.
FAKE_MODE=hold "$tutti" bench --program ./program bcast --platform ./machine.xml -P 2..6 -s 1,1KB --db sweep.db > out 2> err &
run=$!
wait_until measures sweep.db
kill -TERM $run
wait $run
code=$?
expect 143 "tutti: bcast: ended by Terminated; what was measured is stored"

# --- a second run on the same store ---
FAKE_MODE=hold "$tutti" bench --program ./program good.xml --db busy.db > out.first 2> err.first &
run=$!
wait_until measures busy.db
bench good.xml --db busy.db
touch "$FAKE_GATE"
expect 2 "busy.db.work is in use by another run, process $run"
wait $run || die "the first of two runs: $(cat err.first)"
[ "$(stored busy.db)" = "ok 30 " ] || die "the first of two runs stored $(stored busy.db)"

# --- too little memory for a point of the fast engine: all others are measured, and it is named in the end ---
cat > lacking <<SH
#!/bin/sh
# The engine, which ends at the second of its points on 64 ranks, after which there is another one.
case "\$*" in *64*) ;; *) exec "$build/fast/tutti-bench" "\$@" ;; esac
"$build/fast/tutti-bench" "\$@" > "$place/records.\$\$"
grep -q tutti-measurement.*linear "$place/records.\$\$" || exec cat "$place/records.\$\$"
sed '/linear/,\$d' "$place/records.\$\$"
[ -z "\$LACKING_KILL" ] || kill -9 \$\$
echo "tutti: out of memory" >&2
exit 2
SH
chmod +x lacking
for kill in '' yes; do
  rm -rf lacking.db*
  for again in no yes; do
    LACKING_KILL=$kill bench bcast --platform "$source/platforms/bgp.xml" -P "8 64 16" -s 8 --engine fast \
      --methods binomial,linear,chain/2 --program ./lacking --db lacking.db -q
    expect 2 "tutti: bcast: too little memory for 1 point: bcast/linear with 8 B on 64 ranks" 1
    head -n 1 err | grep -q '^tutti: bcast: tutti-bench on 64 ranks .* while measuring bcast/linear with 8 B' ||
      die "not at once: $(cat err)"
    [ "$(stored lacking.db)" = "ok 8 " ] || die "not all others: $(stored lacking.db)"
    [ $again = yes ] || grep -q '^bcast: 8 points measured' out || die "no summary: $(cat out)"
  done
  "$tutti" bench bcast --platform "$source/platforms/bgp.xml" -P "8 64 16" -s 8 --engine fast \
    --methods binomial,linear,chain/2 --db lacking.db -q > out || die "not with more memory"
  grep -q '^bcast: 1 point measured, 8 there already' out || die "not the rest: $(cat out)"
done

# --- what failed leaves an environment without rows, which nobody is offered ---
cp "$source/platforms/bgp.xml" failed.xml
FAKE_MODE=kill FAKE_AFTER=0 bench bcast --platform ./failed.xml -P 4 -s 8 --db lacking.db
[ $code -eq 2 ] || die "did not fail: $code"
sqlite3 lacking.db 'SELECT platform FROM environment' | grep -q failed || die "no environment without rows"
"$tutti" map bcast --db lacking.db > out 2> err || die "not the only one: $(cat err)"
grep -q '^tutti: --platform bgp, the only one in lacking.db$' err || die "what failed counts: $(cat err)"
"$tutti" bench bcast --platform ./failed.xml -P 4 -s 8 --engine fast --db lacking.db -q > out 2> err || die "$(cat err)"
"$tutti" map bcast --db lacking.db > out 2> err
code=$?
grep '^  --' err > others
printf '  --platform %s --engine fast\n' bgp failed > expected
[ $code -eq 2 ] && cmp others expected || die "not the engines of both: $(cat err)"

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

# --- the launcher of another MPI: every rank is alone, which is said, not what a single rank cannot do ---
ours=$PATH
PATH=${PATH#"$place/bin:"} # without the stand-ins
for pair in openmpi:mpich mpich:openmpi; do
  flavor=${pair%:*} other=${pair#*:}
  [ "$cores" -ge 2 ] && [ -x "$build/$flavor/tutti-bench" ] && command -v mpiexec.$other > /dev/null || continue
  method=bcast/binomial@openmpi
  [ $flavor = openmpi ] || method=bcast/in-order-binomial@mpich
  write_experiment other.xml machine.xml 2 $method
  sed -i "s/<platform .*/<platform kind=\"real\" name=\"here\" flavor=\"$flavor\"\/>/; /binomial\"/d" other.xml
  "$tutti" bench other.xml --launcher mpiexec.$other --db other.db > out 2> err
  code=$?
  [ $code -eq 2 ] || die "status $code: $(cat err)"
  tail -n 1 err | grep -qF "each of the 2 ranks is alone: this program is built with $flavor, and the launcher is" ||
    die "the launcher of $other for $flavor: $(cat err)"
done
PATH=$ours

rm bin/smpirun
PATH=$place/bin bench good.xml
expect 2 "smpirun not found in PATH: install SimGrid (Debian: libsimgrid-dev)"
printf '#!/bin/sh\necho "Segmentation fault"\nexit 1\n' > bin/smpirun && chmod +x bin/smpirun
bench good.xml --db version.db
expect 2 "smpirun -version does not print a version of SimGrid but 'Segmentation fault'"
echo ok
