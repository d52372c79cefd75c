/* ELIAS-FANO: the members of an ordered group, counted from the first, as a sequence of fano.h. SELECT takes constant
 * time, RANK the logarithm of the members with the same high part. */
#include "maps/fano.h"

#include <stdlib.h>

struct elias_fano {
  tutti_map map;
  int first, last;
  struct map_fano members;
};

static const struct elias_fano *of(const tutti_map *map)
{
  return (const struct elias_fano *)map;
}

static void free_elias_fano(tutti_map *map)
{
  tutti_map_fano_free(&((struct elias_fano *)map)->members);
  free(map);
}

static tutti_status create(const int *members, int size, int world, const tutti_map_limits *limits, tutti_map **map,
                           tutti_error *error)
{
  (void)world, (void)limits;
  int first = members[0], last = members[size - 1];
  struct elias_fano *fano = malloc(sizeof *fano);
  if (!fano || !tutti_map_fano_create(&fano->members, size, (int64_t)last - first + 1)) {
    free(fano);
    return tutti_map_no_memory(TUTTI_MAP_ELIAS_FANO, size, error);
  }
  fano->first = first;
  fano->last = last;
  for (int i = 0; i < size; i++)
    tutti_map_fano_put(&fano->members, i, (uint64_t)(members[i] - first));
  tutti_map_fano_seal(&fano->members);
  *map = &fano->map;
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
  return sizeof(struct elias_fano) + tutti_map_fano_bytes(&of(map)->members);
}

static void write(const tutti_map *map, FILE *stream)
{
  tutti_map_write_number(stream, (uint64_t)of(map)->first, 4);
  tutti_map_write_number(stream, (uint64_t)of(map)->last, 4);
  tutti_map_fano_write(&of(map)->members, stream);
}

static tutti_status read_members(tutti_map *map, struct map_reader *reader, int size, int world, tutti_error *error)
{
  struct elias_fano *fano = (struct elias_fano *)map;
  uint64_t first = tutti_map_read_number(reader, 4), last = tutti_map_read_number(reader, 4);
  if (reader->failed || last >= (uint64_t)world || first > last || last - first + 1 < (uint64_t)size)
    return tutti_map_malformed(TUTTI_MAP_ELIAS_FANO, "no room for members from the first to the last", error);
  fano->first = (int)first;
  fano->last = (int)last;
  tutti_status status =
      tutti_map_fano_read(&fano->members, TUTTI_MAP_ELIAS_FANO, reader, size, (int64_t)(last - first) + 1, error);
  if (status != TUTTI_OK)
    return status;
  /* Members ascend within the world if these do. */
  if (tutti_map_fano_get(&fano->members, 0) == 0 &&
      tutti_map_fano_get(&fano->members, size - 1) == (int64_t)(last - first))
    return TUTTI_OK;
  tutti_map_fano_free(&fano->members);
  return tutti_map_malformed(TUTTI_MAP_ELIAS_FANO, "the first or the last member is another", error);
}

static tutti_status read(struct map_reader *reader, int size, int world, tutti_map **map, tutti_error *error)
{
  return tutti_map_read_into(TUTTI_MAP_ELIAS_FANO, sizeof(struct elias_fano), read_members, reader, size, world, map,
                             error);
}

const struct map_operations tutti_map_elias_fano = {.kind = TUTTI_MAP_ELIAS_FANO,
                                                    .attaches = true,
                                                    .ordered_only = true,
                                                    .create = create,
                                                    .select = select_one,
                                                    .rank = rank,
                                                    .select_all = select_all,
                                                    .bytes = bytes,
                                                    .write = write,
                                                    .read = read,
                                                    .free = free_elias_fano};
