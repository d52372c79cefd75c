#!/bin/sh
# applications.sh BUILD_DIR DIRECTORY CODE...: real programs, as Debian has them, on 2 ranks here: recorded with their collectives left
# to the library, advised, and run again with the rules, in turns: what tutti advise expects beside what is gained,
# and what two runs without rules differ by (docs/explanation/programs.md). Codes, and their packages: hpcc, lammps, gromacs, examl, espresso (quantum-espresso and
# its data), all with Open MPI, scalapack (scalapack-mpi-test) with MPICH. DIRECTORY keeps profiles, stores and rules.
#
# TURNS=7 says how often.
set -eu
[ $# -gt 2 ] && [ -x "$1/tutti" ] || { sed -n '2,/^#$/s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
mkdir -p "$2"
directory=$(cd "$2" && pwd)
shift 2
ranks=2 turns=${TURNS:-7}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_op=^avx
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
collectives='bcast barrier scatter scatterv gather gatherv allgather allgatherv alltoall alltoallv alltoallw reduce
  reduce_scatter_block reduce_scatter allreduce scan exscan'

# ---- the programs: a command, and what it reads ----

lammps() {
  flavor=openmpi command="lmp -in in.lj -log none"
  cat >in.lj <<'END'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 1
run 300
END
}

gromacs() {
  flavor=openmpi command="gmx_mpi mdrun -s md.tpr -ntomp 1 -deffnm run"
  [ -e md.tpr ] && return
  printf '%s\n' '#include "oplsaa.ff/forcefield.itp"' '#include "oplsaa.ff/spce.itp"' '[ system ]' water '[ molecules ]' >topol.top
  printf '%s\n' 'integrator = md' 'nsteps = 300' 'dt = 0.002' 'cutoff-scheme = Verlet' 'coulombtype = PME' 'rcoulomb = 0.8' \
    'rvdw = 0.8' 'tcoupl = v-rescale' 'tc-grps = System' 'tau-t = 0.1' 'ref-t = 300' 'nstcalcenergy = 1' 'nstenergy = 10' \
    'gen-vel = yes' >md.mdp
  gmx solvate -cs spc216.gro -box 2.2 2.2 2.2 -o w.gro -p topol.top
  gmx grompp -f md.mdp -c w.gro -p topol.top -o md.tpr -maxwarn 5
}

hpcc() {
  flavor=openmpi command=/usr/bin/hpcc
  sed -e '6s/^[0-9]*/400/' -e '8s/^[0-9]*/32/' -e '11s/^[0-9]*/1/' \
    /usr/share/doc/hpcc/examples/_hpccinf.txt >hpccinf.txt
}

examl() { # 16 species, 400 letters
  flavor=openmpi command="/usr/lib/examl/bin/examl-sse3 -s data.binary -t start -m GAMMA -n run -B 1 -f E"
  rm -f ExaML_*
  [ -e data.binary ] && return
  awk 'BEGIN { srand(1); print "16 400"
    for (i = 0; i < 400; i++) base[i] = int(4 * rand())
    for (s = 1; s <= 16; s++) { line = ""
      for (i = 0; i < 400; i++) line = line substr("ACGT", (rand() < 0.2 ? int(4 * rand()) : base[i]) + 1, 1)
      print "s" s " " line } }' >data.phy
  echo "(s1,s2,(s3,(s4,(s5,(s6,(s7,(s8,(s9,(s10,(s11,(s12,(s13,(s14,(s15,s16))))))))))))));" >start
  parse-examl -s data.phy -m DNA -n data
}

espresso() {
  flavor=openmpi command="pw.x -in si.in"
  pseudo=$(find /usr/share -name 'Si*.UPF' | head -n 1)
  cat >si.in <<END
&control
 calculation='scf', prefix='si', pseudo_dir='$(dirname "$pseudo")', outdir='out'
/
&system
 ibrav=2, celldm(1)=10.2, nat=2, ntyp=1, ecutwfc=12.0
/
&electrons
 conv_thr=1.0d-8
/
ATOMIC_SPECIES
 Si 28.086 $(basename "$pseudo")
ATOMIC_POSITIONS alat
 Si 0.00 0.00 0.00
 Si 0.25 0.25 0.25
K_POINTS automatic
 3 3 3 1 1 1
END
}

