#include "harness/measure/sort/sort_input.h"

#include <string.h>

#include "base/splitmix64.h"
#include "base/words.h"

static const char *const distributions[SORT_DISTRIBUTIONS] = {"uniform",  "equal",     "few",   "sorted",
                                                              "reversed", "staggered", "single"};
static const char *const kinds[SORT_KINDS] = {"double", "int64", "struct"};

enum { FEW = 8 };

/* An element of KIND_STRUCT. */
struct thing {
  uint64_t key, rank, index;
};

/* ---- names ---- */

const char *sort_distribution_name(int distribution)
{
  return tutti_word_of(distributions, SORT_DISTRIBUTIONS, distribution);
}

const char *sort_kind_name(int kind)
{
  return tutti_word_of(kinds, SORT_KINDS, kind);
}

int sort_distribution_find(const char *name)
{
  return tutti_word_find(distributions, SORT_DISTRIBUTIONS, name);
}

int sort_kind_find(const char *name)
{
  return tutti_word_find(kinds, SORT_KINDS, name);
}

/* ---- keys ---- */

/* The key of element `index` of a process: any 64 bits, larger ones later. */
static uint64_t draw_key(const struct sort_input *input, uint64_t index, uint64_t *random)
{
  uint64_t size = (uint64_t)input->size, rank = (uint64_t)input->rank, any = tutti_splitmix64_next(random);
  uint64_t all = size * input->count, place = rank * input->count + index, part = UINT64_MAX / size;
  switch (input->distribution) {
  case DISTRIBUTION_EQUAL:
    return UINT64_C(1) << 62;
  case DISTRIBUTION_FEW:
    return any % FEW * (UINT64_MAX / FEW);
  case DISTRIBUTION_SORTED:
    return place * (UINT64_MAX / all);
  case DISTRIBUTION_REVERSED:
    return (all - 1 - place) * (UINT64_MAX / all);
  case DISTRIBUTION_STAGGERED:
    return any % part + (rank < size / 2 ? 2 * rank + 1 : 2 * rank - size / 2 * 2) * part;
  default:
    return any;
  }
}

/* Fifty-three bits, so that different keys mostly give different doubles; 0 <= x < 1. */
static double real_of(uint64_t key)
{
  return (double)(key >> 11) * 0x1p-53;
}

static void write_element(const struct sort_input *input, uint64_t key, uint64_t index, void *element)
{
  const struct thing thing = {key, (uint64_t)input->rank, index};
  const double real = real_of(key);
  const uint64_t whole = key ^ UINT64_C(1) << 63; /* the bits of a signed number */
  if (input->kind == KIND_DOUBLE)
    memcpy(element, &real, sizeof real);
  else if (input->kind == KIND_INT64)
    memcpy(element, &whole, sizeof whole);
  else
    memcpy(element, &thing, sizeof thing);
}

uint64_t sort_key_of(enum sort_kind kind, const void *element)
{
  uint64_t bits;
  memcpy(&bits, element, sizeof bits);
  if (kind == KIND_INT64)
    return bits ^ UINT64_C(1) << 63;
  return bits; /* doubles that are not negative are ordered as their bits are */
}

/* ---- elements ---- */

static int compare_things(const void *left, const void *right, void *context)
{
  const struct thing *a = left, *b = right;
  (void)context;
  return (a->key > b->key) - (a->key < b->key);
}

tutti_sort_type sort_kind_type(enum sort_kind kind)
{
  if (kind == KIND_STRUCT)
    return (tutti_sort_type){sizeof(struct thing), compare_things, NULL};
  return kind == KIND_INT64 ? tutti_sort_int64() : tutti_sort_double();
}

uint64_t sort_input_count(const struct sort_input *input)
{
  if (input->distribution != DISTRIBUTION_SINGLE)
    return input->count;
  return input->rank == 0 ? input->count * (uint64_t)input->size : 0;
}

void sort_input_fill(const struct sort_input *input, void *data)
{
  size_t bytes = sort_kind_type(input->kind).size;
  uint64_t count = sort_input_count(input),
           random = tutti_splitmix64(input->seed * (uint64_t)INT32_MAX + (uint64_t)input->rank);
  for (uint64_t i = 0; i < count; i++)
    write_element(input, draw_key(input, i, &random), i, (char *)data + i * bytes);
}

uint64_t sort_fingerprint(enum sort_kind kind, const void *data, uint64_t count)
{
  size_t words = sort_kind_type(kind).size / sizeof(uint64_t);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t mixed = 0, word;
    for (size_t w = 0; w < words; w++) {
      memcpy(&word, (const char *)data + (i * words + w) * sizeof word, sizeof word);
      mixed = tutti_splitmix64(mixed + word + 1);
    }
    sum += mixed;
  }
  return sum;
}
