/* The points where a decision loses most. */
#include <stdlib.h>

#include "decision/penalty_at.h"

/* A point by its indices. */
struct loss {
  int ranks, size;
  struct penalty_at at;
};

/* Worst first, then in order of the map. */
static int compare_losses(const void *left, const void *right)
{
  const struct loss *a = left, *b = right;
  if (a->at.percent != b->at.percent)
    return a->at.percent < b->at.percent ? 1 : -1;
  return a->ranks != b->ranks ? a->ranks - b->ranks : a->size - b->size;
}

static size_t list_losses(const tutti_decision_map *map, const tutti_decision *decision, struct loss *losses)
{
  size_t count = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      struct loss loss = {.ranks = i, .size = j, .at = tutti_penalty_at(map, decision, i, j)};
      if (loss.at.percent > 0) /* false for NaN */
        losses[count++] = loss;
    }
  return count;
}

tutti_status tutti_penalty_worst(const tutti_decision_map *map, const tutti_decision *decision,
                                 tutti_penalty_point *points, int most, int *count, tutti_error *error)
{
  struct loss *losses = calloc((size_t)map->ranks_count * (size_t)map->size_count, sizeof *losses);
  *count = 0;
  if (!losses)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for its worst points", decision->name);
  size_t found = list_losses(map, decision, losses);
  qsort(losses, found, sizeof *losses, compare_losses);
  for (; *count < most && (size_t)*count < found; ++*count) {
    const struct loss *loss = &losses[*count];
    points[*count] = (tutti_penalty_point){.ranks = map->ranks[loss->ranks],
                                           .size = map->sizes[loss->size],
                                           .percent = loss->at.percent,
                                           .picked = map->methods[loss->at.picked],
                                           .best = map->methods[loss->at.best]};
  }
  free(losses);
  return TUTTI_OK;
}
