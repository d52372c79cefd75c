/* Which measurements: from the store to a decision map. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/options/selection.h"
#include "tutti/reproducible.h"
#include "tutti/tuning.h"

/* ---- points of an experiment ---- */

/* True if it is the method, with the sides of the machine. */
static bool is_method(const tutti_sweep *sweep, tutti_method method, const tutti_measurement *point)
{
  tutti_method_tell(&method, &sweep->places, point->ranks);
  return tutti_method_compare(&method, &point->method) == 0;
}

static bool names_method(const tutti_sweep *sweep, const tutti_measurement *point)
{
  for (int i = 0; i < sweep->method_count; i++)
    if (is_method(sweep, sweep->methods[i], point))
      return true;
  return false;
}

static bool picks(const tutti_sweep *sweep, const tutti_measurement *point)
{
  for (size_t i = 0; i < sweep->pick_count; i++)
    if (sweep->picks[i].ranks == point->ranks && sweep->picks[i].size == point->rank_bytes &&
        is_method(sweep, sweep->picks[i].method, point))
      return true;
  return false;
}

static bool asks_for(const tutti_sweep *sweep, const tutti_measurement *point)
{
  return sweep->collective == point->method.algorithm->collective && sweep->root == point->root &&
         bsearch(&point->ranks, sweep->ranks, (size_t)sweep->ranks_count, sizeof *sweep->ranks, tutti_compare_ints) &&
         bsearch(&point->rank_bytes, sweep->sizes, (size_t)sweep->size_count, sizeof *sweep->sizes,
                 tutti_compare_numbers) &&
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

/* What to ask the store for about one pair of an arrival pattern and a noise, which --points narrows: its scheme,
   flavor and platform file are those of the experiment unless options say otherwise. */
struct selection {
  tutti_selection store;
  tutti_experiment experiment; /* empty without --points */
  char hash[TUTTI_HASH_LENGTH];
};

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

/* Free `experiment` in any case. */
static tutti_status compose(const struct selection_options *selected, tutti_collective collective, int pair,
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

static bool was_told(const tutti_environment *environment)
{
  tutti_library_version version;
  return environment->settings &&
         tutti_library_version_of_run(environment->flavor, environment->library, &version, NULL) == TUTTI_OK &&
         !tutti_untuned_under(version.library, environment->settings);
}

/* What the map says of the environment of the selected measurements, which there are. */
static tutti_status read_environment(tutti_store *store, const tutti_selection *selection,
                                     struct measured_map *measured, tutti_error *error)
{
  tutti_store_contents contents = {0};
  tutti_status status = tutti_store_measured_in(store, selection, &measured->environment, error);
  if (status == TUTTI_OK)
    status = tutti_store_contents_read(store, &contents, error);
  for (int i = 0; i < contents.environment_count; i++)
    if (contents.ids[i] == measured->environment) {
      snprintf(measured->flavor, SELECTION_FLAVOR, "%s", contents.environments[i].flavor);
      snprintf(measured->library, sizeof measured->library, "%s", contents.environments[i].library);
      snprintf(measured->hash, sizeof measured->hash, "%s", contents.environments[i].platform_hash);
      measured->cores = contents.environments[i].cores;
      measured->told = was_told(&contents.environments[i]);
    }
  tutti_store_contents_free(&contents);
  return status;
}

/* @p measured receives facts of the environment; NULL: they are not wanted. */
static tutti_status read_store(const struct selection_options *selected, const tutti_selection *selection,
                               tutti_measurement **measurements, size_t *count, size_t *outdated,
                               struct measured_map *measured, tutti_error *error)
{
  tutti_store *store;
  if (access(selected->database, F_OK) != 0 && errno == ENOENT)
    return selection_fail_missing(selected, selection->collective, error);
  tutti_status status = tutti_store_open_existing(selected->database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_read(store, selection, measurements, count, error);
  *outdated = tutti_store_outdated(store);
  if (status == TUTTI_OK && measured && *count > 0)
    status = read_environment(store, selection, measured, error);
  tutti_store_close(store);
  return status;
}

/* Was the collective measured on the platform with that flavor, and with another? */
static bool has_several_flavors(const struct selection_options *selected, tutti_collective collective,
                                const char *flavor)
{
  char *sql = tutti_xprintf(
      "SELECT sum(flavor = ?2) > 0 AND sum(flavor <> ?2) > 0 FROM counts JOIN environment e ON e.id = environment"
      " WHERE platform = ?1 AND collective = '%s'",
      tutti_collective_name(collective));
  const bool several = selection_number(selected, sql, selected->platform, flavor) > 0;
  free(sql);
  return several;
}

/* @p measured as for read_store(). */
static tutti_status read_measurements(const struct selection_options *selected, tutti_collective collective, int pair,
                                      tutti_measurement **measurements, size_t *count, struct measured_map *measured,
                                      tutti_error *error)
{
  struct selection chosen;
  size_t outdated = 0;
  tutti_status status = compose(selected, collective, pair, &chosen, error);
  *measurements = NULL;
  if (status == TUTTI_OK)
    status = read_store(selected, &chosen.store, measurements, count, &outdated, measured, error);
  if (status == TUTTI_OK && pair == 0) {
    selection_note_older(selected, TUTTI_ENTRY_MEASUREMENTS, collective);
    selection_note_outdated(selected, outdated);
  }
  if (status != TUTTI_OK) {
    free(*measurements);
    *measurements = NULL;
  }
  if (status == TUTTI_OK && selected->points)
    *count = keep_points(&chosen.experiment, *measurements, *count);
  tutti_experiment_free(&chosen.experiment);
  return status;
}

tutti_status selection_read_all(const struct selection_options *selected, tutti_measurement **measurements,
                                size_t *count, tutti_error *error)
{
  tutti_status status = read_measurements(selected, TUTTI_COLL_COUNT, 0, measurements, count, NULL, error);
  if (status == TUTTI_OK)
    *count = keep_root(*measurements, *count, selected->root, true);
  return status;
}

static tutti_status fail_empty(const struct selection_options *selected, tutti_collective collective, int pair,
                               tutti_error *error)
{
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH], under[sizeof arrival + sizeof noise + 40] = "";
  tutti_selection selection = selected->selection;
  selection_patterns_pair(&selected->patterns, pair, &selection);
  if (selection.arrival.kind != TUTTI_ARRIVAL_NONE || selection.noise.kind != TUTTI_NOISE_NONE)
    snprintf(under, sizeof under, " under arrival %s and noise %s", tutti_arrival_format(&selection.arrival, arrival),
             tutti_noise_format(&selection.noise, noise));
  return selection_fail_empty(selected, collective, under, error);
}

/* ---- candidates ---- */

tutti_candidates selection_candidates(const struct selection_options *selected, const tutti_decision_map *map)
{
  tutti_candidates candidates = tutti_decision_map_default_candidates(map);
  if (selected->implementation >= 0)
    candidates.implementation = (tutti_implementation)selected->implementation;
  candidates.native = candidates.native || selected->natives;
  candidates.rounds_apart = candidates.rounds_apart || selected->rounds_apart;
  candidates.reproducible =
      selected->one_tree ? selected->reproducible : tutti_reproducible_of_choice(selected->reproducible);
  return candidates;
}

static bool has_best(const tutti_decision_map *map)
{
  size_t point = 0;
  while (point < tutti_decision_map_points(map) && map->best[point] < 0)
    point++;
  return point < tutti_decision_map_points(map);
}

static tutti_status choose(const struct selection_options *selected, tutti_decision_map *map, tutti_error *error)
{
  const tutti_candidates candidates = selection_candidates(selected, map);
  const char *collective = tutti_collective_name(map->collective);
  const char *name = tutti_implementation_name(candidates.implementation);
  tutti_decision_map_choose(map, candidates);
  if (candidates.reproducible && !has_best(map))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--reproducible: no %s with these classes was measured on %s; tutti algorithms %s --reproducible "
                      "lists those that have them",
                      collective, selected->platform, collective);
  if (selected->implementation < 0 || tutti_decision_map_has(map, candidates.implementation))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--of %s: no %s/ALGORITHM%s%s was measured on %s", name ? name : "tutti",
                    collective, name ? "@" : "", name ? name : "", selected->platform);
}

