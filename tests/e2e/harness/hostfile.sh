#!/bin/sh
# tutti bench --hostfile on real MPI libraries: two "machines" reached by a replacement for ssh, with as many ranks on each
# as the file says; faults of a hostfile are reported before anything is stored.
#
# usage: hostfile.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3

cat > ssh <<'SSH'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
echo "$1" >> "$SSH_LOG"
host=machine${1##*.}
shift
[ -z "$SSH_NAMES" ] || exec unshare --uts sh -c 'hostname "$0" && exec sh -c "$1"' "$host" "$*"
exec sh -c "$*"
SSH
chmod +x ssh
# Root can give them names of their own.
SSH_NAMES=$(unshare --uts echo names 2>/dev/null)
export SSH_NAMES
SSH_LOG=$place/ssh.log
export SSH_LOG

write_sweep() { # FLAVOR
  cat > "$1.xml" <<XML
<experiment name="hostfile">
  <platform kind="real" name="two" flavor="$1"/>
  <measure repetitions-max="3"/>
  <sweep collective="bcast" root="0">
    <ranks>4</ranks>
    <sizes>1 1KB</sizes>
    <method name="bcast/linear"/>
  </sweep>
</experiment>
XML
}

launch() { # FLAVOR ARGUMENTS
  rm -rf "$1.db"*
  "$tutti" bench "$1.xml" --db "$1.db" -q --hostfile hosts --oversubscribe --launcher "mpirun.$1" --launcher-args "$2" >out 2>err
}

try() { # FLAVOR ARGUMENTS
  [ -x "$build/$1/tutti-bench" ] || return 0
  write_sweep "$1"
  flavor=$1
  case $SSH_NAMES$("mpirun.$1" --version 2>/dev/null) in
  names*) ;;
  *"(Open MPI) "[5-9].* | *" Version: "*" "[5-9].*)
    together="$1 of this version takes machines of one name for one, and only root can give them two"
    return 0
    ;;
  esac
  rm -f "$SSH_LOG"
  printf '# two machines\n127.0.0.2:2\n\n127.0.0.3 slots = 2 max_slots=4\n' > hosts
  retry 5 "mpirun.$1 on two hosts" launch "$@" || die "mpirun.$1: $(cat out err)"
  expect "2 points measured, 0 there already"
  [ "$(sort -u "$SSH_LOG" | tr '\n' ' ')" = "127.0.0.2 127.0.0.3 " ] || die "$1: reached $(sort -u "$SSH_LOG")"
  [ "$(sqlite3 "$1.db" 'SELECT DISTINCT ranks, ranks_per_node FROM measurement')" = "4|2" ] || die "$1: not 2 a node"
  [ ! -e "$1.db.work" ] || die "$1: left behind: $(ls "$1.db.work")"
}

flavor= together=
try mpich "-launcher ssh -launcher-exec $place/ssh -env LD_PRELOAD $build/mpich/libtest-yield.so"
# Without shared memory it is their names that keep the machines apart.
[ -z "$SSH_NAMES" ] || try mpich "-launcher ssh -launcher-exec $place/ssh -env LD_PRELOAD $build/mpich/libtest-yield.so -env MPIR_CVAR_NOLOCAL 1"
# Both daemons are really on one machine, where they would use the same shared memory. From 6 on TCP does not go to an
# address that is also its own (pull request 14371 of open-mpi/ompi).
case $(mpirun.openmpi --version 2>/dev/null) in
*"(Open MPI) "[6-9].*) network="pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any" ;;
*) network="btl self,tcp --mca btl_tcp_if_include lo" ;;
esac
try openmpi "--mca plm_rsh_agent $place/ssh --bind-to none --mca mpi_yield_when_idle 1 --mca $network"
[ -n "$flavor" ] || { echo "skipped: no tutti-bench for a real MPI library"; exit 77; }

# What says that a host is out of reach is shown, whether the launcher ends then or waits for ever: lines below each
# other, and the only line of a launcher that has ended in the sentence that says so.
unreachable() { # FLAVOR ARGUMENTS
  [ -x "$build/$1/tutti-bench" ] || return 0
  printf 'nowhere.invalid:2\nnowhere2.invalid:2\n' > hosts
  rm -rf "$1.db"* err
  timeout 3600 "$tutti" bench "$1.xml" --db "$1.db" -q --hostfile hosts --launcher "mpirun.$1" --launcher-args "$2" \
    >out 2>err &
  run=$!
  wait_until grep -Eq "^    ssh: |^tutti: $1.xml: .* ended with status" err
  kill -TERM $run 2>/dev/null
  wait $run
  grep -Eq '^(    |tutti: .* before its first record: )ssh: Could not resolve hostname nowhere' err
}
cat > deaf <<'SSH'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
echo "ssh: Could not resolve hostname $1: Name or service not known" >&2
exit 255
SSH
chmod +x deaf
retry 20 "mpiexec ended before it read what ssh had said" unreachable mpich "-launcher ssh -launcher-exec $place/deaf" ||
  die "what ssh says is not shown: $(cat err)"
unreachable openmpi "--mca plm_rsh_agent $place/deaf" || die "what ssh says is not shown: $(cat err)"

refused() { # PATTERN HOSTFILE-LINES [ARGUMENTS...]
  pattern=$1 lines=$2
  shift 2
  printf "$lines" > hosts
  run 2 bench "$flavor.xml" --db refused.db --hostfile hosts "$@"
  expect "$pattern"
  [ ! -e refused.db ] || die "a store was made for: $pattern"
}
refused "hosts:2: host b has 3 slots, those before it 2" "a:2\nb:3\n"
refused "hosts:1: expected NAME, NAME:SLOTS or NAME slots=SLOTS" "a:many\n"
refused "hosts:2: expected NAME, NAME:SLOTS or NAME slots=SLOTS" "a\nb\001c:1\n"
refused "hosts:1: expected NAME, NAME:SLOTS or NAME slots=SLOTS" "b=c\n"
refused "hosts:2: expected NAME, NAME:SLOTS or NAME slots=SLOTS" "a\n-oProxyCommand\n"
refused "hosts:1: expected NAME, NAME:SLOTS or NAME slots=SLOTS" '$(id)\n'
refused "hosts:2: host a is named twice" "a\na\n"
refused "hosts: names no host" "# none\n"
refused "hosts: 1 ranks on 3 hosts are too few for the 4 ranks of $flavor.xml" "a\nb\nc\n"
refused "no launcher no-such-launcher" "a:4\n" --launcher no-such-launcher
run 2 bench "$flavor.xml" --db refused.db --hostfile none
expect "none: No such file or directory"
[ -z "$together" ] || { echo "skipped: $together; the rest passed"; exit 77; }
echo ok
