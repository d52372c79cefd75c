/* The penalty of a decision at a point. */
#ifndef TUTTI_DECISION_PENALTY_AT_H
#define TUTTI_DECISION_PENALTY_AT_H

#include "tutti/decision.h"

struct penalty_at {
  int picked, best; /* methods of the map; -1: none, or not one of the map's */
  double least;     /* seconds of the best */
  double percent;   /* NaN: the picked method was not measured there, or the least time is not positive */
};

struct penalty_at tutti_penalty_at(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index,
                                   int size_index);

#endif
