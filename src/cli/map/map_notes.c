/* Below a decision map: candidates, ties, noise, ranks that took turns, and points where methods are missing that would
   serve them. */
#include "cli/map/map_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/output/output.h"
#include "decision/maps/map.h"
#include "tutti/library.h"

struct notes {
  int points, tied[MAP_TIES], incomplete;
};

#define print_note(...) (printf("\n"), print_sentence(2, __VA_ARGS__))

/* Whose methods are compared, where others were measured, too. */
static void print_candidates(const tutti_decision_map *map)
{
  char candidates[TUTTI_CANDIDATES_LENGTH];
  if (tutti_decision_map_mixes(map))
    print_note("Candidates: the methods of %s; those of other implementations were measured, too (--of).",
               tutti_candidates_format(&map->candidates, candidates));
}

/* True if the method was not measured there although it serves such a call. */
static bool is_missing(const tutti_decision_map *map, int ranks_index, int size_index, int m)
{
  const tutti_call call = {
      .size = map->ranks[ranks_index], .count = map->sizes[size_index], .type_size = 1, .commutative = true};
  return isnan(tutti_decision_map_time(map, ranks_index, size_index, m)) &&
         tutti_method_check(&map->methods[m], &call, NULL) == TUTTI_OK;
}

/* Mark the cells that one of the known libraries picks by its own rules. */
static void mark_picks(const tutti_decision_map *map, bool *picked)
{
  const char *name;
  for (size_t l = 0; (name = tutti_library_name(l)); l++) {
    tutti_decision decision;
    if (tutti_decision_library(name, map->collective, &decision, NULL) != TUTTI_OK)
      continue; /* it has no rule for this collective */
    for (int i = 0; i < map->ranks_count; i++)
      for (int j = 0; j < map->size_count; j++) {
        tutti_method method;
        const tutti_question question = tutti_decision_map_question(map, i, j);
        int m = decision.decide(&decision, &question, &method) ? tutti_decision_map_find(map, &method) : -1;
        if (m >= 0)
          picked[tutti_decision_map_cell(map, i, j, m)] = true;
      }
    tutti_decision_free(&decision);
  }
}

/* True if the method was measured nowhere but where a library picks it. */
static bool is_pick(const tutti_decision_map *map, int m, const bool *picked)
{
  for (size_t i = (size_t)m; i < tutti_decision_map_points(map) * (size_t)map->method_count;
       i += (size_t)map->method_count)
    if (!isnan(map->times[i]) && !picked[i])
      return false;
  return true;
}

/* The candidates that make a map incomplete where they are missing: not those that were measured as the choices of
   libraries only (<decision> of an experiment), unless all were. Owned by the caller. */
static bool *list_expected(const tutti_decision_map *map)
{
  bool *expected = tutti_xcalloc((size_t)map->method_count, sizeof *expected), any = false;
  bool *picked = tutti_xcalloc(tutti_decision_map_points(map) * (size_t)map->method_count, sizeof *picked);
  mark_picks(map, picked);
  for (int m = 0; m < map->method_count; m++) {
    expected[m] = tutti_candidates_have(&map->candidates, &map->methods[m]) && !is_pick(map, m, picked);
    any = any || expected[m];
  }
  for (int m = 0; m < map->method_count && !any; m++)
    expected[m] = tutti_candidates_have(&map->candidates, &map->methods[m]);
  free(picked);
  return expected;
}

/* What a library cannot be told there cannot be measured. */
static bool can_be_told(const struct measured_map *measured, int ranks_index, int size_index, int m, tutti_error *why)
{
  const tutti_decision_map *map = &measured->map;
  tutti_directives directives;
  return tutti_method_directives(&map->methods[m], map->ranks[ranks_index], map->sizes[size_index], measured->library,
                                 &directives, why) == TUTTI_OK;
}

enum map_tie map_report_tie(const struct map_report *report, int ranks_index, int size_index)
{
  const tutti_decision_map *map = &report->measured->map;
  enum map_tie tie = MAP_TIE_NONE;
  int best = tutti_decision_map_best_at(map, ranks_index, size_index);
  if (best < 0 || report->decision)
    return tie;
  double least = tutti_decision_map_time(map, ranks_index, size_index, best);
  for (int m = 0; m < map->method_count; m++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    if (m == best || isnan(time) || !tutti_candidates_have(&map->candidates, &map->methods[m]))
      continue;
    if (time_tie(time, least))
      return MAP_TIE_EQUAL;
    if (tutti_decision_map_ties(map, ranks_index, size_index, m, best))
      tie = MAP_TIE_CLOSE;
  }
  return tie;
}

