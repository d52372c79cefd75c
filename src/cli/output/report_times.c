/* The times behind a decision map: of each point the best method and its runner-up. */
#include <math.h>
#include <string.h>

#include "cli/map/report_map.h"

/* The fastest method at a point other than @p best, first in order of methods among equals; -1 if there is none. */
static int runner_up(const tutti_decision_map *map, int ranks_index, int size_index, int best)
{
  int second = -1;
  double least = INFINITY;
  for (int i = 0; i < map->method_count; i++) {
    double time = tutti_decision_map_time(map, ranks_index, size_index, i);
    if (i == best || !(time < least))
      continue;
    second = i;
    least = time;
  }
  return second;
}

static int longest_method(const tutti_decision_map *map)
{
  char text[TUTTI_METHOD_LENGTH];
  size_t longest = strlen("runner-up");
  for (int i = 0; i < map->method_count; i++) {
    size_t length = strlen(tutti_method_format(&map->methods[i], text));
    longest = length > longest ? length : longest;
  }
  return (int)longest;
}

static void print_method(const tutti_decision_map *map, int ranks_index, int size_index, int method, int width)
{
  char text[TUTTI_METHOD_LENGTH];
  printf("  %-*s %13.3f", width, tutti_method_format(&map->methods[method], text),
         1e6 * tutti_decision_map_time(map, ranks_index, size_index, method));
}

static void print_point(const struct map_report *report, int ranks_index, int size_index, int width)
{
  const tutti_decision_map *map = &report->measured->map;
  int best = map_report_best(report, ranks_index, size_index);
  if (best < 0)
    return;
  char size[24];
  printf("%8d %8s", map->ranks[ranks_index], tutti_size_format(map->sizes[size_index], size));
  print_method(map, ranks_index, size_index, best, width);
  int second = runner_up(map, ranks_index, size_index, best);
  if (second >= 0)
    print_method(map, ranks_index, size_index, second, width);
  printf("\n");
}

void report_map_print_times(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  int width = longest_method(map);
  printf("\n%8s %8s  %-*s %13s  %-*s %13s\n", "ranks", "size", width, "best", "median [us]", width, "runner-up",
         "median [us]");
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      print_point(report, i, j, width);
}
