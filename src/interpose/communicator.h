/* What the interposer knows about a communicator of the program. */
#ifndef TUTTI_INTERPOSE_COMMUNICATOR_H
#define TUTTI_INTERPOSE_COMMUNICATOR_H

#include "mpi/collectives/cached_operation.h"
#include "tutti/algorithm.h"
#include "tutti/view.h"

/* The last decision for a collective: most programs repeat the same calls. */
struct choice {
  bool known;
  bool native;       /* the library's own is chosen */
  uint64_t bytes;    /* for this size */
  MPI_Datatype type; /* of a reduction whose operation serves it */
  MPI_Op op;
  tutti_method method;
  struct cached_operation cached;
};

/*
 * Messages of ours travel on a communicator of their own, the shadow, which has the same ranks: the program may receive
 * with any tag from anybody on its own. It is made at the first collective that is served, kept as an attribute of the
 * program's communicator, and freed with it.
 */
struct communicator {
  MPI_Comm comm;      /* the program's */
  const char *native; /* why its collectives are left to the library; NULL: they are served */
  tutti_view view;    /* on the shadow */
  bool nodes_sought;
  int *nodes;
  struct choice choices[TUTTI_COLL_COUNT];
};

/* How a process finds what it knows about a communicator. */
struct communicators {
  int key;                   /* of the attribute */
  bool in_turn;              /* no two threads are in MPI at the same time */
  _Atomic int shadows;       /* that exist */
  struct communicator *last; /* the last one found: reading an attribute takes as long as sending a small message */
};

void tutti_communicators_open(struct communicators *known);

/* Forget MPI's own, which are never freed. `known` must stay: the program may free others after that. Collective. */
void tutti_communicators_close(struct communicators *known);

/* What is known about `comm`, found out at the first call, which is collective: ranks whose settings have another
   digest are left to the library. NULL: not a communicator, or out of memory. */
struct communicator *tutti_communicator_of(struct communicators *known, MPI_Comm comm, uint64_t digest);

/* Find out which ranks share memory, once. Collective. */
void tutti_communicator_find_nodes(struct communicator *communicator);

#endif
