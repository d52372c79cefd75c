/* Limits of a machine for lower bounds (tutti/certificate.h): latency, the own links of each node, the links of each
   level. They hold for what the engine simulates: envelopes, the factors of SMPI, overheads of senders, rendezvous or
   eager messages, links that are shared or carry one message at a time; effects that only slow down (loss of
   throughput, traffic of the way back, gaps of receivers) are left out. Where links are shared fairly, SimGrid keeps
   the bandwidth of the first link of a route only: it may overlook the others for a while (core/sharing.h). So ejection
   and bisection, and spreading backwards, are claimed only where links carry one message at a time, or where
   machine->tolerance says that shares are those of core/levels.h. */
#ifndef TUTTI_ENGINE_BOUNDS_H
#define TUTTI_ENGINE_BOUNDS_H

#include "harness/engine/machine/machine.h"
#include "tutti/certificate.h"

/* Links that a node sends through, or receives by: no links, if there are any number. */
struct bound_port {
  int links;
  double bandwidth; /* of the widest, B/s */
};

struct bound_level {
  int level;
  struct bound_port links; /* that the routes of the nodes use */
  double least, pairs, root;
};

/* The routes of so many ranks on a machine; all but the machine is owned. */
struct machine_bounds {
  const struct engine_machine *machine;
  int ranks, root, nodes;
  double latency, bandwidth;           /* the least and the most of routes between nodes; bandwidth 0: there are none */
  double near_latency, near_bandwidth; /* within a node; bandwidth 0: no two ranks share one */
  double farthest_to, farthest_from;   /* seconds from the root, and to it, by the shortest relays */
  double speed;                        /* bytes a second that all ranks combine */
  double barrier;                      /* seconds by which the scheme occ may report less; 0: of other schemes */
  struct bound_port *out, *in;         /* [nodes] */
  double *outs, *ins;                  /* [nodes] seconds per byte, for the certificate asked for last */
  int level_count;
  struct bound_level levels[TUTTI_LIMIT_LEVELS];
};

/* Find the routes of ranks, host after host. Up to 1,024 nodes all routes are looked at; of more, those of the first
   node and of the root, and less is claimed. TUTTI_ERR_ARGUMENT if they do not fit; TUTTI_ERR_UNSUPPORTED without a
   route. */
tutti_status tutti_machine_bounds_find(const struct engine_machine *machine, int ranks, int root,
                                       struct machine_bounds *bounds, tutti_error *error);

/* The same if nothing is sent over some links: [link_count], NULL: none. A message goes to others over relays then,
   whose hops between levels are not fewer than those of the whole route. */
tutti_status tutti_machine_bounds_around(const struct engine_machine *machine, const bool *broken, int ranks, int root,
                                         struct machine_bounds *bounds, tutti_error *error);
void tutti_machine_bounds_free(struct machine_bounds *bounds);

/* From now on bounds are of times of the scheme occ, in the launch of a number. It subtracts the time of a barrier that
   runs alone from that of the operation and the barrier after it. When the last rank has done the operation, the
   barrier still takes some messages, one after the other; the rest of it may have been done before. Simulates the
   barrier. */
tutti_status tutti_machine_bounds_occ(struct machine_bounds *bounds, int launch, tutti_error *error);

/* What a relay costs at least beyond the latency of its route, and by which factor latencies count at least. */
void tutti_bounds_hop(const struct machine_bounds *bounds, double *seconds, double *factor);

/* Seconds of a message alone, of so many bytes, between the nearest nodes. 0: there is one node. */
double tutti_bounds_message(const struct machine_bounds *bounds, double bytes);

/* The lower bound of a collective of the ranks with the root; bytes as in tutti_demand. */
tutti_certificate tutti_machine_certify(struct machine_bounds *bounds, tutti_collective collective, uint64_t bytes);

#endif
