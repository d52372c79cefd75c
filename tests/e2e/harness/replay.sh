#!/bin/sh
# A program's trace: the interposer writes all calls; tutti replay takes as long as the program does under SMPI, with as
# many messages, on the machine where it was recorded, on another one, and with other methods.
#
# usage: replay.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

cat >app.c <<'C'
#include <mpi.h>
#include <unistd.h>

enum { MOST = 64 };
static double from[1 << 14], to[1 << 14];

/* Rank r has r + 1 elements for each. */
static void irregular(int rank, int size, MPI_Comm comm)
{
  int own[MOST], all[MOST], own_places[MOST], places[MOST];
  for (int r = 0, at = 0; r < size; r++) {
    own[r] = rank + 1;
    own_places[r] = r * (rank + 1);
    all[r] = r + 1;
    places[r] = at;
    at += r + 1;
  }
  MPI_Allgatherv(from, rank + 1, MPI_DOUBLE, to, all, places, MPI_DOUBLE, comm);
  MPI_Gatherv(from, rank + 1, MPI_DOUBLE, to, all, places, MPI_DOUBLE, size - 1, comm);
  MPI_Scatterv(from, all, places, MPI_DOUBLE, to, rank + 1, MPI_DOUBLE, 1, comm);
  MPI_Alltoallv(from, own, own_places, MPI_DOUBLE, to, all, places, MPI_DOUBLE, comm);
  MPI_Reduce_scatter(from, to, all, MPI_DOUBLE, MPI_SUM, comm);
}

int main(int argc, char **argv)
{
  int rank, size;
  MPI_Comm row, column;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 4, -rank, &column);
  for (int i = 0; i < 50; i++) {
    usleep(20 + 7 * (rank % 5) + i % 3);
    MPI_Allreduce(from, to, 1 + i % 2 * 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == i % size)
      usleep(300);
    MPI_Bcast(from, 1 << (i % 14), MPI_DOUBLE, i % size, MPI_COMM_WORLD);
    MPI_Alltoall(from, 600, MPI_DOUBLE, to, 600, MPI_DOUBLE, row);
    usleep(10 * (rank % 3));
    MPI_Allreduce(from, to, 600, MPI_DOUBLE, MPI_MAX, column);
    MPI_Reduce(from, to, 100, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Scan(from, to, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < 5; i++)
    irregular(rank, size, MPI_COMM_WORLD);
  return MPI_Finalize();
}
C
smpicc -O1 app.c -Wl,--no-as-needed "$build/smpi/libtutti_mpi.so" "-Wl,-rpath,$build/smpi" -o app >out 2>&1 ||
  die "the program does not compile for SMPI: $(cat out)"

program=app
launch() { # VARIABLES OPTIONS-OF-SMPIRUN
  env $1 smpirun $2 -np 12 -platform "$platform" -hostfile hosts ./$program >out 2>&1 || die "$(cat out)"
}

record() { # TRACE PLATFORM [VARIABLE]: prints the messages of all ranks, which SimGrid counts in a run of its own
  platform=$source/platforms/$2.xml
  "$tutti" platform hostfile "$platform" --ranks 12 -o hosts || die "no hostfile"
  launch "TUTTI_TRACE=$1 ${3:-}" ""
  rm -rf messages*
  launch "${3:-}" "-trace-ti -trace-file messages"
  find messages_files -type f -exec cat {} + |
    awk '$2 == "isend" || $2 == "send" || $2 == "Ssend" || $2 == "sendRecv" || $2 == "Startall" { sent++ }
      END { print sent }'
}

replay() { # OF-TRACE OF-MESSAGES TRACE PLATFORM OPTION...: as long as in OF-TRACE within 2 %
  as=$1 messages=$2 what=$3
  shift 2
  trace=$1 platform=$2
  shift 2
  run 0 replay "$as" --platform "$platform" --json
  simulated=$(sed -n 's/.*"program_recorded_s": \([^,]*\),.*/\1/p' out)
  run 0 replay "$trace" --platform "$platform" "$@" --json
  took=$(sed -n 's/.*"program_s": \([^,]*\),.*/\1/p' out)
  awk -v took="$took" -v simulated="$simulated" -v what="$trace on $platform $*" 'BEGIN {
    printf "%s: %.6f s, by SMPI %.6f s: %+.2f %%\n", what, took, simulated, 100 * (took / simulated - 1)
    exit !(took > 0.98 * simulated && took < 1.02 * simulated) }' || die "$what: not within 2 %"
  [ "$(sed -n 's/.*"collective": "all", .*"messages": \([0-9]*\),.*/\1/p' out)" -eq "$messages" ] ||
    die "$what: not $messages messages: $(cat out)"
}

# ---- as under SMPI ----

messages=$(record grig.trace grig_mx) || exit 1
head -1 grig.trace | grep -q '^tutti-trace 3 ranks=12 ranks_per_node=1 flavor=smpi library=SimGrid-' ||
  die "not a trace: $(head -1 grig.trace)"
record again.trace grig_mx >/dev/null
cmp grig.trace again.trace || die "not the same bytes twice"
replay grig.trace "$messages" grig.trace grig_mx
elsewhere=$(record torus.trace torus) || exit 1
replay torus.trace "$elsewhere" grig.trace torus
# Sums of doubles by a method that rounds apart give way to its substitute under the interposer, and in a replay.
printf 'bcast/binomial/8KB\nallreduce/swing-latency ranks=12\nallreduce/ring ranks=3\nalltoall/pairwise\n' >other.rules
echo 'reduce/binomial' >>other.rules
other=$(record other.trace grig_mx TUTTI_DECISION="$PWD/other.rules") || exit 1
[ "$other" -ne "$messages" ] || die "the rules change no message"
replay other.trace "$other" grig.trace grig_mx --decision other.rules
expect '^ "notes": \["600 calls of allreduce/swing-latency ran allreduce/recursive-doubling: it may round .*--rounds-apart'
# The first decision that answers counts.
run 0 replay grig.trace --platform grig_mx --decision barrier/bruck --decision other.rules --json
cp out first
run 0 replay grig.trace --platform grig_mx --decision other.rules --json
cmp out first || die "another time: $(cat out)"

