/* Blocks of TUTTI_MAP_BWT: 1,000 members each (the last one may have fewer) as 32-bit numbers, least significant byte
 * first, one bzip2 stream a block.
 */
#ifndef TUTTI_GROUPS_MAPS_BWT_BLOCK_H
#define TUTTI_GROUPS_MAPS_BWT_BLOCK_H

#include "maps/map_private.h"

enum {
  BWT_BLOCK = 1000, /* members */
  BWT_BLOCK_BYTES = 4 * BWT_BLOCK,
  BWT_PACKED_BYTES = BWT_BLOCK_BYTES * 101 / 100 + 600 /* the most that bzip2 makes of a block (its manual) */
};

struct bwt_index {
  size_t end; /* of the block's bytes; they begin where those of the block before end */
  int least, greatest;
};

/* A block as it was before it was compressed. */
struct bwt_block {
  int number; /* of the block; -1: none */
  uint32_t members[BWT_BLOCK];
};

struct bwt_map {
  struct tutti_map common;
  int blocks;
  unsigned char *packed;
  _Atomic(struct bwt_block *) *last; /* decompressed last; NULL while a thread reads it (bwt.c) */
  struct bwt_index index[];          /* [blocks] */
};

static inline int bwt_blocks(int size)
{
  return (size - 1) / BWT_BLOCK + 1;
}

static inline int bwt_members_in(int size, int block)
{
  int left = size - block * BWT_BLOCK;
  return left < BWT_BLOCK ? left : BWT_BLOCK;
}

/* An empty map; NULL if memory is short. */
struct bwt_map *tutti_bwt_new(int size, int world);

void tutti_bwt_free(tutti_map *map);

/* Compress @p count members to @p packed, [BWT_PACKED_BYTES]. @p block is scratch. @return bytes, 0: memory is short */
size_t tutti_bwt_compress(const int *members, int count, struct bwt_block *block, unsigned char *packed);

/* @return TUTTI_ERR_MEMORY, or TUTTI_ERR_ARGUMENT if the bytes are not @p count compressed members */
tutti_status tutti_bwt_decompress(const unsigned char *packed, size_t length, int count, struct bwt_block *block);

/* Of map_operations: bwt_make.c. @{ */
tutti_status tutti_bwt_create(const int *members, int size, int world, const tutti_map_limits *limits, tutti_map **map,
                              tutti_error *error);
tutti_status tutti_bwt_read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error);
/** @} */

#endif
