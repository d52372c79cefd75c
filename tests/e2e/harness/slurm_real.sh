#!/bin/sh
# Real MPI libraries in a real Slurm on this host: in the queue, in an allocation and without Slurm the environment of what
# is measured is the same; tutti compare in an allocation, by mpiexec and by srun.
#
# usage: slurm_real.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
. "$source/tests/e2e/slurm_host.sh"
[ -x "$build/mpich/tutti-bench" ] || [ -x "$build/openmpi/tutti-bench" ] ||
  { echo "skipped: no tutti-bench for a real MPI library"; exit 77; }
HOME=$place
export HOME
start_slurm 64

allocated() { # STATUS TASKS ARGUMENTS...: tutti within an allocation
  expected=$1 tasks=$2
  shift 2
  salloc -Q -n "$tasks" "$tutti" "$@" >out 2>err
  code=$?
  [ $code -eq "$expected" ] || die "$*: status $code instead of $expected: $(cat out err)"
}

# --- environments ---

environments() { # DATABASE
  sqlite3 "$1" "SELECT platform, flavor, library, tutti, build, settings, hosts, cpu, cores, binding FROM environment"
}

same_environment() { # DATABASE OTHER-DATABASE
  [ "$(environments "$1")" = "$(environments "$2")" ] ||
    die "$1: $(environments "$1"), but $2: $(environments "$2")"
}

write_sweep() { # FLAVOR
  cat >"$1.xml" <<XML
<experiment name="nodes">
  <platform kind="real" name="here" flavor="$1"/>
  <measure repetitions-max="3"/>
  <sweep collective="bcast" root="0">
    <ranks>1 2</ranks>
    <sizes>1 1KB</sizes>
    <method name="bcast/linear"/>
  </sweep>
</experiment>
XML
}

queue_is_empty() {
  [ -z "$(squeue -h)" ]
}

# On a busy machine the daemons of mpirun may not come up in an allocation.
all_in_queue() {
  rm -rf queued.db*
  "$tutti" $in_queue >out 2>err && grep -q "^nodes: 4 points measured, 0 there already" out
}

