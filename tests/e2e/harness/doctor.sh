#!/bin/sh
# tutti doctor: what it sees of this machine, of one on which everything is missing, and of programs that fail, hang and are
# of another MPI.
#
# usage: doctor.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
ordinary=$PATH
HOME=$place
OMP_NUM_THREADS=3
export HOME OMP_NUM_THREADS

narrow() { # out has no line longer than 80 columns, unless it is one word after the margin
  awk 'length($0) > 80 && NF > 1 && substr($0, 19) ~ / / { bad = 1 } END { exit bad }' out || die "a line is too long: $(cat out)"
}

doctor() { # STATUS PATH: with these programs alone; the measuring programs are those of the build
  PATH=$2
  "$tutti" doctor >out 2>err
  code=$?
  PATH=$ordinary
  [ $code -eq "$1" ] || die "status $code instead of $1: $(cat out err)"
  [ ! -s err ] || die "says on standard error: $(cat err)"
  narrow
}

# On a machine without anything but Tutti, whose engine needs nothing; the packages are those of scripts/setup.sh.
mkdir empty
doctor 0 "$place/empty"
expect '^fast +ok +Tutti.s own engine'
expect '^host .*[A-Za-z0-9]'
expect '^cores .*[0-9]+ online'
expect '^memory .*[0-9.]+ GB, of which [0-9.]+ GB can be used'
expect '^load .*[0-9]+\.[0-9][0-9]'
expect '^simgrid +missing smpirun not found in PATH: install SimGrid'
expect '^openmpi +missing mpiexec.openmpi not found in PATH: install Open MPI'
expect '^mpich +missing mpiexec.mpich not found in PATH: install MPICH'
expect '^gnuplot +missing no gnuplot in PATH'
expect '^slurm +missing no sbatch in PATH'
expect '^sqlite +ok '
expect '^Only Tutti.s own engine can measure: neither SimGrid nor an MPI library works\.$'
! grep -q OMP_NUM_THREADS out || die "settings of libraries that are not there"
sed -n 's/^ *install: apt-get install //p' out | tr ' ' '\n' | sort -u >packages
[ "$(wc -l <packages)" -ge 8 ] || die "packages: $(cat out)"
while read -r package; do
  grep -qw -- "$package" "$source/src/harness/experiments/launch/packages.def" || die "$package is not a package of scripts/setup.sh"
done <packages
PATH=$place/empty
"$tutti" doctor --json >json 2>err
code=$?
PATH=$ordinary
[ $code -eq 0 ] || die "--json: status $code"
grep -q '"measurable": true' json || die "--json: $(cat json)"
grep -q '"check": "mpich", "state": "missing", .*"install": "mpich libmpich-dev"' json || die "--json: $(cat json)"

# Launchers and tools that fail, are those of another MPI, and hang; nothing that they start is left. Every flavor has its
# own fake, so that one that is not built does not matter.
mkdir fakes programs programs/smpi programs/mpich programs/openmpi
for flavor in smpi mpich openmpi; do
  printf '#!/bin/sh\n' >programs/$flavor/tutti-bench
  chmod +x programs/$flavor/tutti-bench
done
ln -s /bin/sleep fakes
cat >fakes/mpiexec.mpich <<'FAKE'
#!/bin/sh
echo "tutti-run v=1 tutti=0.1.0 flavor=openmpi library=OpenMPI-4.1.4 ranks=1 ranks_per_node=1"
FAKE
cat >fakes/mpiexec.openmpi <<'FAKE'
#!/bin/sh
echo "There are not enough slots available"
exit 1
FAKE
cat >fakes/smpirun <<'FAKE'
#!/bin/sh
echo "no such thing as SimGrid"
FAKE
cat >fakes/gnuplot <<FAKE
#!/bin/sh
echo \$\$ >>$place/hanging
exec sleep 1000
FAKE
cat >fakes/sbatch <<'FAKE'
#!/bin/sh
echo slurm 22.05.8
FAKE
chmod +x fakes/mpiexec.* fakes/smpirun fakes/gnuplot fakes/sbatch
PATH=$place/fakes
"$tutti" doctor --build-dir "$place/programs" >out 2>err
code=$?
PATH=$ordinary
[ $code -eq 1 ] || die "fakes: status $code: $(cat out err)"
expect '^fast +failed '
expect '^Nothing can be measured: neither SimGrid nor an MPI library works\.$'
expect '^simgrid +failed '
expect 'does not print a'
expect '^openmpi +failed '
tr -s ' \n' '  ' <out >joined
grep -q "does not start $place/programs/openmpi/tutti-bench: There are not enough slots available" joined || die "$(cat out)"
grep -q "does not start $place/programs/mpich/tutti-bench: it is the launcher of another MPI" joined || die "$(cat out)"
grep -q "that change times of openmpi, from the environment: .*OMP_NUM_THREADS=3" joined || die "no settings: $(cat out)"
grep -q "gnuplot failed $place/fakes/gnuplot --version did not answer" joined || die "gnuplot: $(cat out)"
grep -q "slurm ok $place/fakes/sbatch, slurm 22.05.8" joined || die "slurm: $(cat out)"
! kill -0 "$(cat hanging)" 2>/dev/null || die "gnuplot still hangs"

