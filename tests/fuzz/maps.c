/* Serialized group maps: what is read is a map, whose SELECT and RANK are inverses, and is written and read the same.
 */
#include "kinds.h"
#include "tutti/map.h"
#include "unit/base/random.h"

/* ---- seeds ---- */

/* Ascending members, one of every `sparsity` in random places or all in one run; shuffled pairs unless ordered. */
static int draw(int *members, int world, int sparsity, bool ordered)
{
  uint64_t state = (uint64_t)world + (uint64_t)sparsity;
  int size = 0;
  for (int m = 0; m < world; m++)
    if (sparsity == 1 ? m >= world / 3 : random_below(&state, (uint64_t)sparsity) == 0)
      members[size++] = m;
  for (int i = 0; i + 1 < size && !ordered; i += 7) {
    int first = members[i];
    members[i] = members[i + 1];
    members[i + 1] = first;
  }
  return size;
}

static void add(fuzz_seeds *seeds, const tutti_map *map)
{
  tutti_error error;
  unsigned char *bytes;
  size_t length;
  seeds->texts = reallocarray(seeds->texts, seeds->count + 1, sizeof *seeds->texts);
  if (!seeds->texts || tutti_map_serialize(map, &bytes, &length, &error) != TUTTI_OK)
    abort();
  seeds->texts[seeds->count] = fuzz_text_create();
  fuzz_text_set(&seeds->texts[seeds->count++], (const char *)bytes, length);
  free(bytes);
}

/* What a kind cannot represent is left to the others. */
static void add_group(fuzz_seeds *seeds, tutti_map_kind kind, int world, int sparsity)
{
  tutti_map *map;
  tutti_error error;
  bool ordered = kind != TUTTI_MAP_ARRAY && kind != TUTTI_MAP_PERMUTED && kind != TUTTI_MAP_BWT;
  int *members = malloc((size_t)world * sizeof *members);
  if (!members)
    abort();
  int size = draw(members, world, sparsity, ordered);
  if (tutti_map_create(kind, members, size, world, NULL, &map, &error) == TUTTI_OK) {
    add(seeds, map);
    tutti_map_free(map);
  }
  free(members);
}

void fuzz_make_maps(fuzz_seeds *seeds)
{
  static const int worlds[] = {3, 60, 4000};
  static const int sparsities[] = {1, 2, 20};
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++)
    for (size_t w = 0; w < sizeof worlds / sizeof *worlds; w++)
      for (size_t s = 0; s < sizeof sparsities / sizeof *sparsities; s++)
        add_group(seeds, (tutti_map_kind)kind, worlds[w], sparsities[s]);
}

/* ---- reading ---- */

/* From memory of just that length, so that a sanitizer sees who reads beyond it. */
static bool read_map(const fuzz_trial *trial, const void *bytes, size_t length, tutti_map **map)
{
  tutti_error error = {0};
  unsigned char *copy = malloc(length);
  if (length > 0 && !copy)
    abort();
  if (length > 0)
    memcpy(copy, bytes, length);
  bool taken = fuzz_taken(trial, tutti_map_deserialize(copy, length, map, &error), &error, NULL);
  free(copy);
  return taken;
}

static unsigned char *write_map(const fuzz_trial *trial, const tutti_map *map, size_t *length)
{
  tutti_error error = {0};
  unsigned char *bytes = NULL;
  fuzz_good(trial, "serialising", tutti_map_serialize(map, &bytes, length, &error), &error);
  return bytes;
}

static void check_same(const fuzz_trial *trial, const tutti_map *map, const tutti_map *again)
{
  int size = tutti_map_size(map);
  if (tutti_map_size(again) != size || tutti_map_world(again) != tutti_map_world(map))
    fuzz_fail(trial, "read again, %d members are %d", size, tutti_map_size(again));
  for (int r = 0; r < size; r += 1 + size / 1000)
    if (tutti_map_select(again, r) != tutti_map_select(map, r))
      fuzz_fail(trial, "read again, rank %d is another member", r);
}

static void check_again(const fuzz_trial *trial, const tutti_map *map)
{
  size_t length, same;
  tutti_map *again;
  unsigned char *bytes = write_map(trial, map, &length);
  if (!read_map(trial, bytes, length, &again))
    fuzz_fail(trial, "what was serialised does not read");
  check_same(trial, map, again);
  unsigned char *twice = write_map(trial, again, &same);
  if (same != length || memcmp(bytes, twice, length) != 0)
    fuzz_fail(trial, "serialised, read and serialised, the bytes differ");
  tutti_map_free(again);
  free(bytes);
  free(twice);
}

bool fuzz_feed_map(const fuzz_trial *trial)
{
  enum { FEW = 1 << 20 }; /* a range of 2^31 members is right, and takes long */
  tutti_map *map;
  tutti_error error = {0};
  if (!read_map(trial, trial->text->bytes, trial->text->length, &map))
    return false;
  if (tutti_map_size(map) <= FEW) {
    fuzz_good(trial, "validating", tutti_map_validate(map, &error), &error);
    check_again(trial, map);
  }
  tutti_map_free(map);
  return true;
}
