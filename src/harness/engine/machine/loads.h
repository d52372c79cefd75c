/* The load of a collective on the links of a machine, by level, without simulation: every message takes its route. */
#ifndef TUTTI_ENGINE_LOADS_H
#define TUTTI_ENGINE_LOADS_H

#include "harness/engine/machine/machine.h"
#include "tutti/algorithm.h"

enum { LOADS_MAX_LEVELS = TOPOLOGY_MAX_LEVELS + 2 };

/* Links of a level: within a node, then from the hosts up (fat tree, dragonfly, dragonfly+) or by dimension (torus). */
struct load_level {
  char name[24];
  uint64_t messages; /* that cross a link of the level; within a node, that do not leave it */
  uint64_t bytes;    /* over its links: a message counts for each link that it crosses */
  uint64_t largest;  /* bytes over one link, one way where a cable has two */
};

struct link_loads {
  struct load_level levels[LOADS_MAX_LEVELS];
  int count;
};

/* The level of a link: 0 within a node; -1 for limiters and backbones of leaf switches, which are not links. */
int tutti_link_level(const struct engine_network *network, uint32_t link);

/* The names of the levels, and no loads. */
void tutti_link_levels(const struct engine_network *network, struct link_loads *loads);

/* Build the schedules of all ranks, one after the other, and count. Ranks fill host after host. TUTTI_ERR_ARGUMENT if
   they do not fit, TUTTI_ERR_MEMORY, and what tutti_method_schedule() returns. */
tutti_status tutti_link_loads(const struct engine_machine *machine, const tutti_method *method, const tutti_call *call,
                              struct link_loads *loads, tutti_error *error);

#endif
