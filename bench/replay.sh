#!/bin/sh
# What a trace costs a program, as a ratio in one run, and what a replay takes.
#
# usage: replay.sh BUILD_DIR [RANKS CALLS]
#
# 2 ranks of MPICH and of Open MPI, 8 B allreduce in a loop, with the interposer: alone, with TUTTI_TRACE, with
# TUTTI_PROFILE, in turns. Of a launch the fastest 500 calls in a row count, which other programs disturb least; the
# median of the ratios to the interposer alone is printed. Then a replay of RANKS ranks (1024) that
# each make CALLS calls (10000).
set -eu
build=$(cd "$1" && pwd) ranks=${2:-1024} calls=${3:-10000}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

cat >loop.c <<'C'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  enum { CHUNKS = 100, CALLS = 500 };
  double from = 1, to, least = 1;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int chunk = 0; chunk < CHUNKS; chunk++) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < CALLS; i++)
      MPI_Allreduce(&from, &to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double took = (MPI_Wtime() - begin) / CALLS;
    least = took < least ? took : least;
  }
  if (rank == 0)
    printf("%.4f\n", least * 1e6);
  return MPI_Finalize();
}
C
for flavor in mpich openmpi; do
  [ -e "$build/$flavor/libtutti_mpi.so" ] && command -v mpicc.$flavor >/dev/null || continue
  mpicc.$flavor -O2 loop.c -o loop.$flavor
  once() { env "$@" mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./loop.$flavor; }
  rm -f turns
  for turn in 1 2 3 4 5 6 7 8 9; do
    echo "$(once A=) $(once TUTTI_TRACE=loop.trace) $(once TUTTI_PROFILE=loop.profile)" >>turns
  done
  for column in 2 3; do
    awk -v column=$column '{ print $column / $1 }' turns | sort -n | awk -v flavor=$flavor -v column=$column '
      { ratio[NR] = $1 } END { printf "%s: %s: %.3f times, from %.3f to %.3f in %d turns\n", flavor,
        column == 2 ? "TUTTI_TRACE" : "TUTTI_PROFILE", ratio[int((NR + 1) / 2)], ratio[1], ratio[NR], NR }'
  done
  awk '{ print $1 }' turns | sort -n | awk -v flavor=$flavor '{ t[NR] = $1 } END {
    printf "%s: the interposer alone %.2f us a call\n", flavor, t[int((NR + 1) / 2)] }'
done

# As the interposer would write it: each rank computes 10 us, and all reduce 8 B.
python3 - "$ranks" "$calls" >large.trace <<'PYTHON'
import sys
ranks, calls = int(sys.argv[1]), int(sys.argv[2])
def number(value):
    text = bytearray()
    while value > 127:
        text.append(value & 127 | 128)
        value >>= 7
    text.append(value)
    return bytes(text)
name = b"allreduce/recursive-doubling"
shape = b"".join(map(number, [3, 1, len(name)])) + name + b"".join(map(number, [8, 8, 1, 0, 0, 0]))
call = b"".join(map(number, [8, 10000, 20000]))
rank = number(1) + number(0) + shape + call * calls + number(0) + number(0)
sys.stdout.buffer.write(b"tutti-trace 1 ranks=%d ranks_per_node=1 flavor=smpi library=none\n" % ranks)
for _ in range(ranks):
    sys.stdout.buffer.write(number(len(rank)) + rank)
PYTHON
echo "a trace of $ranks ranks, $calls calls each: $(wc -c <large.trace) bytes"
/usr/bin/time -f "replay: %U s of processor time, %M KiB" "$build/tutti" replay large.trace --platform supermuc |
  sed -n 1p