# ---- messages of the program itself ----

cat >halo.c <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1 << 16 };
static char from[4][MOST], to[4][MOST];

int main(int argc, char **argv)
{
  int rank, size, sides[2] = {0, 0}, rounds[2] = {1, 1}, near[4], sum, one = 1;
  MPI_Comm grid, twin, last;
  MPI_Request requests[8], fixed[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, rounds, 1, &grid);
  MPI_Comm_dup(grid, &twin);
  MPI_Comm_dup(MPI_COMM_WORLD, &last);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &near[0], &near[1]);
  MPI_Cart_shift(grid, 1, 1, &near[2], &near[3]);
  MPI_Recv_init(to[0], 100, MPI_BYTE, (rank + size - 1) % size, 5, twin, &fixed[0]);
  MPI_Send_init(from[0], 100, MPI_BYTE, (rank + 1) % size, 5, twin, &fixed[1]);
  for (int i = 0; i < 18; i++) {
    const int bytes = 200 << i % 9;
    usleep(30 + 5 * (rank % 4));
    for (int d = 0; d < 4; d++)
      MPI_Irecv(to[d], MOST, MPI_BYTE, i % 3 ? near[d] : MPI_ANY_SOURCE, d ^ 1, grid, &requests[d]);
    for (int d = 0; d < 4; d++)
      MPI_Isend(from[d], bytes, MPI_BYTE, near[d], d, grid, &requests[4 + d]);
    usleep(20);
    if (i % 4 == 0)
      MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, grid);
    if (i % 5 == 1)
      for (int done, left = 8; left > 0; left--)
        MPI_Waitany(8, requests, &done, MPI_STATUS_IGNORE);
    else
      MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    MPI_Startall(2, fixed);
    usleep(5);
    MPI_Waitall(2, fixed, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(from[0], 1000, MPI_BYTE, (rank + 1) % size, 1, to[0], 1000, MPI_BYTE, (rank + size - 1) % size, 1, twin,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(from[0], 70000 % MOST, MPI_BYTE, (rank + 3) % size, 2, (rank + size - 3) % size, 2, twin,
                 MPI_STATUS_IGNORE);
    if (rank == 0)
      for (int r = 1; r < size; r++)
        MPI_Recv(to[0], MOST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank % 2)
      MPI_Send(from[0], 10 * rank, MPI_BYTE, 0, rank, MPI_COMM_WORLD);
    else
      MPI_Ssend(from[0], 10 * rank, MPI_BYTE, 0, rank, MPI_COMM_WORLD);
    int flag = 0;
    MPI_Request one_request;
    MPI_Irecv(to[0], 50, MPI_BYTE, rank ^ 1, 9, last, &one_request);
    MPI_Send(from[0], 50, MPI_BYTE, rank ^ 1, 9, last);
    for (; !flag; usleep(20))
      MPI_Test(&one_request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&fixed[0]);
  MPI_Request_free(&fixed[1]);
  MPI_Barrier(twin);
  return MPI_Finalize();
}
C
smpicc -O1 halo.c -Wl,--no-as-needed "$build/smpi/libtutti_mpi.so" "-Wl,-rpath,$build/smpi" -o halo >out 2>&1 ||
  die "the program with messages does not compile for SMPI: $(cat out)"
program=halo
# The first calls on a new communicator are SMPI's own: four of allreduce and a barrier, of 32 messages.
halo=$(record halo.trace grig_mx) || exit 1
replay halo.trace $((halo + 160)) halo.trace grig_mx
expect '"collective": "messages", "calls": 3852, "messages": 1926,'
there=$(record halo_torus.trace torus) || exit 1
replay halo_torus.trace $((there + 160)) halo.trace torus
# A trace of collectives alone, of the first version of the format, is still read.
sed '1s/trace 2/trace 1/' grig.trace >first.trace
run 0 replay first.trace --platform grig_mx --json
cp out first
run 0 replay grig.trace --platform grig_mx --json
sed 's/grig.trace/first.trace/' out | cmp - first || die "the first version of the format: $(cat out)"

# ---- by SMPI: the same to the last digit ----

engines() { # TRACE PLATFORM OPTION...
  what="$1 on $2" trace=$1 platform=$2
  shift 2
  run 0 replay "$trace" --platform "$platform" "$@" --json
  cp out fast
  run 0 replay "$trace" --platform "$platform" "$@" --engine smpi --json
  cmp fast out || die "$what: the engines differ: $(diff fast out)"
}
engines grig.trace grig_mx
engines halo.trace grig_mx
engines halo.trace frodo_fast_ethernet
sed 's/\( *\)<cluster /\1<prop id="tutti\/receive-gap-s" value="5e-6"\/>\n&/' "$source/platforms/grig_mx.xml" >gap.xml
engines halo.trace ./gap.xml # whose ranks receive one message at a time
engines halo.trace grig_mx_hosts
engines grig.trace torus --decision allreduce/bucket --decision barrier/bruck
expect '^ "notes": \["600 calls of allreduce/bucket ran allreduce/bucket/torus=4x3: it gets.*, .*"600 calls of .* needs torus='
sed 's/<prop id="smpi\/test".*/<prop id="smpi\/init" value="0.3"\/>/' "$source/platforms/torus.xml" >init.xml
engines halo.trace ./init.xml
expect '"program_s": 0\.3[0-9]*,'
engines grig.trace slingshot_dragonfly --decision other.rules --compute 0.5
run 2 replay grig.trace --platform grig_mx --engine smpi --program nowhere
expect 'nowhere: No such file'

# ---- what if ----

run 0 whatif grig_mx --set latency=*0.5 --set speed=*2 --trace grig.trace
expect '^  computation .* 2\.000 '
run 0 whatif grig_mx --set loopback-latency=1us --set loopback-bandwidth=1GBps --trace grig.trace --decision other.rules --json
sed -n 's/.*"all of it".*"before_s": \([^,]*\), "after_s": \([^,]*\), "speedup": 1, .*/\1/p' out >same
[ -s same ] || die "the same machine: $(cat out)"
expect '^ "notes": \["600 calls of allreduce/swing-latency ran allreduce/recursive-doubling: .*none does\)", "warning: loopback-.* changes no time .*no message stays within a node"\]'
run 0 whatif grig_mx --set topology=torus:4x3 --trace grig.trace --decision allreduce/bucket
expect '^grig_mx: 1200 calls of allreduce/bucket ran [^ ]*: it needs torus='
expect '^grig_mx.topology=torus-4x3: 600 calls of allreduce/bucket ran allreduce/bucket/torus=4x3: it gets the sides'

# ---- GOAL: a schedule takes as long as the engine says of the same method ----

for method in allreduce/ring allreduce/recursive-doubling bcast/split-binary/1KB; do
  collective=${method%%/*}
  run 0 schedule $method -P 16 -n 1024 --type-size 8 --gamma 0.5ns --delta 0.05ns --goal schedule.goal
  run 0 bench $collective --platform grig_mx -P 16 -s 8KB --methods $method --engine fast --scheme window --db goal.db -q
  run 0 map $collective --platform grig_mx --scheme window --db goal.db --times
  measured=$(grep -o "$method  *[0-9.]*\.[0-9]*" out | awk '$2 != "1" { print $2; exit }')
  run 0 replay schedule.goal --platform grig_mx --json
  took=$(sed -n 's/.*"program_s": \([^,]*\),.*/\1/p' out)
  awk -v measured="$measured" -v took="$took" 'BEGIN { difference = took * 1e6 / measured - 1
    exit !(measured > 0 && difference < 1e-5 && difference > -1e-5) }' || die "$method: $took s as GOAL, $measured us else"
done

engines schedule.goal hdr_fat_tree

goal() { # LINE...: rank 0 of two, between its braces
  { echo 'num_ranks 2'; echo 'rank 0 {'; printf '%s\n' "$@"; printf '}\nrank 1 {\n}\n'; } >own.goal
}
goal 'a: calc 100' 'b: calc 50 cpu 1' 'b requires a'
run 0 replay own.goal --platform grig_mx --json
expect '"program_s": 1.5e-07,'
goal 'a: calc 1' 'b: calc 1' 'b requires a' 'a irequires b'
run 2 replay own.goal --platform grig_mx
expect 'own.goal:7: operations of this rank wait for each other in a circle'
goal 'send 8b to 1 tag 0'
run 2 replay own.goal --platform grig_mx
expect 'rank 0 waits for ever'
run 2 replay own.goal --platform grig_mx --engine smpi
expect 'did not run to its end: deadlock'
goal 'send 8b to 2 tag 0'
run 2 replay own.goal --platform grig_mx
expect 'own.goal:3: the number of a rank is expected'
goal 'a requires b'
run 2 replay own.goal --platform grig_mx
expect "own.goal:3: 'a' .an order of operations with a label that is not known"
# What is not understood is passed over, with the messages whose other end it was; comments are anywhere.
{ printf '/* head\n*/ num_ranks 3 rank 0 { // c\na : recv 8 b from -1 tag -1\nb: recv 16b from -1 tag 5 cpu 1\n'
  printf 'x: frob 3\nd: send 8b to 7\n}\nrank 1 { s: send 8b to 0 tag 3 }\nrank 2 {\n'
  printf 't: send 16b to 0 tag 5\nu: send 9b to 0 tag 9\n}\n'; } >own.goal
run 0 replay own.goal --platform grig_mx --json
expect '"unmatched_messages": 1,'
expect "a line that GOAL does not have\", \"count\": 1, \"places\": .\"own.goal:5: .*, not 'frob'"
expect "own.goal:6: the number of a rank is expected, not '7'"
expect '"collective": "all", "calls": 4, "messages": 2,'
run 2 replay own.goal --platform grig_mx --strict
expect 'own.goal:5: a line that GOAL does not have'
# Streams run side by side, each one thing at a time, under the fast engine.
goal 'a: calc 1000' 'b: calc 1000 cpu 1' 'c: calc 500 cpu 1' 'd: calc 100 cpu 2'
run 0 replay own.goal --platform grig_mx --json
expect '"program_s": 1.5e-06,'
run 2 replay own.goal --platform grig_mx --engine smpi
expect 'streams'
# The same in bytes: two ranks, a calc of 100 ns and after it a send, and its receive.
bytes() { # NUMBER BYTES: little-endian
  number=$1 count=$2
  while [ "$count" -gt 0 ]; do
    printf "\\$(printf %03o $((number % 256)))"
    number=$((number / 256)) count=$((count - 1))
  done
}
operation() { # WAITS-FOR KIND PEER SIZE TAG FOLLOWERS
  bytes "$1" 4; bytes "$2" 1; bytes "$3" 4; bytes "$4" 8; bytes "$5" 4; bytes 0 2; bytes "$6" 4; bytes 0 4; bytes 0 4
  bytes "$6" 4
}
{ bytes 4223 8; bytes 2 4; bytes 0 2; bytes 38 8; bytes 132 8; bytes 132 8; bytes 183 8
  bytes 2 4; bytes 1 4; bytes 0 4; operation 0 3 0 100 0 1; operation 1 1 1 8 5 0; bytes 1 4
  bytes 1 4; bytes 1 4; bytes 0 4; operation 0 2 0 8 4294967295 0; } >bytes.goal
run 0 replay bytes.goal --platform grig_mx --json
cp out first
goal 'a: calc 100' 'b: send 8b to 1 tag 5' 'b requires a'
sed 's/^}$//; $s/$/\nrecv 8b from 0 tag 5\n}/; s/^rank 1 {/}\n&/' own.goal >same.goal
run 0 replay same.goal --platform grig_mx --json
sed 's/same.goal/bytes.goal/' out | cmp - first || die "GOAL in bytes: $(cat out first)"

# ---- SimGrid's time-independent traces ----

printf '0 init\n1 init\n0 compute 1e6\n0 send 1 0 8\n1 irecv 0 0 8\n1 wait 0 1 0\n0 allreduce 10 0\n1 allreduce 10 0\n' >all.ti
printf '0 alltoallv 9 1 8 9 1 7\n1 alltoallv 9 7 1 9 8 1\n0 frob 1\nnonsense\n1 bcast x\n0 bcast 5\n0 finalize\n1 finalize\n' >>all.ti
run 0 replay all.ti --platform grig_mx --json
expect '"places": ."all.ti:11: frob"'
expect '"places": ."all.ti:12: '
expect '"places": ."all.ti: call 3 of collectives"'
expect '"collective": "all", "calls": 6, "messages": [0-9]*,'
sed -n 's/.*"program_s": \([^,]*\),.*/\1/p' out >all.time
mkdir -p ranks
for rank in 0 1; do grep "^$rank" all.ti >ranks/part$rank.txt; done
printf 'ranks/part0.txt\nranks/part1.txt\n../all.ti\n' >list.txt
for form in ranks ranks/part0.txt list.txt; do
  run 0 replay $form --platform grig_mx --json
  sed -n 's/.*"program_s": \([^,]*\),.*/\1/p' out | cmp - all.time || die "$form: another time: $(cat out all.time)"
done
expect 'a file outside of the folder of the list'
mkdir -p gap && cp ranks/part0.txt gap && cp ranks/part1.txt gap/part3.txt
run 0 replay gap --platform grig_mx --json
expect '"a rank without a file", "count": 1, "places": ."gap: numbers 1 to 2"'
run 2 replay gap --platform grig_mx --strict
expect 'a rank without a file: numbers 1 to 2'
engines all.ti hdr_fat_tree
printf '0 init\n0 compute 1e6\n0 send 1 0 8\n0 recv 1 8\n' >alone.ti
run 0 replay alone.ti --platform grig_mx --json
expect '"a rank that is not in the trace", "count": 1, "places": ."alone.ti:3: send: 1"'
expect '"a message needs RANK TAG ELEMENTS: .*alone.ti:4: recv"'
printf '0 init\n0 compute 1e6\n0 send 1 0 8\n1 frob\n' >lost.ti
run 0 replay lost.ti --platform grig_mx
expect "None of the program's 1 message was replayed"
printf '0 barrier\n1 barrier\n' >empty.ti # its first message has no bytes
engines empty.ti grig_mx

# ---- lines of liballprof: messages that overlap with computation and with a collective ----

lines() { # RANK PEER FIRST-TAG SECOND-TAG
  cat <<LINES
# Rank $1
MPI_Init:1000.0:0:0:2000.0
MPI_Comm_rank:2000.5:7,$1,2:0:2000.6
MPI_Isend:2010.0:1:100:11,8,8:$2:$3:7,$1,2:9000:2011.0
MPI_Irecv:2012.0:1:100:11,8,8:$2:$4:7,$1,2:9008:2013.0
MPI_Barrier:2014.0:7,$1,2:2015.0
MPI_Waitall:2020.0:2:9000:1:2060.0
MPI_Allreduce:2070.0:1:2:4:11,8,8:3:7,$1,2:2090.0
MPI_Sendrecv:2100.0:1:10:1,1:$2:0:2:10:1,1:$2:0:7,$1,2:3:2110.0
MPI_Finalize:2200.0:2300.0
LINES
}
lines 0 1 5 6 >calls-0.txt
lines 1 0 6 5 >calls-1.txt
run 0 replay calls-0.txt --platform grig_mx --json
expect '"ranks": 2, "unknown_calls": 0, "program_recorded_s": 0.0002, .*"compute_s": 0.000127,'
expect '"collective": "messages", "calls": 8, "messages": 4, "sent_B": 1620,'
expect '"collective": "all", "calls": 12, "messages": 8,'
engines calls-0.txt hdr_fat_tree
run 0 replay calls-0.txt --platform grig_mx --compute 0 --json
expect '"compute_s": 0,'
# Without MPI_Init a rank begins with its first call, which counts.
for rank in 0 1; do sed '/MPI_Init/d; /MPI_Comm_rank/d' calls-$rank.txt >bare-$rank.txt; done
run 0 replay bare-0.txt --platform grig_mx --json
expect '"program_recorded_s": 0.00019, '
expect '"collective": "messages", "calls": 8, "messages": 4, "sent_B": 1620,'
# A synchronous send waits for its receiver, whose receive begins 100 us later, though the message is eager.
synchronous() { # SEND WAIT: rank 0, and rank 1
  printf 'MPI_Init:1000.0:0:0:2000.0\n%s:2000.0:1:8:1,1:1:5:7,0,2%s\nMPI_Finalize:2200.0:2300.0\n' \
    "$1" "${2:+:9000}:2001.0${2:+
$2:2001.0:9000:1:2002.0}" >sync-0.txt
  run 0 replay sync-0.txt --platform grig_mx_hosts --json
  waited=$(sed -n 's/.*"messages", .*"slowest_s": \([^}]*\)}.*/\1/p' out)
  engines sync-0.txt grig_mx_hosts
}
printf 'MPI_Init:1000.0:0:0:2000.0\nMPI_Recv:2100.0:1:8:1,1:0:5:7,1,2:3:2101.0\nMPI_Finalize:2200.0:2300.0\n' >sync-1.txt
for send in MPI_Ssend 'MPI_Issend MPI_Wait'; do
  synchronous $send
  awk -v waited="$waited" 'BEGIN { exit !(waited > 1e-4) }' || die "$send does not wait: $(cat out)"
