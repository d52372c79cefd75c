/**
 * @file set_table.h
 * @ingroup maps
 * Many sets of processes in one binary decision diagram, so that common parts are stored once, and results of
 * operations are not copies (Kamal, Mirtaheri, Wagner 2010, section 7.2; BuDDy). No MPI.
 *
 * A set is a number of its table. Sets with the same members have the same number, so comparing two takes no time.
 * Groups that are not sets have a permutation besides (tutti_comm_permute(); TUTTI_MAP_PERMUTED). For SELECT and RANK
 * take the map of a set, which is independent, as the paper does when a communicator is made.
 *
 *  - BuDDy has one table a process: there is at most one of these at a time, threads must not use it at the same time,
 *    and while there is one, TUTTI_MAP_BDD is not made from lists of members (TUTTI_ERR_UNSUPPORTED), so that
 *    strategies leave it out. Simulated ranks, which share a process, share the table if one of them makes it for all.
 *  - Memory grows with the nodes that differ; released nodes are reused, but not returned before the table is freed.
 *  - An operation that fails gives no result and leaves all sets as they are.
 */
#ifndef TUTTI_SET_TABLE_H
#define TUTTI_SET_TABLE_H

#include "tutti/map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tutti_set_table tutti_set_table;

/** A set of a table: the same members, the same number. */
typedef int tutti_set;
#define TUTTI_SET_EMPTY 0

/**
 * @param world  members are 0 .. world - 1
 * @param nodes  most nodes of all sets together, give or take 1,024; 1 .. 2^25 - 2. A node takes 20 bytes
 * @return TUTTI_ERR_UNSUPPORTED while BuDDy is in use, by another table or by the program; TUTTI_ERR_MEMORY
 */
tutti_status tutti_set_table_create(int world, int nodes, tutti_set_table **table, tutti_error *error);

/** All its sets end; maps made from them stay. NULL is allowed. */
void tutti_set_table_free(tutti_set_table *table);

/**
 * The members of a map of the same world, in any order; NULL: none. Must be released. Needs 4 bytes a member while it
 * runs.
 * @return TUTTI_ERR_ARGUMENT: another world; TUTTI_ERR_MEMORY: more nodes than the table may have, or no memory
 */
tutti_status tutti_set_add(tutti_set_table *table, const tutti_map *map, tutti_set *set, tutti_error *error);

/**
 * Union, intersection, and a without b. O(nodes of a x nodes of b) at worst, of regular sets about their sum. The
 * result is to be released, the arguments stay.
 * @return TUTTI_ERR_MEMORY as tutti_set_add()
 * @{
 */
tutti_status tutti_set_unite(tutti_set_table *table, tutti_set a, tutti_set b, tutti_set *result, tutti_error *error);
tutti_status tutti_set_intersect(tutti_set_table *table, tutti_set a, tutti_set b, tutti_set *result,
                                 tutti_error *error);
tutti_status tutti_set_subtract(tutti_set_table *table, tutti_set a, tutti_set b, tutti_set *result,
                                tutti_error *error);
/** @} */

/** Release a set as often as it was returned. BuDDy keeps sets returned more than 1,022 times until the table is gone.
 */
void tutti_set_release(tutti_set_table *table, tutti_set set);

/** Number of members. */
int tutti_set_size(const tutti_set_table *table, tutti_set set);

/** O(log world). */
bool tutti_set_contains(const tutti_set_table *table, tutti_set set, int member);

/**
 * A map of kind TUTTI_MAP_BDD to be freed with tutti_map_free(); NULL for the empty set. Needs 12 bytes for each
 * possible node of the table while it runs.
 * @return TUTTI_ERR_MEMORY, also if the set alone has more than 2^25 - 2 nodes
 */
tutti_status tutti_set_map(const tutti_set_table *table, tutti_set set, tutti_map **map, tutti_error *error);

/** Number of nodes of these sets together, each counted once. @param sets  [count] */
int tutti_set_nodes(const tutti_set_table *table, const tutti_set *sets, int count);

#ifdef __cplusplus
}
#endif
#endif