# A launcher that works, and a measuring program that is missing.
cat >fakes/mpiexec.mpich <<'FAKE'
#!/bin/sh
echo "tutti-run v=1 tutti=0.1.0 flavor=mpich library=MPICH-4.0.2 ranks=1 ranks_per_node=1 binding=unbound"
FAKE
rm fakes/gnuplot programs/openmpi/tutti-bench
PATH=$place/fakes
"$tutti" doctor --build-dir "$place/programs" >out 2>err
code=$?
PATH=$ordinary
[ $code -eq 0 ] || die "a working launcher: status $code: $(cat out err)"
expect '^mpich +ok +MPICH-4\.0\.2, '
tr -s ' \n' '  ' <out >joined
grep -q "unbound; MPICH binds no ranks by itself: tutti bench --launcher-args '-bind-to core' does" joined || die "$(cat out)"
grep -q "openmpi failed no measuring program for flavor openmpi" joined || die "$(cat out)"
expect '^Tutti can measure, but not by simgrid, openmpi\.$'

# A flavor that was left out of the build; parameter files; a variable that makes MPICH crash.
rm -r programs/openmpi
mkdir .openmpi
echo 'coll = ^han' >.openmpi/mca-params.conf
: >there.json
PATH=$place/fakes
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$place/none.json "$tutti" doctor --build-dir "$place/programs" >out 2>err
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$place/there.json "$tutti" doctor --build-dir "$place/programs" >there 2>err
PATH=$ordinary
tr -s ' \n' '  ' <out >joined
grep -q "openmpi missing $place/fakes/mpiexec.openmpi is here, but flavor openmpi was left out of this build" joined ||
  die "$(cat out)"
grep -q "openmpi, from $place/.openmpi/mca-params.conf: OMPI_MCA_coll=^han" joined || die "no origin: $(cat out)"
grep -q "mpich failed the variable MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names $place/none.json: No such" joined ||
  die "$(cat out)"
grep -Eq '^mpich +ok' there || die "the file is there: $(cat there)"

# Where Tutti was installed from source without that flavor.
mkdir -p installed/bin installed/libexec/tutti/fast
cp "$tutti" installed/bin && ln -s "$build/fast/tutti-bench" installed/libexec/tutti/fast || die "no installation"
PATH=$place/fakes
"$place/installed/bin/tutti" doctor >out 2>err
PATH=$ordinary
tr -s ' \n' '  ' <out >joined
grep -q "but flavor openmpi is not installed: install the package tutti-openmpi, or, of .* openmpi in TUTTI_FLAVORS_WANTED" joined ||
  die "$(cat out err)"
grep -qF " $place/installed/libexec/tutti/fast/tutti-bench: " joined || die "the path of the engine: $(cat out err)"

# A build without MPI programs, as where cmake found no MPI: the libraries work, and the engine can measure. The packages that
# have the compilers are named, but not those of a compiler that is there.
mkdir plain starters && cp "$tutti" plain && ln -s "$build/fast" plain/fast || die "no plain build"
for starter in smpirun mpiexec.openmpi mpiexec.mpich mpicc.mpich; do
  printf '#!/bin/sh\n' >starters/$starter
  chmod +x starters/$starter
done
tutti=$place/plain/tutti
doctor 0 "$place/starters"
tutti=$build/tutti
expect '^This Tutti has no MPI programs, so it cannot measure by what is here:$'
expect '^simgrid, openmpi, mpich\.$'
expect '^Tutti.s own engine can measure without them: --engine fast\.$'
tr -s ' \n' '  ' <out >joined
grep -q 'openmpi in TUTTI_FLAVORS_WANTED install: apt-get install .*libopenmpi-dev' joined || die "no compiler is named: $(cat out)"
! grep -q 'install .*libmpich-dev' joined || die "a compiler that is here: $(cat out)"

