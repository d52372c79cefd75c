/* Calls of all ranks for the verifier: regular ones, and irregular ones whose blocks differ in length, lie apart and
   out of order, or are empty. */
#ifndef TUTTI_TESTS_VERIFY_CALLS_H
#define TUTTI_TESTS_VERIFY_CALLS_H

#include <stdlib.h>
#include <string.h>

#include "tutti/algorithm.h"

enum { CALLS_MOST_RANKS = 260 };

struct calls {
  tutti_call rank[CALLS_MOST_RANKS];
  uint64_t *memory; /* counts and firsts of all ranks, input then output; the matrix of counts */
};

/* Elements that rank `from` has for rank `to`; some have none. */
static inline uint64_t calls_between(const tutti_call *call, int from, int to)
{
  uint64_t x = (uint64_t)from * 7 + (uint64_t)to * 13 + call->count;
  return x % 5 == 0 ? 0 : call->count * (x % 5) / 2 + x % 3 * (call->count > 0);
}

static inline uint64_t *calls_counts(struct calls *calls, int rank, int which)
{
  size_t size = (size_t)calls->rank[0].size;
  return calls->memory + ((size_t)rank * 4 + (size_t)which) * size;
}

/* Blocks in an order turned by `turn` ranks with a gap before each, or one after the other in order if gap is 0. */
static inline void calls_place(const uint64_t *counts, uint64_t *firsts, int size, int turn, uint64_t gap)
{
  uint64_t at = 0;
  for (int i = 0; i < size; i++) {
    int r = (i + turn) % size;
    at += gap;
    firsts[r] = at;
    at += counts[r];
  }
}

/* Give rank `rank` an irregular layout; turn and gap spread its blocks. */
static inline void calls_layout(struct calls *calls, int rank, bool output, const uint64_t *counts, int turn,
                                uint64_t gap)
{
  tutti_call *call = &calls->rank[rank];
  uint64_t *own = calls_counts(calls, rank, output ? 2 : 0), *firsts = calls_counts(calls, rank, output ? 3 : 1);
  memcpy(own, counts, (size_t)call->size * sizeof *own);
  calls_place(own, firsts, call->size, turn, gap);
  *(output ? &call->output : &call->input) = (tutti_layout){own, firsts};
}

static inline void calls_make_irregular(struct calls *calls, tutti_collective collective)
{
  const tutti_call base = calls->rank[0];
  uint64_t gap = base.count % 4, row[CALLS_MOST_RANKS], column[CALLS_MOST_RANKS];
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
      calls_layout(calls, r, false, row, collective == TUTTI_COLL_REDUCE_SCATTER ? 0 : r,
                   collective == TUTTI_COLL_REDUCE_SCATTER ? 0 : gap);
    if (collective == TUTTI_COLL_GATHERV ? root : collective == TUTTI_COLL_ALLGATHERV)
      calls_layout(calls, r, true, row, base.root + (int)(base.count % 3), gap);
    if (collective == TUTTI_COLL_ALLTOALLV || collective == TUTTI_COLL_ALLTOALLW)
      calls_layout(calls, r, true, column, 1, gap);
  }
}

/* All ranks know what each has for each, behind their own counts and places. */
static inline void calls_tell_counts(struct calls *calls)
{
  int size = calls->rank[0].size;
  uint64_t *matrix = calls_counts(calls, size, 0);
  for (int from = 0; from < size; from++)
    memcpy(matrix + (size_t)from * (size_t)size, calls_counts(calls, from, 0), (size_t)size * sizeof *matrix);
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
  calls->memory = irregular ? calloc(5 * size * size, sizeof *calls->memory) : NULL;
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