done
synchronous MPI_Send
awk -v waited="$waited" 'BEGIN { exit !(waited > 0 && waited < 1e-5) }' || die "an eager send waits: $(cat out)"
# A call whose times are not understood is the n-th of its rank all the same.
cp calls-1.txt whole-1.txt
sed -i 's/MPI_Barrier:2014.0/MPI_Barrier:1e300/' calls-1.txt
run 0 replay calls-0.txt --platform grig_mx --json
expect '"collective": "all", "calls": 12, "messages": 8,'
expect 'MPI_NAME:BEGIN:...:END is expected, with times in microseconds", "count": 1, "places": ."calls-1.txt:6: MPI_Barrier"'
cp whole-1.txt calls-1.txt
# A call of one rank that cannot be replayed: its like on other ranks are passed over, too, and take as long as recorded.
sed -i 's/MPI_Barrier/MPI_Ibarrier/' calls-1.txt
run 0 replay calls-0.txt --platform grig_mx --json
expect 'why": "a call that cannot be replayed", "count": 1, "places": ."calls-1.txt:6: MPI_Ibarrier"'
expect '"count": 2, "places": ."calls-0.txt: call 1 of collectives", "calls-0.txt: call 2'
expect '"collective": "messages", "calls": 8, "messages": 4, "sent_B": 1620,'
run 2 replay calls-0.txt --platform grig_mx --strict
expect 'calls-1.txt:6: a call that cannot be replayed: MPI_Ibarrier'
cp calls-0.txt alone.txt
run 2 replay alone.txt --platform grig_mx
expect 'alone.txt: lines of calls are in a file for each rank'

