/**
 * @file map.h
 * @ingroup maps
 * Group maps: who is rank i, in how few bits (Kamal, Mirtaheri, Wagner 2010, sections 5 to 7). No MPI.
 *
 * A map takes the ranks 0 .. size - 1 of a group to members of a world 0 .. world - 1 (SELECT), and back (RANK). It is
 * ordered if members ascend with ranks: then it is a set. One interface, several representations; a map never changes
 * once it is made, and may be read by any number of ranks that share its memory.
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
  TUTTI_MAP_BWT,      /**< blocks of 1,000 members under the Burrows-Wheeler transform (section 5.4; bzip2). SELECT and
                           RANK ask for half a megabyte meanwhile, and return -1 if they do not get it */
  TUTTI_MAP_ROARING,  /**< ordered: Roaring bitmap (CRoaring) */
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
  size_t bytes;            /**< most bytes of the finished map; 0: no limit. Default 0 */
  int bdd_nodes;           /**< most nodes of a diagram, default 200,000 */
  int runs;                /**< most runs of a permutation, default 65,536 */
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

/** What it is. @{ */
tutti_map_kind tutti_map_kind_of(const tutti_map *map);
int tutti_map_size(const tutti_map *map);
int tutti_map_world(const tutti_map *map);
bool tutti_map_is_ordered(const tutti_map *map);
/** @} */

/** SELECT: the member that is rank @p rank, 0 <= rank < size. */
int tutti_map_select(const tutti_map *map, int rank);

/** RANK: the rank of a member; -1 if it is none. A scan of all members where an unordered group is an array. */
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

/** Read what tutti_map_serialize() wrote; anything else is TUTTI_ERR_ARGUMENT, whatever the bytes are. */
tutti_status tutti_map_deserialize(const unsigned char *bytes, size_t length, tutti_map **map, tutti_error *error);

/**
 * The same without a copy of the large arrays: the bytes, aligned to 8, must stay as they are until the map is freed.
 * For memory that processes share. A range has no arrays; of bitmaps, Elias-Fano and complement the counts of blocks
 * are made anew, a 32nd of the bits; tutti_map_bytes() tells what is not in the bytes.
 * @return TUTTI_ERR_UNSUPPORTED for the other kinds, and where memory is aligned or ordered otherwise
 */
tutti_status tutti_map_attach(const unsigned char *bytes, size_t length, tutti_map **map, tutti_error *error);

/**
 * Check everything: that SELECT and RANK are inverses, members within the world. TUTTI_ERR_ARGUMENT says what is not.
 * Where RANK is a scan of all members, these are proven to be distinct, and RANK is tried for some.
 */
tutti_status tutti_map_validate(const tutti_map *map, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
