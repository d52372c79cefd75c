/* Small decision maps for tests. */
#ifndef TUTTI_TESTS_MAP_FIXTURE_H
#define TUTTI_TESTS_MAP_FIXTURE_H

#include "tutti/decision.h"
#include "unit/algorithms/catalogue/method_fixture.h"

static inline tutti_measurement map_point(const char *name, int ranks, uint64_t bytes, double seconds)
{
  return (tutti_measurement){.method = parsed(name),
                             .ranks = ranks,
                             .ranks_per_node = 1,
                             .count = bytes,
                             .type_size = 1,
                             .rank_bytes = bytes,
                             .repetitions = 1,
                             .median = seconds};
}

static inline tutti_decision_map map_make(const tutti_measurement *measurements, size_t count)
{
  tutti_decision_map map;
  assert_ok(tutti_decision_map_create(measurements, count, &map, REASON), error);
  return map;
}

/* Seconds of a method by name at a point by value. */
static inline double map_time(const tutti_decision_map *map, const char *name, int ranks, uint64_t bytes)
{
  tutti_method method = parsed(name);
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (map->ranks[i] == ranks && map->sizes[j] == bytes)
        return tutti_decision_map_time(map, i, j, tutti_decision_map_find(map, &method));
  fail_msg("no point with %d ranks and %llu bytes", ranks, (unsigned long long)bytes);
  return 0;
}

#endif
