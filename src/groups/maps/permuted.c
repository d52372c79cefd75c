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

static void fill_in_set(tutti_map *set, const struct map_operations *operations, int size, int world)
{
  *set = (tutti_map){.operations = operations, .size = size, .world = world, .ordered = true};
}

/* Maximum bits of the permutation within the limit on bytes. */
static uint64_t bits_limit(const tutti_map_limits *limits)
{
  return limits->bytes > UINT64_MAX / 8 ? 0 : 8 * (uint64_t)limits->bytes;
}

static tutti_status make_order(const int *members, int size, const tutti_map_limits *limits, struct wavelet *order,
                               tutti_error *error)
{
  uint32_t *starts;
  int run_count = tutti_wavelet_runs(members, size, limits->runs, &starts);
  if (run_count == 0)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "permuted: more than %d runs in a group of %d", limits->runs, size);
  if (run_count < 0)
    return tutti_map_no_memory(TUTTI_MAP_PERMUTED, size, error);
  tutti_status status = tutti_wavelet_shape(order, starts, run_count, size, bits_limit(limits), error);
  free(starts);
  return status;
}

static tutti_status make_set(struct permuted *permuted, const int *sorted, int size, int world,
                             const tutti_map_limits *limits, tutti_error *error)
{
  const struct map_operations *operations;
  tutti_map *set = NULL;
  tutti_status status = set_operations(limits->set_kind, &operations, error);
  if (status == TUTTI_OK)
    status = operations->create(sorted, size, world, limits, &set, error);
  if (status != TUTTI_OK)
    return status;
  fill_in_set(set, operations, size, world);
  permuted->set = set;
  return TUTTI_OK;
}

/* The merge that makes the permutation sorts the members for the set. */
static tutti_status make(struct permuted *permuted, const int *members, int size, int world,
                         const tutti_map_limits *limits, tutti_error *error)
{
  tutti_status status = make_order(members, size, limits, &permuted->order, error);
  if (status != TUTTI_OK)
    return status;
  int *sorted = malloc((size_t)size * sizeof *sorted);
  if (!sorted)
    return tutti_map_no_memory(TUTTI_MAP_PERMUTED, size, error);
  memcpy(sorted, members, (size_t)size * sizeof *sorted);
  status = tutti_wavelet_fill(&permuted->order, sorted, error);
  if (status == TUTTI_OK)
    status = make_set(permuted, sorted, size, world, limits, error);
  free(sorted);
  return status;
}

static tutti_status hand_over(struct permuted *permuted, tutti_status status, tutti_map **map)
{
  *map = status == TUTTI_OK ? &permuted->map : NULL;
  if (status != TUTTI_OK)
    tutti_map_permuted.free(&permuted->map);
  return status;
}

static tutti_status map_permuted_create(const int *members, int size, int world, const tutti_map_limits *limits,
                                        tutti_map **map, tutti_error *error)
{
  struct permuted *permuted = calloc(1, sizeof *permuted);
  if (!permuted)
    return tutti_map_no_memory(TUTTI_MAP_PERMUTED, size, error);
  return hand_over(permuted, make(permuted, members, size, world, limits, error), map);
}

/* Kinds that can hold any order might come as bytes that do not ascend. */
static tutti_status read_set(struct map_reader *reader, int size, int world, tutti_map **set, tutti_error *error)
{
  int kind = (int)tutti_map_read_number(reader, 1);
  const struct map_operations *operations;
  bool ordered;
  if (reader->failed || set_operations((tutti_map_kind)kind, &operations, error) != TUTTI_OK)
    return tutti_map_malformed(TUTTI_MAP_PERMUTED, "no such set", error);
  tutti_map *made = NULL;
  tutti_status status = operations->read(reader, size, world, &made, error);
  if (status != TUTTI_OK)
    return status;
  *set = made;
  fill_in_set(made, operations, size, world);
  status = tutti_map_check_read(made, reader, &ordered, error);
  return status != TUTTI_OK || ordered
             ? status
             : tutti_map_malformed(TUTTI_MAP_PERMUTED, "the members of the set do not ascend", error);
}

static tutti_status map_permuted_read(struct map_reader *reader, int size, int world, tutti_map **map,
                                      tutti_error *error)
{
  struct permuted *permuted = calloc(1, sizeof *permuted);
  if (!permuted)
    return tutti_map_no_memory(TUTTI_MAP_PERMUTED, size, error);
  tutti_status status = read_set(reader, size, world, &permuted->set, error);
  if (status == TUTTI_OK)
    status = tutti_wavelet_read(reader, size, &permuted->order, error);
  /* One run is the set as it is; more take bits for each member. */
  reader->proven = reader->ordered = status == TUTTI_OK && permuted->order.node_count == 0;
  return hand_over(permuted, status, map);
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

static int permuted_select(const tutti_map *map, int rank)
{
  const tutti_map *set = permuted_of(map)->set;
  return set->operations->select(set, tutti_wavelet_value(&permuted_of(map)->order, rank));
}

static int permuted_rank(const tutti_map *map, int member)
{
  const tutti_map *set = permuted_of(map)->set;
  int value = set->operations->rank(set, member);
  return value < 0 ? value : tutti_wavelet_place(&permuted_of(map)->order, value);
}

static void set_select_all(const tutti_map *set, int first, int count, int *members)
{
  if (set->operations->select_all)
    set->operations->select_all(set, first, count, members);
  else
    for (int i = 0; i < count; i++)
      members[i] = set->operations->select(set, first + i);
}

/* Values ascend; neighbors in the set are taken from it in one call. */
static void members_of(const tutti_map *set, const uint64_t *values, int count, int *members)
{
  for (int first = 0, next; first < count; first = next) {
    for (next = first + 1; next < count && values[next] == values[next - 1] + 1;)
      next++;
    set_select_all(set, (int)values[first], next - first, members + first);
  }
}

static void permuted_select_all(const tutti_map *map, int first, int count, int *members)
{
  uint64_t values[CHUNK];
  for (int done = 0; done < count;) {
    int rest = count - done < CHUNK ? count - done : CHUNK;
    int taken = tutti_wavelet_values(&permuted_of(map)->order, first + done, rest, values);
    members_of(permuted_of(map)->set, values, taken, members + done);
    done += taken;
  }
}

static size_t permuted_bytes(const tutti_map *map)
{
  const struct permuted *permuted = permuted_of(map);
  return sizeof *permuted + permuted->set->operations->bytes(permuted->set) + tutti_wavelet_bytes(&permuted->order);
}

static void permuted_free(tutti_map *map)
{
  struct permuted *permuted = (struct permuted *)map;
  if (permuted->set)
    permuted->set->operations->free(permuted->set);
  tutti_wavelet_free(&permuted->order);
  free(permuted);
}

static void permuted_write(const tutti_map *map, FILE *stream)
{
  const struct permuted *permuted = permuted_of(map);
  tutti_map_write_number(stream, permuted->set->operations->kind, 1);
  permuted->set->operations->write(permuted->set, stream);
  tutti_wavelet_write(&permuted->order, stream);
}

const struct map_operations tutti_map_permuted = {
    .kind = TUTTI_MAP_PERMUTED,
    .create = map_permuted_create,
    .select = permuted_select,
    .rank = permuted_rank,
    .select_all = permuted_select_all,
    .bytes = permuted_bytes,
    .write = permuted_write,
    .read = map_permuted_read,
    .free = permuted_free,
};
