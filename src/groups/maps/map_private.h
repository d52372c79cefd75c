/* The functions of a representation of group maps. map.c checks arguments and knows all representations. */
#ifndef TUTTI_MAPS_MAP_PRIVATE_H
#define TUTTI_MAPS_MAP_PRIVATE_H

#include <stdio.h>

#include "tutti/map.h"

/* Serialized integers, least significant byte first. */
struct map_reader {
  const unsigned char *bytes;
  size_t length, at;
  bool failed; /* read past the end */
  bool attach; /* point to arrays, which are aligned to 8 bytes, instead of copying them */
  /* Set by read() of kinds that hold many members in few bytes, where looking at each would take far longer than the
     number of bytes suggests: members are distinct and within the world; and whether they ascend. */
  bool proven, ordered;
};

uint64_t tutti_map_read_number(struct map_reader *reader, int bytes);
const unsigned char *tutti_map_read_bytes(struct map_reader *reader, size_t count); /* NULL past the end */
void tutti_map_write_number(FILE *stream, uint64_t number, int bytes);

/* Words of 8 bytes, in the same order. @{ */
void tutti_map_write_words(const uint64_t *words, uint64_t count, FILE *stream);
void tutti_map_take_words(uint64_t *words, uint64_t count, const unsigned char *from);
uint64_t *tutti_map_words_in_place(const unsigned char *from); /* only to be read */
/* @} */

struct map_operations {
  tutti_map_kind kind;
  size_t bytes_of_struct, bytes_of_member; /* in one block: the struct, and, after it, so much for each member */
  bool ordered_only;
  bool attaches; /* read() can leave its arrays where they are */
  bool distinct; /* members are distinct however they were made or read */
  bool scans;    /* RANK of an unordered group compares one member after another: a validator asks for few only */
  /* Fill in a map, whose struct is 0 but for the common part. @p members are distinct, within the world, and ascend if
     ordered_only. After a failure the caller frees the map. */
  tutti_status (*create)(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error);
  /* The same; whether the map is ordered is not known yet. Anything that could crash select() or rank() must be refused
     with TUTTI_ERR_ARGUMENT. Unless reader->proven is set, the caller looks at all members. */
  tutti_status (*read)(tutti_map *map, struct map_reader *reader, tutti_error *error);
  int (*select)(const tutti_map *map, int rank);
  int (*rank)(const tutti_map *map, int member);                                /* 0 <= member < world */
  void (*select_all)(const tutti_map *map, int first, int count, int *members); /* NULL: select() one by one */
  size_t (*bytes)(const tutti_map *map);                                        /* besides the block; NULL: none */
  /* Errors of the stream are noticed afterwards. Nothing is written without memory. */
  void (*write)(const tutti_map *map, FILE *stream);
  void (*clear)(tutti_map *map); /* free what it owns besides the block; NULL: nothing */
};

/* The operations of a representation whose functions have these names, and its struct that name; others may follow. @{
 */
#define MAP_OPERATIONS(Kind, type)                                                                                     \
  .kind = TUTTI_MAP_##Kind, .bytes_of_struct = sizeof(struct type), .create = create, .select = select_one,            \
  .rank = rank, .select_all = select_all, .write = write, .read = read
#define MAP_OWNS_MEMORY .bytes = bytes, .clear = clear
/* @} */

/* The first member of the struct of every representation. */
struct tutti_map {
  const struct map_operations *operations;
  int size, world;
  bool ordered;
};

/* TUTTI_ERR_ARGUMENT "map "KIND": WHAT" for read(), TUTTI_ERR_MEMORY for create() and read(). */
tutti_status tutti_map_malformed(const tutti_map *map, const char *what, tutti_error *error);
tutti_status tutti_map_no_memory(const tutti_map *map, tutti_error *error);
tutti_status tutti_map_no_memory_for(tutti_map_kind kind, int size, tutti_error *error);

/* A map without members yet, to be freed by tutti_map_free(). NULL: no memory. */
tutti_map *tutti_map_new(const struct map_operations *operations, int size, int world, bool ordered);

/* A map by create(), or by read(), which gives it no order yet; limits on bytes are not looked at. @{ */
tutti_status tutti_map_create_by(const struct map_operations *operations, const int *members, int size, int world,
                                 const tutti_map_limits *limits, bool ordered, tutti_map **map, tutti_error *error);
tutti_status tutti_map_read_by(const struct map_operations *operations, struct map_reader *reader, int size, int world,
                               tutti_map **map, tutti_error *error);
/* @} */

extern const struct map_operations tutti_map_array, tutti_map_array_attached, tutti_map_range, tutti_map_ranges,
    tutti_map_bitmap, tutti_map_popcount, tutti_map_bdd, tutti_map_bwt, tutti_map_roaring, tutti_map_elias_fano,
    tutti_map_complement, tutti_map_permuted;

/* ---- checks of members, for lists that become maps and for maps that were read ---- */

/* TUTTI_ERR_UNSUPPORTED if the kind is not built. */
tutti_status tutti_map_operations_of(tutti_map_kind kind, const struct map_operations **operations, tutti_error *error);

/* Into ascending order. */
void tutti_map_sort_members(int *members, int size);

/* After read(): check that the results of SELECT are distinct and within the world, unless read() has proven it; later
 * calls of read() with this reader begin anew. RANK is not called. @p ordered receives whether they ascend. O(n) time
 * if they ascend or descend, else O(n log n) time and 4n bytes. */
tutti_status tutti_map_check_read(const tutti_map *map, struct map_reader *reader, bool *ordered, tutti_error *error);

#endif
