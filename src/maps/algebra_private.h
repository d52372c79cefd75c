/* What the operations of group algebra share. NULL is the empty group throughout. */
#ifndef TUTTI_GROUPS_MAPS_ALGEBRA_PRIVATE_H
#define TUTTI_GROUPS_MAPS_ALGEBRA_PRIVATE_H

#include "maps/map_private.h"
#include "tutti/map.h"

/* A walk through the members of a map in order of ranks, some at a time. Smaller than 1 KiB: may be on the stack. */
struct member_cursor {
  const tutti_map *map;
  int first, count, at; /* ranks first .. first + count - 1 are in members, at is the next */
  int members[128];
};

void tutti_map_cursor_start(struct member_cursor *cursor, const tutti_map *map);

/* The next member; false at the end. @{ */
bool tutti_map_cursor_peek(struct member_cursor *cursor, int *member);
bool tutti_map_cursor_next(struct member_cursor *cursor, int *member);
/* @} */

/* Finds members: asks the map where that is fast, else an index. */
struct member_lookup {
  const tutti_map *map;
  uint64_t *index; /* [size] member << 32 | rank, ascending; NULL: ask the map */
};

/* @param queries  how many are to be expected: for few an index is not worth it */
tutti_status tutti_map_lookup_make(struct member_lookup *lookup, const tutti_map *map, int queries, tutti_error *error);
void tutti_map_lookup_free(struct member_lookup *lookup);
int tutti_map_lookup_rank(const struct member_lookup *lookup, int member); /* -1: none */

/* Members of a result to be. */
struct member_list {
  int *members;
  int count, world;
};

tutti_status tutti_map_list_make(struct member_list *list, int64_t capacity, int world, tutti_error *error);

/* The map of a list, which is freed; nothing is made if @p status is an error, which is returned. */
tutti_status tutti_map_list_finish(struct member_list *list, tutti_status status, const tutti_map_limits *limits,
                                   tutti_map **result, tutti_error *error);

static inline int map_size_of(const tutti_map *map)
{
  return map ? map->size : 0;
}

#endif
