/**
 * @file map.h
 * @ingroup maps
 * Group maps: the members by rank, in few bits (Kamal, Mirtaheri, Wagner 2010, sections 5 to 7); group algebra on them;
 * and the choice of a representation. No MPI.
 *
 * A map takes the ranks 0 .. size - 1 of a group to members of a world 0 .. world - 1 (SELECT), and back (RANK). It is
 * ordered if members ascend with ranks: then it is a set. One interface, several representations; a map never changes
 * once it is made, and may be read by any number of ranks that share its memory.
 *
 * **Group algebra** works as the group functions of MPI (MPI 4.1, section 7.3.2; Kamal, Mirtaheri, Wagner 2010, section
 * 7). Local: no messages.
 *  - NULL is the empty group, as an argument and as a result. Maps are only read; a result is a new map to be freed
 * with tutti_map_free(). Groups of one operation are of the same world, else TUTTI_ERR_ARGUMENT.
 *  - Representation of results: if members ascend with ranks, that of limits->set_kind, else TUTTI_MAP_PERMUTED over
 * it; where that is impossible (no range, too many runs), TUTTI_MAP_ARRAY. limits NULL: tutti_map_limits_default().
 *  - Working memory: 4 bytes a member of the result (which tutti_map_create() is given), and for a group that is
 *    neither ordered, a range nor permuted, and in which members are looked for, 8 bytes a member; never an array of
 * the world. Two ordered groups are merged: O(|a| + |b|) steps, or |a| look-ups in b if b is much larger.
 *    TUTTI_ERR_MEMORY where there is not enough.
 */
#ifndef TUTTI_MAP_H
#define TUTTI_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Representations. Those that are ordered only refuse other groups. */
typedef enum tutti_map_kind {
  TUTTI_MAP_ARRAY,    /**< 32 bits a member */
  TUTTI_MAP_RANGE,    /**< first + rank * stride, stride of either sign (section 5.1) */
  TUTTI_MAP_RANGES,   /**< a union of ranges with strides, one after the other; of a group that is not ordered, ranges
                           that do not interleave */
  TUTTI_MAP_BITMAP,   /**< ordered: bits from the first to the last member, counts every 1,024 of them (the paper:
                           1,000), bits of a block looked at one by one (section 5.3, "BM") */
  TUTTI_MAP_POPCOUNT, /**< ordered: the same, by population count of words ("BMp") */
  TUTTI_MAP_BDD,      /**< ordered: a reduced binary decision diagram with counts, smaller and faster than its paths
                           (section 5.2). BuDDy makes it, one at a time: threads must not make two at once, and while
                           the program uses BuDDy itself creation is TUTTI_ERR_UNSUPPORTED */
  TUTTI_MAP_BWT, /**< blocks of 1,000 members under the Burrows-Wheeler transform (section 5.4; bzip2). SELECT and RANK
                    allocate half a megabyte, and return -1 if that fails */
  TUTTI_MAP_ROARING,    /**< ordered: Roaring bitmap (CRoaring) */
  TUTTI_MAP_ELIAS_FANO, /**< ordered: Elias 1974, Fano 1971: n (2 + log2(world / n)) bits */
  TUTTI_MAP_COMPLEMENT, /**< ordered: the gaps between the first and the last member, as an Elias-Fano sequence:
                             gaps (2 + log2(n / gaps)) bits */
  TUTTI_MAP_PERMUTED,   /**< a set in any ordered representation, and a permutation as a wavelet tree on runs (section
                             5.5; Barbay and Navarro 2009) */
  TUTTI_MAP_KINDS
} tutti_map_kind;

/** "array", "range", "ranges", "bitmap", "popcount", "bdd", "bwt", "roaring", "elias-fano", "complement", "permuted";
 * NULL outside.
 */
const char *tutti_map_kind_name(tutti_map_kind kind);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_map_kind_parse(const char *name, tutti_map_kind *kind, tutti_error *error);

typedef struct tutti_map tutti_map;

/** Limits of creation: what would take longer or become larger gives up early. tutti_map_limits_default(). */
typedef struct tutti_map_limits {
  size_t bytes;            /**< maximum bytes of the finished map; 0: no limit. Default 0 */
  int bdd_nodes;           /**< maximum nodes of a diagram, default 200,000 */
  int runs;                /**< maximum runs of a permutation, default 65,536 */
  tutti_map_kind set_kind; /**< of TUTTI_MAP_PERMUTED: the representation of its set, default TUTTI_MAP_POPCOUNT */
} tutti_map_limits;

tutti_map_limits tutti_map_limits_default(void);

