/* Who sends which chunks to whom, so that every rank gets every chunk: greedy matching of chunks to hops over time, as
   of Won, Elavazhagan, Srinivasan, Gupta, Krishna: TACOS: Topology-Aware Collective Algorithm Synthesizer (MICRO 2024),
   by events in place of steps of equal length: a hop is matched when its links are free and its rank has a chunk that
   the other end neither has nor is being sent. A route of several links takes all of them. */
#ifndef TUTTI_ENGINE_SPREAD_H
#define TUTTI_ENGINE_SPREAD_H

#include "harness/engine/search/fabric.h"

/* Chunks `first` to `first + count - 1` from a rank to another. */
struct move {
  int32_t from, to;
  uint32_t first, count;
};

struct moves {
  TUTTI_VECTOR(struct move); /* as they begin */
};

/* The rank that has a chunk at the start, of chunks that are spread evenly. */
static inline int move_owner(uint32_t chunk, uint32_t chunks, int ranks)
{
  return (int)((uint64_t)chunk * (uint64_t)ranks / chunks);
}

struct spread_request {
  const struct fabric *fabric;
  uint32_t chunks;
  int root;             /* that has all chunks; -1: they are spread evenly */
  uint64_t chunk_bytes; /* more than 0 */
  uint32_t batch;       /* consecutive chunks of a message at most */
  bool longest;         /* a hop takes the chunk with which the message is the longest, else the rarest one */
  bool once;            /* a chunk goes to a host once, whose ranks pass it on among them */
  bool serial;          /* a rank begins a message to another one when the one before has arrived */
  uint64_t seed;        /* breaks ties; 0: the first hop */
  double combining;     /* seconds a byte of what is to be turned round: the sender of a move will combine it, and the
                           receiver will have sent it; 0: it is not turned round */
  const float *delays;  /* [hops] seconds by which each of them comes late; NULL: none */
};

/* Moves in the order in which they begin, and when the last one ends. False: some rank lacks a chunk at the end. The
   time is about (chunks x hops) steps, each of a few operations. */
bool tutti_search_spread(const struct spread_request *request, struct moves *moves, double *seconds);

/* The same chunks on the way back: receivers send what they have combined. */
void tutti_moves_reverse(struct moves *moves);

#endif
