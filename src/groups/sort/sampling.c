/* Sorting, partitioning and sampling the elements of one process. */
#include "groups/sort/sampling.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"

void tutti_sort_array(const tutti_sort_type *type, void *data, uint64_t count)
{
  if (count > 1)
    qsort_r(data, (size_t)count, type->size, type->compare, type->context);
}

/* ---- quickselect (Hoare 1961), in three parts so that duplicates do no harm (Dijkstra's Dutch flag) ---- */

static void swap(const tutti_sort_type *type, char *left, char *right)
{
  enum { PIECE = 64 };
  char piece[PIECE];
  for (size_t done = 0; left != right && done < type->size; done += PIECE) {
    size_t size = type->size - done < PIECE ? type->size - done : PIECE;
    memcpy(piece, left + done, size);
    memcpy(left + done, right + done, size);
    memcpy(right + done, piece, size);
  }
}

static int compare(const tutti_sort_type *type, const void *left, const void *right)
{
  return type->compare(left, right, type->context);
}

/* Elements low .. high - 1 into those less than, equal to, and greater than the one at `low`, which moves along as the
   first of the equal ones: they are *equal .. *greater - 1. */
static void part(const tutti_sort_type *type, char *data, uint64_t low, uint64_t high, uint64_t *equal,
                 uint64_t *greater)
{
  uint64_t less = low, next = low + 1;
  while (next < high) {
    int order = compare(type, sort_at(type, data, next), sort_at(type, data, less));
    if (order < 0)
      swap(type, sort_at(type, data, less++), sort_at(type, data, next++));
    else if (order > 0)
      swap(type, sort_at(type, data, next), sort_at(type, data, --high));
    else
      next++;
  }
  *equal = less;
  *greater = high;
}

void tutti_sort_select(const tutti_sort_type *type, void *data, uint64_t count, uint64_t first)
{
  uint64_t low = 0, high = count, random = count, equal, greater;
  while (high - low > 1 && first > low && first < high) {
    uint64_t pivot = low + tutti_splitmix64_next(&random) % (high - low);
    swap(type, sort_at(type, data, low), sort_at(type, data, pivot));
    part(type, data, low, high, &equal, &greater);
    if (first >= equal && first <= greater)
      return;
    if (first < equal)
      high = equal;
    else
      low = greater;
  }
}

/* ---- partition ---- */

struct sort_counts tutti_sort_partition(const tutti_sort_type *type, const void *from, uint64_t count,
                                        const void *pivot, void *to)
{
  struct sort_counts counts = {0, 0};
  for (uint64_t i = 0; i < count; i++) {
    int order = compare(type, sort_at(type, from, i), pivot);
    counts.less += order < 0;
    counts.equal += order == 0;
  }
  uint64_t next[3] = {0, counts.less, counts.less + counts.equal};
  for (uint64_t i = 0; i < count; i++) {
    const char *element = sort_at(type, from, i);
    int order = compare(type, element, pivot);
    memcpy(sort_at(type, to, next[(order >= 0) + (order > 0)]++), element, type->size);
  }
  return counts;
}

int tutti_sort_sample_count(const tutti_sort_how *how, uint64_t n, int p)
{
  double count = fmax(fmax(how->k1 * log2((double)p), how->k2 * (double)n / p), fmax(how->k3, 1));
  return count < TUTTI_SORT_MAX_SAMPLES ? (int)count : TUTTI_SORT_MAX_SAMPLES;
}

uint64_t tutti_sort_task_seed(uint64_t seed, uint64_t low, uint64_t high)
{
  return tutti_splitmix64(tutti_splitmix64(tutti_splitmix64(seed) + low) + high);
}

uint64_t tutti_sort_sample_position(uint64_t seed, uint64_t sample, uint64_t count)
{
  return tutti_splitmix64(tutti_splitmix64(seed + 1) + sample) % count;
}

/* ---- binomial numbers ---- */

/* 0 <= x < 1, a multiple of 2^-53. */
static double uniform(uint64_t *state)
{
  return (double)(tutti_splitmix64_next(state) >> 11) * 0x1p-53;
}

/* How many of `trials` coins show heads. */
static uint64_t heads(uint64_t trials, uint64_t *state)
{
  uint64_t sum = 0;
  for (; trials >= 64; trials -= 64)
    sum += (uint64_t)__builtin_popcountll(tutti_splitmix64_next(state));
  if (trials > 0)
    sum += (uint64_t)__builtin_popcountll(tutti_splitmix64_next(state) >> (64 - trials));
  return sum;
}

/* How many of `trials` dice with `sides` sides show the first one. */
static uint64_t hits(uint64_t trials, uint64_t sides, uint64_t *state)
{
  enum { FEW_SIDES = 128 }; /* beyond them hits are few, and the probability of none does not underflow */
  uint64_t sum = 0;
  if (sides <= FEW_SIDES) {
    for (uint64_t i = 0; i < trials; i++)
      sum += tutti_splitmix64_next(state) % sides == 0;
    return sum;
  }
  double odds = 1 / (double)(sides - 1), probability = 1, rest = uniform(state);
  for (uint64_t i = 0; i < trials; i++)
    probability *= 1 - 1 / (double)sides;
  for (; rest >= probability && sum < trials; sum++) { /* by inversion */
    rest -= probability;
    probability *= odds * (double)(trials - sum) / (double)(sum + 1);
  }
  return sum;
}

/* How many of `samples` from `length` positions are in the first floor(length / 2) of them. A coin that is fair, save
   that heads are called tails once in `length` times: (1 - 1 / length) / 2 = floor(length / 2) / length for odd ones.
 */
static uint64_t in_first_half(uint64_t samples, uint64_t length, uint64_t *state)
{
  uint64_t first = heads(samples, state);
  return length % 2 ? first - hits(first, length, state) : first;
}

uint64_t tutti_sort_samples_before(uint64_t seed, uint64_t n, uint64_t samples, uint64_t position)
{
  uint64_t low = 0, high = n, before = 0;
  while (position > low && position < high && samples > 0) {
    uint64_t state = tutti_sort_task_seed(seed, low, high);
    uint64_t middle = low + (high - low) / 2, first = in_first_half(samples, high - low, &state);
    if (position <= middle) {
      high = middle;
      samples = first;
    } else {
      low = middle;
      before += first;
      samples -= first;
    }
  }
  return position >= high ? before + samples : before;
}

/* ---- the cut ---- */

static uint64_t distance(uint64_t a, uint64_t b)
{
  return a > b ? a - b : b - a;
}

struct sort_cut tutti_sort_cut(uint64_t less, uint64_t equal, uint64_t total)
{
  uint64_t most = less + equal;
  if (equal == total)
    return (struct sort_cut){total, true, true};
  bool with_equal = less == 0 || (most < total && distance(most, total - most) < distance(less, total - less));
  return (struct sort_cut){with_equal ? most : less, with_equal, false};
}
