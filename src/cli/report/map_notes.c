/* Below a decision map: candidates, ties, noise, ranks that took turns, and points where methods are missing that would
   serve them. */
#include "cli/report/map_notes.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "decision/maps/map.h"
#include "tutti/library.h"

/* Who takes the notes, and what is counted for them. */
struct notes {
  tutti_take_note *take;
  void *context;
  int points, tied[TUTTI_MAP_TIES], incomplete;
};

static void note(const struct notes *notes, bool item, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void note(const struct notes *notes, bool item, const char *format, ...)
{
  struct tutti_text_stream text;
  va_list arguments;
  tutti_xopen_text(&text);
  va_start(arguments, format);
  vfprintf(text.stream, format, arguments);
  va_end(arguments);
  char *sentence = tutti_xclose_text(&text);
  notes->take(sentence, item, notes->context);
  free(sentence);
}

/* Whose methods are compared, where others were measured, too. */
static void note_candidates(const struct notes *notes, const tutti_decision_map *map)
{
  char candidates[TUTTI_CANDIDATES_LENGTH];
  if (tutti_decision_map_mixes(map))
    note(notes, false, "Candidates: the methods of %s; those of other implementations were measured, too (--of).",
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
static bool can_be_told(const struct tutti_noted_map *noted, int ranks_index, int size_index, int m, tutti_error *why)
{
  const tutti_decision_map *map = noted->map;
  tutti_directives directives;
  return tutti_method_directives(&map->methods[m], map->ranks[ranks_index], map->sizes[size_index], noted->library,
                                 &directives, why) == TUTTI_OK;
}

enum tutti_map_tie tutti_map_tie_at(const tutti_decision_map *map, int ranks_index, int size_index)
{
  enum tutti_map_tie tie = TUTTI_MAP_TIE_NONE;
  int best = tutti_decision_map_best_at(map, ranks_index, size_index);
  if (best < 0)
    return tie;
  double least = tutti_decision_map_time(map, ranks_index, size_index, best);
  for (int m = 0; m < map->method_count; m++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    if (m == best || isnan(time) || !tutti_candidates_have(&map->candidates, &map->methods[m]))
      continue;
    if (time_tie(time, least))
      return TUTTI_MAP_TIE_EQUAL;
    if (tutti_decision_map_ties(map, ranks_index, size_index, m, best))
      tie = TUTTI_MAP_TIE_CLOSE;
  }
  return tie;
}

static void look_at(const struct tutti_noted_map *noted, const bool *expected, int ranks_index, int size_index,
                    struct notes *notes)
{
  const tutti_decision_map *map = noted->map;
  bool incomplete = false;
  for (int m = 0; m < map->method_count && !incomplete; m++)
    incomplete = expected[m] && is_missing(map, ranks_index, size_index, m) &&
                 can_be_told(noted, ranks_index, size_index, m, NULL);
  notes->points++;
  notes->tied[tutti_map_tie_at(map, ranks_index, size_index)]++;
  notes->incomplete += incomplete;
}

/* At how many points a library cannot be told the method, and the reason at the first of them. */
static int count_untold(const struct tutti_noted_map *noted, int m, tutti_error *why)
{
  const tutti_decision_map *map = noted->map;
  tutti_error other;
  int count = 0;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) >= 0 && is_missing(map, i, j, m))
        count += !can_be_told(noted, i, j, m, count ? &other : why);
  return count;
}

/* Methods of candidates that are missing at points where they cannot be measured, which makes no map incomplete. */
static void note_untold(const struct notes *notes, const struct tutti_noted_map *noted)
{
  const tutti_decision_map *map = noted->map;
  tutti_error why;
  bool any = false;
  for (int m = 0; m < map->method_count; m++) {
    bool told = map->methods[m].implementation != TUTTI_IMPLEMENTATION_TUTTI &&
                tutti_candidates_have(&map->candidates, &map->methods[m]);
    int count = told ? count_untold(noted, m, &why) : 0;
    if (count > 0 && !any)
      note(notes, false, "Cannot be measured:");
    if (count > 0)
      note(notes, true, "at %d of %d point%s %s", count, notes->points, tutti_plural((uint64_t)notes->points),
           why.message);
    any = any || count > 0;
  }
}

bool tutti_map_is_noisy(const tutti_decision_map *map)
{
  for (size_t i = 0; i < tutti_decision_map_points(map) * (size_t)map->method_count; i++)
    if (map->noise[i] > 0)
      return true;
  return false;
}

/* The best times whose noise is largest, in percent of them. */
static void note_noise(const struct notes *notes, const tutti_decision_map *map)
{
  double largest = 0;
  int ranks = 0;
  uint64_t size = 0;
  char text[24];
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      int best = tutti_decision_map_best_at(map, i, j);
      double noise = best < 0 ? 0
                              : 100 * map->noise[tutti_decision_map_cell(map, i, j, best)] /
                                    tutti_decision_map_time(map, i, j, best);
      if (!(noise > largest))
        continue;
      largest = noise;
      ranks = map->ranks[i];
      size = map->sizes[j];
    }
  if (largest > 0)
    note(notes, false, "Noise: the best times are known to %.1f %% or better, the least well with %d ranks and %s.",
         largest, ranks, tutti_size_format(size, text));
}

/* Numbers of ranks that had no core each. */
static void note_turns(const struct notes *notes, const struct tutti_noted_map *noted)
{
  const tutti_decision_map *map = noted->map;
  char *list = NULL;
  for (int i = 0; i < map->ranks_count; i++) {
    int node = map->ranks[i] < map->ranks_per_node ? map->ranks[i] : map->ranks_per_node;
    if (noted->cores == 0 || node <= noted->cores)
      continue;
    char *longer = tutti_xprintf("%s%s%d", list ? list : "", list ? ", " : "", map->ranks[i]);
    free(list);
    list = longer;
  }
  if (list)
    note(notes, false, "Oversubscribed: %s ranks took turns on %d core%s a node.", list, noted->cores,
         tutti_plural((size_t)noted->cores));
  free(list);
}

static void note_counts(const struct notes *notes)
{
  const int points = notes->points;
  const char *plural = tutti_plural((uint64_t)points);
  if (notes->tied[TUTTI_MAP_TIE_EQUAL] > 0)
    note(notes, false,
         "Ties: at %d of %d point%s other methods take the same time; the first in the catalogue is shown.",
         notes->tied[TUTTI_MAP_TIE_EQUAL], points, plural);
  if (notes->tied[TUTTI_MAP_TIE_CLOSE] > 0)
    note(notes, false, "Close: at %d of %d point%s other methods differ from the best by less than the noise of both.",
         notes->tied[TUTTI_MAP_TIE_CLOSE], points, plural);
  if (notes->incomplete > 0)
    note(notes, false,
         "Incomplete: at %d of %d point%s not all methods have been measured, so a better one may be missing.",
         notes->incomplete, points, plural);
}

void tutti_map_notes(const struct tutti_noted_map *noted, tutti_take_note *take, void *context)
{
  const tutti_decision_map *map = noted->map;
  struct notes notes = {.take = take, .context = context};
  bool *expected = list_expected(map);
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (tutti_decision_map_best_at(map, i, j) >= 0)
        look_at(noted, expected, i, j, &notes);
  free(expected);
  note_candidates(&notes, map);
  if (!tutti_decision_map_only_native(map))
    note_counts(&notes);
  note_untold(&notes, noted);
  note_noise(&notes, map);
  note_turns(&notes, noted);
}
