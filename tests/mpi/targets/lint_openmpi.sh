# Open MPI, sourced by run.sh: files that tutti lint calls dropped are ignored, those that it calls live are obeyed.
# In each file the cell for 1001 B names algorithm 99, with which the call fails if the cell is read. Calls are explained,
# too: what `tutti explain` says runs is what runs.

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
case $version in
4.0.* | 4.1.[0-7] | 5.0.[0-6]) verdict header dropped OMPI-003 ;;
*) verdict header live ;;
esac
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
printf '1 7 2 0 1\n0 0 0 0\n64 1\n0 99 0 0\n' >excluded
printf '1 7 3 2 1\n0 1 0 0\n3 1\n0 99 0 0\n4 1\n0 1 0 0\n' >own # three ranks: the block of that number
case $version in
[45].*)
  verdict smaller live OMPI-021
  verdict excluded other
  verdict own live
  ;;
*) # a block serves the numbers from that of the block before it on
  verdict smaller live OMPI-022
  verdict excluded live OMPI-030
  verdict own other OMPI-022
  ;;
esac
printf '1 7 1 0 1\n0 0 0 0\n' >fixed
verdict fixed other

# JSON, of version 6: a pipeline of 1001 B on three ranks, which is not the library's own choice.
# json obeyed|ignored|crashes CODE TEXT: what the library does with it, and lint ("-": no fault) and explain say
json() {
  printf '%s\n' "$3" >json
  "$tutti" lint --no-notes --target "$target" json >found && code=- || code=$2
  [ "$code" = "$2" ] && { [ "$2" = - ] || grep -q "\[$2\]" found; } || die "no $2 for $3: $(cat found)"
  "$tutti" explain bcast -n 3 -s 1001 --decision json --target "$target" >said
  grep -Eq '(which is bcast/|^  )pipeline$' said && says=obeyed || says=ignored
  does=ignored
  launch 3 "$PWD/json" bcast/pipeline@1001 || does=crashes
  ! grep -q ': as decided: ' told || does=obeyed
  [ "$does" = "$1" ] || die "$3: $does: $(cat told err)"
  [ "$says" = obeyed ] && [ "$does" != obeyed ] || [ "$says$does" = ignoredobeyed ] && die "$3: $does, but: $(cat said)"
  return 0
}
bcast() { # VERDICT CODE BLOCK-MEMBERS RULES
  json "$1" "$2" "{\"collectives\": {\"bcast\": [{$3\"rules\": [$4]}]}}"
}
if [ "$format" = openmpi-6 ]; then
  launch 3 - bcast/pipeline@1001
  grep -q ': otherwise: ' told || die "a pipeline is its own choice: $(cat told)"
  bcast obeyed - '' '{"alg": 3}'
  bcast obeyed - '' '{"alg": "Pipeline"}, {"alg": 1}'
  bcast obeyed - '' '{"alg": "0x3",},'
  bcast obeyed OMPI-109 '' '{"alg": 99}, {"alg": 3}'
  bcast ignored OMPI-109 '' '{"alg": "pipe"}'
  bcast ignored OMPI-108 '' '{"alg": 3.0}, {"alg": 3}'
  bcast ignored OMPI-108 '' '1, {"alg": 3}'
  bcast ignored - '' '{"alg": 3, "msg_size_max": 1000}, {"alg": 3, "msg_size_min": 1002}'
  bcast obeyed - '' '{"alg": 3, "msg_size_min": 1001, "msg_size_max": 1001}'
  bcast obeyed - '' '{"alg": 3, "msg_size_max": "infinite"}'
  bcast obeyed - '' '{"alg": 3, "msg_size_max": -1}'
  bcast ignored OMPI-114 '' '{"alg": 3, "msg_size_min": -1, "msg_size_max": 2000}'
  bcast ignored OMPI-106 '' '{"alg": 3, "msg_size_min": 1.5}'
  bcast ignored OMPI-115 '' '{"alg": 1, "alg": 3}'
  bcast obeyed - '"comm_size_min": 3, "comm_size_max": 3, ' '{"alg": 3}'
  bcast ignored - '"comm_size_min": 4, ' '{"alg": 3}'
  bcast ignored OMPI-107 '"comm_size_max": "inf", ' '{"alg": 3}'
  bcast obeyed OMPI-023 '"comm_size_max": 4294967299, ' '{"alg": 3}'
  bcast ignored OMPI-023 '"comm_size_max": 4294967298, ' '{"alg": 3}'
  bcast obeyed OMPI-113 '"comm_rank_distribution": "all", ' '{"alg": 3}'
  bcast ignored OMPI-117 '"comm_rank_distribution": 1, ' '{"alg": 3}'
  bcast obeyed OMPI-112 '"ranks": 3, ' '{"alg": 3}'
  json ignored OMPI-101 '{"collectives": {"bcast": [{"rules": [{"alg": 03}]}]}}'
  json ignored OMPI-101 '{"collectives": {"bcast": [{"rules": [{"alg": 3}]}]}} and'
  json ignored OMPI-101 '{"collectives": /* all */ {"bcast": [{"rules": [{"alg": 3}]}]}}'
  json ignored OMPI-102 '{"bcast": [{"rules": [{"alg": 3}]}]}'
  json ignored OMPI-103 '{"collectives": {"reducescatter": [], "bcast": [{"rules": [{"alg": 3}]}]}}'
  json crashes OMPI-103 '{"collectives": {"bcast": [{"rules": [{"alg": 3}]}], "reducescatter": []}}'
  json ignored OMPI-104 '{"collectives": {"bcast": {"rules": [{"alg": 3}]}}}'
  json ignored OMPI-105 '{"collectives": {"bcast": [{"rules": "all"}]}}'
  json obeyed OMPI-115 '{"collectives": {"bcast": [{"rules": [{"alg": 1}]}], "bcast": [{"rules": [{"alg": 3}]}]}}'
  json obeyed OMPI-014 '{"collectives": {"bcast": [{"rules": [{"alg": 3}]}], "alltoallw": []}}'
  json crashes OMPI-116 '{"collectives": {"bcast": [{"rules": [{"alg": 3}]}], "alltoallw": [{"rules": [{"alg": 0}]}]}}'
  json crashes OMPI-116 '{"collectives": {"bcast": [{"rules": {"all": {"alg": 3}}}]}}'

  # The radix of allgather: what explain says runs, and a file under which the call never ends.
  echo '{"collectives": {"allgather": [{"rules": [{"alg": 2, "faninout": 2}]}]}}' >radix
  run 0 explain allgather -n 5 -s 8 --decision radix --target "$target"
  expect '(which is allgather/|^  )bruck$'
  told 5 "$PWD/radix" allgather/bruck@8
  sed 's/"faninout": 2/"faninout": 1/' radix >endless
  run 1 lint --target "$target" endless
  expect '\[OMPI-032\]'
  run 1 explain allgather -n 5 -s 8 --decision endless --target "$target"
  (
    PATIENCE=20
    launch 5 "$PWD/endless" allgather/bruck@8
    [ $? -eq 124 ]
  ) || die "an allgather of radix 1 ends: $(cat told err)"
