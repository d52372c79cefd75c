/* Calls of all ranks for the verifier: regular ones, and irregular ones whose blocks differ in length or are empty. */
#ifndef TUTTI_TESTS_VERIFY_CALLS_H
#define TUTTI_TESTS_VERIFY_CALLS_H

#include <stdlib.h>
#include <string.h>

#include "tutti/algorithm.h"

enum { CALLS_MAX_RANKS = 260 };

struct calls {
  tutti_call rank[CALLS_MAX_RANKS];
  uint64_t *memory; /* offsets of all ranks, input then output; the matrix of counts */
};

/* Elements of rank `from` for rank `to`; some are 0. */
static inline uint64_t calls_between(const tutti_call *call, int from, int to)
{
  uint64_t x = (uint64_t)from * 7 + (uint64_t)to * 13 + call->count;
  return x % 5 == 0 ? 0 : call->count * (x % 5) / 2 + x % 3 * (call->count > 0);
}

static inline uint64_t *calls_offsets(struct calls *calls, int rank, int which)
{
  return calls->memory + ((size_t)rank * 2 + (size_t)which) * ((size_t)calls->rank[0].size + 1);
}

/* Give rank `rank` an irregular layout. */
static inline void calls_layout(struct calls *calls, int rank, bool output, const uint64_t *counts)
{
  tutti_call *call = &calls->rank[rank];
  *(output ? &call->output : &call->input) = tutti_layout_make(counts, call->size, calls_offsets(calls, rank, output));
}

static inline void calls_make_irregular(struct calls *calls, tutti_collective collective)
{
  const tutti_call base = calls->rank[0];
  uint64_t row[CALLS_MAX_RANKS], column[CALLS_MAX_RANKS];
  for (int r = 0; r < base.size; r++) {
    bool shared = collective == TUTTI_COLL_ALLGATHERV || collective == TUTTI_COLL_REDUCE_SCATTER;
    int mine = shared || collective == TUTTI_COLL_SCATTERV || collective == TUTTI_COLL_GATHERV ? base.root : r;
    for (int other = 0; other < base.size; other++) {
      row[other] = calls_between(&base, mine, other);
      column[other] = calls_between(&base, other, r);
    }
    if (mine != r || shared || base.root == r)
      calls->rank[r].count = row[r];
    bool root = r == base.root;
    if (collective == TUTTI_COLL_SCATTERV ? root
                                          : collective != TUTTI_COLL_GATHERV && collective != TUTTI_COLL_ALLGATHERV)
      calls_layout(calls, r, false, row);
    if (collective == TUTTI_COLL_GATHERV ? root : collective == TUTTI_COLL_ALLGATHERV)
      calls_layout(calls, r, true, row);
    if (collective == TUTTI_COLL_ALLTOALLV || collective == TUTTI_COLL_ALLTOALLW)
      calls_layout(calls, r, true, column);
  }
}

/* All ranks know what each has for each. */
static inline void calls_tell_counts(struct calls *calls)
{
  int size = calls->rank[0].size;
  uint64_t *matrix = calls_offsets(calls, size, 0);
  for (int from = 0; from < size; from++)
    for (int to = 0; to < size; to++)
      matrix[(size_t)from * (size_t)size + (size_t)to] = tutti_layout_count(&calls->rank[from].input, to);
  for (int r = 0; r < size; r++)
    calls->rank[r].matrix = matrix;
}

/* The calls of all ranks; `irregular` where the collective can be. Free with calls_free(). */
static inline struct calls *calls_create(tutti_collective collective, const tutti_call *call, bool irregular)
{
  struct calls *calls = malloc(sizeof *calls);
  for (int r = 0; r < call->size; r++) {
    calls->rank[r] = *call;
    calls->rank[r].rank = r;
  }
  size_t size = (size_t)call->size;
  calls->memory = irregular ? calloc(2 * size * (size + 1) + size * size, sizeof *calls->memory) : NULL;
  if (irregular)
    calls_make_irregular(calls, collective);
  if (irregular && collective == TUTTI_COLL_ALLTOALLV)
    calls_tell_counts(calls);
  return calls;
}

static inline void calls_free(struct calls *calls)
{
  free(calls->memory);
  free(calls);
}

#endif
