/* ROARING (Chambi, Lemire, Kaser, Godin 2016; CRoaring): members with the same upper 16 bits share a container, which
 * is a list, a bitmap or runs, whichever is smallest. SELECT and RANK step over the containers before, up to 32,768 of
 * them in the largest world, then search one. */
#include "maps/map_private.h"

#include <roaring/roaring.h>
#include <stdlib.h>

#include "maps/roaring_format.h"

struct roaring {
  tutti_map map;
  roaring_bitmap_t *bitmap;
};

enum { CONTAINER_BYTES = 16 }; /* of CRoaring's container types: two counts and a pointer */

static const roaring_bitmap_t *of(const tutti_map *map)
{
  return ((const struct roaring *)map)->bitmap;
}

/* Takes @p bitmap. */
static tutti_status make(roaring_bitmap_t *bitmap, int size, tutti_map **map, tutti_error *error)
{
  struct roaring *roaring = bitmap ? malloc(sizeof *roaring) : NULL;
  if (!roaring) {
    if (bitmap)
      roaring_bitmap_free(bitmap);
    return tutti_map_no_memory(TUTTI_MAP_ROARING, size, error);
  }
  roaring_bitmap_shrink_to_fit(bitmap);
  roaring->bitmap = bitmap;
  *map = &roaring->map;
  return TUTTI_OK;
}

static tutti_status create(const int *members, int size, int world, const tutti_map_limits *limits, tutti_map **map,
                           tutti_error *error)
{
  (void)world, (void)limits;
  roaring_bitmap_t *bitmap = roaring_bitmap_of_ptr((size_t)size, (const uint32_t *)members);
  if (bitmap)
    roaring_bitmap_run_optimize(bitmap);
  return make(bitmap, size, map, error);
}

static int select_one(const tutti_map *map, int rank)
{
  uint32_t member = 0;
  roaring_bitmap_select(of(map), (uint32_t)rank, &member);
  return (int)member;
}

static int rank(const tutti_map *map, int member)
{
  if (!roaring_bitmap_contains(of(map), (uint32_t)member))
    return -1;
  return (int)roaring_bitmap_rank(of(map), (uint32_t)member) - 1; /* it counts up to and with the member */
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  roaring_uint32_iterator_t iterator;
  roaring_init_iterator(of(map), &iterator);
  roaring_move_uint32_iterator_equalorlarger(&iterator, (uint32_t)select_one(map, first));
  roaring_read_uint32_iterator(&iterator, (uint32_t *)members, (uint32_t)count);
}

static size_t bytes(const tutti_map *map)
{
  const roaring_array_t *containers = &of(map)->high_low_container;
  roaring_statistics_t statistics;
  roaring_bitmap_statistics(of(map), &statistics);
  size_t entry = sizeof *containers->containers + sizeof *containers->keys + sizeof *containers->typecodes;
  return sizeof(struct roaring) + sizeof *of(map) + (size_t)containers->allocation_size * entry +
         (size_t)containers->size * CONTAINER_BYTES + statistics.n_bytes_array_containers +
         statistics.n_bytes_run_containers + statistics.n_bytes_bitset_containers;
}

/* The interchange format of Roaring, which other software reads. */
static void write(const tutti_map *map, FILE *stream)
{
  size_t length = roaring_bitmap_portable_size_in_bytes(of(map));
  char *text = malloc(length);
  if (text) {
    tutti_map_write_number(stream, length, 8);
    roaring_bitmap_portable_serialize(of(map), text);
    fwrite(text, 1, length, stream);
  }
  free(text);
}

static tutti_status read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  (void)world; /* members are checked by the caller */
  uint64_t length = tutti_map_read_number(reader, 8);
  const unsigned char *bytes = tutti_map_read_bytes(reader, (size_t)length);
  if (!bytes)
    return tutti_map_malformed(TUTTI_MAP_ROARING, "bytes end before the bitmap", error);
  const char *what;
  if (!tutti_roaring_format_check(bytes, (size_t)length, (uint64_t)size, &what))
    return tutti_map_malformed(TUTTI_MAP_ROARING, what, error);
  return make(roaring_bitmap_portable_deserialize_safe((const char *)bytes, (size_t)length), size, map, error);
}

static void free_roaring(tutti_map *map)
{
  roaring_bitmap_free(of(map));
  free(map);
}

const struct map_operations tutti_map_roaring = {.kind = TUTTI_MAP_ROARING,
                                                 .ordered_only = true,
                                                 .create = create,
                                                 .select = select_one,
                                                 .rank = rank,
                                                 .select_all = select_all,
                                                 .bytes = bytes,
                                                 .write = write,
                                                 .read = read,
                                                 .free = free_roaring};
