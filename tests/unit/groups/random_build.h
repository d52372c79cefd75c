/* Random builds of groups, to test writing and reading them. */
#ifndef TUTTI_TESTS_RANDOM_BUILD_H
#define TUTTI_TESTS_RANDOM_BUILD_H

#include "tutti/group_run.h"
#include "unit/base/random.h"

static inline tutti_group_point random_point(uint64_t *state)
{
  int builders = 0, size = (int)random_below(state, 200000) + 1;
  while (tutti_group_builder_at(builders))
    builders++;
  tutti_group_point point = {.builder = tutti_group_builder_at((int)random_below(state, (uint64_t)builders)),
                             .sample = {.size = size,
                                        .fraction = (double)random_below(state, 1001) / 1000,
                                        .members = -1,
                                        .colors = 1,
                                        .seed = random_next(state) >> 1},
                             .branching = (int)random_below(state, 7) + 2,
                             .node_ranks = 1};
  if (random_below(state, 2))
    point.sample.members = (int)random_below(state, (uint64_t)size + 1);
  return point;
}

/* Times of three significant digits, in order, or none. */
static inline tutti_group_run random_build(uint64_t *state, bool timed)
{
  tutti_group_run build = {.point = random_point(state), .ranks_per_node = 1};
  tutti_group_counts *counts = &build.counts;
  uint64_t members = (uint64_t)build.point.sample.members;
  if (build.point.sample.members < 0)
    members = random_below(state, (uint64_t)build.point.sample.size + 1);
  for (int i = 0; i < TUTTI_GROUP_SUMS; i++)
    counts->sums[i] = random_below(state, 1000000);
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    counts->maxima[i] = random_below(state, 1000000);
  counts->sums[TUTTI_GROUP_MEMBERS] = counts->maxima[TUTTI_GROUP_SIZE] = members;
  counts->sums[TUTTI_GROUP_GROUPS] = members > 0;
  counts->sums[TUTTI_GROUP_FINGERPRINT] = random_next(state);
  if (timed) {
    build.repetitions = (int)random_below(state, 9) + 1;
    build.minimum = 1e-6 * (double)random_below(state, 1000);
    build.median = build.mean = 2 * build.minimum;
    build.maximum = 3 * build.minimum;
  }
  return build;
}

static inline bool is_same_build(const tutti_group_run *a, const tutti_group_run *b)
{
  for (int i = 0; i < TUTTI_GROUP_SUMS; i++)
    if (a->counts.sums[i] != b->counts.sums[i])
      return false;
  for (int i = 0; i < TUTTI_GROUP_MAXIMA; i++)
    if (a->counts.maxima[i] != b->counts.maxima[i])
      return false;
  return tutti_group_point_compare(&a->point, &b->point) == 0 && a->repetitions == b->repetitions &&
         a->minimum == b->minimum && a->median == b->median && a->mean == b->mean && a->maximum == b->maximum;
}

#endif
