/* A decision map as JSON: axes, methods, and per point the index of the best method in "methods" or null. */
#include <inttypes.h>

#include "cli/output/report_json.h"
#include "cli/map/report_map.h"

enum { TIME_DIGITS = 12, SHARE_DIGITS = 6 };

static const char *comma(int index)
{
  return index > 0 ? "," : "";
}

static void print_axes(const tutti_decision_map *map)
{
  printf(" \"ranks\": [");
  for (int i = 0; i < map->ranks_count; i++)
    printf("%s%d", comma(i), map->ranks[i]);
  printf("],\n \"sizes_B\": [");
  for (int j = 0; j < map->size_count; j++)
    printf("%s%" PRIu64, comma(j), map->sizes[j]);
  printf("],\n");
}

static void print_methods(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[TUTTI_METHOD_LENGTH];
  printf(" \"methods\": [");
  for (int i = 0; i < map->method_count; i++) {
    printf("%s\n  {\"method\": ", comma(i));
    json_string(stdout, tutti_method_format(&map->methods[i], text));
    printf(", \"points\": %d, \"share_percent\": ", report->points[i]);
    json_number(stdout, map_report_share(report, i), SHARE_DIGITS);
    printf("}");
  }
  printf("],\n");
}

static void print_best(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  printf(" \"best\": [");
  for (int i = 0; i < map->ranks_count; i++) {
    printf("%s\n  [", comma(i));
    for (int j = 0; j < map->size_count; j++) {
      int best = map_report_best(report, i, j);
      if (best < 0)
        printf("%snull", comma(j));
      else
        printf("%s%d", comma(j), best);
    }
    printf("]");
  }
  printf("]");
}

static void print_point_times(const tutti_decision_map *map, int ranks_index, int size_index)
{
  printf("%s[", comma(size_index));
  for (int k = 0; k < map->method_count; k++) {
    printf("%s", comma(k));
    json_number(stdout, tutti_decision_map_time(map, ranks_index, size_index, k), TIME_DIGITS);
  }
  printf("]");
}

static void print_times(const tutti_decision_map *map)
{
  printf(",\n \"median_s\": [");
  for (int i = 0; i < map->ranks_count; i++) {
    printf("%s\n  [", comma(i));
    for (int j = 0; j < map->size_count; j++)
      print_point_times(map, i, j);
    printf("]");
  }
  printf("]");
}

void report_map_print_json(const struct map_report *report, bool times)
{
  const tutti_decision_map *map = &report->measured->map;
  printf("{\"collective\": ");
  json_string(stdout, tutti_collective_name(map->collective));
  printf(", \"platform\": ");
  json_string(stdout, report->measured->platform);
  printf(", ");
  json_basis(report->measured->basis, report->measured->basis_name);
  printf(",\n");
  print_axes(map);
  print_methods(report);
  print_best(report);
  if (times)
    print_times(map);
  printf("}\n");
}
