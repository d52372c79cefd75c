#include "maps/bwt_block.h"

#include <bzlib.h>
#include <endian.h>
#include <stdlib.h>

enum { HUNDREDS_OF_KB = 1, NO_REPORT = 0, WORK_FACTOR_DEFAULT = 0, FAST = 0 };

struct bwt_map *tutti_bwt_new(int size, int world)
{
  int blocks = bwt_blocks(size);
  struct bwt_map *map = calloc(1, sizeof *map + (size_t)blocks * sizeof *map->index);
  if (!map)
    return NULL;
  map->common = (struct tutti_map){.operations = &tutti_map_bwt, .size = size, .world = world};
  map->blocks = blocks;
  map->last = calloc(1, sizeof *map->last);
  struct bwt_block *block = map->last ? malloc(sizeof *block) : NULL;
  if (!block) {
    tutti_bwt_free(&map->common);
    return NULL;
  }
  block->number = -1;
  *map->last = block;
  return map;
}

void tutti_bwt_free(tutti_map *common)
{
  struct bwt_map *map = (struct bwt_map *)common;
  if (!map)
    return;
  if (map->last)
    free(*map->last);
  free(map->last);
  free(map->packed);
  free(map);
}

size_t tutti_bwt_compress(const int *members, int count, struct bwt_block *block, unsigned char *packed)
{
  for (int i = 0; i < count; i++)
    block->members[i] = htole32((uint32_t)members[i]);
  unsigned length = BWT_PACKED_BYTES;
  int code = BZ2_bzBuffToBuffCompress((char *)packed, &length, (char *)block->members, 4 * (unsigned)count,
                                      HUNDREDS_OF_KB, NO_REPORT, WORK_FACTOR_DEFAULT);
  return code == BZ_OK ? length : 0;
}

tutti_status tutti_bwt_decompress(const unsigned char *packed, size_t length, int count, struct bwt_block *block)
{
  unsigned bytes = BWT_BLOCK_BYTES;
  int code = BZ2_bzBuffToBuffDecompress((char *)block->members, &bytes, (char *)(uintptr_t)packed, (unsigned)length,
                                        FAST, NO_REPORT);
  if (code == BZ_MEM_ERROR)
    return TUTTI_ERR_MEMORY;
  if (code != BZ_OK || bytes != 4 * (unsigned)count)
    return TUTTI_ERR_ARGUMENT;
  for (int i = 0; i < count; i++)
    block->members[i] = le32toh(block->members[i]);
  return TUTTI_OK;
}
