/* Layout, least significant byte first, n containers:
 *   12346, n (4 bytes each)              no runs
 *   12347 (2), n - 1 (2), a bit each     bit set: a container of runs
 *   key, members - 1 (2 each)            by container
 *   place (4)                            by container; with runs only from four containers on
 *   runs (2), then first, length - 1 (2 each); or members (2 each), up to 4,096; or 65,536 bits */
#include <roaring/roaring.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "groups/maps/map_private.h"

#ifndef TUTTI_ROARING_ITERATOR_INIT /* an old CRoaring, with older names */
#define roaring_iterator_init                      roaring_init_iterator
#define roaring_uint32_iterator_move_equalorlarger roaring_move_uint32_iterator_equalorlarger
#define roaring_uint32_iterator_read               roaring_read_uint32_iterator
#endif

enum { NO_RUNS = 12346, RUNS = 12347, MAX_LISTED = 4096, BITMAP_BYTES = 8192, PLACES_FROM = 4 };

static bool check_runs(struct map_reader *reader, uint64_t members)
{
  uint64_t runs = tutti_map_read_number(reader, 2), after = 0, found = 0;
  for (uint64_t i = 0; i < runs && !reader->failed; i++) {
    uint64_t first = tutti_map_read_number(reader, 2), length = tutti_map_read_number(reader, 2) + 1;
    if ((i > 0 && first <= after) || first + length > 65536)
      return false;
    after = first + length; /* runs that touch would be one */
    found += length;
  }
  return !reader->failed && runs > 0 && found == members;
}

static bool check_list(struct map_reader *reader, uint64_t members)
{
  int64_t last = -1;
  for (uint64_t i = 0; i < members; i++) {
    int64_t member = (int64_t)tutti_map_read_number(reader, 2);
    if (reader->failed || member <= last)
      return false;
    last = member;
  }
  return true;
}

static bool check_bits(struct map_reader *reader, uint64_t members)
{
  uint64_t found = 0;
  for (int i = 0; i < BITMAP_BYTES / 8; i++)
    found += (uint64_t)__builtin_popcountll(tutti_map_read_number(reader, 8));
  return !reader->failed && found == members;
}

static bool check_container(struct map_reader *reader, bool runs, uint64_t members)
{
  if (runs)
    return check_runs(reader, members);
  return members <= MAX_LISTED ? check_list(reader, members) : check_bits(reader, members);
}

/* Positions of the parts of the head. */
struct head {
  const unsigned char *runs, *keys, *places; /* NULL: absent */
  uint64_t containers;
};

static bool read_head(struct map_reader *reader, struct head *head)
{
  uint64_t cookie = tutti_map_read_number(reader, 4);
  bool with_runs = (cookie & 0xffff) == RUNS;
  if (!with_runs && cookie != NO_RUNS)
    return false;
  head->containers = with_runs ? (cookie >> 16) + 1 : tutti_map_read_number(reader, 4);
  if (head->containers < 1 || head->containers > 65536)
    return false;
  head->runs = with_runs ? tutti_map_read_bytes(reader, (size_t)(head->containers + 7) / 8) : NULL;
  head->keys = tutti_map_read_bytes(reader, (size_t)head->containers * 4);
  if (!with_runs || head->containers >= PLACES_FROM)
    head->places = tutti_map_read_bytes(reader, (size_t)head->containers * 4);
  return !reader->failed;
}

static uint64_t number_at(const unsigned char *bytes, int count)
{
  struct map_reader reader = {.bytes = bytes, .length = (size_t)count};
  return tutti_map_read_number(&reader, count);
}

