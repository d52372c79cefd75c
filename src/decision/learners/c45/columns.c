/* Values of continuous attributes to dense ranks, once; and the radix sort of ranks: by the least significant digit
 * first, stable, linear; a few keys by insertion. */
#include "decision/learners/c45/learner.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- sorting ---- */

enum { FEW = 40, MAX_BUCKETS = 256 };

static void insert(uint64_t *keys, size_t count, int low_bit, uint64_t mask)
{
  for (size_t i = 1; i < count; i++) {
    uint64_t key = keys[i], digit = (key >> low_bit) & mask;
    size_t j = i;
    for (; j > 0 && ((keys[j - 1] >> low_bit) & mask) > digit; j--)
      keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

/* One pass; false if all keys have the same digit. */
static bool pass(const uint64_t *from, uint64_t *to, size_t count, int bit, uint64_t mask)
{
  uint32_t starts[MAX_BUCKETS] = {0};
  for (size_t i = 0; i < count; i++)
    starts[(from[i] >> bit) & mask]++;
  if (starts[(from[0] >> bit) & mask] == count)
    return false;
  uint32_t sum = 0;
  for (size_t b = 0; b <= mask; b++) {
    uint32_t size = starts[b];
    starts[b] = sum;
    sum += size;
  }
  for (size_t i = 0; i < count; i++)
    to[starts[(from[i] >> bit) & mask]++] = from[i];
  return true;
}

void tutti_c45_sort(uint64_t **keys, uint64_t **other, size_t count, int low_bit, int high_bit)
{
  int bits = high_bit - low_bit;
  if (count <= FEW) {
    insert(*keys, count, low_bit, bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX);
    return;
  }
  for (int bit = low_bit; bit < high_bit; bit += 8) {
    uint64_t mask = high_bit - bit < 8 ? (UINT64_C(1) << (high_bit - bit)) - 1 : 255;
    if (pass(*keys, *other, count, bit, mask)) {
      uint64_t *swap = *keys;
      *keys = *other;
      *other = swap;
    }
  }
}

/* ---- ranks ---- */

/* An integer in the order of the numbers; -0 is 0. */
static uint64_t ordered(double value)
{
  uint64_t bits;
  value += 0.0;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double unordered(uint64_t key)
{
  double value;
  uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t drop_repeats(uint64_t *keys, size_t count)
{
  uint32_t distinct = 0;
  for (size_t i = 0; i < count; i++)
    if (distinct == 0 || keys[i] != keys[distinct - 1])
      keys[distinct++] = keys[i];
  return distinct;
}

static uint32_t rank_of(const uint64_t *keys, uint32_t distinct, uint64_t key)
{
  uint32_t low = 0, high = distinct;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (keys[middle] <= key)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void rank_continuous(c45_learner *l, const double *values, c45_column *column)
{
  size_t count = l->cases->count, known = 0;
  for (size_t i = 0; i < count; i++)
    if (!isnan(values[i]))
      l->keys[known++] = ordered(values[i]);
  column->complete = known == count;
  tutti_c45_sort(&l->keys, &l->sorted, known, 0, 64);
  column->distinct = drop_repeats(l->keys, known);
  column->values = tutti_xcalloc(column->distinct, sizeof *column->values);
  for (uint32_t r = 0; r < column->distinct; r++)
    column->values[r] = unordered(l->keys[r]);
  for (size_t i = 0; i < count; i++)
    column->ranks[i] = isnan(values[i]) ? C45_UNKNOWN : rank_of(l->keys, column->distinct, ordered(values[i]));
}

static void rank_discrete(const c45_learner *l, int attribute, c45_column *column)
{
  const double *values = l->cases->values[attribute];
  column->distinct = (uint32_t)l->cases->attributes[attribute].value_count;
  for (size_t i = 0; i < l->cases->count; i++)
    column->ranks[i] = isnan(values[i]) ? C45_UNKNOWN : (uint32_t)values[i];
}

uint32_t tutti_c45_ranks_up_to(const c45_column *column, double value)
{
  uint32_t low = 0, high = column->distinct;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (column->values[middle] <= value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void tutti_c45_rank_columns(c45_learner *l)
{
  for (int a = 0; a < l->cases->attribute_count; a++) {
    c45_column *column = &l->columns[a];
    if (l->cases->attributes[a].ignored)
      continue;
    column->ranks = tutti_xcalloc(l->cases->count, sizeof *column->ranks);
    if (l->cases->attributes[a].value_count > 0)
      rank_discrete(l, a, column);
    else
      rank_continuous(l, l->cases->values[a], column);
  }
}
