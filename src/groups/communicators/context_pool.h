/* Communicators and their context pool, as the files of this folder share them. */
#ifndef TUTTI_COMMUNICATORS_CONTEXT_POOL_H
#define TUTTI_COMMUNICATORS_CONTEXT_POOL_H

#include "groups/communicators/plan.h"
#include "groups/communicators/pool.h"
#include "groups/communicators/tag_range.h"
#include "tutti/communicator.h"

struct tutti_comm {
  tutti_context_pool *contexts;
  tutti_view view; /* of operations */
  tutti_context context;
  int64_t tag_range;         /* -1: none */
  struct shared_map *map;    /* one reference; NULL: a range of all processes, or all */
  bool has_map;              /* it is not that of a parent */
  bool leads;                /* the id is one of this process's bits */
  struct creation *creation; /* not yet complete: creation.c; NULL */
};

struct tutti_context_pool {
  MPI_Comm comm;
  bool duplicated; /* comm is the context pool's own */
  int size, rank;
  tutti_context_pool_options options;
  int64_t tag_ranges;
  leader_bits led;
  int more_ids;    /* ids beyond the bits, taken when all bits were set */
  uint64_t serial; /* of the next use of an id that this process decides on */
  uint64_t location;
  int count; /* communicators but that of all */
  struct live_contexts live;
  tutti_progress progress;
  struct pool *pool;
  tutti_comm world;
};

/* A handle without anything. NULL: no memory. */
tutti_comm *tutti_comm_new(tutti_context_pool *contexts);

/* Take the tag range of a context for the handle. The leader's bit is set here if this process is the leader. */
tutti_status tutti_comm_claim(tutti_comm *comm, const tutti_context *context, tutti_error *error);

/* Undo both; nothing of the map. */
void tutti_comm_abandon(tutti_comm *comm);

/* The map becomes that of the communicator, which takes over a reference. */
tutti_status tutti_comm_set_map(tutti_comm *comm, struct shared_map *map, tutti_error *error);

/* Give a view the tags of operations and messages. */
void tutti_comm_set_tags(const tutti_comm *comm, tutti_view *view);

/* A number for a use of an id that this process decides on. */
uint64_t tutti_context_pool_next_serial(tutti_context_pool *contexts);

/* A tag of the tag range. */
static inline int comm_tag(const tutti_comm *comm, int offset)
{
  return tag_range_first_tag(comm->tag_range) + offset;
}

/* TUTTI_ERR_ARGUMENT if the communicator is not yet made. */
tutti_status tutti_comm_check(const tutti_comm *comm, tutti_error *error);

/* The map of a group of ranks of the parent, as ranks of the context pool, by the strategy. */
tutti_status tutti_comm_translate_map(const tutti_context_pool *contexts, const tutti_view *parent,
                                      const tutti_map *group, tutti_map **map, tutti_error *error);

/* ---- sharing ---- */

/*
 * Share a map among the members of the answer's group on one node. The first of them, which has no previous one, gives
 * @p map, or NULL if it failed to make it, and is no longer its owner.
 * @param parent  whose tag of the protocol is used
 * @param shared  receives a handle that the caller holds once
 */
tutti_status tutti_share_map(tutti_comm *parent, const struct answer *answer, tutti_map *map,
                             struct shared_map **shared, tutti_error *error);

/* The communicator of an answer, whose map is shared: takes over the handle. */
tutti_status tutti_share_adopt(tutti_context_pool *contexts, const struct answer *answer, struct shared_map *shared,
                               tutti_comm **made, tutti_error *error);

/* The key of the map of an answer's group among the members on the same node. */
static inline struct pool_key share_key(const tutti_context_pool *contexts, const struct answer *answer)
{
  return (struct pool_key){answer->leader, answer->index, answer->serial, contexts->location};
}

/* TUTTI_OK, or the error from the root. */
tutti_status tutti_share_check(const tutti_comm *parent, const struct answer *answer, tutti_error *error);

/* Procedure 2 up to the answers, and for one group only: ranks are those of the view. split.c */
tutti_status tutti_split_ask(tutti_context_pool *contexts, const tutti_view *view, struct answer *answer,
                             tutti_error *error);

/* All processes of the context pool, with tag 0 for messages of the protocol. */
tutti_view tutti_share_view(tutti_comm *parent);

/* A message of the protocol: blocking, and driving the progress of the context pool. Ranks of the context pool. @{ */
tutti_status tutti_share_send(tutti_comm *parent, const void *bytes, uint64_t length, int to, tutti_error *error);
tutti_status tutti_share_receive(tutti_comm *parent, void *bytes, uint64_t length, int from, tutti_error *error);
/* @} */

#endif
