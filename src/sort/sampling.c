#include "sort/sampling.h"

#include <math.h>

#include "base/splitmix64.h"

int tutti_sort_sample_count(const tutti_sort_how *how, uint64_t n, int p)
{
  double count = fmax(fmax(how->k1 * log2((double)p), how->k2 * (double)n / p), fmax(how->k3, 1));
  return count < TUTTI_SORT_MOST_SAMPLES ? (int)count : TUTTI_SORT_MOST_SAMPLES;
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
