/* The inside of a group. */
#ifndef TUTTI_GROUPS_GROUP_H
#define TUTTI_GROUPS_GROUP_H

#include "groups/endpoint.h"
#include "tutti/group.h"
#include "tutti/schedule.h"

struct tutti_group {
  tutti_endpoint *endpoint;
  tutti_group *parent; /* NULL: all processes of the endpoint */
  tutti_actor *actor;  /* lives as long as the group: it knows the tree and answers look-ups */
  tutti_tree tree;     /* of the parent, in which the group is built and in which its look-ups travel */
  int splits;          /* of this group so far, refused ones included */
  int groups;          /* split off it and not freed */
  uint64_t segment_bytes;
};

/* Two tags of each group; groups whose numbers are equal share them. */
enum { TAG_OF_COLLECTIVES, TAG_OF_MESSAGES, TAGS_OF_GROUP };

/* TUTTI_ERR_ARGUMENT unless the group is complete and has this process: `what` is asked of it. */
tutti_status tutti_group_check(const tutti_group *group, const char *what, tutti_error *error);

/* A schedule of the group, whose ranks are those of the endpoint's view. NULL if memory is short. */
tutti_builder *tutti_group_schedule(const tutti_group *group);

/* Run what was built, with the tag of that number, and free the builder. */
tutti_status tutti_group_perform(const tutti_group *group, tutti_builder *builder, int tag, const void *input,
                                 void *output, MPI_Datatype type, MPI_Op op, tutti_error *error);

#endif
