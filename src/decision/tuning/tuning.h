/* What a program would gain by other methods for the calls that its profile has, and the rules that win it. */
#ifndef TUTTI_DECISION_TUNING_H
#define TUTTI_DECISION_TUNING_H

#include <stdio.h>

#include "base/vector.h"
#include "tutti/decision.h"
#include "tutti/decision_map.h"
#include "tutti/record.h"

/* ---- the profile ---- */

/* Calls of the program that a method is chosen for together: of one collective, number of ranks and size. Sums are
   seconds of all ranks. */
struct profile_calls {
  tutti_collective collective;
  int ranks, nodes;
  uint64_t size;                  /* bytes */
  char method[TUTTI_RESULT_WORD]; /* that ran; "native"; of other than blocking collectives the form */
  char site[TUTTI_RESULT_WORD];   /* that spends most of the time */
  int sites;
  uint64_t calls, samples;
  double total, waiting;
  double most; /* of a site */
  /* Set by tutti_profile_weigh(): */
  bool known;                         /* both times are known; the following only then */
  tutti_method untuned, best;         /* what would run, and what is fastest */
  double untuned_s, best_s;           /* seconds of a call */
  double gain, least_gain, most_gain; /* seconds, sum of all ranks */
};

/* Where times of methods were measured. */
struct profile_layout {
  const struct profile_calls *calls; /* the longest whose ranks are on another number of nodes; NULL: none, or the nodes
                                        of the program are not known */
  int ranks_per_node;
  bool simulated;
};

struct program_profile {
  char program[TUTTI_RESULT_WORD], flavor[TUTTI_RECORD_WORD], library[TUTTI_RECORD_WORD];
  int ranks, ranks_per_node;
  int cores;          /* processors of a node; 0: not known */
  double elapsed;     /* seconds of the slowest rank */
  double collectives; /* seconds, sum of all ranks */
  uint64_t calls, left_out;
  char *cut;           /* why only a part of the program is in it; NULL: all is; owned */
  unsigned unmeasured; /* the bit 1 << tutti_collective of those that a store lacks; set by who reads the store */
  struct profile_layout elsewhere; /* set by tutti_profile_weigh() */
  struct {
    TUTTI_VECTOR(struct profile_calls);
  } items;     /* those that take longest first */
  void *index; /* place + 1 in items by what is called, while they are read */
};

/* Read what the interposer wrote, or, if the program was cut, the records of what its ranks left. TUTTI_ERR_IO;
   TUTTI_ERR_ARGUMENT names FILE:LINE. Free in any case. */
tutti_status tutti_profile_read(const char *path, struct program_profile *profile, tutti_error *error);
void tutti_profile_free(struct program_profile *profile);

/* False: the method is the name of another form. */
bool tutti_calls_are_blocking(const struct profile_calls *calls);

/* True for a blocking collective that has a choice and a size that all ranks know. */
bool tutti_calls_can_be_judged(const struct profile_calls *calls);

/* The collectives of calls that can be judged: the bits 1 << tutti_collective. */
unsigned tutti_profile_judged(const struct program_profile *profile);

/* ---- gains ---- */

/* Set what is gained at each of the calls of the collective of a map, by times between measured sizes. @p rules decides
   for calls that the library served itself where the map has no native method; decide may be NULL. @p layout is that of
   the map, `calls` NULL. */
void tutti_profile_weigh(struct program_profile *profile, const tutti_decision_map *map, const tutti_decision *rules,
                         const struct profile_layout *layout);

/* ---- rules ---- */

/* A line of the rules. */
struct tuning_rule {
  const struct profile_calls *calls; /* of the profile: collective and ranks */
  tutti_method method;
  uint64_t first, last; /* sizes */
  double gain;          /* seconds of all ranks */
};

struct tuning_rules {
  TUTTI_VECTOR(struct tuning_rule); /* native ones last */
  size_t better;                    /* rules that are not native: they win */
  double gain, all;                 /* what they win, and what could be won */
};

/* The fewest calls that win @p share percent of the gain, and rules for them; native for the other calls that the
   library served itself, as the interposer would run a built-in rule. Free with tutti_vector_free(). */
struct tuning_rules tutti_tuning_rules(const struct program_profile *profile, double share);

/* "METHOD ranks=8 bytes=4..64": a line for TUTTI_DECISION. */
void tutti_tuning_rule_print(FILE *stream, const struct tuning_rule *rule);

#endif
