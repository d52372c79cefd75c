/* The hops that a search sends over: pairs of ranks, with the links of the route between them. Few of all pairs are
   tried: those of near hosts, and, for short messages, those at distances of powers of two. */
#ifndef TUTTI_ENGINE_FABRIC_H
#define TUTTI_ENGINE_FABRIC_H

#include "harness/engine/machine/machine.h"

enum fabric_reach {
  FABRIC_NEAR, /* to the nearest hosts, and as far as all ranks can be reached */
  FABRIC_FAR,  /* also to the ranks at distances of powers of two */
  FABRIC_REACHES
};

struct hop {
  uint32_t from, to;
  uint32_t first, count; /* in the links of the fabric: those that flows share */
  double latency;        /* seconds, of the route */
  double bandwidth;      /* B/s of its slowest link */
};

struct fabric {
  const struct engine_machine *machine;
  int ranks;
  TUTTI_VECTOR(struct hop); /* by the rank they leave, the nearest first */
  uint32_t *first;          /* [ranks + 1] */
  struct engine_numbers links;
};

/* Links that nothing goes over. */
struct broken_links {
  bool *links; /* [link_count]; NULL: none; owned */
  size_t count;
};

/* Break the links of the routes between two hosts, both ways. TUTTI_ERR_ARGUMENT: no such hosts, or the same one. */
tutti_status tutti_links_break(const struct engine_machine *machine, uint32_t one, uint32_t other,
                               struct broken_links *broken, tutti_error *error);

/* Of so many ranks, those that no message leaves their host from. */
uint32_t tutti_links_cut(const struct engine_machine *machine, const struct broken_links *broken, uint32_t ranks);

/* The route between the hosts of two ranks; false if there is none, or it has a broken link. */
bool tutti_fabric_route(const struct engine_machine *machine, const struct broken_links *broken, uint32_t from,
                        uint32_t to, struct engine_route *route);

/*
 * The hops of so many ranks, which fill host after host. @p reversed: each has the links of the way back, for a
 * schedule that is to be turned round. Free in any case. TUTTI_ERR_ARGUMENT: the hosts do not suffice, or some ranks
 * cannot be reached.
 */
tutti_status tutti_fabric_make(const struct engine_machine *machine, const struct broken_links *broken, int ranks,
                               enum fabric_reach reach, bool reversed, struct fabric *fabric, tutti_error *error);
void tutti_fabric_free(struct fabric *fabric);

#endif
