/* SimGrid's values for a machine described by a few parameters. */
#ifndef TUTTI_PLATFORMS_PLATFORM_PLAN_H
#define TUTTI_PLATFORMS_PLATFORM_PLAN_H

#include <stdio.h>

#include "base/vector.h"
#include "harness/platforms/topology.h"
#include "tutti/platform.h"

/* Bytes that SMPI adds to a message. */
enum { TUTTI_ENVELOPE = 16 };

/* [TUTTI_MACHINE_KINDS] */
extern const char *const tutti_machine_kind_words[];

/* Hosts: nodes, but NICs of a dragonfly, whose nodes have one cable each in SimGrid. */
struct machine_plan {
  const tutti_machine *machine;
  struct topology topology; /* of the one <cluster>, except for a dragonfly+ */
  long hosts;
  int ranks;                            /* of a host */
  double link, overhead, loopback_link; /* seconds */
  double loopback_bandwidth;            /* B/s */
};

/* TUTTI_ERR_ARGUMENT for an impossible machine. */
tutti_status tutti_machine_plan(const tutti_machine *machine, struct machine_plan *plan, tutti_error *error);

struct torus_cable {
  long from, to; /* hosts */
};

struct torus_cables {
  TUTTI_VECTOR(struct torus_cable);
};

/* The cables of a torus but machine->broken. TUTTI_ERR_ARGUMENT: no torus, too many hosts, no such cables, or some
   hosts are not reached without them. Free in any case. */
tutti_status tutti_torus_without(const struct machine_plan *plan, struct torus_cables *cables, tutti_error *error);

/* The parts of a zone with the routing Floyd. */
void tutti_torus_print(const struct machine_plan *plan, const struct torus_cables *cables, FILE *stream);

#endif
