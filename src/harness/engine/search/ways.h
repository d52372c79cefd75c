/* The ways of the blocks of an alltoall: straight to their receivers, or over one other rank. */
#ifndef TUTTI_ENGINE_WAYS_H
#define TUTTI_ENGINE_WAYS_H

#include "harness/engine/search/fabric.h"

struct ways {
  const struct engine_machine *machine;
  uint32_t ranks, hosts, per_host;
  uint64_t *first;             /* [hosts][hosts] + 1: links of the routes, those that flows share */
  struct engine_numbers links; /* of all routes */
  uint16_t *lengths;           /* [hosts][hosts] links of a route; WAYS_NONE: there is none, or it has a broken link */
  double *latencies;           /* [hosts][hosts] seconds */
  double *byte_s;              /* [links of the machine] seconds a byte */
  uint32_t *relays[2];         /* [ranks][ranks] of each pair, whose receiver stands for the straight way: those of
                                  pairs without a route; those that also make the load of the links even */
};

enum { WAYS_NONE = UINT16_MAX };

static inline size_t way_index(const struct ways *ways, uint32_t from, uint32_t to)
{
  return (size_t)(from / ways->per_host) * ways->hosts + to / ways->per_host;
}

/* Find the routes of all pairs and the relays. False: some pair has no way. Free in any case. */
bool tutti_ways_find(const struct engine_machine *machine, const struct broken_links *broken, int ranks,
                     struct ways *ways);
void tutti_ways_free(struct ways *ways);

/* The seconds that the link with the most to carry needs for a byte of each pair: by these relays, 0 or 1. */
double tutti_ways_load(const struct ways *ways, int relays);

#endif
