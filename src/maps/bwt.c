#include <bzlib.h>
#include <endian.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "maps/bwt.h"

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

/* TUTTI_MAP_BWT: blocks of 1,000 members under the Burrows-Wheeler transform (Kamal, Mirtaheri, Wagner 2010, section
 * 5.4), by bzip2. For any order of members; what is regular in the bytes of the numbers shrinks.
 *
 * SELECT decompresses one block; RANK every block between whose least and greatest member the number lies: one if the
 * map is ordered, all if it is shuffled. An index of 16 bytes a block says where blocks begin and what they span.
 *
 * The block decompressed last is kept, as in the paper. The map is shared and constant to its readers, so the block is
 * owned by one at a time: a reader takes it by an atomic exchange with NULL and puts one back likewise; one who finds
 * NULL works in a block of his own. No lock, right in any number of threads; bytes() counts one block.
 *
 * bzip2 asks for half a megabyte while it decompresses. If it does not get it, SELECT and RANK return -1.
 */

static void put_back(const struct bwt_map *map, struct bwt_block *block)
{
  free(atomic_exchange(map->last, block));
}

static tutti_status decompress(const struct bwt_map *map, int number, struct bwt_block *block)
{
  size_t begin = number > 0 ? map->index[number - 1].end : 0;
  block->number = -1;
  tutti_status status = tutti_bwt_decompress(map->packed + begin, map->index[number].end - begin,
                                             bwt_members_in(map->common.size, number), block);
  if (status == TUTTI_OK)
    block->number = number;
  return status;
}

/* Take a block; put_back() it. NULL if memory is short. */
static struct bwt_block *take(const struct bwt_map *map, int number)
{
  struct bwt_block *block = atomic_exchange(map->last, NULL);
  if (!block) {
    block = malloc(sizeof *block);
    if (!block)
      return NULL;
    block->number = -1;
  }
  if (block->number == number || decompress(map, number, block) == TUTTI_OK)
    return block;
  put_back(map, block);
  return NULL;
}

static void copy_members(const struct bwt_block *block, int first, int count, int *members)
{
  for (int i = 0; i < count; i++)
    members[i] = block ? (int)block->members[first + i] : -1;
}

static void bwt_select_all(const tutti_map *common, int first, int count, int *members)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  while (count > 0) {
    int number = first / BWT_BLOCK, within = first % BWT_BLOCK;
    int part = BWT_BLOCK - within < count ? BWT_BLOCK - within : count;
    struct bwt_block *block = take(map, number);
    copy_members(block, within, part, members);
    if (block)
      put_back(map, block);
    members += part;
    first += part;
    count -= part;
  }
}

static int bwt_select(const tutti_map *map, int rank)
{
  int member;
  bwt_select_all(map, rank, 1, &member);
  return member;
}

static int rank_in_block(const struct bwt_map *map, int number, int member)
{
  struct bwt_block *block = take(map, number);
  int count = bwt_members_in(map->common.size, number), at = 0;
  while (block && at < count && block->members[at] != (uint32_t)member)
    at++;
  bool found = block && at < count;
  if (block)
    put_back(map, block);
  return found ? number * BWT_BLOCK + at : -1;
}

static int bwt_rank(const tutti_map *common, int member)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  int rank = -1;
  for (int i = 0; i < map->blocks && rank < 0; i++)
    if (map->index[i].least <= member && member <= map->index[i].greatest)
      rank = rank_in_block(map, i, member);
  return rank;
}

static size_t bwt_bytes(const tutti_map *common)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  return sizeof *map + (size_t)map->blocks * sizeof *map->index + map->index[map->blocks - 1].end + sizeof *map->last +
         sizeof(struct bwt_block);
}

static void bwt_write(const tutti_map *common, FILE *stream)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  size_t begin = 0;
  for (int i = 0; i < map->blocks; i++) {
    size_t length = map->index[i].end - begin;
    tutti_map_write_number(stream, length, 2);
    fwrite(map->packed + begin, 1, length, stream);
    begin = map->index[i].end;
  }
}

const struct map_operations tutti_map_bwt = {
    .kind = TUTTI_MAP_BWT,
    .scans = true,
    .create = tutti_bwt_create,
    .select = bwt_select,
    .rank = bwt_rank,
    .select_all = bwt_select_all,
    .bytes = bwt_bytes,
    .write = bwt_write,
    .read = tutti_bwt_read,
    .free = tutti_bwt_free,
};
