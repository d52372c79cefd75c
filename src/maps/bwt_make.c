/* Making a compressed map from members, or from bytes: then every block is decompressed once, so that SELECT need not
   doubt them, and members are checked to be there once. */
#include <stdlib.h>
#include <string.h>

#include "maps/bwt.h"

/* What blocks are made with. */
struct workshop {
  struct bwt_map *map;
  struct bwt_block *block;
  size_t length, room; /* of map->packed */
};

static bool open_workshop(struct workshop *shop, int size, int world)
{
  *shop = (struct workshop){.map = tutti_bwt_new(size, world), .block = malloc(sizeof *shop->block)};
  return shop->map && shop->block;
}

static tutti_status close_workshop(struct workshop *shop, tutti_status status, tutti_map **map)
{
  free(shop->block);
  if (status == TUTTI_OK)
    *map = &shop->map->common;
  else if (shop->map)
    tutti_bwt_free(&shop->map->common);
  return status;
}

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

/* The span of a block, and whether the map ascends up to its end. */
static void note_members(struct workshop *shop, int number, const int *members, int count, int before)
{
  struct bwt_index *index = &shop->map->index[number];
  index->end = shop->length;
  index->least = index->greatest = members[0];
  for (int i = 0; i < count; i++) {
    index->least = members[i] < index->least ? members[i] : index->least;
    index->greatest = members[i] > index->greatest ? members[i] : index->greatest;
    shop->map->common.ordered = shop->map->common.ordered && members[i] > before;
    before = members[i];
  }
}

/* ---- from members ---- */

static tutti_status out_of_memory(int size, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"bwt\": no memory for %d members", size);
}

static tutti_status compress_all(struct workshop *shop, const int *members, size_t most, tutti_error *error)
{
  int size = shop->map->common.size;
  shop->map->common.ordered = true; /* until it is not */
  for (int i = 0; i < shop->map->blocks; i++) {
    const int *first = members + i * BWT_BLOCK;
    int count = bwt_members_in(size, i);
    size_t length = 0;
    if (make_room(shop, BWT_PACKED_BYTES))
      length = tutti_bwt_compress(first, count, shop->block, shop->map->packed + shop->length);
    if (length == 0)
      return out_of_memory(size, error);
    shop->length += length;
    if (most && shop->length > most)
      return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"bwt\": larger than %zu bytes", most);
    note_members(shop, i, first, count, i > 0 ? first[-1] : -1);
  }
  fit(shop);
  return TUTTI_OK;
}

tutti_status tutti_bwt_create(const int *members, int size, int world, const tutti_map_limits *limits, tutti_map **map,
                              tutti_error *error)
{
  struct workshop shop;
  bool ready = open_workshop(&shop, size, world);
  tutti_status status = ready ? compress_all(&shop, members, limits->bytes, error) : out_of_memory(size, error);
  return close_workshop(&shop, status, map);
}

/* ---- from bytes ---- */

static int ascending(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static tutti_status check_once(struct workshop *shop, int *members, tutti_error *error)
{
  int size = shop->map->common.size;
  if (!shop->map->common.ordered)
    qsort(members, (size_t)size, sizeof *members, ascending);
  for (int i = 1; i < size; i++)
    if (members[i] == members[i - 1])
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bwt\": member %d is there twice", members[i]);
  return TUTTI_OK;
}

/* Block @p number, out of shop->block. */
static tutti_status take_members(struct workshop *shop, int number, int *members, tutti_error *error)
{
  int count = bwt_members_in(shop->map->common.size, number), world = shop->map->common.world;
  for (int i = 0; i < count; i++) {
    uint32_t member = shop->block->members[i];
    if (member >= (uint32_t)world)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bwt\": member %u is outside the world of %d", member, world);
    members[i] = (int)member;
  }
  note_members(shop, number, members, count, number > 0 ? members[-1] : -1);
  return TUTTI_OK;
}

static tutti_status read_block(struct workshop *shop, struct map_reader *reader, int number, int *members,
                               tutti_error *error)
{
  int count = bwt_members_in(shop->map->common.size, number);
  size_t length = (size_t)tutti_map_read_number(reader, 2);
  const unsigned char *packed = tutti_map_read_bytes(reader, length);
  if (reader->failed || !packed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bwt\": the bytes end in block %d of %d", number,
                      shop->map->blocks);
  if (!make_room(shop, length))
    return out_of_memory(shop->map->common.size, error);
  tutti_status status = tutti_bwt_decompress(packed, length, count, shop->block);
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "map \"bwt\": block %d of %d is not %d compressed members", number,
                      shop->map->blocks, count);
  memcpy(shop->map->packed + shop->length, packed, length);
  shop->length += length;
  return take_members(shop, number, members, error);
}

static tutti_status read_all(struct workshop *shop, struct map_reader *reader, int *members, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  shop->map->common.ordered = true;
  for (int i = 0; i < shop->map->blocks && status == TUTTI_OK; i++)
    status = read_block(shop, reader, i, members + i * BWT_BLOCK, error);
  if (status == TUTTI_OK)
    fit(shop);
  return status == TUTTI_OK ? check_once(shop, members, error) : status;
}

/* bzip2 makes no fewer bytes of a block: a size that the bytes cannot have must not take memory. */
enum { MIN_BYTES = 2 + 14 };

tutti_status tutti_bwt_read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  if ((size_t)bwt_blocks(size) > (reader->length - reader->at) / MIN_BYTES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bwt\": too few bytes for %d members", size);
  struct workshop shop;
  int *members = malloc((size_t)size * sizeof *members);
  bool ready = open_workshop(&shop, size, world) && members;
  tutti_status status = ready ? read_all(&shop, reader, members, error) : out_of_memory(size, error);
  free(members);
  return close_workshop(&shop, status, map);
}
