/*
 * A set and a permutation (Kamal, Mirtaheri, Wagner 2010, section 5.5): SELECT(rank) = set SELECT(pi(rank)),
 * RANK(member) = pi^-1(set RANK(member)), the set in any ordered representation, pi as in wavelet.h. With few runs, as
 * most group management leaves them, it is small: size * log2(runs) bits besides the set.
 */
#include <stdlib.h>
#include <string.h>

#include "maps/permuted.h"

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
    .create = tutti_map_permuted_create,
    .select = permuted_select,
    .rank = permuted_rank,
    .select_all = permuted_select_all,
    .bytes = permuted_bytes,
    .write = permuted_write,
    .read = tutti_map_permuted_read,
    .free = permuted_free,
};
