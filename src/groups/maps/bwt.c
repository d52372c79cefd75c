/* TUTTI_MAP_BWT: blocks of 1,000 members under the Burrows-Wheeler transform (Kamal, Mirtaheri, Wagner 2010, section
 * 5.4), by bzip2. For any order of members; regular patterns in the bytes of the numbers shrink.
 *
 * SELECT decompresses one block; RANK every block whose range of members contains the number: one if the
 * map is ordered, all if it is shuffled. An index of 16 bytes a block has the beginning and the range of each.
 *
 * The block decompressed last is kept, as in the paper. The map is shared and constant to its readers, so the block is
 * owned by one at a time: a reader takes it by an atomic exchange with NULL and puts one back in the same way; one that
 * finds NULL works in a block of its own. No lock, right in any number of threads; bytes() counts one block.
 *
 * bzip2 allocates half a megabyte while it decompresses. If that fails, SELECT and RANK return -1.
 *
 * Blocks are 32-bit numbers, least significant byte first, one bzip2 stream a block. */
#include <bzlib.h>
#include <endian.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "groups/maps/map_private.h"

enum {
  BWT_BLOCK = 1000, /* members */
  BWT_BLOCK_BYTES = 4 * BWT_BLOCK,
  BWT_PACKED_BYTES = BWT_BLOCK_BYTES * 101 / 100 + 600 /* the maximum size that bzip2 makes of a block (its manual) */
};

struct bwt_index {
  size_t end; /* of the block's bytes; they begin at the end of the previous block */
  int least, greatest;
};

/* A block as it was before it was compressed. */
struct bwt_block {
  int number; /* of the block, or -1 */
  uint32_t members[BWT_BLOCK];
};

struct bwt_map {
  struct tutti_map common;
  unsigned char *packed;
  _Atomic(struct bwt_block *) *last; /* decompressed last; NULL while a thread reads it */
  struct bwt_index *index;           /* [blocks] */
};

static int bwt_blocks(const struct bwt_map *map)
{
  return (map->common.size - 1) / BWT_BLOCK + 1;
}

static int bwt_members_in(int size, int block)
{
  int left = size - block * BWT_BLOCK;
  return left < BWT_BLOCK ? left : BWT_BLOCK;
}

enum { HUNDREDS_OF_KB = 1, NO_REPORT = 0, WORK_FACTOR_DEFAULT = 0, FAST = 0 };

static void clear(tutti_map *common)
{
  struct bwt_map *map = (struct bwt_map *)common;
  if (map->last)
    free(*map->last);
  free(map->last);
  free(map->packed);
  free(map->index);
}

/* Room for the index, and for a block. False: memory is short. */
static bool allocate_blocks(struct bwt_map *map)
{
  map->index = calloc((size_t)bwt_blocks(map), sizeof *map->index);
  map->last = calloc(1, sizeof *map->last);
  struct bwt_block *block = map->index && map->last ? malloc(sizeof *block) : NULL;
  if (!block)
    return false;
  block->number = -1;
  *map->last = block;
  return true;
}

/* Compress @p count members to @p packed, [BWT_PACKED_BYTES]. @p block is scratch. @return bytes, 0: memory is short */
static size_t compress(const int *members, int count, struct bwt_block *block, unsigned char *packed)
{
  for (int i = 0; i < count; i++)
    block->members[i] = htole32((uint32_t)members[i]);
  unsigned length = BWT_PACKED_BYTES;
  int code = BZ2_bzBuffToBuffCompress((char *)packed, &length, (char *)block->members, 4 * (unsigned)count,
                                      HUNDREDS_OF_KB, NO_REPORT, WORK_FACTOR_DEFAULT);
  return code == BZ_OK ? length : 0;
}

/* @return TUTTI_ERR_MEMORY, or TUTTI_ERR_ARGUMENT if the bytes are not @p count compressed members */
static tutti_status decompress(const unsigned char *packed, size_t length, int count, struct bwt_block *block)
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

/* ---- making a map from members, or from bytes ----

   Then every block is decompressed once, so that SELECT need not doubt them, and members are checked to be there once.
 */

/* State of making blocks. */
struct workshop {
  struct bwt_map *map;
  struct bwt_block *block;
  size_t length, room; /* of map->packed */
};

static bool make_room(struct workshop *shop, size_t more)
{
  if (shop->room - shop->length >= more)
    return true;
  size_t room = shop->room * 2 > shop->length + more ? shop->room * 2 : shop->length + more;
  unsigned char *packed = realloc(shop->map->packed, room);
  if (!packed)
    return false;
  shop->map->packed = packed;
  shop->room = room;
  return true;
}

static void fit(struct workshop *shop)
{
  unsigned char *packed = realloc(shop->map->packed, shop->length);
  if (packed)
    shop->map->packed = packed;
}

/* The span of a block. */
static void note_members(struct workshop *shop, int number, const int *members, int count)
{
  struct bwt_index *index = &shop->map->index[number];
  index->end = shop->length;
  index->least = index->greatest = members[0];
  for (int i = 0; i < count; i++) {
    index->least = members[i] < index->least ? members[i] : index->least;
    index->greatest = members[i] > index->greatest ? members[i] : index->greatest;
  }
}

/* ---- from members ---- */

