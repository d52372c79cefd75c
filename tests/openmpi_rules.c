/* The rules of library.h beside those compiled into the installed Open MPI 4.1: its coll_tuned_decision_fixed.c calls
   ompi_coll_tuned_COLLECTIVE_intra_do_this() with what it picked, and the dynamic linker takes ours, which only writes
   the algorithm down. What is handed over are not communicators and datatypes, but blocks of memory with the few
   members that the rules read at their places in an Open MPI 4.1 for x86-64.

   usage: openmpi_rules PATH/mca_coll_tuned.so; status 77 where there is no such Open MPI */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tutti/library.h"

enum { MAX_RANKS = 5000, SKIPPED = 77 };

/* Bytes from the beginning of the object. */
enum {
  GROUP_OF_COMMUNICATOR = 0xf8,
  RANKS_OF_GROUP = 0x10,
  SIZE_OF_DATATYPE = 0x18,
  FLAGS_OF_OPERATION = 0x54,
  OPERATION_COMMUTES = 0x40
};

static char communicator[4096], group[256], datatype[512], operation[512], buffer[16];
static int counts[MAX_RANKS];
static int picked;

/* ---- what the library calls ---- */

typedef const void *any;

#define CAPTURE(name, ...)                                                                                             \
  int ompi_coll_tuned_##name##_intra_do_this(__VA_ARGS__, any, any, int);                                              \
  int ompi_coll_tuned_##name##_intra_do_this(__VA_ARGS__, any comm, any module, int algorithm)                         \
  {                                                                                                                    \
    (void)comm, (void)module;                                                                                          \
    picked = algorithm;                                                                                                \
    return 0;                                                                                                          \
  }

/* More arguments follow, which a callee may leave alone. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
CAPTURE(bcast, any b, int c, any t, int root)
CAPTURE(reduce, any s, any r, int c, any t, any op, int root)
CAPTURE(allreduce, any s, any r, int c, any t, any op)
CAPTURE(allgather, any s, int c, any t, any r, int d, any u)
CAPTURE(allgatherv, any s, int c, any t, any r, any d, any p, any u)
CAPTURE(alltoall, any s, int c, any t, any r, int d, any u)
CAPTURE(alltoallv, any s, any c, any p, any t, any r, any d, any q, any u)
CAPTURE(gather, any s, int c, any t, any r, int d, any u, int root)
CAPTURE(scatter, any s, int c, any t, any r, int d, any u, int root)
CAPTURE(reduce_scatter, any s, any r, any c, any t, any op)
CAPTURE(reduce_scatter_block, any s, any r, int c, any t, any op)

int ompi_coll_tuned_barrier_intra_do_this(any, any, int);
int ompi_coll_tuned_barrier_intra_do_this(any comm, any module, int algorithm)
{
  picked = algorithm;
  return 0;
}

/* ---- what is asked ---- */

/* Each collective: its rule in the library, how it is called with n elements of a byte, and ours. */
#define ASKED(ASK)                                                                                                     \
  ASK(bcast, (any, int, any, int, any, any), (buffer, n, datatype, 0, communicator, NULL), n)                          \
  ASK(reduce, (any, any, int, any, any, int, any, any),                                                                \
      (buffer, buffer, n, datatype, operation, 0, communicator, NULL), n)                                              \
  ASK(allreduce, (any, any, int, any, any, any, any), (buffer, buffer, n, datatype, operation, communicator, NULL), n) \
  ASK(allgather, (any, int, any, any, int, any, any, any),                                                             \
      (buffer, n, datatype, buffer, n, datatype, communicator, NULL), n)                                               \
  ASK(allgatherv, (any, int, any, any, any, any, any, any, any),                                                       \
      (buffer, n, datatype, buffer, counts, counts, datatype, communicator, NULL), n)                                  \
  ASK(alltoall, (any, int, any, any, int, any, any, any),                                                              \
      (buffer, n, datatype, buffer, n, datatype, communicator, NULL), n)                                               \
  ASK(alltoallv, (any, any, any, any, any, any, any, any, any, any),                                                   \
      (buffer, counts, counts, datatype, buffer, counts, counts, datatype, communicator, NULL), n)                     \
  ASK(barrier, (any, any), (communicator, NULL), n)                                                                    \
  ASK(gather, (any, int, any, any, int, any, int, any, any),                                                           \
      (buffer, n, datatype, buffer, n, datatype, 0, communicator, NULL), n)                                            \
  ASK(scatter, (any, int, any, any, int, any, int, any, any),                                                          \
      (buffer, n, datatype, buffer, n, datatype, 0, communicator, NULL), n)                                            \
  ASK(reduce_scatter, (any, any, any, any, any, any, any),                                                             \
      (buffer, buffer, counts, datatype, operation, communicator, NULL), (uint64_t)n *(uint64_t)ranks)                 \
  ASK(reduce_scatter_block, (any, any, int, any, any, any, any),                                                       \
      (buffer, buffer, n, datatype, operation, communicator, NULL), n)

