/* Which measurements: from the store to a decision map. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/options/selection.h"

/* ---- points of an experiment ---- */

static int compare_ranks(const void *left, const void *right)
{
  const int *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

static int compare_sizes(const void *left, const void *right)
{
  const uint64_t *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

static bool names_method(const tutti_sweep *sweep, const tutti_measurement *point)
{
  for (int i = 0; i < sweep->method_count; i++)
    if (tutti_method_compare(&sweep->methods[i], &point->method) == 0)
      return true;
  return false;
}

static bool picks(const tutti_sweep *sweep, const tutti_measurement *point)
{
  for (size_t i = 0; i < sweep->pick_count; i++)
    if (sweep->picks[i].ranks == point->ranks && sweep->picks[i].size == point->rank_bytes &&
        tutti_method_compare(&sweep->picks[i].method, &point->method) == 0)
      return true;
  return false;
}

static bool asks_for(const tutti_sweep *sweep, const tutti_measurement *point)
{
  return sweep->collective == point->method.algorithm->collective && sweep->root == point->root &&
         bsearch(&point->ranks, sweep->ranks, (size_t)sweep->ranks_count, sizeof *sweep->ranks, compare_ranks) &&
         bsearch(&point->rank_bytes, sweep->sizes, (size_t)sweep->size_count, sizeof *sweep->sizes, compare_sizes) &&
         (names_method(sweep, point) || picks(sweep, point));
}

/* Move the measurements that the experiment asks for to the front; returns how many. */
static size_t keep_points(const tutti_experiment *experiment, tutti_measurement *measurements, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool asked = false;
    for (int s = 0; s < experiment->sweep_count && !asked; s++)
      asked = asks_for(&experiment->sweeps[s], &measurements[i]);
    if (asked)
      measurements[kept++] = measurements[i];
  }
  return kept;
}

/* ---- the store ---- */

/* Move the measurements with that root to the front, unless it is -1; returns how many. @p rootless: also those of
   collectives without a root. */
static size_t keep_root(tutti_measurement *measurements, size_t count, int root, bool rootless)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool rooted = tutti_collective_traits(measurements[i].method.algorithm->collective) & TUTTI_HAS_ROOT;
    if (root < 0 || measurements[i].root == root || (rootless && !rooted))
      measurements[kept++] = measurements[i];
  }
  return kept;
}