scalapack() {
  flavor=mpich command=/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests/xdlu
  cat >LU.dat <<'END'
'ScaLAPACK LU factorization input file'
'2 ranks'
'LU.out'
6
1
300
300
3
8 16 32
1
1
1
1
1
1
2
1.0
F
END
}

# ---- running ----

native() { # all collectives are left to the library
  for collective in $collectives; do
    printf 'TUTTI_%s=native ' "$(echo "$collective" | tr '[:lower:]' '[:upper:]')"
  done
}

# run PROFILE VARIABLE...: seconds of the program. Nothing else that the program prints matters.
run() {
  profile=$1
  shift
  rm -f "$profile" ExaML_*
  # shellcheck disable=SC2086 # words
  env TUTTI_PROFILE="$profile" "$@" timeout 200 mpiexec.$flavor ${over-} -n $ranks \
    env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" $command >program.out 2>&1 ||
    { tail -n 3 program.out >&2; return 1; }
  sed -n 's/^tutti-program .*elapsed_s=\([^ ]*\) .*/\1/p' "$profile"
}

# Measure the points where the program spends most: all algorithms, and the library's own choice.
measure() {
  grep '^tutti-call ' first.profile | tr ' ' '\n' |
    awk -F= '$1 == "collective" { name = $2 } $1 == "comm_ranks" { ranks = $2 } $1 == "size_B" { size = $2 }
      $1 == "total_s" && ranks > 1 && name !~ /^(scatterv|gatherv|alltoall[vw])$/ { s[name " " ranks " " size] += $2 }
      END { for (point in s) print s[point], point }' | sort -rg | head -n 8 >points
  while read -r _ collective p size; do
    for methods in "" "--methods=$collective/native"; do
      "$build/tutti" bench "$collective" --flavor $flavor --platform here -P "$p" -s "$size" ${methods:+"$methods"} \
        --repetitions 100 --db store.db -q >>bench.out 2>&1 </dev/null || tail -n 2 bench.out >&2
    done
  done <points
}

median() { sort -n "$1" | awk '{ s[NR] = $1 } END { print (s[int((NR + 1) / 2)] + s[int(NR / 2) + 1]) / 2 }'; }

for code; do
  mkdir -p "$directory/$code"
  cd "$directory/$code"
  over=
  $code >prepare.out 2>&1
  [ $flavor = openmpi ] && over=--oversubscribe
  # shellcheck disable=SC2046 # words
  run first.profile $(native) >/dev/null || continue
  measure
  "$build/tutti" advise first.profile --platform here --native --db store.db -o rules >advice 2>&1 || { cat advice; continue; }
  cp rules decision
  for collective in $collectives; do echo "$collective/native" >>decision; done
  : >without
  : >with
  : >without_again
  turn=0
  while [ $turn -lt "$turns" ]; do
    turn=$((turn + 1))
    # shellcheck disable=SC2046
    run again.profile $(native) >>without || break
    run tuned.profile TUTTI_DECISION="$PWD/decision" >>with || break
    # shellcheck disable=SC2046
    run again.profile $(native) >>without_again || break
  done
  faster=$(paste without with | awk '$2 < $1 { n++ } END { print n + 0 }')
  echo "$code: $(grep -c . without) turns, median $(median without) s without, $(median with) s with the rules, faster in $faster"
  echo "  without rules once more in each turn: median $(median without_again) s"
  awk -v without="$(median without)" -v with="$(median with)" 'BEGIN { printf "  gained %.2f %%\n", 100 * (1 - with / without) }'
  grep -h '^With the best\|rules* win\|Left out' advice | sed 's/^/  /'
done