printf 'MPI_Init:0.00:0x7f:0x8f:90.00  # backtrace [0x5: (main+0x1)]\nMPI_Finalize:95.00:96.00\n' >lap2-rank-0-of-1.txt
run 2 replay lap2-rank-0-of-1.txt --platform grig_mx
expect "lap2-rank-0-of-1.txt:1: lines of liballprof's second version"

# ---- DUMPI: the calls of lines of liballprof, as dumpi2ascii writes them ----

call() { # NAME FROM TO ARGUMENT...
  mpi=$1 from=$2 to=$3
  shift 3
  echo "$mpi entering at walltime $from, cputime 0.1 seconds in thread 0."
  for argument; do echo "$argument"; done
  echo "$mpi returning at walltime $to, cputime 0.1 seconds in thread 0."
}
double='MPI_Datatype datatype=11 (MPI_DOUBLE)' world='MPI_Comm comm=2 (MPI_COMM_WORLD)'
for rank in 0 1; do
  peer=$((1 - rank))
  {
    call MPI_Init 1.0 2.0 'int argc=1'
    call MPI_Send_init 2.0001 2.0002 'int count=10' "$double" "int dest=$peer" 'int tag=4' "$world" 'MPI_Request request=[9]'
    call MPI_Irecv 2.0003 2.0004 'int count=10' "$double" 'int source=-1 (MPI_ANY_SOURCE)' 'int tag=-1 (MPI_ANY_TAG)' \
      "$world" 'MPI_Request request=[6]'
    call MPI_Startall 2.0005 2.0006 'int count=1' 'MPI_Request requests[1]=[9]'
    call MPI_Waitsome 2.0007 2.0008 'int count=2' 'MPI_Request requests[2]=[9, 6]' 'int outcount=2' 'int indices[2]=[0, 1]'
    call MPI_Allreduce 2.0009 2.001 'int count=4' "$double" 'MPI_Op op=3 (MPI_SUM)' "$world"
    call MPI_Alltoallv 2.0011 2.0012 'int commsize=2' "$world"
    call MPI_Finalize 2.0013 2.0014
  } >dumpi-000$rank.txt
