/* The interposer's data about a communicator of the program. */
#ifndef TUTTI_INTERPOSE_COMMUNICATOR_H
#define TUTTI_INTERPOSE_COMMUNICATOR_H

#include "algorithms/mpi/collectives/operation_cache.h"
#include "interpose/neighbors.h"
#include "interpose/record/profile.h"
#include "interpose/record/trace.h"
#include "interpose/serve/policy.h"
#include "interpose/serve/watch.h"
#include "tutti/algorithm.h"
#include "tutti/view.h"

struct started;

/* The last decision for a collective. */
struct choice {
  bool known;
  bool native;       /* the library's own is chosen */
  uint64_t bytes;    /* for this size */
  MPI_Datatype type; /* of a reduction whose operation serves it */
  MPI_Op op;
  tutti_method method;
};

/*
 * Our messages never use a communicator of the program, where it may receive with any tag from any source. All
 * communicators of one MPI_COMM_WORLD share the shadow, a duplicate of it: each has a tag of its own there, on which
 * its ranks agree at the first collective that is served. Without MPI_COMM_WORLD (sessions) each has a shadow of its
 * own.
 */
struct communicator {
  MPI_Comm comm;      /* the program's */
  const char *native; /* why its collectives are left to the library; NULL: they are served */
  bool open;          /* it is known whether they are, and its messages have a tag */
  int small_calls;    /* calls left to the library before: many communicators are freed after a few */
  tutti_view view;    /* on a shadow */
  int tag;            /* of the shared shadow; -1: none */
  tutti_lookup lookup;
  int *ranks; /* [size] in MPI_COMM_WORLD; NULL: the view has them */
  bool places_sought;
  int *nodes;               /* by rank of the shadow */
  tutti_view_levels levels; /* by rank of the shadow */
  struct choice choices[TUTTI_COLL_COUNT];
  struct operation_cache cache;
  struct profile_communicator profile;
  struct adapted_classes *adapted; /* NULL: none yet */
  struct trace_communicator trace;
  struct neighbors neighbors;
  struct watched_calls watched;
  int turn;                          /* of the next nonblocking collective that is served */
  int prepared;                      /* persistent ones so far */
  struct started **turns;            /* by turn the last operation that has its tag; NULL: none yet */
  int users;                         /* operations of such that are not gone */
  bool gone;                         /* the program has freed it, and the last of them is to free the rest */
  struct communicator *next, **link; /* in communicators.first */
};

enum { MAX_COMMUNICATORS = 512, TAG_WORDS = MAX_COMMUNICATORS / 64, RECENT = 8 };

/* Look-up of a communicator's data in a process. Threads that are in MPI at the same time share it. */
struct communicators {
  int key;                      /* of the attribute */
  bool in_turn;                 /* no two threads are in MPI at the same time */
  const struct policy *policy;  /* ranks that have another one are not served */
  const char *fault;            /* in the policy, which ends the program; NULL: none */
  void (*close_sessions)(void); /* of the process, before it ends so */
  MPI_Comm shadow;              /* MPI_COMM_NULL: without MPI_COMM_WORLD */
  MPI_Group world;
  int size;                              /* of the world */
  int leader;                            /* lowest rank of the world on the own node; -1: not known */
  _Atomic bool reported;                 /* whether the own node was reported missing in the table of levels */
  _Atomic uint64_t free_tags[TAG_WORDS]; /* of the shared shadow: a bit each */
  _Atomic bool agreeing;                 /* a thread is about to take a tag */
  _Atomic uint32_t agreed;               /* attempts so far */
  struct communicator *by_tag[MAX_COMMUNICATORS];
  struct communicator *first; /* of all, where no two threads are in MPI at the same time */
  uint64_t freed_calls[2];    /* the most that one made that is freed (watched_calls.count): without a tag, with one */
  struct cache_budget budget; /* of the cached operations; dropped ones include those of freed communicators */
  struct communicator *recent[RECENT]; /* reading an attribute takes as long as sending a small message */
};

/* `policy` and `fault` must live as long. */
void tutti_communicators_open(struct communicators *known, const struct policy *policy, const char *fault,
                              void (*close_sessions)(void));

/* Make the shared shadow, once there is MPI_COMM_WORLD. `nodes`: it may be wanted to know which ranks share memory.
   Collective. */
void tutti_communicators_share(struct communicators *known, bool nodes);

/* Forget MPI's own, which are never freed. `known` must stay: the program may free others after that. Collective. */
void tutti_communicators_close(struct communicators *known);

/* The ranks of `comm` in `world`, into ranks[size]. False: not all are there, or memory is lacking. */
bool tutti_communicator_ranks(MPI_Comm comm, MPI_Group world, int size, int *ranks);

/* The same, to be freed; NULL: not all are there, or memory is lacking. Communicators of the same members have the same
 *digest. */
int *tutti_communicator_members(MPI_Comm comm, MPI_Group world, int size, uint64_t *digest);

/* The same, for a recorder that sees the communicator for the first time. Those of the same members are distinguished
   by how many of them the recorder has seen *before: all ranks create them in one order. */
int *tutti_communicator_see(struct seen_communicators *seen, MPI_Comm comm, MPI_Group world, int size, uint64_t *digest,
                            uint64_t *before);

/* The data of `comm`. NULL: not a communicator, or out of memory. */
struct communicator *tutti_communicator_of(struct communicators *known, MPI_Comm comm);

/* An operation that counts among its users is gone. */
void tutti_communicator_release(struct communicators *known, struct communicator *communicator);

/* Make it ready for messages, once, or find out why its collectives are left to the library. Collective. */
void tutti_communicator_open(struct communicators *known, struct communicator *communicator);

/* ---- communicator_tags.c ---- */

/* All tags are free but that of MPI_COMM_WORLD. */
void tutti_tags_fill(struct communicators *known);

/* The tag is free again; -1: no tag. */
void tutti_tags_free(struct communicators *known, int tag);

/* Agree on a tag. Returns why it fails; NULL: *tag is the tag, or -1 if not all have the shared shadow. *stamp: a
   number that no other communicator has, the same on all ranks. Collective over `comm`, on which the process is `rank`.
   */
const char *tutti_tags_agree(struct communicators *known, MPI_Comm comm, int rank, int *tag, uint64_t *stamp);

/* ---- places.c ---- */

/* Find out which ranks share memory, and in which groups of the levels they are, once. Collective. */
void tutti_communicator_find_places(struct communicators *known, struct communicator *communicator);

/* The same before the method serves a call, if it needs to know. Collective. */
void tutti_communicator_prepare(struct communicators *known, struct communicator *communicator,
                                const tutti_method *method);

#endif
