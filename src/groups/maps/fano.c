#include "groups/maps/bits.h"

#include <stdlib.h>

static int width_of(int count, int64_t bound)
{
  int width = 0;
  for (int64_t ratio = bound / count; ratio > 1; ratio /= 2)
    width++;
  return width;
}

static uint64_t high_length(int count, int64_t bound)
{
  return (uint64_t)count + ((uint64_t)(bound - 1) >> width_of(count, bound)) + 1;
}

static size_t low_words(const struct map_fano *fano)
{
  return (size_t)((uint64_t)fano->count * (uint64_t)fano->width / 64) + 2;
}

bool tutti_map_fano_create(struct map_fano *fano, int count, int64_t bound)
{
  *fano = (struct map_fano){.count = count, .width = width_of(count, bound)};
  fano->low = calloc(low_words(fano), sizeof *fano->low);
  if (!fano->low)
    return false;
  if (tutti_map_bits_create(&fano->high, high_length(count, bound)))
    return true;
  tutti_map_fano_free(fano);
  return false;
}

static void put_low(struct map_fano *fano, int i, uint64_t bits)
{
  uint64_t at = (uint64_t)i * (uint64_t)fano->width;
  fano->low[at / 64] |= bits << at % 64;
  if (at % 64)
    fano->low[at / 64 + 1] |= bits >> (64 - at % 64);
}

void tutti_map_fano_put(struct map_fano *fano, int i, uint64_t number)
{
  map_bits_set(&fano->high, (number >> fano->width) + (uint64_t)i);
  put_low(fano, i, number & ((UINT64_C(1) << fano->width) - 1));
}

void tutti_map_fano_seal(struct map_fano *fano)
{
  tutti_map_bits_count(&fano->high);
}

void tutti_map_fano_free(struct map_fano *fano)
{
  tutti_map_bits_free(&fano->high);
  if (!fano->attached)
    free(fano->low);
  fano->low = NULL;
}

size_t tutti_map_fano_bytes(const struct map_fano *fano)
{
  return tutti_map_bits_bytes(&fano->high) + (fano->attached ? 0 : low_words(fano) * sizeof *fano->low);
}

int64_t tutti_map_fano_get(const struct map_fano *fano, int i)
{
  return map_fano_at(fano, i, tutti_map_bits_select(&fano->high, (uint64_t)i));
}

/* The numbers with the same high part are between two zeros of the string, and their low bits do not descend. */
int tutti_map_fano_below(const struct map_fano *fano, uint64_t number)
{
  uint64_t high = number >> fano->width, wanted = number & ((UINT64_C(1) << fano->width) - 1);
  uint64_t from = high ? tutti_map_bits_select_zero(&fano->high, high - 1) + 1 : 0;
  int low = (int)(from - high), top = (int)(map_bits_next_zero(&fano->high, from) - high);
  while (low < top) {
    int middle = low + (top - low) / 2;
    if (map_fano_low(fano, middle) < wanted)
      low = middle + 1;
    else
      top = middle;
  }
  return low;
}

void tutti_map_fano_write(const struct map_fano *fano, FILE *stream)
{
  tutti_map_bits_write(&fano->high, stream);
  tutti_map_write_words(fano->low, low_words(fano), stream);
}

/* Whether the string is complete, with no bit after the last number. */
static bool ends_well(const struct map_fano *fano)
{
  uint64_t length = (uint64_t)fano->count * (uint64_t)fano->width;
  bool above = fano->low[length / 64] >> length % 64;
  for (uint64_t i = length / 64 + 1; i < low_words(fano); i++)
    above = above || fano->low[i];
  return !above;
}

static tutti_status take_low(struct map_fano *fano, const tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  const unsigned char *from = tutti_map_read_bytes(reader, 8 * low_words(fano));
  if (!from)
    return tutti_map_malformed(map, "bytes end before the last low bit", error);
  fano->attached = reader->attach;
  fano->low = fano->attached ? tutti_map_words_in_place(from) : calloc(low_words(fano), sizeof *fano->low);
  if (!fano->low)
    return tutti_map_no_memory(map, error);
  if (!fano->attached)
    tutti_map_take_words(fano->low, low_words(fano), from);
  return ends_well(fano) ? TUTTI_OK : tutti_map_malformed(map, "bits after the last low bit are set", error);
}