bool selection_measured_library(const struct measured_map *measured, tutti_implementation implementation)
{
  const char *name = tutti_implementation_name(implementation);
  return name && strcmp(name, measured->flavor) == 0;
}

void selection_choose(const struct selection_options *selected, tutti_implementation implementation,
                      struct measured_map *measured)
{
  tutti_candidates candidates = selection_candidates(selected, &measured->map);
  if (selected->implementation < 0 && tutti_decision_map_has(&measured->map, implementation))
    candidates.implementation = implementation;
  candidates.native = selected->natives || (candidates.implementation == implementation &&
                                            selection_measured_library(measured, implementation));
  tutti_decision_map_choose(&measured->map, candidates);
}

tutti_status selection_mark_own_choice(struct measured_map *measured, tutti_error *error)
{
  tutti_library_version version;
  if (!selection_measured_library(measured, measured->map.candidates.implementation) ||
      !strchr(measured->library, '-') ||
      tutti_library_version_of_run(measured->flavor, measured->library, &version, NULL) != TUTTI_OK)
    return TUTTI_OK;
  if (measured->told) {
    tutti_say(stderr,
              "tutti: warning: %s ran under a tuning file, or was told an algorithm, when it was measured: native is "
              "not what it does untuned\n",
              measured->library);
    return TUTTI_OK;
  }
  return tutti_untuned_mark(&version, &measured->map, error);
}