done
run 0 replay dumpi-0000.txt --platform grig_mx --json
expect '"ranks": 2, .*"program_recorded_s": 0.0013,'
expect '"a datatype is expected as NUMBER,BYTES", "count": 2, "places": ."dumpi-0000.txt:[0-9]*: MPI_Alltoallv"'
expect '"collective": "allreduce", "calls": 2, "messages": 2, "sent_B": 64,'
expect '"collective": "messages", "calls": 4, "messages": 2, "sent_B": 160,'
engines dumpi-0000.txt hdr_fat_tree
# Begun in the middle of a run, and with the file of rank 0 alone.
for rank in 0 1; do
  mpi=$([ $rank = 0 ] && echo Send || echo Recv) peer=$([ $rank = 0 ] && echo dest=1 || echo source=0)
  call MPI_$mpi 9.1 9.2 'int count=100' 'MPI_Datatype datatype=0 (MPI_CHAR)' "int $peer" 'int tag=0' "$world" >late-000$rank.txt
done
run 0 replay late-0000.txt --platform grig_mx
expect '^messages  *2  *1  *100 '
rm late-0001.txt
run 2 replay late-0000.txt --platform grig_mx
expect "late-0000.txt:7: MPI_Send: argument 4: '1' .a rank that is not in the trace"