fi

# Domains: two_proc on three ranks dies, an odd number of ranks has a ring in place of neighbor exchange.
printf '1 3 1 0 1\n0 5 0 0\n' >two
run 1 lint --target "$target" two
expect '\[OMPI-018\]'
run 1 explain alltoall -n 3 -s 8 --decision two --target "$target"
launch 3 "$PWD/two" alltoall/pairwise@8 && die "two_proc of three ranks has run: $(cat told)"
printf '1 0 1 0 1\n0 5 0 0\n' >neighbor
run 0 explain allgather -n 5 -s 8 --decision neighbor --target "$target"
expect '(which is allgather/|^  )ring$'
told 5 "$PWD/neighbor" allgather/ring@8

for id in 8 9; do # fewer elements than ranks
  printf '1 7 1 0 1\n0 %d 0 0\n' $id >few
  run 0 explain bcast -n 5 -s 3 --decision few --target "$target"
  expect '(which is bcast/|^  )linear$'
  told 5 "$PWD/few" bcast/linear@3
done

# A handful of points a collective: the method that explain names sends what the library sends.
sed '/allreduce.ring\|scatter-ring/d' "$source/tests/mpi/targets/openmpi.sh" | sed -n '/^cat >rules.txt/,/^END$/p' |
  sed '1d;$d' >rules.txt
run 0 export rules.txt --format "$format" -o rules.conf
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