# What the demo builds is the command and one program. A simulation runs by it; each other program is named with what
# needs it.
if [ -e "$build/smpi/tutti-bench" ] && command -v smpirun >/dev/null; then
  mkdir -p demo/smpi && ln -s "$build/smpi/tutti-bench" demo/smpi && cp "$tutti" demo || die "no demo"
  "$place/demo/tutti" doctor >out 2>err
  code=$?
  [ $code -eq 0 ] || die "the demo: status $code: $(cat out err)"
  expect '^simgrid +ok +SimGrid-'
  expect '^fast +failed '
  tr -s ' \n' '  ' <out >joined
  grep -q "programs missing targets that are not built of flavor smpi: tutti-group-smpi, for tutti group and" joined ||
    die "$(cat out)"
  grep -q "; tutti-pingpong-smpi, for tutti platform check; tutti-replay-smpi, for tutti replay --engine smpi " joined ||
    die "$(cat out)"
  grep -q "flavor openmpi was left out of this build" joined || ! command -v mpiexec.openmpi >/dev/null || die "$(cat out)"

  # Programs that cannot run: no file of this machine, not executable, a library that is missing.
  mkdir -p demo/mpich
  cp "$build/smpi/tutti-bench" demo/smpi/tutti-group
  printf '\267\000' | dd of=demo/smpi/tutti-group bs=1 seek=18 conv=notrunc 2>dd || die "dd" # of another processor
  : >demo/smpi/tutti-params
  printf '#!/bin/sh\n' >demo/mpich/tutti-group
  "$place/demo/tutti" doctor >out 2>err
  tr -s ' \n' '  ' <out >joined
  grep -q "programs failed $place/demo/smpi/tutti-group: it is for another kind of processor; tutti group and" joined ||
    die "$(cat out)"
  grep -q "programs failed $place/demo/smpi/tutti-params: it is no program; tutti params needs it" joined ||
    die "$(cat out)"
  if command -v mpiexec.mpich >/dev/null; then
    grep -q "programs failed $place/demo/mpich/tutti-group: it is not executable; tutti group and" joined ||
      die "$(cat out)"
    grep -q "mpich failed no measuring program for flavor mpich: .*: build the target tutti-bench-mpich" joined ||
      die "$(cat out)"
  fi
  rm demo/smpi/tutti-bench
  echo 'int missing(void) { return 0; }' >missing.c
  echo 'int missing(void); int main(void) { return missing(); }' >needs.c
  cc -shared -fPIC -o libmissing.so missing.c && cc -shared -fPIC -o demo/smpi/tutti-bench needs.c -L. -lmissing || die cc
  rm libmissing.so
  "$place/demo/tutti" doctor >out 2>err
  tr -s ' \n' '  ' <out >joined
  grep -q "simgrid failed .*libmissing.so: cannot open shared object file" joined || die "$(cat out)"
fi

# This machine.
"$tutti" doctor >out 2>err
code=$?
narrow
works=0
for check in simgrid fast openmpi mpich; do grep -Eq "^$check +ok" out && works=$((works + 1)); done
[ $code -eq $((works == 0)) ] || die "status $code with $works that work: $(cat out)"
for flavor in openmpi mpich; do
  [ -x "$build/$flavor/tutti-bench" ] && command -v mpiexec.$flavor >/dev/null || continue
  retry 3 "mpiexec.$flavor on a busy machine" eval "$tutti doctor >out; grep -Eq '^$flavor +ok ' out" || die "$flavor: $(cat out)"
done
echo "$works of 4 libraries work here"

# A TMPDIR that is not there is no fault of what is measured with.
verdicts() {
  awk '/^[a-z]+ +(ok|failed|missing) / { print $1, $2 }' "$1"
}
mv out with
TMPDIR=$place/none "$tutti" doctor >out 2>err
[ "$(verdicts out | grep -E '^(simgrid|fast) ')" = "$(verdicts with | grep -E '^(simgrid|fast) ')" ] ||
  die "another verdict: $(diff with out)"
grep -q "^tutti: note: TMPDIR=$place/none: No such file or directory: /tmp is used" err || die "no note: $(cat err)"