static const char *check_containers(struct map_reader *reader, const struct head *head, uint64_t members)
{
  int64_t last = -1;
  uint64_t found = 0;
  for (uint64_t i = 0; i < head->containers; i++) {
    int64_t key = (int64_t)number_at(head->keys + 4 * i, 2);
    uint64_t here = number_at(head->keys + 4 * i + 2, 2) + 1;
    if (key <= last)
      return "containers do not ascend";
    if (head->places && number_at(head->places + 4 * i, 4) != reader->at)
      return "a container is elsewhere";
    if (!check_container(reader, head->runs && head->runs[i / 8] >> i % 8 & 1, here))
      return "a container is malformed";
    last = key;
    found += here;
  }
  return found == members ? NULL : "containers hold another number of members";
}

/*
 * Check that bytes are a well-formed bitmap with that many members: CRoaring 0.2 reads no further than the given
 * length, but trusts the content, so that containers out of order or with a wrong count make it write past its arrays.
 * @param what   receives what is wrong
 */
static bool roaring_format_check(const unsigned char *bytes, size_t length, uint64_t members, const char **what)
{
  struct map_reader reader = {.bytes = bytes, .length = length};
  struct head head = {0};
  *what = read_head(&reader, &head) ? check_containers(&reader, &head, members) : "the head is malformed";
  if (!*what && reader.at != length)
    *what = "bytes are of another length";
  return !*what;
}

/* ROARING (Chambi, Lemire, Kaser, Godin 2016; CRoaring): members with the same upper 16 bits share a container, which
 * is a list, a bitmap or runs, whichever is smallest. SELECT and RANK step over the containers before, up to 32,768 of
 * them in the largest world, then search one. */

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
static tutti_status set_bitmap(tutti_map *map, roaring_bitmap_t *bitmap, tutti_error *error)
{
  if (!bitmap)
    return tutti_map_no_memory(map, error);
  roaring_bitmap_shrink_to_fit(bitmap);
  ((struct roaring *)map)->bitmap = bitmap;
  return TUTTI_OK;
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  (void)limits;
  roaring_bitmap_t *bitmap = roaring_bitmap_of_ptr((size_t)map->size, (const uint32_t *)members);
  if (bitmap)
    roaring_bitmap_run_optimize(bitmap);
  return set_bitmap(map, bitmap, error);
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
  roaring_iterator_init(of(map), &iterator);
  roaring_uint32_iterator_move_equalorlarger(&iterator, (uint32_t)select_one(map, first));
  roaring_uint32_iterator_read(&iterator, (uint32_t *)members, (uint32_t)count);
}

static size_t bytes(const tutti_map *map)
{
  const roaring_array_t *containers = &of(map)->high_low_container;
  roaring_statistics_t statistics;
  roaring_bitmap_statistics(of(map), &statistics);
  size_t entry = sizeof *containers->containers + sizeof *containers->keys + sizeof *containers->typecodes;
  return sizeof *of(map) + (size_t)containers->allocation_size * entry + (size_t)containers->size * CONTAINER_BYTES +
         statistics.n_bytes_array_containers + statistics.n_bytes_run_containers + statistics.n_bytes_bitset_containers;
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

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  uint64_t length = tutti_map_read_number(reader, 8);
  const unsigned char *bytes = tutti_map_read_bytes(reader, (size_t)length);
  if (!bytes)
    return tutti_map_malformed(map, "bytes end before the bitmap", error);
  const char *what;
  if (!roaring_format_check(bytes, (size_t)length, (uint64_t)map->size, &what))
    return tutti_map_malformed(map, what, error);
  tutti_status status =
      set_bitmap(map, roaring_bitmap_portable_deserialize_safe((const char *)bytes, (size_t)length), error);
  /* The members ascend, as the containers do; one outside the world is named by the caller. */
  reader->proven = reader->ordered = status == TUTTI_OK && roaring_bitmap_maximum(of(map)) < (uint32_t)map->world;
  return status;
}

static void clear(tutti_map *map)
{
  if (of(map))
    roaring_bitmap_free(of(map));
}

const struct map_operations tutti_map_roaring = {MAP_OPERATIONS(ROARING, roaring), MAP_OWNS_MEMORY,
                                                 .ordered_only = true};
