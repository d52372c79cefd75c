/* Posting the ends of messages, call by call as SMPI does. A message below smpi/send-is-detached-thresh is eager: its
   send is complete at once. One below smpi/async-small-thresh does not wait for its receiver either, but goes to a
   mailbox of small messages; with such messages SMPI locks the mailboxes of the receiver for every send and receive,
   and looks into them before, calls that take a turn each. */
#ifndef TUTTI_ENGINE_POSTING_H
#define TUTTI_ENGINE_POSTING_H

#include "harness/engine/core/engine.h"
#include "harness/engine/core/matching.h"

/* The end that a rank posts. */
struct posting {
  struct matching_ends ends;
  uint64_t bytes; /* of a receive from anybody: those that it has room for */
  bool send, synchronous;
};

/* The next call of a rank that posts. The first is posting_first(). */
enum posting_point { POSTING_LOCK, POSTING_PROBE, POSTING_PROBE_OTHER, POSTING_NOW, POSTING_UNLOCK, POSTING_OVER };

/* What becomes of an end that is posted. */
enum posting_outcome {
  POSTING_WAITS,     /* for the other end */
  POSTING_BEGINS,    /* call tutti_posting_begin() */
  POSTING_UNDER_WAY, /* a receive of a small message that has been sent */
  POSTING_ARRIVED    /* of one that is there: both ends are complete */
};

/* The mailboxes of a rank, which one rank uses at a time: its user, and the ranks that wait for it. */
struct posting_mailbox {
  bool locked;
  uint32_t first, last; /* ranks that wait; ENGINE_NONE: none */
  uint32_t next;        /* the rank that waits after this one, for whatever mailbox this one waits */
};

struct postings {
  struct engine *engine;
  struct matching *matching;
  struct posting_mailbox *mailboxes; /* [ranks]; NULL: no small eager messages */
};

void tutti_postings_init(struct postings *postings, struct engine *engine, struct matching *matching);
void tutti_postings_free(struct postings *postings);

static inline enum posting_point posting_first(const struct postings *postings)
{
  return postings->mailboxes ? POSTING_LOCK : POSTING_NOW;
}

/* Whether its send is complete at once. */
static inline bool posting_is_eager(const struct postings *postings, const struct posting *posting)
{
  return posting->send && !posting->synchronous && posting->bytes < postings->engine->machine->detached;
}

/* Carry out the call at the point, and go on to the next one; at POSTING_NOW the caller posts. Never ENGINE_GOES_ON. */
enum engine_outcome tutti_posting_call(struct postings *postings, uint32_t rank, const struct posting *posting,
                                       enum posting_point *point);

/* Post the end, whose request is new. @p mate: the other end, or ENGINE_NONE. */
enum posting_outcome tutti_posting_match(struct postings *postings, const struct posting *posting, uint32_t request,
                                         uint32_t *mate);

/* Begin the transfer of a message of so many bytes; its tag is `request << 32 | mate`. TUTTI_ERR_UNSUPPORTED names two
   hosts that no route joins. */
tutti_status tutti_posting_begin(struct postings *postings, const struct posting *posting, uint32_t request,
                                 uint32_t mate, uint64_t bytes, tutti_error *error);

#endif
