/* Patterns of block exchanges: their rounds, and the order of the positions in them. */
#include <limits.h>
#include <stdlib.h>

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/block_exchange.h"
#include "base/numbers.h"

bool tutti_exchange_pattern(tutti_builder *builder, struct exchange_pattern *pattern, int count, int most)
{
  uint64_t rounds = (uint64_t)count, places = 2 * rounds * (uint64_t)most;
  *pattern = (struct exchange_pattern){tutti_builder_scratch(builder, (rounds + 1) * sizeof *pattern->rounds), count};
  int *at = tutti_builder_scratch(builder, (places + 1) * sizeof *at);
  if (!pattern->rounds || !at)
    return false;
  for (int i = 0; i < count; i++, at += 2 * (size_t)most)
    pattern->rounds[i] = (struct exchange_round){.sent = {at, 0}, .received = {at + most, 0}};
  return true;
}

enum { MAX_WORDS = 128 };

/* Positions differ: up to 8,192 of them are a set of bits. */
static bool sort_in_set(struct positions *positions, int least, int most)
{
  uint64_t set[MAX_WORDS] = {0};
  const int words = (most - least) / 64 + 1;
  int count = 0;
  if (words > MAX_WORDS || words > positions->count)
    return false;
  for (int i = 0; i < positions->count; i++)
    set[(positions->at[i] - least) / 64] |= UINT64_C(1) << (positions->at[i] - least) % 64;
  for (int w = 0; w < words; w++)
    for (uint64_t left = set[w]; left; left &= left - 1)
      positions->at[count++] = least + 64 * w + __builtin_ctzll(left);
  return true;
}

static void sort(struct positions *positions)
{
  int least = INT_MAX, most = INT_MIN;
  bool sorted = true;
  for (int i = 0; i < positions->count; i++) {
    sorted = sorted && positions->at[i] > most;
    least = positions->at[i] < least ? positions->at[i] : least;
    most = positions->at[i] > most ? positions->at[i] : most;
  }
  if (!sorted && !sort_in_set(positions, least, most))
    qsort(positions->at, (size_t)positions->count, sizeof *positions->at, tutti_compare_ints);
}

void tutti_exchange_sort(struct exchange_pattern *pattern)
{
  for (int i = 0; i < pattern->count; i++) {
    sort(&pattern->rounds[i].sent);
    sort(&pattern->rounds[i].received);
  }
}

static void replace(struct positions *positions, const int *position_of)
{
  for (int i = 0; i < positions->count; i++)
    positions->at[i] = position_of[positions->at[i]];
}

void tutti_exchange_reorder(struct exchange_pattern *pattern, const int *position_of)
{
  for (int i = 0; i < pattern->count; i++) {
    replace(&pattern->rounds[i].sent, position_of);
    replace(&pattern->rounds[i].received, position_of);
  }
  tutti_exchange_sort(pattern);
}
