/* Least significant digit radix sort: stable, linear; a few keys by insertion. */
#include "decision/learners/c45/learner.h"

enum { FEW = 40, MOST_BUCKETS = 256 };

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
  uint32_t starts[MOST_BUCKETS] = {0};
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