static void look_at(const struct map_report *report, const bool *expected, int ranks_index, int size_index,
                    struct notes *notes)
{
  const tutti_decision_map *map = &report->measured->map;
  bool incomplete = false;
  for (int m = 0; m < map->method_count && !incomplete; m++)
    incomplete = expected[m] && is_missing(map, ranks_index, size_index, m) &&
                 can_be_told(report->measured, ranks_index, size_index, m, NULL);
  notes->points++;
  notes->tied[map_report_tie(report, ranks_index, size_index)]++;
  notes->incomplete += incomplete;
}

/* At how many points a library cannot be told the method, and the reason at the first of them. */
static int count_untold(const struct measured_map *measured, int m, tutti_error *why)
{
  const tutti_decision_map *map = &measured->map;
  tutti_error other;
  int count = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) >= 0 && is_missing(map, i, j, m))
        count += !can_be_told(measured, i, j, m, count ? &other : why);
  return count;
}

/* Methods of candidates that are missing at points where they cannot be measured, which makes no map incomplete. */
static void print_untold(const struct measured_map *measured, int points)
{
  const tutti_decision_map *map = &measured->map;
  tutti_error why;
  bool any = false;
  for (int m = 0; m < map->method_count; m++) {
    bool told = map->methods[m].implementation != TUTTI_IMPLEMENTATION_TUTTI &&
                tutti_candidates_have(&map->candidates, &map->methods[m]);
    int count = told ? count_untold(measured, m, &why) : 0;
    if (count > 0)
      printf("%s    at %d of %d point%s %s\n", any ? "" : "\n  Cannot be measured:\n", count, points,
             tutti_plural((uint64_t)points), why.message);
    any = any || count > 0;
  }
}

/* The best times whose noise is largest, in percent of them. */
static void print_noise(const tutti_decision_map *map)
{
  double largest = 0;
  int ranks = 0;
  uint64_t size = 0;
  char text[24];
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      int best = tutti_decision_map_best_at(map, i, j);
      double noise = best < 0 ? 0 : 100 * map_noise_at(map, i, j, best) / tutti_decision_map_time(map, i, j, best);
      if (!(noise > largest))
        continue;
      largest = noise;
      ranks = map->ranks[i];
      size = map->sizes[j];
    }
  if (largest > 0)
    print_note("Noise: the best times are known to %.1f %% or better, the least well with %d ranks and %s.", largest,
               ranks, tutti_size_format(size, text));
}

/* Numbers of ranks that had no core each. */
static void print_turns(const struct measured_map *measured)
{
  const tutti_decision_map *map = &measured->map;
  bool any = false;
  for (int i = 0; i < map->ranks_count; i++) {
    int node = map->ranks[i] < map->ranks_per_node ? map->ranks[i] : map->ranks_per_node;
    if (measured->cores == 0 || node <= measured->cores)
      continue;
    printf("%s%d", any ? ", " : "\n  Oversubscribed: ", map->ranks[i]);
    any = true;
  }
  if (any)
    printf(" ranks took turns on %d core%s a node.\n", measured->cores, tutti_plural((size_t)measured->cores));
}

void map_report_print_notes(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct notes notes = {0};
  bool *expected = list_expected(map);
  print_candidates(map);
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) >= 0)
        look_at(report, expected, i, j, &notes);
  free(expected);
  if (notes.tied[MAP_TIE_EQUAL] > 0)
    print_note("Ties: at %d of %d point%s other methods take the same time; the first in the catalogue is shown.",
               notes.tied[MAP_TIE_EQUAL], notes.points, tutti_plural((uint64_t)notes.points));
  if (notes.tied[MAP_TIE_CLOSE] > 0)
    print_note("Close: at %d of %d point%s other methods differ from the best by less than the noise of both.",
               notes.tied[MAP_TIE_CLOSE], notes.points, tutti_plural((uint64_t)notes.points));
  if (notes.incomplete > 0)
    print_note("Incomplete: at %d of %d point%s not all methods have been measured, so a better one may be missing.",
               notes.incomplete, notes.points, tutti_plural((uint64_t)notes.points));
  print_untold(report->measured, notes.points);
  print_noise(map);
  print_turns(report->measured);
}