/**
 * Make a map from the list of its members.
 * @param members  [size] each once, 0 .. world - 1; read during the call only
 * @param limits   NULL: the defaults
 * @return TUTTI_ERR_ARGUMENT if a member is outside the world or there twice, or size < 1; TUTTI_ERR_UNSUPPORTED if the
 *         kind cannot represent the group (no range, not ordered) or a limit is passed; TUTTI_ERR_MEMORY
 */
tutti_status tutti_map_create(tutti_map_kind kind, const int *members, int size, int world,
                              const tutti_map_limits *limits, tutti_map **map, tutti_error *error);

void tutti_map_free(tutti_map *map);

/** Its kind. @{ */
tutti_map_kind tutti_map_kind_of(const tutti_map *map);
int tutti_map_size(const tutti_map *map);
int tutti_map_world(const tutti_map *map);
bool tutti_map_is_ordered(const tutti_map *map);
/** @} */

/** SELECT: the member that is rank @p rank, 0 <= rank < size. */
int tutti_map_select(const tutti_map *map, int rank);

/** RANK: the rank of a member; -1 for other numbers. A scan of all members if an unordered group is an array. */
int tutti_map_rank(const tutti_map *map, int member);

bool tutti_map_contains(const tutti_map *map, int member);

/** Members of the ranks first .. first + count - 1, faster than one by one. @param members  [count] */
void tutti_map_select_all(const tutti_map *map, int first, int count, int *members);

/** Bytes of the finished map, all it points to included. */
size_t tutti_map_bytes(const tutti_map *map);

/**
 * Write a map as bytes, the same on every machine: "tuttimap", version, kind, size, world, then what the kind needs.
 * @param bytes   receives an array to be freed with free()
 */
tutti_status tutti_map_serialize(const tutti_map *map, unsigned char **bytes, size_t *length, tutti_error *error);

/** Read the bytes of tutti_map_serialize(); all others are TUTTI_ERR_ARGUMENT. */
tutti_status tutti_map_deserialize(const unsigned char *bytes, size_t length, tutti_map **map, tutti_error *error);

/**
 * The same without a copy of the large arrays: the bytes, aligned to 8, must stay unchanged until the map is freed. For
 * memory that processes share. A range has no arrays; for bitmaps, Elias-Fano and complement the counts of blocks are
 * made anew, a 32nd of the bits; tutti_map_bytes() returns the memory outside of the bytes.
 * @return TUTTI_ERR_UNSUPPORTED for the other kinds, and where memory has another alignment or byte order
 */
tutti_status tutti_map_attach(const unsigned char *bytes, size_t length, tutti_map **map, tutti_error *error);

/**
 * Check everything: that SELECT and RANK are inverses, members within the world. TUTTI_ERR_ARGUMENT names the fault. If
 * RANK is a scan of all members, these are proven to be distinct, and RANK is tried for some.
 */
tutti_status tutti_map_validate(const tutti_map *map, tutti_error *error);

/** MPI_Group_union: members of a in order of a, then those of b that are not in a in order of b. */
tutti_status tutti_map_union(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits, tutti_map **result,
                             tutti_error *error);

/** The union as a set (section 7.1): ascending, for any orders of a and b. */
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
 * @param translated  [count] receives the ranks of the same members in b, or -1
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

/** The goal of choosing a representation. */
typedef enum tutti_map_strategy {
  TUTTI_MAP_LEAST_SPACE, /**< the fewest bytes of all representations, for any time of SELECT */
  TUTTI_MAP_LEAST_TIME,  /**< a range if it is one, else the array */
  /** The fewest bytes of those whose SELECT takes constant or logarithmic time of a few steps: range, ranges, array,
      and, where the array has more than 8 KiB (a smaller one is too fast to give up), popcount, Elias-Fano and
      complement; of unordered groups a permuted set only if it has at most a quarter of the array's bytes, as its
      SELECT takes tens of times as long. */
  TUTTI_MAP_HYBRID,
  TUTTI_MAP_STRATEGIES
} tutti_map_strategy;

/** "least-space", "least-time", "hybrid"; NULL outside the enumeration. */
const char *tutti_map_strategy_name(tutti_map_strategy strategy);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_map_strategy_parse(const char *name, tutti_map_strategy *strategy, tutti_error *error);

/**
 * Make the map that a strategy chooses, by the bytes of finished maps. Representations that cannot hold the group, or
 * pass a limit, are left out; the array always remains. Of several with as few bytes the first kind in the order of
 * tutti_map_kind is taken; what is certain to be larger than the best so far gives up early where it can.
 * @param members  as tutti_map_create()
 * @param limits   NULL: the defaults; bytes is lowered to that of the best so far
 */
tutti_status tutti_map_choose(tutti_map_strategy strategy, const int *members, int size, int world,
                              const tutti_map_limits *limits, tutti_map **map, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