try_environments() { # FLAVOR VARIABLE MPI: a variable that is a setting; what srun connects ranks by
  flavor=$1
  write_sweep "$flavor"
  in_queue="bench $flavor.xml --db queued.db -q --ranks-per-node 2 --launcher slurm"
  run 0 bench "$flavor.xml" --db outside.db -q
  retry 3 "all points are measured in the queue" all_in_queue || die "$in_queue: $(cat out err)"
  same_environment queued.db outside.db
  [ "$(sqlite3 queued.db "SELECT count(*) FROM environment WHERE length(build) = 16 AND length(hosts) = 16 AND cpu <> ''
    AND cores = $(getconf _NPROCESSORS_ONLN) AND binding <> ''")" -eq 1 ] ||
    die "$flavor: the environment of queued launches: $(environments queued.db)"
  [ "$(sqlite3 queued.db "SELECT count(*) FROM launch JOIN environment USING (hosts)")" -eq 2 ] ||
    die "$flavor: launches: $(sqlite3 queued.db 'SELECT * FROM launch')"
  allocated 0 2 bench "$flavor.xml" --db inside.db -q
  expect "nodes: 4 points measured, 0 there already"
  same_environment inside.db outside.db

  # Nothing is measured twice, wherever it was measured before.
  run 0 $in_queue
  expect "nodes: 0 points measured, 4 there already"
  run 0 bench "$flavor.xml" --db queued.db -q
  expect "nodes: 0 points measured, 4 there already"
  run 0 bench "$flavor.xml" --db outside.db -q --launcher slurm --ranks-per-node 2
  expect "nodes: 0 points measured, 4 there already"

  # Nodes of the queue may differ, and any of them will do, but not here.
  sqlite3 outside.db "UPDATE environment SET cpu = 'other'"
  run 0 bench "$flavor.xml" --db outside.db -q --launcher slurm --ranks-per-node 2
  expect "nodes: 0 points measured, 4 there already"
  run 0 bench "$flavor.xml" --db outside.db -q
  expect "nodes: 4 points measured, 0 there already"
  run 2 map bcast --platform here --db outside.db
  expect "--environment 1  # .*other"
  sqlite3 outside.db "DELETE FROM measurement WHERE environment = 1; DELETE FROM launch WHERE environment = 1;
    DELETE FROM environment WHERE id = 1"

  # Another setting is measured anew; records that nobody waited for are in its environment, too.
  export "$2=1"
  run 0 $in_queue --submit-only
  within 6000 queue_is_empty || die "$flavor: still queued: $(squeue)"
  run 0 $in_queue
  expect "nodes: 0 points measured, 4 there already, 4 measurements recovered"
  run 0 bench "$flavor.xml" --db outside.db -q
  expect "nodes: 4 points measured, 0 there already"
  same_environment queued.db outside.db
  [ "$(sqlite3 queued.db "SELECT count(*), sum(settings LIKE '%$2=1%') FROM environment")" = "2|1" ] ||
    die "$flavor: environments: $(environments queued.db)"
  unset "$2"
  run 0 map bcast --platform here --db queued.db --setting "$2="

  # Settings reach the ranks whatever the queue is told to hand on.
  printf '#!/bin/sh\necho "$%s" >>"%s/seen"\nexec "%s" "$@"\n' "$2" "$place" "$build/$flavor/tutti-bench" >wrapper
  chmod +x wrapper
  export "$2=7" SBATCH_EXPORT=NONE
  run 0 $in_queue --program ./wrapper
  expect "nodes: 4 points measured, 0 there already"
  [ "$(sort -u seen)" = 7 ] || die "$flavor: ranks have not the setting: $(cat seen)"
  unset "$2" SBATCH_EXPORT
  rm seen
  run 2 $in_queue --slurm-args "-t 10 --export=NONE"
  expect "--slurm-args: with --export=NONE the ranks would not have the settings"

  # By srun, which the library must understand, and with more ranks than were allocated.
  run 0 $in_queue:srun --launcher-args "--mpi=$3"
  expect "nodes: 4 points measured, 0 there already"
  allocated 2 2 bench "$flavor.xml" --db refused.db -q --launcher srun
  expect "; srun connects ranks of .* with --launcher-args --mpi=$3 \("
  allocated 0 1 bench "$flavor.xml" --db over.db -q --launcher srun --launcher-args "--mpi=$3" --oversubscribe
  expect "nodes: 4 points measured, 0 there already"
  rm -rf ./*.db*
  echo "$flavor: the same environment in the queue, in an allocation and without Slurm"
}

[ -x "$build/mpich/tutti-bench" ] && try_environments mpich MPIR_CVAR_BCAST_MIN_PROCS pmi2
[ -x "$build/openmpi/tutti-bench" ] && try_environments openmpi OMPI_MCA_coll_tuned_bcast_algorithm pmix

# --- before and after in an allocation: a bad file, found and mended ---

# On a busy machine ranks that wait give way.
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_mpi_yield_when_idle
yield=$build/mpich/libtest-yield.so

compare() { # COLLECTIVE AFTER ARGUMENTS...: of 2 ranks, in an allocation
  collective=$1 after=$2
  shift 2
  rm -rf compare.db*
  salloc -Q -n 2 "$tutti" compare untuned "$after" --collective "$collective" -P 2 -s 8,1KB,1MB --platform here \
    --db compare.db --repetitions 60 --rounds 8 --unchanged -q "$@" >out 2>err
}

find_loss() { # COLLECTIVE FILE ARGUMENTS...
  compare "$@" -o mended
  [ $? -eq 1 ] && grep -Eq "^$1 +2 +1MB +8 .* lost\$" out
}

# The medians of the pairs in the store, in microseconds, are those of the line of a point.
check_medians() { # COLLECTIVE SIZE BYTES
  for column in before after; do
    sqlite3 compare.db "SELECT ${column}_median_s * 1e6 FROM comparison WHERE size_B = $3 ORDER BY 1"
  done | awk '{ time[NR] = $1 } END { printf "%.6f %.6f\n", (time[4] + time[5]) / 2, (time[12] + time[13]) / 2 }' >expected
  awk -v collective="$1" -v size="$2" '
    NR == FNR { before = $1; after = $2; next }
    $1 == collective && $3 == size && !seen++ { bad = ($5 - before) ^ 2 > 1e-6 || ($6 - after) ^ 2 > 1e-6 }
    END { exit bad || !seen }' expected out || die "$1 of $2: the medians are $(cat expected): $(cat out)"
}

try_compare() { # FLAVOR COLLECTIVE FILE MPIEXEC-ARGUMENTS SRUN-ARGUMENTS
  flavor=$1
  run 2 compare untuned "$3" --collective "$2" -P 2 -s 8 --db refused.db --launcher slurm
  expect "^tutti: --launcher slurm would give each launch an allocation of its own"
  run 2 compare untuned "$3" --collective "$2" -P 2 -s 8 --db refused.db --launcher srun
  expect "^tutti: srun would give each launch an allocation of its own"
  [ ! -e refused.db ] || die "a store was made of nothing"

  retry 5 "a bad file is found in an allocation" find_loss "$2" "$3" --launcher-args "$4" || die "$flavor: $(cat out err)"
  expect "^untuned against $3 on here, $flavor, "
  check_medians "$2" 8B 8
  check_medians "$2" 1KB 1024
  check_medians "$2" 1MB 1048576
  expect "^lost: [123] of 3 points, "
  expect "^mended: the library's own choice at [123] of 3 points"

  # Without Slurm the environment is the same: nothing is launched.
  cp out in-allocation
  run 1 compare untuned "$3" --collective "$2" -P 2 -s 8,1KB,1MB --platform here --db compare.db --repetitions 60 \
    --rounds 8 --unchanged -q --launcher-args "$4"
  cmp -s out in-allocation || die "$flavor: other pairs without Slurm: $(cat out)"
  [ "$(sqlite3 compare.db "SELECT count(*), (SELECT count(*) FROM environment) FROM comparison")" = "24|1" ] ||
    die "$flavor: $(environments compare.db)"

  retry 5 "a mended file loses nothing in an allocation" compare "$2" mended --launcher-args "$4" ||
    die "$flavor: mended: $(cat out err)"
  # As in a job that was submitted with --export=NONE: srun would hand on no variable.
  SLURM_EXPORT_ENV=NONE
  export SLURM_EXPORT_ENV
  retry 5 "a bad file is found by srun" find_loss "$2" "$3" --launcher srun --launcher-args "$5" ||
    die "$flavor: by srun: $(cat out err)"
  unset SLURM_EXPORT_ENV
  echo "$flavor: compared in an allocation: $(grep '^lost' in-allocation)"
}

if [ -x "$build/openmpi/tutti-bench" ]; then
  # Segments of 1 KB of messages of 1 MB: a thousand messages in place of a few.
  printf 'bcast/pipeline/1KB\n' >rules.txt
  run 0 export rules.txt --format openmpi-4.1 -o bad.rules
  try_compare openmpi bcast bad.rules "--bind-to none" "--mpi=pmix"
fi
if [ -x "$build/mpich/tutti-bench" ]; then
  # Two more copies of all that is sent.
  printf 'alltoall/bruck\n' >rules.txt
  run 0 export rules.txt --format "$(format_of mpich)" -o bad.json
  try_compare mpich alltoall bad.json "-env LD_PRELOAD $yield" "--mpi=pmi2 --export=ALL,LD_PRELOAD=$yield"
fi

# --- tutti tune: methods by an array in the queue, before and after in one allocation; and all of it within one ---

tune() { # DIR ARGUMENTS...: ends with a verdict, whichever
  folder=$1
  shift
  "$@" bcast --flavor "$flavor" -P 2 -s 1MB --budget 6s --platform here --dir "$folder" >out 2>err || die "tune: $(cat out err)"
  expect "^$library.* is faster with the file at|^Leave $library.* alone: "
}

for flavor in openmpi mpich; do
  [ -x "$build/$flavor/tutti-bench" ] || continue
  library=$(echo $flavor | sed 's/openmpi/OpenMPI/; s/mpich/MPICH/')
  tune queued "$tutti" tune --launcher slurm --ranks-per-node 2 --slurm-args "-t 10"
  ! grep -q 'before and after' err || expect ' salloc --ntasks=2 --ntasks-per-node=2 -t 10 tutti compare untuned '
  tune allocated salloc -Q -n 2 "$tutti" tune
  rm -r queued allocated
  echo "$flavor: tuned by the queue and in an allocation: $(sed -n 1p out)"
  break
done
echo ok
