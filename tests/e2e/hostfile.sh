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
shift
exec sh -c "$*"
SSH
chmod +x ssh
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
  "$tutti" bench "$1.xml" --db "$1.db" -q --hostfile hosts --launcher "mpirun.$1" --launcher-args "$2" >out 2>err
}

try() { # FLAVOR ARGUMENTS
  [ -x "$build/$1/tutti-bench" ] || return 0
  write_sweep "$1"
  rm -f "$SSH_LOG"
  printf '# two machines\n127.0.0.2:2\n\n127.0.0.3 slots = 2 max_slots=4\n' > hosts
  retry 5 "mpirun.$1 on two hosts" launch "$@" || die "mpirun.$1: $(cat out err)"
  expect "2 points measured, 0 there already"
  [ "$(sort -u "$SSH_LOG" | tr '\n' ' ')" = "127.0.0.2 127.0.0.3 " ] || die "$1: reached $(sort -u "$SSH_LOG")"
  [ "$(sqlite3 "$1.db" 'SELECT DISTINCT ranks, ranks_per_node FROM measurement')" = "4|2" ] || die "$1: not 2 a node"
  [ ! -e "$1.db.work" ] || die "$1: left behind: $(ls "$1.db.work")"
  flavor=$1
}

flavor=
try mpich "-launcher ssh -launcher-exec $place/ssh -env LD_PRELOAD $build/mpich/libtest-yield.so"
# Both daemons are really on one machine, where they would use the same shared memory.
try openmpi "--mca plm_rsh_agent $place/ssh --bind-to none --mca mpi_yield_when_idle 1 --mca btl self,tcp --mca btl_tcp_if_include lo"
[ -n "$flavor" ] || { echo "skipped: no tutti-bench for a real MPI library"; exit 77; }

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
refused "hosts:2: host a is named twice" "a\na\n"
refused "hosts: names no host" "# none\n"
refused "hosts: 1 ranks on 3 hosts are too few for the 4 ranks of $flavor.xml" "a\nb\nc\n"
refused "no launcher no-such-launcher" "a:4\n" --launcher no-such-launcher
run 2 bench "$flavor.xml" --db refused.db --hostfile none
expect "none: No such file or directory"
echo ok
