/**
 * @file map_algebra.h
 * @ingroup maps
 * Group algebra on maps, as the group functions of MPI have it (MPI 4.1, section 7.3.2; Kamal, Mirtaheri, Wagner 2010,
 * section 7). Local: no messages, no MPI.
 *
 * NULL is the empty group, as an argument and as a result. Maps are only read; a result is a new map to be freed with
 * tutti_map_free(). Groups of one operation are of the same world, else TUTTI_ERR_ARGUMENT.
 *
 * Representation of results: if members ascend with ranks, that of limits->set_kind, else TUTTI_MAP_PERMUTED over it;
 * where that cannot be (no range, too many runs), TUTTI_MAP_ARRAY. limits NULL: tutti_map_limits_default().
 *
 * Memory while at work: 4 bytes a member of the result (which tutti_map_create() is given), and for a group that is
 * neither ordered, a range nor permuted, and in which members are looked for, 8 bytes a member; never an array of the
 * world. Two ordered groups are merged: O(|a| + |b|) steps, or |a| look-ups in b if b is much larger.
 * TUTTI_ERR_MEMORY where there is not enough.
 */
#ifndef TUTTI_MAP_ALGEBRA_H
#define TUTTI_MAP_ALGEBRA_H

#include "tutti/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/** MPI_Group_union: members of a in order of a, then those of b that are not in a in order of b. */
tutti_status tutti_map_union(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits, tutti_map **result,
                             tutti_error *error);

/** The union as a set (section 7.1): ascending, whatever the orders of a and b are. */
tutti_status tutti_map_set_union(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                 tutti_map **result, tutti_error *error);

/** MPI_Group_intersection: members of a that are also in b, in order of a. */
tutti_status tutti_map_intersection(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                    tutti_map **result, tutti_error *error);

/** MPI_Group_difference: members of a that are not in b, in order of a. */
tutti_status tutti_map_difference(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                  tutti_map **result, tutti_error *error);

/**
 * MPI_Group_incl: rank i of the result is rank ranks[i] of the group.
 * @param ranks  [count] each once, 0 .. size - 1, else TUTTI_ERR_ARGUMENT; count 0: the empty group
 */
tutti_status tutti_map_include(const tutti_map *map, const int *ranks, int count, const tutti_map_limits *limits,
                               tutti_map **result, tutti_error *error);

/** MPI_Group_excl: the group without these ranks, the others in their order. @param ranks  as above */
tutti_status tutti_map_exclude(const tutti_map *map, const int *ranks, int count, const tutti_map_limits *limits,
                               tutti_map **result, tutti_error *error);

/**
 * MPI_Group_range_incl and MPI_Group_range_excl: the ranks are first, first + stride, ... up to (or down to) last of
 * every triplet in turn.
 * @param ranges  [count] first, last, stride; stride 0, one that leads away from last, and ranks outside the group or
 *                named twice are TUTTI_ERR_ARGUMENT
 * @{
 */
tutti_status tutti_map_range_include(const tutti_map *map, const int (*ranges)[3], int count,
                                     const tutti_map_limits *limits, tutti_map **result, tutti_error *error);
tutti_status tutti_map_range_exclude(const tutti_map *map, const int (*ranges)[3], int count,
                                     const tutti_map_limits *limits, tutti_map **result, tutti_error *error);
/** @} */

/**
 * MPI_Group_translate_ranks.
 * @param ranks       [count] ranks of a, or -1 (no process)
 * @param translated  [count] receives the ranks of the same members in b; -1 where there is none
 */
tutti_status tutti_map_translate(const tutti_map *a, const int *ranks, int count, const tutti_map *b, int *translated,
                                 tutti_error *error);

typedef enum tutti_map_relation {
  TUTTI_MAP_IDENT,   /**< the same members in the same order */
  TUTTI_MAP_SIMILAR, /**< the same members */
  TUTTI_MAP_UNEQUAL
} tutti_map_relation;

/** MPI_Group_compare. */
tutti_status tutti_map_compare(const tutti_map *a, const tutti_map *b, tutti_map_relation *relation,
                               tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
