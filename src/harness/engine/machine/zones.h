/* The network of any platform file (platforms/routing.h), as the engine uses it. */
#ifndef TUTTI_ENGINE_ZONES_H
#define TUTTI_ENGINE_ZONES_H

#include "harness/engine/machine/machine_read.h"
#include "harness/platforms/routing.h"

struct engine_zones {
  struct network network;
  int *hosts;                          /* points */
  struct engine_processor *processors; /* of hosts */
};

/* Read the zones of a file. TUTTI_ERR_UNSUPPORTED with the line of what the engine does not know, TUTTI_ERR_ARGUMENT of
   what SimGrid would not take. */
tutti_status tutti_zones_read(struct machine_reading *reading, struct engine_zones **zones);

/* May be NULL. */
void tutti_zones_free(struct engine_zones *zones);

/* The route between two hosts with its latency, which may have no links; false where SimGrid ends. */
bool tutti_zones_route(struct engine_zones *zones, uint32_t from, uint32_t to, struct engine_route *route);

#endif
