/* tutti whatif: two decision maps as one JSON object. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/report_json.h"
#include "cli/whatif/report_whatif.h"

static void print_method(const tutti_method *method)
{
  char text[TUTTI_METHOD_LENGTH];
  json_string(stdout, tutti_method_format(method, text));
}

static void print_speedup(const char *name, const tutti_speedup *speedup)
{
  printf("\"%s\": {\"points\": %zu", name, speedup->points);
  json_member("mean", speedup->mean, 12);
  json_member("least", speedup->least, 12);
  json_member("most", speedup->most, 12);
  printf("}");
}

static void print_summary(const tutti_decision_map_comparison *comparison)
{
  const tutti_penalty *staying = &comparison->staying;
  printf("\n   ");
  print_speedup("speedup_of_best", &comparison->best);
  printf(", ");
  print_speedup("speedup_of_all", &comparison->all);
  printf(",\n   \"points\": %d, \"changed\": %d, \"changed_at_more_than_1_percent\": %d, \"staying\": ",
         comparison->points, comparison->changed, comparison->costly);
  if (staying->points == 0) {
    printf("null");
    return;
  }
  printf("{\"points\": %d", staying->points);
  json_member("mean_percent", staying->mean, 12);
  json_member("median_percent", staying->median, 12);
  json_member("maximum_percent", staying->maximum, 12);
  printf(", \"worst_ranks\": %d, \"worst_size_B\": %" PRIu64, staying->worst_ranks, staying->worst_size);
  json_member("within_5_percent", staying->within_5, 12);
  printf("}");
}

static double time_of(const tutti_decision_map *map, size_t point, int method)
{
  return method < 0 ? NAN : map->times[point * (size_t)map->method_count + (size_t)method];
}

static void print_best(const char *name, const tutti_decision_map *map, size_t point)
{
  printf(", \"%s\": {\"method\": ", name);
  if (map->best[point] < 0)
    printf("null");
  else
    print_method(&map->methods[map->best[point]]);
  json_member("time_s", time_of(map, point, map->best[point]), 12);
  printf("}");
}

/* The times of all methods at a point. */
static void print_methods(const struct whatif_map *map, size_t point)
{
  bool first = true;
  printf(", \"methods\": [");
  for (int m = 0; m < map->maps[0].method_count; m++) {
    double before = time_of(&map->maps[0], point, m), after = time_of(&map->maps[1], point, m);
    if (isnan(before) || isnan(after))
      continue;
    printf("%s\n    {\"method\": ", first ? "" : ",");
    print_method(&map->maps[0].methods[m]);
    json_member("before_s", before, 12);
    json_member("after_s", after, 12);
    printf("}");
    first = false;
  }
  printf("]");
}

static void print_points(const struct whatif_map *map, bool all)
{
  const tutti_decision_map *before = &map->maps[0];
  size_t sizes = (size_t)before->size_count;
  printf(",\n   \"cells\": [");
  for (size_t point = 0; point < (size_t)before->ranks_count * sizes; point++) {
    printf("%s\n   {\"ranks\": %d, \"size_B\": %" PRIu64, point ? "," : "", before->ranks[point / sizes],
           before->sizes[point % sizes]);
    print_best("before", before, point);
    print_best("after", &map->maps[1], point);
    json_member("staying_s", time_of(&map->maps[1], point, before->best[point]), 12);
    if (all)
      print_methods(map, point);
    printf("}");
  }
  printf("]");
}

static void print_crossovers_of(const char *name, const tutti_decision_map *map, int ranks_index,
                                tutti_crossover *crossovers)
{
  int count = tutti_decision_map_crossovers(map, ranks_index, crossovers);
  printf(", \"%s\": [", name);
  for (int i = 0; i < count; i++) {
    printf("%s{\"size_B\": %" PRIu64 ", \"method\": ", i ? ", " : "", crossovers[i].size);
    print_method(&map->methods[crossovers[i].method]);
    printf("}");
  }
  printf("]");
}

static void print_crossovers(const struct whatif_map *map, tutti_crossover *crossovers)
{
  printf(",\n   \"crossovers\": [");
  for (int i = 0; i < map->maps[0].ranks_count; i++) {
    printf("%s\n   {\"ranks\": %d", i ? "," : "", map->maps[0].ranks[i]);
    print_crossovers_of("before", &map->maps[0], i, crossovers);
    print_crossovers_of("after", &map->maps[1], i, crossovers);
    printf("}");
  }
  printf("]");
}

tutti_status report_whatif_map_json(const struct whatif *whatif, const struct whatif_map *map, tutti_error *error)
{
  size_t sizes = (size_t)map->maps[0].size_count;
  tutti_crossover *crossovers = calloc(sizes, sizeof *crossovers);
  if (!crossovers)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the crossovers of %zu sizes", sizes);
  printf("\n  {\"collective\": \"%s\", \"root\": %d, \"scheme\": \"%s\",",
         tutti_collective_name(map->maps[0].collective), map->root,
         tutti_scheme_name(whatif->experiments[0].measure.scheme));
  print_summary(&map->comparison);
  print_points(map, whatif->options->all);
  print_crossovers(map, crossovers);
  printf("}");
  free(crossovers);
  return TUTTI_OK;
}
