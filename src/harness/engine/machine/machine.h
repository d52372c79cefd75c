/* A machine: its network, its hosts, the places of ranks, and the costs of a message beyond the wire. */
#ifndef TUTTI_ENGINE_MACHINE_H
#define TUTTI_ENGINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/engine/machine/network.h"
#include "harness/platforms/pieces.h"
#include "tutti/platform.h"

struct engine_processor {
  double speed; /* flop/s of a core: a byte reduced is one flop */
  int cores;
};

struct engine_change;

struct engine_machine {
  char platform[64]; /* its name, for messages */
  char *path;        /* of its file; owned */
  struct engine_network network;
  struct engine_processor processor; /* of a host, where all are alike */
  double copy_cost;                  /* flop to copy a byte */
  double receive_gap;                /* tutti/receive-gap-s: seconds between two messages that a rank receives */
  double first_touch;                /* tutti/first-touch-s: seconds for a byte of fresh temporaries */
  int ranks_per_node;
  const uint32_t *hosts;                       /* the host of each node of the job; NULL: consecutive ones; not owned */
  double tcp_gamma;                            /* network/TCP-gamma: bytes */
  double loopback_bandwidth, loopback_latency; /* of SimGrid's own link of a host to itself */
  double precision;                            /* maxmin/precision: sharing.h */
  double tolerance;                            /* of shares: core/levels.h; 0: they are SimGrid's; set by callers */
  double stops_at;          /* of a run, simulated seconds: a longer one ends unfinished; 0: never; set by callers */
  bool one_flow_a_link;     /* maxmin/concurrency-limit:1 */
  bool one_message_a_cable; /* tutti/messages-a-cable */
  struct pieces bandwidth_factor, latency_factor; /* of bytes with the envelope */
  struct pieces send_overhead;                    /* smpi/ois, of bytes without: seconds */
  struct pieces receive_overhead;                 /* smpi/or, of eager messages */
  double initialization;                          /* smpi/init: seconds that MPI_Init() takes */
  uint64_t detached; /* smpi/send-is-detached-thresh: smaller messages are eager, their sender does not wait */
  uint64_t small;    /* smpi/async-small-thresh: and the wire does not wait for the receiver of those below that */
  tutti_actor_cost actor_cost;
  const struct engine_change *change; /* core/slopes.h: the machine is changed so; NULL: it is not; set by callers */
};

/* Read a platform file. TUTTI_ERR_UNSUPPORTED names file and line of what the engine does not support. */
tutti_status tutti_machine_read(const char *path, struct engine_machine *machine, tutti_error *error);

/* The same where there is --engine smpi, which the error then names. */
tutti_status tutti_machine_read_or_smpi(const char *path, struct engine_machine *machine, tutti_error *error);

/* The error of two hosts that no route joins: TUTTI_ERR_UNSUPPORTED with the file, which is read again for their names.
 */
tutti_status tutti_machine_no_route(const struct engine_machine *machine, uint32_t from, uint32_t to,
                                    tutti_error *error);

/* The speed of the first host, by which computation of traces and of models is counted. TUTTI_ERR_ARGUMENT if it is 0.
 */
tutti_status tutti_machine_speed(const struct engine_machine *machine, double *speed, tutti_error *error);

/* The processor of a host. */
struct engine_processor tutti_processor_of(const struct engine_machine *machine, uint32_t host);
void tutti_machine_free(struct engine_machine *machine);

#endif
