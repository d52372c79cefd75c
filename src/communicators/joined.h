/* A group of a parent as a view on the processes of the space, while it has no communicator. */
#ifndef TUTTI_COMMUNICATORS_JOINED_H
#define TUTTI_COMMUNICATORS_JOINED_H

#include "communicators/space.h"

/* Do not copy or move: the view points into it. */
struct joined {
  const tutti_map *group;   /* ranks of the parent */
  const tutti_view *parent; /* on the space */
  tutti_lookup lookup;
  tutti_view view; /* has the tags of operations of the parent */
};

/* TUTTI_ERR_ARGUMENT if the group leaves the parent, or the calling process is none of it. */
tutti_status tutti_joined_make(struct joined *joined, tutti_comm *parent, const tutti_map *group, tutti_error *error);

/* Whether the group is first .. last of the parent. Constant time. */
bool tutti_joined_is_range(const tutti_map *group, int *first, int *last);

#endif