# Communicators: rows of a grid of 2 by 2, made in each way; each row does what two ranks do alone. Messages and roots
# have the ranks of the row. A color below 0 leaves a rank out.
row() { # NAME RANK: the calls on communicator 9, of which this is rank $2 of two
  call MPI_Allreduce 2.1 2.1 'int count=40' "$double" 'MPI_Op op=3 (MPI_SUM)' "$1"
  call MPI_Reduce 2.2 2.2 'int count=40' "$double" 'MPI_Op op=3 (MPI_SUM)' 'int root=1' "$1"
  call MPI_Alltoallv 2.3 2.3 'int sendcounts[2]=[7, 8]' "MPI_Datatype sendtype=11 (MPI_DOUBLE)" \
    "int recvcounts[2]=[$([ "$2" = 0 ] && echo 7, 7 || echo 8, 8)]" "MPI_Datatype recvtype=11 (MPI_DOUBLE)" "$1"
  if [ "$2" = 0 ]; then
    call MPI_Send 2.4 2.4 'int count=90' "$double" 'int dest=1' 'int tag=5' "$1"
  else
    call MPI_Recv 2.4 2.4 'int count=90' "$double" 'int source=0' 'int tag=5' "$1"
  fi
}
for rank in 0 1; do row "$world" $rank >alone-$rank.txt; done
run 0 replay alone-0.txt --platform grig_mx --json
sed -n 's/.*"program_s": \([^,]*\),.*/\1/p' out >alone.time
new='MPI_Comm newcomm=9 (user-defined-comm)' old='MPI_Comm oldcomm=2 (MPI_COMM_WORLD)'
make_row() { # WAY RANK
  case $1 in
  split) call MPI_Comm_split 2.1 2.1 "$old" "int color=$(($2 / 2))" "int key=$(($2 % 2))" "$new" ;;
  copy)
    call MPI_Comm_split 2.1 2.1 "$old" "int color=$(($2 / 2))" 'int key=0' 'MPI_Comm newcomm=7 (user-defined-comm)'
    call MPI_Comm_dup 2.1 2.1 'MPI_Comm oldcomm=7 (user-defined-comm)' "$new" ;;
  grid)
    call MPI_Cart_create 2.1 2.1 "$old" 'int ndims=2' 'int dims[2]=[2, 2]' 'int periods[2]=[0, 0]' 'int reorder=0' \
      'MPI_Comm newcomm=8 (user-defined-comm)'
    call MPI_Cart_sub 2.1 2.1 'MPI_Comm oldcomm=8 (user-defined-comm)' 'int remain_dims[2]=[0, 1]' "$new" ;;
  group)
    call MPI_Comm_group 2.1 2.1 "$world" 'MPI_Group group=5 (user-defined-group)'
    call MPI_Group_incl 2.1 2.1 'MPI_Group group=5 (user-defined-group)' 'int count=2' \
      "int ranks[2]=[$(($2 / 2 * 2)), $(($2 / 2 * 2 + 1))]" 'MPI_Group newgroup=6 (user-defined-group)'
    call MPI_Comm_create 2.1 2.1 "$old" 'MPI_Group group=6 (user-defined-group)' "$new" ;;
  rest)
    call MPI_Comm_group 2.1 2.1 "$world" 'MPI_Group group=5 (user-defined-group)'
    call MPI_Group_range_excl 2.1 2.1 'MPI_Group group=5 (user-defined-group)' 'int count=1' \
      "int ranges[1][3]=[[$([ $2 -gt 1 ] && echo 0, 1, 1 || echo 2, 3, 1)]]" 'MPI_Group newgroup=6 (user-defined-group)'
    call MPI_Comm_create 2.1 2.1 "$old" 'MPI_Group group=6 (user-defined-group)' "$new" ;;
  esac
}
for way in split copy grid group rest; do
  for rank in 0 1 2 3; do
    { make_row $way $rank && row 'MPI_Comm comm=9 (user-defined-comm)' $((rank % 2)); } >$way-$rank.txt
  done
  run 0 replay $way-0.txt --platform grig_mx --json
  expect '"passed_over": \[\],'
  expect '"collective": "allreduce", "calls": 4, "messages": 4, "sent_B": 1280,'
  expect '"collective": "messages", "calls": 4, "messages": 2, "sent_B": 1440,'
  sed -n 's/.*"program_s": \([^,]*\),.*/\1/p' out | cmp - alone.time || die "$way: another time: $(cat out alone.time)"
done
engines grid-0.txt hdr_fat_tree
# Ranks in reverse, as a line of liballprof says too; with another size there, or defined by fewer ranks than there are,
# or by nobody, calls are passed over; those on MPI_COMM_SELF are not.
for rank in 0 1 2; do
  cat >split-$rank.calls <<LINES
MPI_Init:1000:0:0:2000
MPI_Comm_split:2010:7,$rank,3:$((rank == 1 ? -32766 : 0)):$((3 - rank)):$((rank == 1 ? 0 : 8)):2010
MPI_Comm_dup:2010:6,0,1:5,0,1:2010
MPI_Barrier:2020:6,0,1:2020
$([ $rank = 1 ] || echo "MPI_Bcast:2030:1:4:11,8,8:0:8,$((rank == 0)),2:2030")
$([ $rank = 1 ] || echo "MPI_Bcast:2040:1:4:11,8,8:0:8,$((rank == 0)),3:2040")
$([ $rank = 1 ] || echo "MPI_Comm_dup:2050:7,$rank,3:9,$((rank == 0)),2:2050")
MPI_Bcast:2060:1:4:11,8,8:0:9,$((rank == 0)),2:2060
MPI_Finalize:2200:2300
LINES
done
run 0 replay split-0.calls --platform grig_mx --json
expect '"a communicator of another rank or size than its definition gives it", "count": 2, "places": ."split-0.calls:6: MPI_Bcast'
expect '"a call on a communicator without all ranks in their order, whose members are not known", "count": 3, .*MPI_Bcast: it is of MPI_Comm_dup"'
expect '"collective": "bcast", "calls": 2, "messages": 1, "sent_B": 32,'
expect '"collective": "barrier", "calls": 3, "messages": 0,'
engines split-0.calls grig_mx
# Irregular collectives take as long as in SimGrid's traces; counts where they do not matter may be anything.
dtype='=11 (MPI_DOUBLE)'
for rank in 0 1; do
  own=$((100 + 2900 * rank)) pair=$([ $rank = 0 ] && echo 100,7 || echo 7,3000) counts=100,3000 list='[2]=[100, 3000]' type=7,8 comm=3,$rank,2
  cat >irregular-$rank.txt <<END