tutti_status selection_choose_for_library(const struct selection_options *selected, tutti_implementation implementation,
                                          struct measured_map *measured, tutti_error *error)
{
  selection_choose(selected, implementation, measured);
  return selection_mark_own_choice(measured, error);
}

void selection_note_stand_in(const struct measured_map *measured, const tutti_target *target)
{
  const tutti_implementation library = tutti_target_implementation(target);
  const char *name = tutti_implementation_name(library), *collective = tutti_collective_name(measured->map.collective);
  if (library != TUTTI_IMPLEMENTATION_TUTTI && library != TUTTI_IMPLEMENTATION_SMPI &&
      measured->map.candidates.implementation != library)
    tutti_say(
        stderr,
        "tutti: note: %s: Tutti's schedules stand for the algorithms of %s (%s/...@%s), which were not measured on "
        "%s: check the file on the machine (tutti compare)\n",
        collective, name, collective, name, measured->platform);
}

void selection_judge(const struct selection_options *selected, tutti_implementation implementation,
                     tutti_decision *decision, struct measured_map *measured)
{
  decision->own_choice_is_native =
      selection_measured_library(measured, decision->implementation) && tutti_decision_map_native(&measured->map) >= 0;
  must(selection_choose_for_library(selected, implementation, measured, &failure));
}

static void note_negative(const struct selection_options *selected, const tutti_decision_map *map)
{
  if (map->negative > 0)
    tutti_say(stderr,
              "tutti: %s: %zu measurement%s of %s %s left out, with times below zero: tutti bench measures them anew\n",
              selected->database, map->negative, tutti_plural(map->negative), tutti_collective_name(map->collective),
              map->negative == 1 ? "is" : "are");
}

/* The map of one pair of an arrival pattern and a noise, into measured with what it was measured under. */
static tutti_status read_pair(const struct selection_options *selected, tutti_collective collective, int pair,
                              struct measured_map *measured, tutti_error *error)
{
  tutti_measurement *measurements;
  size_t count;
  tutti_status status = read_measurements(selected, collective, pair, &measurements, &count, measured, error);
  if (status != TUTTI_OK)
    return status;
  count = keep_root(measurements, count, selected->root, false);
  if (count == 0)
    status = fail_empty(selected, collective, pair, error);
  else
    status = selection_cut(selected, measurements, &count, error);
  if (status == TUTTI_OK) {
    measured->scheme = measurements[0].scheme;
    measured->root = measurements[0].root;
    measured->ranks_per_node = measurements[0].ranks_per_node;
    status = tutti_decision_map_create(measurements, count, &measured->map, error);
    if (status == TUTTI_OK)
      status = choose(selected, &measured->map, error);
    if (status != TUTTI_OK)
      tutti_decision_map_free(&measured->map);
    else
      note_negative(selected, &measured->map);
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
  if (status == TUTTI_OK)
    selection_note_native(selected, measured);
  if (status == TUTTI_OK)
    selection_note_map_apart(selected->database, selected->platform, &measured->map);
  return status;
}

tutti_status selection_read_map_of(const struct selection_options *selected, tutti_implementation implementation,
                                   tutti_collective collective, struct measured_map *measured, tutti_error *error)
{
  struct selection_options own = *selected;
  const tutti_selection *asked = &selected->selection;
  const char *library = tutti_implementation_name(implementation);
  if (library && !asked->flavor && !asked->library && !asked->environment && !selected->points &&
      has_several_flavors(selected, collective, library))
    own.selection.flavor = library;
  tutti_status status = selection_read_map(&own, collective, measured, error);
  measured->platform = selected->platform; /* not of the copy */
  measured->basis_name = selection_basis_name(selected, measured->scheme);
  return status;
}
