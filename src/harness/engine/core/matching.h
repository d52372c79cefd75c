/* Messages whose other end is not posted yet: per pair of ranks and channel, first in, first out; small sends before
   others, as SMPI looks into their mailbox first. */
#ifndef TUTTI_ENGINE_MATCHING_H
#define TUTTI_ENGINE_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/engine/core/numbers.h"

/* One end of a message: a request of SMPI. */
struct engine_request {
  uint32_t rank;
  uint32_t vertex;
  uint32_t place; /* among those of its rank in flight */
  uint32_t link;  /* the next one that waits for the same pair, or of the unused ones; once matched, the other end */
  uint32_t flow;  /* of an eager send whose receive is not posted: what carries it, or ENGINE_NONE */
  bool done;
  bool eager;    /* no rank waits for this end */
  bool of_eager; /* the other end is so */
};

enum matching_end { MATCHING_RECEIVE = 1, MATCHING_SEND, MATCHING_SMALL_SEND };

/* The ends of one kind that wait for one sender and receiver. */
struct matching_pair {
  uint64_t key; /* 0: empty */
  uint32_t first, last;
};

struct matching {
  struct {
    TUTTI_VECTOR(struct engine_request);
  } requests;
  uint32_t unused;
  struct matching_pair *pairs; /* open addressing */
  uint32_t capacity, count;    /* a power of two */
  uint32_t small_count;        /* pairs of small sends */
};

void tutti_matching_init(struct matching *matching);
void tutti_matching_free(struct matching *matching);

uint32_t tutti_request_new(struct matching *matching, uint32_t rank, uint32_t vertex, uint32_t place);
void tutti_request_free(struct matching *matching, uint32_t request);

/* Sender, receiver and channel of a message: messages of one communicator never match those of another. */
struct matching_ends {
  uint32_t sender, receiver, channel; /* below MATCHING_RANKS, MATCHING_CHANNELS */
};

enum { MATCHING_RANKS = 1 << 22, MATCHING_CHANNELS = 1 << 18 };

/* Whether a small send waits for its receive. */
bool tutti_matching_has_small(const struct matching *matching, struct matching_ends ends);

/* Post one end of a message. Returns the other end, which waited; else ENGINE_NONE, and this one waits. */
uint32_t tutti_matching_post(struct matching *matching, struct matching_ends ends, uint32_t request,
                             enum matching_end end);

#endif