MPI_Init:-:0:0:1000
MPI_Alltoallv:1000:1:2:$pair:2:0,0:$type:1:2:$pair:2:0,0:$type:$comm:1000
MPI_Allgatherv:1000:1:$own:$type:1:2:$counts:2:0,0:$type:$comm:1000
MPI_Gatherv:1000:1:$own:$type:1:2:$([ $rank = 1 ] && echo $counts || echo -5,x):2:0,0:$type:1:$comm:1000
MPI_Scatterv:1000:1:2:$([ $rank = 0 ] && echo $counts || echo 0):2:0:$type:1:$own:$type:0:$comm:1000
MPI_Reduce_scatter:1000:1:2:3:$counts:$type:9:$comm:1000
MPI_Finalize:1000:-
END
  {
    call MPI_Init 1 1
    call MPI_Alltoallv 1 1 "int sendcounts[2]=[$pair]" "MPI_Datatype sendtype$dtype" "int recvcounts[2]=[$pair]" \
      "MPI_Datatype recvtype$dtype" "$world"
    call MPI_Allgatherv 1 1 "int sendcount=$own" "MPI_Datatype sendtype$dtype" "int recvcounts$list" "MPI_Datatype recvtype$dtype" "$world"
    call MPI_Gatherv 1 1 "int sendcount=$own" "MPI_Datatype sendtype$dtype" "int recvcounts$list" "MPI_Datatype recvtype$dtype" \
      'int root=1' "$world"
    call MPI_Scatterv 1 1 "int sendcounts$list" "MPI_Datatype sendtype$dtype" "int recvcount=$own" "MPI_Datatype recvtype$dtype" \
      'int root=0' "$world"
    call MPI_Reduce_scatter 1 1 "int recvcounts$list" "MPI_Datatype datatype$dtype" "$world"
    call MPI_Finalize 1 1
  } >irregular-dumpi-$rank.txt
  printf "$rank %s\n" 'init 1' "alltoallv 0 ${pair%,*} ${pair#*,} 0 ${pair%,*} ${pair#*,} 0 0" "allgatherv $own 100 3000 0 0" "gatherv $own 100 3000 1 0 0" \
    "scatterv 100 3000 $own 0 0 0" 'reducescatter 100 3000 0 0' finalize >irregular-ti-$rank.txt
done
for form in irregular-ti irregular irregular-dumpi; do
  run 0 replay $form-0.txt --platform hdr_fat_tree --json
  sed 's/"file": [^,]*,//; s/"program_recorded_s": [^,]*,//; s/"recorded_s": [^,]*,//' out >$form.json
  cmp irregular-ti.json $form.json || die "$form differs: $(diff irregular-ti.json $form.json)"
done
engines irregular-0.txt hdr_fat_tree
sed -i 's/^MPI_Allgatherv.*/MPI_Allgatherv:1000:1:5:7,8:1:2:2:7,8:3,0,2:1000/' irregular-[01].txt
run 0 replay irregular-0.txt --platform hdr_fat_tree
expect 'irregular-0.txt:3: MPI_Allgatherv'
for rank in 0 1; do sed '/^MPI_Init /,/^MPI_Init /d' dumpi-000$rank.txt >bare-000$rank.txt; done
run 0 replay bare-0000.txt --platform grig_mx --json
expect '"collective": "messages", "calls": 4, "messages": 2, "sent_B": 160,'
for rank in 0 1; do call MPI_Bcast 1.0 1.5 'int count=4' "$double" 'int root=0' "$world" >bare-000$rank.txt; done
run 0 replay bare-0000.txt --platform grig_mx --json
expect '"collective": "bcast", "calls": 2, "messages": 1, "sent_B": 32,'

# ---- Chakra: the same allreduce on two ranks as lines, and a node of storage ----

node() { # HEAD-OF-TRACE AND TEXTS OF NODES IN OCTAL
  printf '\007\012\0050.0.4'
  printf '\060\010\001\022\001c\030\007\122\015\012\011comm_type\110\000\122\016\012\011comm_size\110\200\010\122\010\012\004skip\110\000'
  printf '\007\010\002\022\001x\030\010'
}
node >all.0.et
node >all.1.et
run 0 replay all.0.et --platform grig_mx --json
expect '"a node of a kind that is not known", "count": 2, "places": ."all.0.et: node 1", "all.1.et: node 1"'
expect '"collective": "allreduce", "calls": 2, "messages": [0-9]*, "sent_B": 2048,'
engines all.0.et hdr_fat_tree

# The same as JSON: objects one after the other, a list, and a graph by numbers; a missing number is 0.
run 0 replay all.0.et --platform grig_mx --json
sed 's/all\.[01]\.et/JSON/g' out >protobuf
for form in jsonizer list feeder; do
  for rank in 0 1; do
    case $form in
    jsonizer) printf '{"version":"0.0.4"}{"id":"1","type":"COMM_COLL_NODE","attr":[{"name":"comm_type","int64Val":"0"},
      {"name":"comm_size","doc_string":"B","int64Val":"1024"}]}\n{"name":"x","type":"STORAGE_NODE"}' ;;
    list) printf '[{"version":"0.0.4"}, {"id":1,"type":7,"attr":[{"name":"comm_type","string_val":"ALL_REDUCE"},
      {"name":"comm_size","uint64_val":1024}],"ctrl_deps":[]}, {"id":2,"type":8}]' ;;
    *) printf '{"workload_graph":[{"Id":1,"NodeType":7,"comm_type":0,"comm_size":1024,"data_deps":[]},{"Id":2,"NodeType":9}]}' ;;
    esac >$form.$rank.json
  done
  run 0 replay $form.0.json --platform grig_mx --json
  sed "s/$form\.[01]\.json/JSON/g" out | cmp - protobuf || die "$form is not as protobuf"