static tutti_status compress_all(struct workshop *shop, const int *members, size_t most, tutti_error *error)
{
  int size = shop->map->common.size;
  for (int i = 0; i < bwt_blocks(shop->map); i++) {
    const int *first = members + i * BWT_BLOCK;
    int count = bwt_members_in(size, i);
    size_t length = 0;
    if (make_room(shop, BWT_PACKED_BYTES))
      length = compress(first, count, shop->block, shop->map->packed + shop->length);
    if (length == 0)
      return tutti_map_no_memory(&shop->map->common, error);
    shop->length += length;
    if (most && shop->length > most)
      return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"bwt\": larger than %zu bytes", most);
    note_members(shop, i, first, count);
  }
  fit(shop);
  return TUTTI_OK;
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  struct workshop shop = {.map = (struct bwt_map *)map, .block = malloc(sizeof *shop.block)};
  bool ready = shop.block && allocate_blocks(shop.map);
  tutti_status status = ready ? compress_all(&shop, members, limits->bytes, error) : tutti_map_no_memory(map, error);
  free(shop.block);
  return status;
}

/* ---- from bytes ---- */

/* The caller checks of all maps that are read that members are within the world and distinct. */
static tutti_status read_block(struct workshop *shop, struct map_reader *reader, int number, tutti_error *error)
{
  int count = bwt_members_in(shop->map->common.size, number);
  size_t length = (size_t)tutti_map_read_number(reader, 2);
  const unsigned char *packed = tutti_map_read_bytes(reader, length);
  if (reader->failed || !packed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bwt\": the bytes end in block %d of %d", number,
                      bwt_blocks(shop->map));
  if (!make_room(shop, length))
    return tutti_map_no_memory(&shop->map->common, error);
  tutti_status status = decompress(packed, length, count, shop->block);
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "map \"bwt\": block %d of %d is not %d compressed members", number,
                      bwt_blocks(shop->map), count);
  memcpy(shop->map->packed + shop->length, packed, length);
  shop->length += length;
  note_members(shop, number, (const int *)shop->block->members, count);
  return TUTTI_OK;
}

static tutti_status read_all(struct workshop *shop, struct map_reader *reader, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < bwt_blocks(shop->map) && status == TUTTI_OK; i++)
    status = read_block(shop, reader, i, error);
  if (status == TUTTI_OK)
    fit(shop);
  return status;
}

/* bzip2 makes no fewer bytes of a block: a size that the bytes cannot have must not take memory. */
enum { MIN_BYTES = 2 + 14 };

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  if ((size_t)bwt_blocks((const struct bwt_map *)map) > (reader->length - reader->at) / MIN_BYTES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bwt\": too few bytes for %d members", map->size);
  struct workshop shop = {.map = (struct bwt_map *)map, .block = malloc(sizeof *shop.block)};
  bool ready = shop.block && allocate_blocks(shop.map);
  tutti_status status = ready ? read_all(&shop, reader, error) : tutti_map_no_memory(map, error);
  free(shop.block);
  return status;
}

/* ---- questions ---- */

static void put_back(const struct bwt_map *map, struct bwt_block *block)
{
  free(atomic_exchange(map->last, block));
}

static tutti_status open_block(const struct bwt_map *map, int number, struct bwt_block *block)
{
  size_t begin = number > 0 ? map->index[number - 1].end : 0;
  block->number = -1;
  tutti_status status =
      decompress(map->packed + begin, map->index[number].end - begin, bwt_members_in(map->common.size, number), block);
  if (status == TUTTI_OK)
    block->number = number;
  return status;
}

/* Take a block; put_back() it. NULL if memory is short. */
static struct bwt_block *borrow(const struct bwt_map *map, int number)
{
  struct bwt_block *block = atomic_exchange(map->last, NULL);
  if (!block) {
    block = malloc(sizeof *block);
    if (!block)
      return NULL;
    block->number = -1;
  }
  if (block->number == number || open_block(map, number, block) == TUTTI_OK)
    return block;
  put_back(map, block);
  return NULL;
}

static void copy_members(const struct bwt_block *block, int first, int count, int *members)
{
  for (int i = 0; i < count; i++)
    members[i] = block ? (int)block->members[first + i] : -1;
}

static void select_all(const tutti_map *common, int first, int count, int *members)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  while (count > 0) {
    int number = first / BWT_BLOCK, within = first % BWT_BLOCK;
    int part = BWT_BLOCK - within < count ? BWT_BLOCK - within : count;
    struct bwt_block *block = borrow(map, number);
    copy_members(block, within, part, members);
    if (block)
      put_back(map, block);
    members += part;
    first += part;
    count -= part;
  }
}

static int select_one(const tutti_map *map, int rank)
{
  int member;
  select_all(map, rank, 1, &member);
  return member;
}

static int rank_in_block(const struct bwt_map *map, int number, int member)
{
  struct bwt_block *block = borrow(map, number);
  int count = bwt_members_in(map->common.size, number), at = 0;
  while (block && at < count && block->members[at] != (uint32_t)member)
    at++;
  bool found = block && at < count;
  if (block)
    put_back(map, block);
  return found ? number * BWT_BLOCK + at : -1;
}

static int rank(const tutti_map *common, int member)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  int rank = -1;
  for (int i = 0, blocks = bwt_blocks(map); i < blocks && rank < 0; i++)
    if (map->index[i].least <= member && member <= map->index[i].greatest)
      rank = rank_in_block(map, i, member);
  return rank;
}

static size_t bytes(const tutti_map *common)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  const int blocks = bwt_blocks(map);
  return (size_t)blocks * sizeof *map->index + map->index[blocks - 1].end + sizeof *map->last +
         sizeof(struct bwt_block);
}

static void write(const tutti_map *common, FILE *stream)
{
  const struct bwt_map *map = (const struct bwt_map *)common;
  size_t begin = 0;
  for (int i = 0, blocks = bwt_blocks(map); i < blocks; i++) {
    size_t length = map->index[i].end - begin;
    tutti_map_write_number(stream, length, 2);
    fwrite(map->packed + begin, 1, length, stream);
    begin = map->index[i].end;
  }
}

const struct map_operations tutti_map_bwt = {MAP_OPERATIONS(BWT, bwt_map), MAP_OWNS_MEMORY, .scans = true};