struct tally {
  long asked, differing;
};

static void compare(struct tally *tally, const char *name, int ranks, int n, int ours)
{
  tally->asked++;
  if (picked == ours)
    return;
  tally->differing++;
  printf("%s, %d ranks, %d B: %d in the library, %d here\n", name, ranks, n, picked, ours);
}

static void ask_all(void *library, int ranks, int n, struct tally *tally)
{
  memcpy(group + RANKS_OF_GROUP, &ranks, sizeof ranks);
  for (int r = 0; r < ranks; r++)
    counts[r] = n;
#define ASK(name, types, arguments, bytes)                                                                             \
  {                                                                                                                    \
    int(*rule) types;                                                                                                  \
    *(void **)&rule = dlsym(library, "ompi_coll_tuned_" #name "_intra_dec_fixed");                                     \
    picked = -1;                                                                                                       \
    if (rule)                                                                                                          \
      rule arguments;                                                                                                  \
    compare(tally, #name, ranks, n, tutti_openmpi41_##name(ranks, (uint64_t)(bytes)));                                 \
  }
  ASKED(ASK)
#undef ASK
}

static void make_objects(void)
{
  const char *address = group;
  const size_t one = 1;
  memcpy(communicator + GROUP_OF_COMMUNICATOR, &address, sizeof address);
  memcpy(datatype + SIZE_OF_DATATYPE, &one, sizeof one);
  operation[FLAGS_OF_OPERATION] = OPERATION_COMMUTES;
}

static bool is_known(void *mpi)
{
  char version[4096] = "";
  int length = 0;
  int (*ask)(char *, int *);
  *(void **)&ask = mpi ? dlsym(mpi, "MPI_Get_library_version") : NULL;
  if (ask)
    ask(version, &length);
  return strncmp(version, "Open MPI v4.1.", strlen("Open MPI v4.1.")) == 0;
}

/* All numbers of ranks up to 130; beyond, those on both sides of a power of two, where rules change, and some others.
 */
static bool is_asked(int ranks)
{
  return ranks <= 130 || (ranks & (ranks - 1)) == 0 || (ranks & (ranks + 1)) == 0 || ranks % 97 == 0;
}

/* Sizes are powers of two and their neighbors. */
int main(int argc, char **argv)
{
  struct tally tally = {0};
  void *mpi = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  void *library = argc == 2 && is_known(mpi) ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library) {
    printf("skipped: no Open MPI 4.1 with coll/tuned\n");
    return SKIPPED;
  }
  make_objects();
  for (int ranks = 2; ranks < MAX_RANKS; ranks++)
    for (int shift = 0; shift <= 23 && is_asked(ranks); shift++)
      for (int more = -1; more <= 1; more++)
        ask_all(library, ranks, (1 << shift) + more, &tally);
  printf("%ld decisions of Open MPI compared, %ld differ\n", tally.asked, tally.differing);
  return tally.differing > 0;
}
