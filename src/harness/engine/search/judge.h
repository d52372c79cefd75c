/* The engine as the judge of a search, and the work that is left. */
#ifndef TUTTI_ENGINE_JUDGE_H
#define TUTTI_ENGINE_JUDGE_H

#include "harness/engine/riders/start.h"
#include "harness/engine/search/search.h"

struct search {
  const struct search_request *request;
  struct search_result *result;
  struct engine_machine machine; /* a copy, whose `stops_at` is set */
  struct engine_start start;
  double work, limit; /* messages that were, and may be, simulated */
  tutti_error *error;
};

/*
 * The time of a method, NaN if it is longer than @p longest, as soon as that is known. Counts the work. As
 * tutti_engine_measure().
 */
tutti_status tutti_search_judge(struct search *search, const tutti_method *method, double messages, double longest,
                                double *seconds);

/* The work of simulating so many messages: those of an alltoall are under way at the same time, and share the links. */
double tutti_search_work(const struct search_request *request, double messages);

/* Simulate the methods of the catalogue, of few messages first, until a part of the work is done. */
tutti_status tutti_search_catalogue(struct search *search, double part);

/* The fastest time so far; infinite: none. */
double tutti_search_least(const struct search_result *result);

#endif