# Rules of coll/han, which says what it has read: of a bcast and of the collectives after it.
if "$(dirname "$(command -v mpiexec.openmpi)")"/ompi_info 2>err | grep -q 'coll: han' && [ "${version%%.*}" -lt 6 ]; then
  han() { # read|dropped CODE TEXT
    printf "$3" >han
    "$tutti" lint --target "$target" han >found
    grep -q "^han: rules of Open MPI's coll/han" found || die "not recognized: $(cat found)"
    [ "$2" = - ] && ! grep -q '\[OMPI-' found || grep -q "\[$2\]" found || die "no $2 in $(cat found)"
    OMPI_MCA_coll_base_verbose=6 OMPI_MCA_coll_han_dump_dynamic_rules=1 launch 2 "$PWD/han" barrier/bruck@0
    grep -q 'could not fully read dynamic rules' err && does=dropped || does=read
    [ "$does" = "$1" ] || die "$does: $(cat han err)"
    [ "$does" = dropped ] || grep -q 'collective 7 (bcast).*size 8 .*component 1 (basic)' err || die "no rule: $(cat err)"
  }
  han read - '1\nbcast\n1\n2\n1\n1\n2\n0 tuned\n8 basic\n'
  han read - '1 # one\n7\n1\n2\n2\n1\n1\n0 tuned [64 128]\n2\n2\n0 libnbc\n8 basic\n'
  han read OMPI-208 '1\nbcast\n1\n2\n1\n1\n3\n0 tuned\n0 basic\n8 basic\n'
  han read OMPI-210 '2\nbcast\n1\n2\n1\n1\n2\n0 tuned\n8 basic\nscan\n1\n2\n1\n1\n1\n0 basic\n'
  han read OMPI-211 '1\nbcast\n1\n2\n1\n1\n2\n0 tuned\n8 basic\n9 basic\n'
  han read OMPI-212 '2\nreduce\n0\nbcast\n1\n2\n1\n1\n2\n0 tuned\n8 basic\n'
  han dropped OMPI-201 '1\nbcast\n1\n2\n1\n1\n2\n0 tuned\n'
  han dropped OMPI-202 '0\nbcast\n1\n2\n1\n1\n1\n0 tuned\n'
  han dropped OMPI-203 '1\nbroadcast\n1\n2\n1\n1\n1\n0 tuned\n'
  han dropped OMPI-204 '1\nbcast\n1\n3\n1\n1\n1\n0 tuned\n'
  han dropped OMPI-205 '1\nbcast\n1\n2\n1\n2\n1\n0 tuned\n'
  han dropped OMPI-206 '1\nbcast\n1\n2\n1\n1\n1\n8 tuned\n'
  han dropped OMPI-207 '1\nbcast\n1\n2\n1\n1\n1\n0 3\n'

  # On two machines, which are names here, coll/han asks the rules that were written, and runs what explain says.
  if [ -n "$(unshare --uts echo names 2>err)" ]; then
    cat >ssh <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec unshare --uts sh -c 'hostname "$0" && exec sh -c "$1"' "$host" "$*"
END
    chmod +x ssh
    agent='--mca plm_rsh_agent' rules=openmpi-han-4.1
    [ "${version%%.*}" -lt 5 ] || agent='--prtemca plm_ssh_agent' rules=openmpi-han-5
    apart() { # FILE METHOD@BYTES...
      file=$1
      shift
      (
        eval "$("$tutti" lint --activate --target "$target" "$file" | sed -n '/^export /p')"
        export OMPI_MCA_coll_base_verbose=80 OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_mpi_yield_when_idle=1
        exec timeout $PATIENCE mpiexec.openmpi $agent "$PWD/ssh" --host a:2,b:2 --bind-to none --mca pml ob1 \
          --mca btl tcp,self -n 4 -x LD_PRELOAD="$count" "$program" "$@"
      ) >told 2>asked && grep -Eqx 'end|[0-9]+ faults' told
    }
    printf 'bcast/native/selector=han bytes=..99\nbcast/native/selector=basic bytes=..999\nbcast/native\n' >han.txt
    printf 'reduce/native/selector=basic\ngather/native/selector=tuned\n' >>han.txt
    run 0 export han.txt --format "$rules" -o han
    apart "$PWD/han" bcast/binomial@99 bcast/binomial@100 bcast/binomial@1000 reduce/binomial@8 gather/linear@8 ||
      die "coll/han: $(cat told asked)"
    for call in bcast@99 bcast@100 bcast@1000 reduce@8 gather@8; do
      run 0 explain "${call%@*}" -n 4 -s "${call#*@}" --decision han --json
      component=$(sed -n 's/.*"algorithm": "\([a-z]*\)[":].*/\1/p' out | sed q)
      grep -aq "(${call%@*}) on .* (global_communicator) .* a ${call#*@} sized message. Found .* ($component)" asked ||
        die "coll/han: not $component for $call: $(cat asked)"
    done
    printf '1\nallreduce\n1\n2\n1\n1\n1\n0 tuned\n' >han
    if "$tutti" lint --target "$target" han >found; then
      apart "$PWD/han" allreduce/recursive-doubling@8 || die "coll/han: $(cat told asked)"
    else
      grep -q 'OMPI-214' found || die "$(cat found)"
      ! apart "$PWD/han" allreduce/recursive-doubling@8 || die "the program survives: $(cat told)"
    fi
  fi
fi