done
engines jsonizer.0.json hdr_fat_tree
# Process groups of four ranks: two pairs by their users, by a definition, and by a list of ranks, and all in reverse;
# as JSON and as protobuf. Each pair does what the two ranks above do.
attribute() { # NAME FIELD-IN-OCTAL VALUE-IN-OCTAL: an attribute of less than 64 bytes
  value=$(printf "$2$3" | wc -c)
  printf "\\122\\$(printf %o $((2 + ${#1} + value)))\\012\\$(printf %o ${#1})%s$2$3" "$1"
}
message() { # a text of less than 128 bytes behind its length
  cat >body && printf "\\$(printf %o "$(wc -c <body)")" && cat body
}
for way in users defined listed protobuf; do
  for rank in 0 1 2 3; do
    pair=$((rank / 2)) head='{"version":"0.0.4"}' said="\"pg_name\":\"p$((rank / 2))\""
    case $way in
    defined) head='{"version":"0.0.4","attr":[{"name":"pg_config","stringVal":"[{\"pg_name\":\"p0\",\"ranks\":[0,1]},{\"pg_name\":\"p1\",\"ranks\":[2,3]}]"}]}' ;;
    listed) said="\"comm_group\":[$((pair * 2)),$((pair * 2 + 1))]" ;;
    protobuf)
      { printf '\007\012\0050.0.4'
        { printf '\010\001\030\007' && attribute comm_type '\110' '\000' && attribute comm_size '\110' '\200\010' &&
          attribute pg_name '\352\001' "\\002p$pair"; } | message; } >group-$way.$rank.et ;;
    esac
    printf '%s{"id":"1","type":7,"comm_type":0,"comm_size":1024,%s}' "$head" "$said" >group-$way.$rank.json
  done
  file=group-$way.0.json
  [ $way = protobuf ] && file=group-$way.0.et
  run 0 replay $file --platform grig_mx --json
  expect '"passed_over": \[\],'
  expect '"collective": "allreduce", "calls": 4, "messages": 4, "sent_B": 4096,'
  grep -o '"program_s": [^,]*' protobuf >pair.time
  grep -o '"program_s": [^,]*' out | cmp - pair.time || die "$way: another time: $(cat out)"
done
engines group-defined.0.json hdr_fat_tree
# Of a group whose size is not the number of its users, of more ranks than files, and that files define differently.
for rank in 0 1; do
  printf '{"version":"0","process_groups":{"d":[0,%d],"e":[1,0]}}
    {"id":1,"type":7,"comm_type":0,"comm_size":8,"pg_name":"x","pg_size":4}{"id":2,"type":7,"comm_size":8,"pg_size":8}
    {"id":3,"type":7,"comm_type":0,"comm_size":8,"pg_name":"d"}{"id":4,"type":7,"comm_type":5,"comm_size":8,"pg_name":"e"}' \
    $((rank + 1)) >lost.$rank.json
done
run 0 replay lost.0.json --platform grig_mx --json
expect '"a collective of a group whose members are not in the trace", "count": 2, "places": ."lost.0.json: node 0 of group x"'
expect '"a collective of more ranks than there are files", "count": 2, "places": ."lost.0.json: node 1"'
expect '"a collective of a group that files define differently", "count": 2, "places": ."lost.0.json: node 2 of group d"'
expect '"collective": "bcast", "calls": 2, "messages": 1, "sent_B": 8,'
printf '{"type":"COMP_NODE","durationMicros":"7"}\n[{"id":5},{"type":"COMP_NODE","id":"1","dataDeps":["0"]},{' >cut.json
run 0 replay cut.json --platform grig_mx --json
expect '"a node without a kind", "count": 1, "places": ."cut.json: node 1"'
expect '"no JSON from here on", "count": 1, "places": ."cut.json:2: a key in quotes is expected"'
expect '"program_s": 7e-06'
run 2 replay cut.json --platform grig_mx --strict
expect 'cut.json: a node without a kind: node 1'
printf '{"schema":"1-chakra.0.0.4","nodes":[{"ctrl_deps":1}]}' >host.json
run 2 replay host.json --platform grig_mx
expect 'host.json: an execution trace of PyTorch'

# ---- bad input ----

run 2 replay nowhere --platform grig_mx
expect 'nowhere: No such file'
run 2 replay grig.trace
expect 'on which platform\? --platform'
run 2 replay grig.trace --platform two_nodes
run 2 replay app.c --platform grig_mx
expect 'app.c: not a trace'
head -c 1000 grig.trace >cut.trace
run 2 replay cut.trace --platform grig_mx
expect 'cut.trace: byte [0-9]*, of rank 0: cut short'
sed '1s/ranks=12/ranks=11/' grig.trace >fewer.trace
run 2 replay fewer.trace --platform grig_mx
expect 'fewer.trace: '
sed '1s/trace 3/trace 7/' grig.trace >newer.trace
run 2 replay newer.trace --platform grig_mx
expect 'newer.trace:1: version 7 of the format: known are 1 to 3'
for option in '--decision other.rules' --rounds-apart; do
  run 2 whatif grig_mx --set latency=*0.5 $option demo
  expect 'go with a --trace'
done
run 2 whatif grig_mx --set latency=*0.5 --trace grig.trace demo
expect 'an experiment is named already'
run 2 whatif grig_mx --set latency=*0.5 --trace grig.trace --engine smpi
expect '--trace is simulated by the engines fast and flow'
sed 's/<prop id="smpi\/test".*/<prop id="network\/optim" value="Full"\/>/' "$source/platforms/grig_mx.xml" >full.xml
run 2 replay grig.trace --platform ./full.xml
expect '^tutti: .*full\.xml:[0-9]*: the engine does not know network/optim="Full", only Lazy; --engine smpi simulates it$'
echo '1 passed, 0 failed'
