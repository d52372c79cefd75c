/* What SimGrid is told of a machine that a few parameters describe. */
#ifndef TUTTI_PLATFORMS_PLATFORM_PLAN_H
#define TUTTI_PLATFORMS_PLATFORM_PLAN_H

#include "harness/platforms/topology.h"
#include "tutti/platform.h"

/* SMPI adds so many bytes to a message. */
enum { TUTTI_ENVELOPE = 16 };

/* [TUTTI_MACHINE_KINDS] */
extern const char *const tutti_machine_kind_words[];

/* Hosts: nodes, but NICs of a dragonfly, whose nodes have one cable each in SimGrid. */
struct machine_plan {
  const tutti_machine *machine;
  struct topology topology; /* of the one <cluster>, but for a dragonfly+ */
  long hosts;
  int ranks;                            /* of a host */
  double link, overhead, loopback_link; /* seconds */
  double loopback_bandwidth;            /* B/s */
};

/* TUTTI_ERR_ARGUMENT if there is no such machine. */
tutti_status tutti_machine_plan(const tutti_machine *machine, struct machine_plan *plan, tutti_error *error);

#endif
