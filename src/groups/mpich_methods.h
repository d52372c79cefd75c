/* Parts of MPICH's creation of a communicator: its collectives, the bytes they move, and its computation. No MPI. */
#ifndef TUTTI_GROUPS_MPICH_METHODS_H
#define TUTTI_GROUPS_MPICH_METHODS_H

#include "tutti/algorithm.h"

/* In simulation, seconds: for each entry of a table that is written or looked at, and for each comparison of a sort. */
struct mpich_cost {
  double entry, compare;
};

/* Defaults: 4 and 17 cycles of the 2.3 GHz of SuperMUC's thin nodes, which docs/explanation/split.md uses, too. */
#define MPICH_ENTRY_SECONDS   1.7e-9
#define MPICH_COMPARE_SECONDS 7.4e-9

enum {
  MPICH_MASK_WORDS = 64, /* of 32 bits, of the mask of context ids (MPIR_MAX_CONTEXT_MASK) */
  MPICH_ENTRY_BYTES = 8, /* color and key of a process */
};

/* The allgather of a split that MPICH picks for @p size processes, in bytes of all: MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE
   and MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE. One exception: in simulation an allgather by a ring, which MPICH takes from 80
   KiB in all on (10,241 ranks and more, unless a power of two), is replaced by that of Bruck: p^2 messages cannot be
   simulated, and log p messages one after another in place of p - 1 favor MPICH. */
tutti_method tutti_mpich_allgather(int size, bool simulated);

/* The allreduce of the mask and a flag, MPICH_MASK_WORDS + 1 words: less than MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE, 2048
   bytes. */
tutti_method tutti_mpich_agreement(void);

/* Seconds that a process of a simulation computes to sort @p members members. */
double tutti_mpich_sort_seconds(const struct mpich_cost *cost, int members);

#endif
