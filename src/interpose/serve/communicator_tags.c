/* The tag of a communicator on the shared shadow: its ranks agree on one that is free for all of them. */
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/say.h"
#include "interpose/serve/communicator.h"

void tutti_tags_fill(struct communicators *known)
{
  for (int w = 0; w < TAG_WORDS; w++)
    known->free_tags[w] = UINT64_MAX;
  known->free_tags[0] = ~UINT64_C(1); /* that of MPI_COMM_WORLD */
}

void tutti_tags_free(struct communicators *known, int tag)
{
  if (tag > 0)
    known->free_tags[tag / 64] |= UINT64_C(1) << tag % 64;
}

static int take_tag(struct communicators *known, const uint64_t *common)
{
  for (int w = 0; w < TAG_WORDS; w++)
    if (common[w]) {
      int bit = __builtin_ctzll(common[w]);
      known->free_tags[w] &= ~(UINT64_C(1) << bit);
      return 64 * w + bit;
    }
  return -1;
}

/* The message between the ranks of a communicator: they agree if all send the same. */
struct agreement {
  uint64_t digest, opposite; /* of the policy, and its complement */
  uint64_t good;             /* whether the policy is good */
  uint64_t shares;           /* whether it has the shared shadow */
  uint64_t ready;            /* no other thread is about to take a tag */
  uint64_t stamp;            /* that of rank 0: the others send all ones */
  uint64_t tags[TAG_WORDS];  /* free ones */
};

/* Names the communicator: of the process that is its rank 0. */
static uint64_t make_stamp(struct communicators *known)
{
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return ((uint64_t)rank + 1) << 32 | known->agreed++;
}

static bool exchange(struct communicators *known, MPI_Comm comm, int rank, bool ready, struct agreement *all)
{
  *all = (struct agreement){.digest = known->policy->digest,
                            .opposite = ~known->policy->digest,
                            .good = known->fault ? 0 : UINT64_MAX,
                            .shares = known->shadow != MPI_COMM_NULL ? UINT64_MAX : 0,
                            .ready = ready ? UINT64_MAX : 0,
                            .stamp = rank == 0 && known->shadow != MPI_COMM_NULL ? make_stamp(known) : UINT64_MAX};
  for (int w = 0; w < TAG_WORDS; w++)
    all->tags[w] = known->free_tags[w];
  return PMPI_Allreduce(MPI_IN_PLACE, all, (int)(sizeof *all / sizeof(uint64_t)), MPI_UINT64_T, MPI_BAND, comm) ==
         MPI_SUCCESS;
}

/* Microseconds that differ from rank to rank and from time to time. */
static void back_off(int rank, int attempt)
{
  uint64_t mixed = ((uint64_t)rank * 2654435761U + (uint64_t)attempt * 40503U) * UINT64_C(0x9e3779b97f4a7c15);
  const struct timespec pause = {.tv_nsec = (long)(mixed >> 40) % (1000L << (attempt < 8 ? attempt : 8))};
  nanosleep(&pause, NULL);
}

/* The policy of some ranks is faulty: one of them reports it, and all end. MPICH's launcher takes a process that ends
   with a session open for a failed one: it kills the others and reports that. */
static void end_program(const struct communicators *known, MPI_Comm comm, int rank)
{
  int first = known->fault ? rank : INT_MAX;
  PMPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == rank) {
    tutti_say(stderr, "tutti: %s\n", known->fault);
    fflush(stderr);
  }
  PMPI_Barrier(comm);
  known->close_sessions();
  exit(2); /* bad input */
}

/* Threads that agree for two communicators at the same time could take the same tag, and none may wait for another: the
   other ranks may be waiting for this one. So all of a communicator try again, and give up in the end. */
const char *tutti_tags_agree(struct communicators *known, MPI_Comm comm, int rank, int *tag, uint64_t *stamp)
{
  enum { ATTEMPTS = 200 };
  *tag = -1;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    struct agreement all;
    bool ready = !atomic_exchange(&known->agreeing, true);
    bool agreed = exchange(known, comm, rank, ready, &all);
    if (agreed && all.good && all.ready && all.shares && all.digest == ~all.opposite)
      *tag = take_tag(known, all.tags);
    *stamp = all.stamp;
    if (ready)
      known->agreeing = false;
    if (!agreed)
      return "no agreement";
    if (!all.good)
      end_program(known, comm, rank);
    if (all.digest != ~all.opposite)
      return "other variables on other ranks";
    if (!all.shares)
      return NULL;
    if (all.ready)
      return *tag < 0 ? "too many communicators" : NULL;
    back_off(rank, attempt);
  }
  return "no agreement among threads";
}