tutti_status tutti_map_fano_read(struct map_fano *fano, const tutti_map *map, struct map_reader *reader, int count,
                                 int64_t bound, tutti_error *error)
{
  *fano = (struct map_fano){.count = count, .width = width_of(count, bound)};
  tutti_status status = tutti_map_bits_read(&fano->high, map, reader, high_length(count, bound), count, error);
  return status == TUTTI_OK ? take_low(fano, map, reader, error) : status;
}

/* ELIAS-FANO: the members of an ordered group, counted from the first, as a sequence of fano.h. SELECT takes constant
 * time, RANK the logarithm of the members with the same high part. */

struct elias_fano {
  tutti_map map;
  int first, last;
  struct map_fano members;
};

static const struct elias_fano *of(const tutti_map *map)
{
  return (const struct elias_fano *)map;
}

static void clear(tutti_map *map)
{
  tutti_map_fano_free(&((struct elias_fano *)map)->members);
}

static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  (void)limits;
  struct elias_fano *fano = (struct elias_fano *)map;
  fano->first = members[0];
  fano->last = members[map->size - 1];
  if (!tutti_map_fano_create(&fano->members, map->size, (int64_t)fano->last - fano->first + 1))
    return tutti_map_no_memory(map, error);
  for (int i = 0; i < map->size; i++)
    tutti_map_fano_put(&fano->members, i, (uint64_t)(members[i] - fano->first));
  tutti_map_fano_seal(&fano->members);
  return TUTTI_OK;
}

static int select_one(const tutti_map *map, int rank)
{
  return (int)(of(map)->first + tutti_map_fano_get(&of(map)->members, rank));
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  const struct map_fano *fano = &of(map)->members;
  struct map_bits_walk walk = map_bits_walk(&fano->high, tutti_map_bits_select(&fano->high, (uint64_t)first));
  for (int i = 0; i < count; i++)
    members[i] = (int)(of(map)->first + map_fano_at(fano, first + i, map_bits_next(&walk)));
}

static int rank(const tutti_map *map, int member)
{
  const struct elias_fano *fano = of(map);
  if (member < fano->first || member > fano->last)
    return -1;
  int rank = tutti_map_fano_below(&fano->members, (uint64_t)(member - fano->first));
  return rank < map->size && select_one(map, rank) == member ? rank : -1;
}

static size_t bytes(const tutti_map *map)
{
  return tutti_map_fano_bytes(&of(map)->members);
}

static void write(const tutti_map *map, FILE *stream)
{
  tutti_map_write_number(stream, (uint64_t)of(map)->first, 4);
  tutti_map_write_number(stream, (uint64_t)of(map)->last, 4);
  tutti_map_fano_write(&of(map)->members, stream);
}

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  struct elias_fano *fano = (struct elias_fano *)map;
  uint64_t first = tutti_map_read_number(reader, 4), last = tutti_map_read_number(reader, 4);
  if (reader->failed || last >= (uint64_t)map->world || first > last || last - first + 1 < (uint64_t)map->size)
    return tutti_map_malformed(map, "no room for members from the first to the last", error);
  fano->first = (int)first;
  fano->last = (int)last;
  tutti_status status = tutti_map_fano_read(&fano->members, map, reader, map->size, (int64_t)(last - first) + 1, error);
  /* Members ascend within the world if these do. */
  if (status != TUTTI_OK || (tutti_map_fano_get(&fano->members, 0) == 0 &&
                             tutti_map_fano_get(&fano->members, map->size - 1) == (int64_t)(last - first)))
    return status;
  return tutti_map_malformed(map, "the first or the last member is another", error);
}

const struct map_operations tutti_map_elias_fano = {MAP_OPERATIONS(ELIAS_FANO, elias_fano), MAP_OWNS_MEMORY,
                                                    .attaches = true, .ordered_only = true};
