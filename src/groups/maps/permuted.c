/* A set and a permutation from members or from bytes. */
#include <stdlib.h>
#include <string.h>

#include "groups/maps/map_private.h"
#include "groups/maps/wavelet.h"

struct permuted {
  tutti_map map;
  tutti_map *set;       /* ordered, never TUTTI_MAP_PERMUTED; its common part filled in */
  struct wavelet order; /* rank -> rank in the set */
};

static tutti_status set_operations(tutti_map_kind kind, const struct map_operations **operations, tutti_error *error)
{
  if (kind == TUTTI_MAP_PERMUTED)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "permuted: the set of a permuted map cannot be permuted itself");
  return tutti_map_operations_of(kind, operations, error);
}

/* Maximum bits of the permutation within the limit on bytes. */
static uint64_t bits_limit(const tutti_map_limits *limits)
{
  return limits->bytes > UINT64_MAX / 8 ? 0 : 8 * (uint64_t)limits->bytes;
}

static tutti_status make_order(struct permuted *permuted, const int *members, const tutti_map_limits *limits,
                               tutti_error *error)
{
  uint32_t *starts;
  int size = permuted->map.size;
  int run_count = tutti_wavelet_runs(members, size, limits->runs, &starts);
  if (run_count == 0)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "permuted: more than %d runs in a group of %d", limits->runs, size);
  if (run_count < 0)
    return tutti_map_no_memory(&permuted->map, error);
  tutti_status status = tutti_wavelet_shape(&permuted->order, starts, run_count, size, bits_limit(limits), error);
  free(starts);
  return status;
}

static tutti_status make_set(struct permuted *permuted, const int *sorted, const tutti_map_limits *limits,
                             tutti_error *error)
{
  const struct map_operations *operations;
  tutti_status status = set_operations(limits->set_kind, &operations, error);
  return status == TUTTI_OK ? tutti_map_create_by(operations, sorted, permuted->map.size, permuted->map.world, limits,
                                                  true, &permuted->set, error)
                            : status;
}

/* The merge that makes the permutation sorts the members for the set. */
static tutti_status create(tutti_map *map, const int *members, const tutti_map_limits *limits, tutti_error *error)
{
  struct permuted *permuted = (struct permuted *)map;
  tutti_status status = make_order(permuted, members, limits, error);
  if (status != TUTTI_OK)
    return status;
  int *sorted = malloc((size_t)map->size * sizeof *sorted);
  if (!sorted)
    return tutti_map_no_memory(map, error);
  memcpy(sorted, members, (size_t)map->size * sizeof *sorted);
  status = tutti_wavelet_fill(&permuted->order, sorted, error);
  if (status == TUTTI_OK)
    status = make_set(permuted, sorted, limits, error);
  free(sorted);
  return status;
}

/* Kinds that can hold any order might come as bytes that do not ascend. */
static tutti_status read_set(struct permuted *permuted, struct map_reader *reader, tutti_error *error)
{
  int kind = (int)tutti_map_read_number(reader, 1);
  const struct map_operations *operations;
  const tutti_map *map = &permuted->map;
  if (reader->failed || set_operations((tutti_map_kind)kind, &operations, error) != TUTTI_OK)
    return tutti_map_malformed(map, "no such set", error);
  tutti_status status = tutti_map_read_by(operations, reader, map->size, map->world, &permuted->set, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_map_check_read(permuted->set, reader, &permuted->set->ordered, error);
  return status != TUTTI_OK || permuted->set->ordered
             ? status
             : tutti_map_malformed(map, "the members of the set do not ascend", error);
}

static tutti_status read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  struct permuted *permuted = (struct permuted *)map;
  tutti_status status = read_set(permuted, reader, error);
  if (status == TUTTI_OK)
    status = tutti_wavelet_read(reader, map->size, &permuted->order, error);
  /* One run is the set as it is; more take bits for each member. */
  reader->proven = reader->ordered = status == TUTTI_OK && permuted->order.node_count == 0;
  return status;
}

/*
 * A set and a permutation (Kamal, Mirtaheri, Wagner 2010, section 5.5): SELECT(rank) = set SELECT(pi(rank)),
 * RANK(member) = pi^-1(set RANK(member)), the set in any ordered representation, pi as in wavelet.h. With few runs, as
 * most group management leaves them, it is small: size * log2(runs) bits besides the set.
 */

enum { CHUNK = 64 };

static const struct permuted *permuted_of(const tutti_map *map)
{
  return (const struct permuted *)map;
}

static int select_one(const tutti_map *map, int rank)
{
  const tutti_map *set = permuted_of(map)->set;
  return set->operations->select(set, tutti_wavelet_value(&permuted_of(map)->order, rank));
}

static int rank(const tutti_map *map, int member)
{
  const tutti_map *set = permuted_of(map)->set;
  int value = set->operations->rank(set, member);
  return value < 0 ? value : tutti_wavelet_place(&permuted_of(map)->order, value);
}

/* Values ascend; neighbors in the set are taken from it in one call. */
static void members_of(const tutti_map *set, const uint64_t *values, int count, int *members)
{
  for (int first = 0, next; first < count; first = next) {
    for (next = first + 1; next < count && values[next] == values[next - 1] + 1;)
      next++;
    tutti_map_select_all(set, (int)values[first], next - first, members + first);
  }
}

static void select_all(const tutti_map *map, int first, int count, int *members)
{
  uint64_t values[CHUNK];
  for (int done = 0; done < count;) {
    int rest = count - done < CHUNK ? count - done : CHUNK;
    int taken = tutti_wavelet_values(&permuted_of(map)->order, first + done, rest, values);
    members_of(permuted_of(map)->set, values, taken, members + done);
    done += taken;
  }
}

static size_t bytes(const tutti_map *map)
{
  const struct permuted *permuted = permuted_of(map);
  return tutti_map_bytes(permuted->set) + tutti_wavelet_bytes(&permuted->order);
}

static void clear(tutti_map *map)
{
  struct permuted *permuted = (struct permuted *)map;
  tutti_map_free(permuted->set);
  tutti_wavelet_free(&permuted->order);
}

static void write(const tutti_map *map, FILE *stream)
{
  const struct permuted *permuted = permuted_of(map);
  tutti_map_write_number(stream, permuted->set->operations->kind, 1);
  permuted->set->operations->write(permuted->set, stream);
  tutti_wavelet_write(&permuted->order, stream);
}

const struct map_operations tutti_map_permuted = {MAP_OPERATIONS(PERMUTED, permuted), MAP_OWNS_MEMORY};
