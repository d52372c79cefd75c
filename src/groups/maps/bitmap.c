/* BITMAP and POPCOUNT: bits from the first to the last member, and ones before each block (section 5.3: blocks of
 * 1,000, here 1,024, so that a block is 16 words). SELECT: binary search among the blocks, then the bits of one; RANK:
 * the bits of one. BITMAP looks at bits one by one, POPCOUNT at words ("BM" and "BMp"). */
#include "groups/maps/bits.h"

struct bitmap {
  tutti_map map;
  int first;
  struct map_bits bits;
};

static const struct bitmap *of(const tutti_map *map)
{
  return (const struct bitmap *)map;
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  (void)limits;
  struct bitmap *bitmap = (struct bitmap *)map;
  if (!tutti_map_bits_create(&bitmap->bits, (uint64_t)(members[map->size - 1] - members[0]) + 1))
    return tutti_map_no_memory(map, error);
  bitmap->first = members[0];
  for (int i = 0; i < map->size; i++)
    map_bits_set(&bitmap->bits, (uint64_t)(members[i] - members[0]));
  tutti_map_bits_count(&bitmap->bits);
  return TUTTI_OK;
}

static int select_bitmap(const tutti_map *map, int rank)
{
  const struct map_bits *bits = &of(map)->bits;
  uint64_t block = tutti_map_bits_block_of(bits, (uint64_t)rank), at = block * MAP_BLOCK_BITS;
  for (uint64_t left = (uint64_t)rank - bits->counts[block]; left > 0 || !map_bits_get(bits, at); at++)
    left -= map_bits_get(bits, at);
  return of(map)->first + (int)at;
}

static int select_popcount(const tutti_map *map, int rank)
{
  return of(map)->first + (int)tutti_map_bits_select(&of(map)->bits, (uint64_t)rank);
}

/* Place of a member among the bits; false for other numbers. */
static bool place_of(const tutti_map *map, int member, uint64_t *at)
{
  const struct bitmap *bitmap = of(map);
  *at = (uint64_t)member - (uint64_t)bitmap->first; /* huge below the first */
  return *at < bitmap->bits.length && map_bits_get(&bitmap->bits, *at);
}

static int rank_bitmap(const tutti_map *map, int member)
{
  const struct map_bits *bits = &of(map)->bits;
  uint64_t at;
  if (!place_of(map, member, &at))
    return -1;
  uint64_t rank = bits->counts[at / MAP_BLOCK_BITS];
  for (uint64_t i = at - at % MAP_BLOCK_BITS; i < at; i++)
    rank += map_bits_get(bits, i);
  return (int)rank;
}

static int rank_popcount(const tutti_map *map, int member)
{
  uint64_t at;
  return place_of(map, member, &at) ? (int)tutti_map_bits_rank(&of(map)->bits, at) : -1;
}

static void select_all_bitmap(const tutti_map *map, int first, int count, int *members)
{
  members[0] = select_bitmap(map, first);
  uint64_t at = (uint64_t)(members[0] - of(map)->first);
  for (int i = 1; i < count; i++) {
    do
      at++;
    while (!map_bits_get(&of(map)->bits, at));
    members[i] = of(map)->first + (int)at;
  }
}

static void select_all_popcount(const tutti_map *map, int first, int count, int *members)
{
  const struct bitmap *bitmap = of(map);
  struct map_bits_walk walk = map_bits_walk(&bitmap->bits, tutti_map_bits_select(&bitmap->bits, (uint64_t)first));
  for (int i = 0; i < count; i++)
    members[i] = bitmap->first + (int)map_bits_next(&walk);
}

static size_t bytes(const tutti_map *map)
{
  return tutti_map_bits_bytes(&of(map)->bits);
}

static void write(const tutti_map *map, FILE *stream)
{
  tutti_map_write_number(stream, (uint64_t)of(map)->first, 4);
  tutti_map_write_number(stream, of(map)->bits.length, 4);
  tutti_map_bits_write(&of(map)->bits, stream);
}

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  struct bitmap *bitmap = (struct bitmap *)map;
  uint64_t first = tutti_map_read_number(reader, 4), length = tutti_map_read_number(reader, 4);
  if (reader->failed || length < (uint64_t)map->size || first + length > (uint64_t)map->world)
    return tutti_map_malformed(map, "bits leave the world, or are fewer than members", error);
  bitmap->first = (int)first;
  tutti_status status = tutti_map_bits_read(&bitmap->bits, map, reader, length, map->size, error);
  if (status != TUTTI_OK || (map_bits_get(&bitmap->bits, 0) && map_bits_get(&bitmap->bits, length - 1)))
    return status;
  return tutti_map_malformed(map, "the first or the last bit is not set", error);
}

static void clear(tutti_map *map)
{
  tutti_map_bits_free(&((struct bitmap *)map)->bits);
}

#define BITMAP(Kind, suffix)                                                                                           \
  {                                                                                                                    \
    .kind = Kind, .bytes_of_struct = sizeof(struct bitmap), .attaches = true, .ordered_only = true, .create = create,  \
    .select = select_##suffix, .rank = rank_##suffix, .select_all = select_all_##suffix, .write = write, .read = read, \
    MAP_OWNS_MEMORY                                                                                                    \
  }

const struct map_operations tutti_map_bitmap = BITMAP(TUTTI_MAP_BITMAP, bitmap);
const struct map_operations tutti_map_popcount = BITMAP(TUTTI_MAP_POPCOUNT, popcount);
