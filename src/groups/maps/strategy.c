/* Strategies: representations are made and the best is kept. */
#include "base/words.h"
#include "tutti/map.h"

TUTTI_DEFINE_WORDS(tutti_map_strategy, TUTTI_MAP_STRATEGIES, "strategy", [TUTTI_MAP_LEAST_SPACE] = "least-space",
                   [TUTTI_MAP_LEAST_TIME] = "least-time", [TUTTI_MAP_HYBRID] = "hybrid")

/* The first-level cache answers for an array as small as this in the time of one addition: only ranges keep up. */
enum { SMALL_ARRAY = 8192 };

/* Whether a kind is considered beside the array. */
static bool is_candidate(tutti_map_strategy strategy, tutti_map_kind kind, size_t array_bytes)
{
  switch (kind) {
  case TUTTI_MAP_ARRAY:
    return false;
  case TUTTI_MAP_RANGE:
    return true;
  case TUTTI_MAP_RANGES:
    return strategy != TUTTI_MAP_LEAST_TIME;
  case TUTTI_MAP_POPCOUNT:
  case TUTTI_MAP_ELIAS_FANO:
  case TUTTI_MAP_COMPLEMENT:
  case TUTTI_MAP_PERMUTED:
    return strategy == TUTTI_MAP_LEAST_SPACE || (strategy == TUTTI_MAP_HYBRID && array_bytes > SMALL_ARRAY);
  default:
    return strategy == TUTTI_MAP_LEAST_SPACE;
  }
}

/* How many bytes a map of a kind may have to be taken instead of the best so far. */
static size_t bound(tutti_map_strategy strategy, tutti_map_kind kind, const tutti_map *best, size_t array_bytes)
{
  size_t bytes = tutti_map_bytes(best);
  if (strategy == TUTTI_MAP_HYBRID && kind == TUTTI_MAP_PERMUTED && array_bytes / 4 < bytes)
    return array_bytes / 4;
  return bytes;
}

/* Make a map of another kind, and keep the smaller one. */
static tutti_status try(tutti_map_kind kind, const int *members, tutti_map_limits limits, size_t most, tutti_map **best,
                        tutti_error *error)
{
  tutti_map *other;
  limits.bytes = limits.bytes > 0 && limits.bytes < most ? limits.bytes : most;
  tutti_status status =
      tutti_map_create(kind, members, tutti_map_size(*best), tutti_map_world(*best), &limits, &other, error);
  if (status != TUTTI_OK)
    return status == TUTTI_ERR_UNSUPPORTED ? TUTTI_OK : status;
  bool smaller = tutti_map_bytes(other) <= most && tutti_map_bytes(other) < tutti_map_bytes(*best);
  tutti_map_free(smaller ? *best : other);
  if (smaller)
    *best = other;
  return TUTTI_OK;
}

tutti_status tutti_map_choose(tutti_map_strategy strategy, const int *members, int size, int world,
                              const tutti_map_limits *limits, tutti_map **map, tutti_error *error)
{
  const tutti_map_limits defaults = limits ? *limits : tutti_map_limits_default();
  tutti_map_limits none = defaults;
  none.bytes = 0;
  if (!tutti_map_strategy_name(strategy))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no strategy for maps has the number %d", (int)strategy);
  tutti_status status = tutti_map_create(TUTTI_MAP_ARRAY, members, size, world, &none, map, error);
  if (status != TUTTI_OK)
    return status;
  size_t array_bytes = tutti_map_bytes(*map);
  bool ordered = tutti_map_is_ordered(*map);
  for (int kind = 0; kind < TUTTI_MAP_KINDS && status == TUTTI_OK; kind++)
    if (is_candidate(strategy, (tutti_map_kind)kind, array_bytes) && !(ordered && kind == TUTTI_MAP_PERMUTED))
      status = try((tutti_map_kind)kind, members, defaults, bound(strategy, (tutti_map_kind)kind, *map, array_bytes),
                   map, error);
  if (status != TUTTI_OK) {
    tutti_map_free(*map);
    *map = NULL;
  }
  return status;
}
