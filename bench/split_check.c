/* Check of the sizes and the ranks of a split. Every process adds marks of its place, pseudo-random 64-bit numbers, so
   that it takes one small reduction at any scale. */
#include <stdlib.h>

#include "split.h"

static void add_place(int process, int color, const struct place *place, struct split_sums *sums)
{
  sums->values[SUM_ORDER] += tutti_group_sample_mark(process, place->rank);
  sums->values[SUM_RANKS] += tutti_group_sample_mark(place->rank, color);
  sums->values[SUM_SIZES] += tutti_group_sample_mark(place->size, color);
  sums->values[SUM_FAULTS] += (uint64_t)place->faults;
}

static void add_all(const tutti_group_sample *sample, int *sizes, int *next, struct split_sums *sums)
{
  for (int i = 0; i < sample->size; i++)
    sizes[tutti_group_sample_color(sample, i)]++;
  for (int i = 0; i < sample->size; i++) {
    int color = tutti_group_sample_color(sample, i);
    struct place place = {.size = sizes[color], .rank = next[color]++};
    add_place(i, color, &place, sums);
  }
}

tutti_status split_expect(const tutti_group_sample *sample, struct split_sums *expected, tutti_error *error)
{
  size_t colors = (size_t)sample->colors;
  int *counters = calloc(2 * colors, sizeof *counters);
  *expected = (struct split_sums){.values = {0}};
  if (!counters)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu colours", colors);
  add_all(sample, counters, counters + colors, expected);
  free(counters);
  return TUTTI_OK;
}

tutti_status split_check(const tutti_view *view, const tutti_group_sample *sample, const struct split_sums *expected,
                         const struct place *place, bool ordered, const char *way, tutti_error *error)
{
  static const char *const what[SPLIT_SUMS] = {"order", "ranks", "sizes", "members"};
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "binomial"));
  struct split_sums own = {.values = {0}}, sums;
  add_place(view->rank, tutti_group_sample_color(sample, view->rank), place, &own);
  tutti_status status =
      tutti_reduce(&method, own.values, sums.values, SPLIT_SUMS, MPI_UINT64_T, MPI_SUM, 0, view, error);
  for (int i = ordered ? SUM_ORDER : SUM_RANKS; status == TUTTI_OK && view->rank == 0 && i < SPLIT_SUMS; i++)
    if (sums.values[i] != expected->values[i])
      return tutti_fail(error, TUTTI_ERR_FAULT, "%s with %d colours: wrong %s", way, sample->colors, what[i]);
  return status;
}
