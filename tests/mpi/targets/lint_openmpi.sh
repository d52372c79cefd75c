# Open MPI 4.1, sourced by run.sh: files that tutti lint calls dropped are ignored, those that it calls live are obeyed.
# In each file the cell for 1001 B names algorithm 99, with which the call fails if the cell is read. Calls are explained,
# too: what `tutti explain` says runs is what runs.
version=$(mpiexec.openmpi --version | sed -n 's/.* \(4\.[01]\)\..*/\1/p')
[ -n "$version" ] || { echo 'skipped: this is not Open MPI 4'; exit 77; }
target=openmpi-$version

ends() { # FILE: the call does or does not run; mpiexec loses the message of its children now and then
  launch 3 "$PWD/$1" bcast/linear@1001 && ran=yes || ran=no
  ! grep -q 'ORTE_ERROR_LOG.*show_help' err
}

# verdict NAME dropped|live [CODE]: what lint says of file NAME, and what the library does
verdict() {
  "$tutti" lint --target "$target" "$1" >found
  [ $# -lt 3 ] || grep -q "\[$3\]" found || die "$1: no $3 in $(cat found)"
  "$tutti" explain bcast -n 3 -s 1001 --decision "$1" --target "$target" >said
  retry 50 "$1: mpiexec lost the error message" ends "$1"
  case $2 in
  dropped)
    grep -q 'the file is dropped' said || die "$1: explain does not say that it is dropped: $(cat said)"
    [ $ran = yes ] || die "$1 is not dropped: $(cat err)"
    ;;
  live)
    grep -q 'fails with MPI_ERR_ARG' said || die "$1: explain does not find the cell: $(cat said)"
    [ $ran = no ] && grep -q MPI_ERR_ARG err || die "$1 is not obeyed: $(cat told err)"
    ;;
  other) # read, but the cell is not the one for this call
    grep -q 'fails' said && die "$1: explain finds the cell: $(cat said)"
    [ $ran = yes ] || die "$1: the cell is used: $(cat err)"
    ;;
  esac
}

printf '1 7 1 0 2\n0 1 0 0\n1001 99 0 0\n' >live
verdict live live OMPI-007
printf '1 7 1 0 3\n0 1 0 0\n1001 99 0 0\n' >short
verdict short dropped OMPI-001
printf '1 7 1 0 2\n1 1 0 0\n1001 99 0 0\n' >first
verdict first dropped OMPI-006
printf 'rule-file-version-2\n1 7 1 0 2\n0 1 0 0\n1001 99 0 0\n' >header
verdict header dropped OMPI-003
printf '1 7 1 0 2\n0 1 0 0\n1001 99 0 -1\n' >negative
verdict negative dropped OMPI-002
printf '23 7 1 0 2\n0 1 0 0\n1001 99 0 0\n' >many
verdict many dropped OMPI-004
printf '1 22 1 0 2\n0 1 0 0\n1001 99 0 0\n' >unknown
verdict unknown dropped OMPI-005
printf '1 7 1 0 1\n0 1 0 0\n1001 99 0 0\n' >trailing
verdict trailing other OMPI-008
printf '1 7 1 0 2\n0 1 0 0\n01001 99 0 0\n' >octal # from 513 B on
verdict octal live OMPI-009
printf '1 7 1 0 2\n0 1 0 0\n0x3ea 99 0 0\n' >hex # from 1002 B on
verdict hex other OMPI-009
printf '1 seven is 7 1 0 2\n0 1 0 0\n1001B 99 0 0\n' >words
verdict words live OMPI-010
printf '1 7 1 0 2\n0 1 0 0\n1001.5 99 0 0\n' >point # 1001 5 99 0: binary tree
verdict point other OMPI-010
printf '1 7 1 0 3\n0 1 0 0\n2000 1 0 0\n1001 99 0 0\n' >order
verdict order other OMPI-012
printf '1 7 2 8 1\n0 99 0 0\n4 1\n0 1 0 0\n' >ranks # three ranks: the first
verdict ranks live OMPI-011
printf '2 7 1 0 1\n0 99 0 0\n7 1 0 1\n0 1 0 0\n' >twice
verdict twice other OMPI-013
printf '1 7 1 64 1\n0 99 0 0\n' >smaller
verdict smaller live OMPI-021
printf '1 7 2 0 1\n0 0 0 0\n64 1\n0 99 0 0\n' >excluded
verdict excluded other
printf '1 7 1 0 1\n0 0 0 0\n' >fixed
verdict fixed other

# Domains: two_proc on three ranks dies, an odd number of ranks has a ring in place of neighbor exchange.
printf '1 3 1 0 1\n0 5 0 0\n' >two
run 1 lint --target "$target" two
expect '\[OMPI-018\]'
run 1 explain alltoall -n 3 -s 8 --decision two --target "$target"
launch 3 "$PWD/two" alltoall/pairwise@8 && die "two_proc of three ranks has run: $(cat told)"
printf '1 0 1 0 1\n0 5 0 0\n' >neighbor
run 0 explain allgather -n 5 -s 8 --decision neighbor --target "$target"
expect 'which is allgather/ring$'
told 5 "$PWD/neighbor" allgather/ring@8

for id in 8 9; do # fewer elements than ranks
  printf '1 7 1 0 1\n0 %d 0 0\n' $id >few
  run 0 explain bcast -n 5 -s 3 --decision few --target "$target"
  expect 'which is bcast/linear$'
  told 5 "$PWD/few" bcast/linear@3
done

# A handful of points a collective: the method that explain names sends what the library sends.
sed '/allreduce.ring\|scatter-ring/d' "$source/tests/mpi/targets/openmpi.sh" | sed -n '/^cat >rules.txt/,/^END$/p' |
  sed '1d;$d' >rules.txt
run 0 export rules.txt --format "$target" -o rules.conf
# explained RANKS COLLECTIVE@BYTES...
explained() {
  ranks=$1 named=
  shift
  for call; do
    run 0 explain "${call%@*}" -n "$ranks" -s "${call#*@}" --decision rules.conf --target "$target" --json
    method=$(sed -n 's/.*"method": "\([^"]*\)".*/\1/p' out)
    named="$named $method@${call#*@}"
  done
  told "$ranks" "$PWD/rules.conf" $named
}
explained 3 bcast@100 bcast@101 barrier@0 allgather@99 reduce@8000
explained 5 bcast@1000 bcast@1001 bcast@20001 barrier@0 scatter@99 scatter@100 gather@99 gather@100 allgather@99 \
  allgather@100 alltoall@99 alltoall@100 reduce@8000 reduce@8004
explained 8 allreduce@4000 alltoall@100 gather@100
