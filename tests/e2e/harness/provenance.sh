#!/bin/sh
# What a measurement on a real machine was taken under is part of it: another setting is another environment, measured anew
# and kept apart; ranks per node are stored as they were; launches have date, load and binding.
#
# usage: provenance.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
HOME=$place
export HOME

write_sweep() { # FLAVOR
  cat >"$1.xml" <<XML
<experiment name="provenance">
  <platform kind="real" name="here" flavor="$1"/>
  <measure repetitions-max="3"/>
  <sweep collective="bcast" root="0">
    <ranks>1 2 4</ranks>
    <sizes>1 1KB</sizes>
    <method name="bcast/linear"/>
  </sweep>
</experiment>
XML
}

query() { # SQL
  sqlite3 "$flavor.db" "$1"
}

bench() { # MEASURED THERE [ARGUMENTS...]: so many points
  measured=$1 there=$2
  shift 2
  run 0 bench $flavor.xml --db $flavor.db -q --oversubscribe "$@"
  expect "provenance: $measured points? measured, $there there already"
}

try() { # FLAVOR VARIABLE ARGUMENTS-THAT-SET-IT-TO-1
  flavor=$1
  [ -x "$build/$flavor/tutti-bench" ] || return 0
  write_sweep $flavor
  bench 6 0
  bench 0 6

  # As they were: all on this machine, though nobody said so.
  [ "$(query 'SELECT DISTINCT ranks, ranks_per_node FROM measurement ORDER BY ranks' | tr '\n' ' ')" = "1|1 2|2 4|4 " ] ||
    die "$flavor: ranks per node are not as they were: $(query 'SELECT DISTINCT ranks, ranks_per_node FROM measurement')"
  "$tutti" map bcast --platform here --db $flavor.db >out 2>err || die "$flavor: no map: $(cat err)"
  "$tutti" map bcast --platform here --db $flavor.db --ranks-per-node 4 >other 2>err || die "$flavor: no map: $(cat err)"
  cmp out other || die "$flavor: another map of 4 ranks per node"
  [ "$(query "SELECT count(*) FROM launch WHERE rows = 2 AND end_date >= date AND load >= 0 AND end_load >= 0
    AND ranks IN (1, 2, 4) AND length(hosts) = 16 AND (binding = 'unbound' OR binding LIKE 'bound:%')")" -eq 3 ] ||
    die "$flavor: launches: $(query 'SELECT * FROM launch')"
  [ "$(query "SELECT count(*) FROM environment WHERE length(hosts) = 16 AND length(build) = 16 AND cpu <> '' AND cores = $(getconf _NPROCESSORS_ONLN)
    AND binding <> '' AND settings NOT LIKE '%$2%'")" -eq 1 ] || die "$flavor: environment: $(query 'SELECT * FROM environment')"

  # Another setting is measured anew, by whichever way it was set, and kept apart.
  export "$2=1"
  bench 6 0
  bench 0 6
  unset "$2"
  bench 0 6 --launcher-args "$3"
  bench 0 6
  [ "$(query "SELECT count(*), sum(settings LIKE '%$2=1%') FROM environment")" = "2|1" ] ||
    die "$flavor: environments: $(query 'SELECT * FROM environment')"
  run 2 map bcast --platform here --db $flavor.db
  expect "2 sets of measurements match; choose one by adding:\$"
  expect "^  --environment 1  # none of these settings\$"
  expect "^  --environment 2  # settings $2=1\$"
  run 0 map bcast --platform here --db $flavor.db --setting "$2=1"
  mv out set
  run 0 map bcast --platform here --db $flavor.db --environment 2
  cmp -s out set || die "$flavor: environment 2 is not that with the setting"
  run 0 map bcast --platform here --db $flavor.db --setting "$2="

  # The content of a file that a setting names is the setting.
  echo 1 >rules
  export "$4=$place/rules"
  bench 6 0
  echo 2 >rules
  bench 6 0
  unset "$4"

  # A secret is not stored.
  export UCX_PROXY_TOKEN=geheim
  bench 0 6
  unset UCX_PROXY_TOKEN
  ! grep -q geheim $flavor.db || die "$flavor: a secret is stored"

  # Each point in three launches: three rows, of which a map makes one, with the median of the medians.
  run 0 bench bcast --platform here --flavor $flavor -P 2 -s 8 --methods linear,binomial --repetitions 3 --launches 3 \
    --db launches.db -q
  expect '^bcast: 6 points measured, 0 there already'
  run 0 bench bcast --platform here --flavor $flavor -P 2 -s 8 --methods linear,binomial --repetitions 3 --launches 4 \
    --db launches.db -q
  expect '^bcast: 2 points measured, 6 there already'
  [ "$(sqlite3 launches.db 'SELECT count(*), count(DISTINCT launch) FROM measurement')" = "8|4" ] ||
    die "$flavor: $(sqlite3 launches.db 'SELECT * FROM measurement')"
  [ "$(sqlite3 launches.db 'SELECT count(*) FROM launch')" -eq 4 ] || die "$flavor: $(sqlite3 launches.db 'SELECT * FROM launch')"
  run 0 map bcast --platform here --db launches.db --csv
  middle=$(sqlite3 launches.db "SELECT printf('%.12g', avg(median_s)) FROM (SELECT median_s FROM measurement
    JOIN method m ON m.id = method WHERE m.name = '$(tail -n 1 out | cut -d , -f 9)' ORDER BY median_s LIMIT 2 OFFSET 1)")
  tail -n 1 out | awk -F , -v middle="$middle" '{ difference = $10 / middle - 1; exit difference * difference > 1e-18 }' ||
    die "$flavor: not the median $middle: $(cat out)"
  rm launches.db

  # Two ranks per node were asked for, and four are there.
  cat >two.xml <<XML
<experiment name="two">
  <platform kind="real" name="here" flavor="$flavor"/>
  <measure repetitions-max="3"/>
  <sweep collective="bcast" root="0"><ranks>4</ranks><sizes>1</sizes><method name="bcast/linear"/></sweep>
</experiment>
XML
  run 2 bench two.xml --db two.db -q --ranks-per-node 2 --oversubscribe
  expect "reports 4 ranks per node where 2 were asked for"
  rm -rf two.db*
  if [ $flavor = mpich ]; then # told to share no memory, it says that each rank is alone
    mpiexec.mpich -n 4 -env MPIR_CVAR_NOLOCAL 1 "$build/mpich/tutti-bench" --method bcast/linear --size 1 >out 2>err ||
      die "without shared memory: $(cat err)"
    expect '^tutti-run .* ranks_per_node=4 '
  fi
  tried="$tried $flavor"

  run 0 report --db $flavor.db -o report.html
  grep -q "Real machines" report.html || die "$flavor: no real machines in the report"
  grep -q "$2=1" report.html || die "$flavor: no setting in the report"
  grep -q -- "--environment 2" report.html || die "$flavor: commands of the report do not choose an environment"
}

