/* How the map of a new communicator reaches those that share it. */
#ifndef TUTTI_COMMUNICATORS_SHARE_H
#define TUTTI_COMMUNICATORS_SHARE_H

#include "communicators/context_pool.h"
#include "communicators/plan.h"

/*
 * Share a map among the members of the answer's group that live together. The first of them, which has no previous
 * one, gives @p map, or NULL if it failed to make it, and is no longer its owner.
 * @param parent  whose tag of the protocol is used
 * @param shared  receives a handle that the caller holds once
 */
tutti_status tutti_share_map(tutti_comm *parent, const struct answer *answer, tutti_map *map,
                             struct shared_map **shared, tutti_error *error);

/* The communicator of an answer, whose map is shared: takes over the handle. */
tutti_status tutti_share_adopt(tutti_context_pool *contexts, const struct answer *answer, struct shared_map *shared,
                               tutti_comm **made, tutti_error *error);

/* What finds the map of an answer's group among the members on the same node. */
static inline struct pool_key share_key(const tutti_context_pool *contexts, const struct answer *answer)
{
  return (struct pool_key){answer->leader, answer->index, answer->serial, contexts->location};
}

/* TUTTI_OK, or what the root says. */
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