static tutti_status read_rows(const struct selection_options *selected, const tutti_selection *selection,
                              tutti_measurement **measurements, size_t *count, tutti_error *error)
{
  tutti_store *store;
  tutti_status status = tutti_store_open_existing(selected->database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_read(store, selection, measurements, count, error);
  tutti_store_close(store);
  return status;
}

/* The platform file of the experiment as it is now; a real machine has none. */
static tutti_status read_hash(struct selection *chosen, tutti_error *error)
{
  tutti_platform platform;
  if (!chosen->experiment.platform_path || chosen->store.platform_hash)
    return TUTTI_OK;
  tutti_status status = tutti_platform_read(chosen->experiment.platform_path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  memcpy(chosen->hash, platform.hash, sizeof chosen->hash);
  chosen->store.platform_hash = chosen->hash;
  tutti_platform_free(&platform);
  return TUTTI_OK;
}

tutti_status selection_open(const struct selection_options *selected, tutti_collective collective, int pair,
                            struct selection *chosen, tutti_error *error)
{
  *chosen = (struct selection){.store = selected->selection};
  chosen->store.platform = selected->platform;
  chosen->store.collective = collective;
  selection_patterns_pair(&selected->patterns, pair, &chosen->store);
  if (!selected->points)
    return TUTTI_OK;
  tutti_status status = tutti_experiment_read(selected->points, &chosen->experiment, error);
  if (status != TUTTI_OK)
    return status;
  if (chosen->store.scheme < 0)
    chosen->store.scheme = (int)chosen->experiment.measure.scheme;
  if (!chosen->store.flavor)
    chosen->store.flavor = chosen->experiment.flavor;
  return read_hash(chosen, error);
}

void selection_close(struct selection *chosen)
{
  tutti_experiment_free(&chosen->experiment);
}

static tutti_status read_measurements(const struct selection_options *selected, tutti_collective collective, int pair,
                                      tutti_measurement **measurements, size_t *count, tutti_error *error)
{
  struct selection chosen;
  tutti_status status = selection_open(selected, collective, pair, &chosen, error);
  if (status == TUTTI_OK)
    status = read_rows(selected, &chosen.store, measurements, count, error);
  if (status == TUTTI_OK && selected->points)
    *count = keep_points(&chosen.experiment, *measurements, *count);
  selection_close(&chosen);
  return status;
}

tutti_status selection_read_all(const struct selection_options *selected, tutti_measurement **measurements,
                                size_t *count, tutti_error *error)
{
  tutti_status status = read_measurements(selected, TUTTI_COLL_COUNT, 0, measurements, count, error);
  if (status == TUTTI_OK)
    *count = keep_root(*measurements, *count, selected->root, true);
  return status;
}

static tutti_status fail_empty(const struct selection_options *selected, tutti_collective collective, int pair,
                               tutti_error *error)
{
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  tutti_selection selection = selected->selection;
  selection_patterns_pair(&selected->patterns, pair, &selection);
  bool plain = selection.arrival.kind == TUTTI_ARRIVAL_NONE && selection.noise.kind == TUTTI_NOISE_NONE;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s: no measurement of %s on platform %s%s%s%s%s matches (tutti bench makes one)",
                    selected->database, tutti_collective_name(collective), selected->platform,
                    plain ? "" : " under arrival ", plain ? "" : tutti_arrival_format(&selection.arrival, arrival),
                    plain ? "" : " and noise ", plain ? "" : tutti_noise_format(&selection.noise, noise));
}

/* The map of one pair of an arrival pattern and a noise, into measured with what it was measured under. */
static tutti_status read_pair(const struct selection_options *selected, tutti_collective collective, int pair,
                              struct measured_map *measured, tutti_error *error)
{
  tutti_measurement *measurements;
  size_t count;
  tutti_status status = read_measurements(selected, collective, pair, &measurements, &count, error);
  if (status != TUTTI_OK)
    return status;
  count = keep_root(measurements, count, selected->root, false);
  if (count == 0)
    status = fail_empty(selected, collective, pair, error);
  else {
    measured->scheme = measurements[0].scheme;
    measured->root = measurements[0].root;
    measured->ranks_per_node = measurements[0].ranks_per_node;
    status = tutti_decision_map_create(measurements, count, &measured->map, error);
    if (status == TUTTI_OK && selected->natives)
      tutti_decision_map_choose(&measured->map, true);
  }
  free(measurements);
  return status;
}

static tutti_status read_all_pairs(const struct selection_options *selected, tutti_collective collective, int pairs,
                                   tutti_decision_map *maps, struct measured_map *measured, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int pair = 0; pair < pairs && status == TUTTI_OK; pair++) {
    tutti_scheme before = measured->scheme;
    status = read_pair(selected, collective, pair, measured, error);
    if (status != TUTTI_OK)
      return status;
    maps[pair] = measured->map;
    if (pair > 0 && measured->scheme != before)
      status = tutti_fail(error, TUTTI_ERR_ARGUMENT,
                          "%s: the patterns were measured under several schemes: choose one with --scheme",
                          selected->database);
  }
  return status;
}

static tutti_status read_joint(const struct selection_options *selected, tutti_collective collective,
                               struct measured_map *measured, tutti_error *error)
{
  int pairs = selection_patterns_count(&selected->patterns);
  tutti_decision_map *maps = tutti_xcalloc((size_t)pairs, sizeof *maps);
  tutti_status status = read_all_pairs(selected, collective, pairs, maps, measured, error);
  measured->map = (tutti_decision_map){0};
  if (status == TUTTI_OK)
    status = tutti_decision_map_join(maps, pairs, selected->patterns.robust, &measured->map, error);
  if (status == TUTTI_OK && selected->natives)
    tutti_decision_map_choose(&measured->map, true);
  for (int i = 0; i < pairs; i++)
    tutti_decision_map_free(&maps[i]);
  free(maps);
  return status;
}

const char *selection_basis_name(const struct selection_options *selected, tutti_scheme scheme)
{
  return selected->patterns.basis[scheme];
}

tutti_status selection_read_map(const struct selection_options *selected, tutti_collective collective,
                                struct measured_map *measured, tutti_error *error)
{
  *measured = (struct measured_map){.platform = selected->platform, .basis = "scheme"};
  tutti_status status = selected->patterns.joins ? read_joint(selected, collective, measured, error)
                                                 : read_pair(selected, collective, 0, measured, error);
  measured->basis_name = selection_basis_name(selected, measured->scheme);
  return status;
}
