/* How the times of a simulation depend on parameters of the machine: each time is carried with its derivatives, one
   pass for all parameters. What happens next happens then because of one thing: the time of a wake-up, an arrival or
   the end of a computation is the sum along these causes.

   Derivatives are exact as long as the order of what happens stays, and two things that happen within ENGINE_INSTANT
   have the same cause. With fair sharing a flow that others slow down moves with their times, too: the bytes that are
   left are carried with their derivatives. One thing is left out: where flows of different routes share a link,
   another latency or bandwidth also changes their weights (network/weight-S, route->penalty). Links that carry one
   message at a time have no weights.

   A flow moves at the pace of the link on its route that has nothing left, the first of several. The time of its bytes
   is a part of the level of that link: exact where all flows of the link are paced by it, as where it carries one at a
   time; where others of them wait elsewhere, it would be less. The sum over all levels is exact in any case. */
#ifndef TUTTI_ENGINE_SLOPES_H
#define TUTTI_ENGINE_SLOPES_H

#include "harness/engine/core/numbers.h"

/* The last one is of limiters and what else has no level, the one before of all levels above. */
enum { ENGINE_LEVELS = 8 };

/* Factors of what the machine is, but for the second. */
enum engine_parameter {
  ENGINE_LATENCY,     /* of the latency of all links but those that are apart (platforms/topology.h) */
  ENGINE_MESSAGE,     /* seconds more of each message that has a latency */
  ENGINE_BYTE,        /* of the time that the same links take for a byte: 1 / bandwidth */
  ENGINE_OVERHEAD,    /* of smpi/ois and smpi/or */
  ENGINE_REDUCTION,   /* of the time of reducing and copying a byte: 1 / speed */
  ENGINE_COMPUTATION, /* of what a program computes between its calls */
  ENGINE_CONSTANT,    /* of all the rest: when ranks begin, calls of a known time, links that are apart */
  /* Parts of ENGINE_LATENCY and of ENGINE_BYTE, and of links that are apart: of the links of each level
     (machine/loads.h). */
  ENGINE_LEVEL_LATENCY,
  ENGINE_LEVEL_BYTE = ENGINE_LEVEL_LATENCY + ENGINE_LEVELS,
  ENGINE_PARAMETERS = ENGINE_LEVEL_BYTE + ENGINE_LEVELS
};

/* A changed machine. Its levels may be other sets of links, such as one link and all others. */
struct engine_change {
  double of[ENGINE_PARAMETERS];
  const uint8_t *sets; /* [link_count] the set of each link, < ENGINE_LEVELS; NULL: its level */
};

/* The machine as it is: ENGINE_MESSAGE is 0, the others are 1. */
struct engine_change tutti_slopes_unchanged(void);

/* "latency", ..., "computation"; NULL for others. */
const char *tutti_slopes_name(int parameter);

/* Derivatives of a time by each parameter. Those of factors up to ENGINE_CONSTANT add up to the time. */
struct engine_slope {
  double of[ENGINE_PARAMETERS];
};

/* A flow or an execution. */
struct engine_moving {
  struct engine_slope left, updated, date; /* of what is left of it, of when that was so, and of its end */
  enum engine_parameter paced_by;          /* that its rate is in inverse proportion to, */
  int byte_level;                          /* and 1 + the level of the link that paces it; 0: none does */
  double window;                           /* of a flow: the rate that TCP-gamma allows it, */
  double shares[ENGINE_PARAMETERS];        /* and the derivatives of the logarithm of its latency */
};

/* Of the links of a route, by level: those that are apart, and the others. */
struct engine_latencies {
  double of[ENGINE_LEVELS], apart[ENGINE_LEVELS];
};

/* The part of a link that its flows use, since the flows were dated the so many-th time. */
struct engine_used {
  uint64_t dated;
  double part;
};

struct engine_slopes {
  const struct engine_change *change; /* of the machine; NULL: none */
  struct engine_slope cause;          /* of the time of what happens now */
  struct engine_slope *ranks;         /* [rank_count] of when it was woken, */
  struct engine_slope *received;      /* and of when it may receive the next message */
  struct engine_moving *actions;      /* [rank_count] */
  struct engine_used *used;           /* [link_count] */
  uint64_t dated;
  struct {
    TUTTI_VECTOR(struct engine_moving);
  } flows;
  struct {
    TUTTI_VECTOR(struct engine_slope);
  } alarms;
};

/* All ranks begin at a time. Free with tutti_slopes_free(). */
struct engine_slopes *tutti_slopes_new(uint32_t rank_count, uint32_t link_count, double begin,
                                       const struct engine_change *change);
void tutti_slopes_free(struct engine_slopes *slopes);

/* The time of the cause, and then so many seconds, which are in proportion to a parameter. */
struct engine_slope tutti_slopes_after(const struct engine_slopes *slopes, double seconds,
                                       enum engine_parameter parameter);

/* A rank sleeps so long after the cause; or it keeps the gap after the message that it received before, of which
   `rest` seconds are left. @{ */
void tutti_slopes_sleep(struct engine_slopes *slopes, uint32_t rank, double seconds, enum engine_parameter parameter);
void tutti_slopes_keep_gap(struct engine_slopes *slopes, uint32_t rank, double rest, double gap);
/** @} */

/* A new flow, whose latency is to be paid: that of the machine as it is, times a factor. */
void tutti_slopes_flow(struct engine_slopes *slopes, uint32_t flow, const struct engine_latencies *latencies,
                       double factor, double window);

/* After `elapsed` seconds at a rate that much is left; from then on, at that rate, it ends. @{ */
void tutti_slopes_pass(struct engine_slopes *slopes, struct engine_moving *moving, double rate, double elapsed,
                       double left);
void tutti_slopes_date(const struct engine_slopes *slopes, struct engine_moving *moving, double rate, double left);
/** @} */

#endif
