/* What a reader of a decision map must know beside the letters: ties, and points where methods are missing that would
   serve them. */
#include <math.h>
#include <stdio.h>

#include "cli/map/report_map.h"
#include "decision/tie.h"

struct notes {
  int points, tied, incomplete;
};

/* Not measured, though the method serves such a call? */
static bool is_missing(const tutti_decision_map *map, int ranks_index, int size_index, int m)
{
  const tutti_call call = {
      .size = map->ranks[ranks_index], .count = map->sizes[size_index], .type_size = 1, .commutative = true};
  return isnan(tutti_decision_map_time(map, ranks_index, size_index, m)) &&
         tutti_method_check(&map->methods[m], &call, NULL) == TUTTI_OK;
}

static void look_at(const tutti_decision_map *map, int ranks_index, int size_index, int best, struct notes *notes)
{
  double least = tutti_decision_map_time(map, ranks_index, size_index, best);
  bool tied = false, incomplete = false;
  for (int m = 0; m < map->method_count; m++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, m);
    incomplete = incomplete || is_missing(map, ranks_index, size_index, m);
    tied = tied || (m != best && !isnan(time) && decision_tie(time, least));
  }
  notes->points++;
  notes->tied += tied;
  notes->incomplete += incomplete;
}

void report_map_print_notes(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct notes notes = {0};
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (map_report_best(report, i, j) >= 0)
        look_at(map, i, j, map_report_best(report, i, j), &notes);
  if (notes.tied > 0)
    printf("\n  Ties: at %d of %d points other methods take the same time; the first in the catalogue is shown.\n",
           notes.tied, notes.points);
  if (notes.incomplete > 0)
    printf("\n  Incomplete: at %d of %d points not all methods have been measured, so a better one may be missing.\n",
           notes.incomplete, notes.points);
}
