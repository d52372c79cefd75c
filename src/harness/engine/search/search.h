/*
 * Searching schedules for a machine. The methods of the catalogue come first: the fastest of them is what a schedule
 * must be better than. Then schedules are matched (spread.h) for some numbers of chunks, lengths of messages and
 * reaches of hops, the engine times those that the matching has as the fastest, and the best one is changed, at random,
 * as long as that makes it faster. A search ends where no method can be faster by more than SEARCH_OPTIMAL percent.
 *
 * Work is counted, not timed, so that the same request has the same result on any computer: SEARCH_RATE messages that
 * are simulated are a second.
 */
#ifndef TUTTI_ENGINE_SEARCH_H
#define TUTTI_ENGINE_SEARCH_H

#include "harness/engine/search/synthesis.h"
#include "tutti/certificate.h"

/* About what a core of 2020 simulates in a second. */
enum { SEARCH_RATE = 100000 };

/* A gap to the lower bound up to this, in percent, is none. */
#define SEARCH_OPTIMAL 1.0

/* Longest texts of tutti_search_words(). */
enum { SEARCH_WORDS = 160 };

struct search_request {
  const struct engine_machine *machine;
  const struct broken_links *broken;
  tutti_places places; /* of the machine, for methods that are made for nodes, levels or a torus */
  tutti_collective collective;
  int ranks, root;
  uint64_t count, type_size;
  uint64_t seed;
  int top;       /* so many of the fastest methods have a time; 0: one */
  double budget; /* seconds of work */
  void (*progress)(const char *part, double share);
};

/* How a schedule was matched. */
struct variant {
  uint32_t chunks, batch;
  enum fabric_reach reach;
  bool once, longest;
  bool gathered; /* of a reduce: chunks are combined all over, then sent to the root */
  uint32_t window;
  uint32_t outstanding; /* of an alltoall: messages of a rank */
  bool balanced;        /* and blocks over one other rank, where that makes the load of links even */
  uint64_t seed;
};

struct found_method {
  tutti_method method;
  double messages; /* about */
  double seconds;  /* NaN: slower than the fastest ones before it, and ended early */
};

struct search_result {
  tutti_certificate bound; /* no method is faster; with whole links. 0 seconds: not known */
  struct {
    TUTTI_VECTOR(struct found_method);
  } catalogue;                           /* that were simulated, by their messages */
  int best;                              /* index of the fastest; -1: none */
  size_t unable, apart, large, unserved; /* that cross broken links, whose ranks round apart, that the budget does not
                                            allow, that do not serve the call */
  struct synthesis synthesis;            /* the fastest; ranks 0: none was found */
  struct variant variant;
  double seconds, matched_s;           /* that it takes, infinite without one; by the matching */
  size_t matched, simulated, improved; /* schedules; steps of the improvement */
  double matching_s, simulating_s;     /* seconds of the processor */
  double match_s;                      /* the matching of the first schedule alone */
};

/* TUTTI_ERR_UNSUPPORTED: a collective that is not searched; TUTTI_ERR_ARGUMENT: no hosts, ranks that cannot be reached,
   no chunks; or what the engine returns. Free the result in any case. */
tutti_status tutti_search(const struct search_request *request, struct search_result *result, tutti_error *error);
void tutti_search_free(struct search_result *result);

/* How much longer than the bound a time is, in percent; NaN: there is no bound. */
double tutti_search_gap(const struct search_result *result, double seconds);

/* Whether the schedule that was found is faster than the best method. */
bool tutti_search_is_better(const struct search_result *result);

/* "64 chunks, up to 4 in a message, near hops, one message at a time to a rank". Returns @p text. */
const char *tutti_search_words(tutti_collective collective, const struct variant *variant, char text[SEARCH_WORDS]);

/* The work of a run of a schedule of an alltoall, whose messages go straight; 0 of others. Where it is beyond the
   budget, the catalogue alone is timed. */
double tutti_search_run_work(const struct search_request *request);

/* Which collectives are searched. */
bool tutti_search_knows(tutti_collective collective);

#endif