tried=
try openmpi OMPI_MCA_coll_tuned_bcast_algorithm "--mca coll_tuned_bcast_algorithm 1" OMPI_MCA_coll_tuned_dynamic_rules_filename
try mpich MPIR_CVAR_BCAST_MIN_PROCS "-genv MPIR_CVAR_BCAST_MIN_PROCS 1" MPIR_CVAR_SOME_JSON_FILE

# A file of parameters of the user's.
if [ -x "$build/openmpi/tutti-bench" ]; then
  flavor=openmpi
  mkdir -p .openmpi
  echo "coll_tuned_bcast_algorithm = 1" >.openmpi/mca-params.conf
  bench 0 6
fi
[ -n "$tried" ] || { echo "skipped: no tutti-bench for a real MPI library"; exit 77; }

# Simulated times are the same on every machine, under whatever settings.
if [ -x "$build/smpi/tutti-bench" ] || [ -r "$build/smpi/tutti-bench" ]; then
  cat >simulated.xml <<XML
<experiment name="simulated">
  <platform name="grig_mx"/>
  <sweep collective="bcast" root="0"><ranks>2</ranks><sizes>1</sizes><method name="bcast/linear"/></sweep>
</experiment>
XML
  run 0 bench simulated.xml --db simulated.db -q
  OMP_NUM_THREADS=3 "$tutti" bench simulated.xml --db simulated.db -q >out 2>err || die "$(cat err)"
  expect "0 points measured, 1 there already"
  [ "$(sqlite3 simulated.db "SELECT settings || hosts || cpu || cores || binding FROM environment")" = 0 ] ||
    die "a simulated environment has a machine"
  [ "$(sqlite3 simulated.db "SELECT count(*) FROM launch")" -eq 0 ] || die "a launch of a simulation is stored"
fi
echo "tried:$tried"
