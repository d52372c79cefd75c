/* tutti whatif: two decision maps in one, as text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/map/map_report.h"
#include "cli/whatif/report_whatif.h"

enum { BEFORE, AFTER, CELL_LENGTH = 2 * REPORT_NAME_LENGTH + 2 };

/* The two maps with letters for the methods that are best anywhere in either. */
struct pair {
  const struct whatif_map *map;
  const tutti_decision_map *maps[2];
  int *won[2]; /* [method_count] cells; owned */
  int *letter; /* [method_count] -1: won nowhere; owned */
  int letters;
};

static int best_of(const tutti_decision_map *map, int ranks_index, int size_index)
{
  return map->best[(size_t)ranks_index * (size_t)map->size_count + (size_t)size_index];
}

static void count(struct pair *pair)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < map->ranks_count; i++)
      for (int j = 0; j < map->size_count; j++)
        if (best_of(pair->maps[side], i, j) >= 0)
          pair->won[side][best_of(pair->maps[side], i, j)]++;
  for (int m = 0; m < map->method_count; m++)
    pair->letter[m] = pair->won[BEFORE][m] + pair->won[AFTER][m] > 0 ? pair->letters++ : -1;
}

static const char *name_of(const struct pair *pair, int method, char name[REPORT_NAME_LENGTH])
{
  const struct map_report report = {.winner_count = pair->letters};
  return method < 0 ? "." : map_report_name(&report, pair->letter[method], name);
}

/* ---- times ---- */

static void print_times_head(const char *methods)
{
  printf("\n  %7s %8s %13s %13s %8s  %s\n", "ranks", "size", "before [us]", "after [us]", "speed-up", methods);
}

static void print_time(const struct pair *pair, size_t point, double before, double after)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  size_t sizes = (size_t)map->size_count;
  char size[24];
  printf("  %7d %8s %13.3f %13.3f %8.3f  ", map->ranks[point / sizes],
         tutti_size_format(map->sizes[point % sizes], size), 1e6 * before, 1e6 * after, whatif_ratio(before, after));
}

static void print_best_times(const struct pair *pair)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  size_t methods = (size_t)map->method_count;
  char text[TUTTI_METHOD_LENGTH];
  print_times_head("best before -> best after");
  for (size_t point = 0; point < (size_t)map->ranks_count * (size_t)map->size_count; point++) {
    int before = map->best[point], after = pair->maps[AFTER]->best[point];
    if (before < 0 || after < 0)
      continue;
    print_time(pair, point, map->times[point * methods + (size_t)before],
               pair->maps[AFTER]->times[point * methods + (size_t)after]);
    printf("%s", tutti_method_format(&map->methods[before], text));
    if (after != before)
      printf(" -> %s", tutti_method_format(&map->methods[after], text));
    putchar('\n');
  }
}

/* An asterisk behind the best before, a plus behind the best after. */
static void print_all_times(const struct pair *pair)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  size_t methods = (size_t)map->method_count;
  char text[TUTTI_METHOD_LENGTH];
  print_times_head("method (* best before, + best after)");
  for (size_t i = 0; i < (size_t)map->ranks_count * (size_t)map->size_count * methods; i++) {
    size_t point = i / methods;
    int method = (int)(i % methods);
    if (isnan(map->times[i]) || isnan(pair->maps[AFTER]->times[i]))
      continue;
    print_time(pair, point, map->times[i], pair->maps[AFTER]->times[i]);
    printf("%s%s%s\n", tutti_method_format(&map->methods[method], text), map->best[point] == method ? " *" : "",
           pair->maps[AFTER]->best[point] == method ? " +" : "");
  }
}

/* ---- summary ---- */

static void print_place(const char *what, double ratio, const tutti_decision_map *map, size_t point, const char *method)
{
  char size[24];
  size_t sizes = (size_t)map->size_count;
  printf(", %s %.3f (%d ranks, %s%s%s)", what, ratio, map->ranks[point / sizes],
         tutti_size_format(map->sizes[point % sizes], size), *method ? ", " : "", method);
}

static void print_speedups(const struct pair *pair)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  const tutti_speedup *best = &pair->map->comparison.best, *all = &pair->map->comparison.all;
  size_t methods = (size_t)map->method_count;
  char text[TUTTI_METHOD_LENGTH];
  printf("\n  Best methods: speed-up %.3f (geometric mean of %zu point%s)", best->mean, best->points,
         best->points == 1 ? "" : "s");
  print_place("least", best->least, map, best->least_at, "");
  print_place("most", best->most, map, best->most_at, "");
  printf("\n  All methods: speed-up %.3f", all->mean);
  print_place("least", all->least, map, all->least_at / methods,
              tutti_method_format(&map->methods[all->least_at % methods], text));
  print_place("most", all->most, map, all->most_at / methods,
              tutti_method_format(&map->methods[all->most_at % methods], text));
  putchar('\n');
}

static void print_staying(const tutti_decision_map_comparison *comparison)
{
  const tutti_penalty *staying = &comparison->staying;
  char size[24];
  printf("  Another method is best at %d of %d points (%.1f %%); at %d of them staying with the old one costs more "
         "than 1 %%.\n",
         comparison->changed, comparison->points, 100.0 * comparison->changed / comparison->points, comparison->costly);
  if (staying->points == 0)
    return;
  printf(
      "  Staying with all old decisions costs %.2f %% in the mean, %.2f %% in the median, at most %.2f %% (%d ranks, "
      "%s); at most 5 %% at %.1f %% of the points.\n",
      staying->mean, staying->median, staying->maximum, staying->worst_ranks,
      tutti_size_format(staying->worst_size, size), 100 * staying->within_5);
}

/* ---- the maps ---- */

static void print_legend(const struct pair *pair)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  char name[REPORT_NAME_LENGTH], text[TUTTI_METHOD_LENGTH];
  size_t width = strlen("method");
  for (int m = 0; m < map->method_count; m++)
    if (pair->letter[m] >= 0 && strlen(tutti_method_format(&map->methods[m], text)) > width)
      width = strlen(text);
  printf("\n  letter  %-*s  before   after  points\n", (int)width, "method");
  for (int m = 0; m < map->method_count; m++)
    if (pair->letter[m] >= 0)
      printf("  %-6s  %-*s  %6d  %6d\n", name_of(pair, m, name), (int)width,
             tutti_method_format(&map->methods[m], text), pair->won[BEFORE][m], pair->won[AFTER][m]);
}

/* "A", or "A>B" where B is best now. */
static int format_cell(const struct pair *pair, int ranks_index, int size_index, char cell[CELL_LENGTH])
{
  char first[REPORT_NAME_LENGTH], second[REPORT_NAME_LENGTH];
  int before = best_of(pair->maps[BEFORE], ranks_index, size_index);
  int after = best_of(pair->maps[AFTER], ranks_index, size_index);
  const char *from = name_of(pair, before, first), *to = name_of(pair, after, second);
  return snprintf(cell, CELL_LENGTH, "%s%s%s", from, before == after ? "" : ">", before == after ? "" : to);
}

static int widest_cell(const struct pair *pair)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  char cell[CELL_LENGTH];
  int widest = snprintf(cell, sizeof cell, "%d", map->ranks[map->ranks_count - 1]);
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      int width = format_cell(pair, i, j, cell);
      widest = width > widest ? width : widest;
    }
  return widest;
}

static void print_grid(const struct pair *pair)
{
  const tutti_decision_map *map = pair->maps[BEFORE];
  char cell[CELL_LENGTH], size[24];
  int width = widest_cell(pair);
  printf("\n  %8s  ranks\n  %8s", "", "size");
  for (int i = 0; i < map->ranks_count; i++)
    printf("  %-*d", i + 1 < map->ranks_count ? width : 0, map->ranks[i]);
  for (int j = 0; j < map->size_count; j++) {
    printf("\n  %8s", tutti_size_format(map->sizes[j], size));
    for (int i = 0; i < map->ranks_count; i++) {
      format_cell(pair, i, j, cell);
      printf("  %-*s", i + 1 < map->ranks_count ? width : 0, cell);
    }
  }
  putchar('\n');
}

/* ---- crossovers ---- */

static void print_crossovers_of(const struct pair *pair, int ranks_index, const char *when, int side,
                                tutti_crossover *crossovers)
{
  char size[24], name[REPORT_NAME_LENGTH];
  int count = tutti_decision_map_crossovers(pair->maps[side], ranks_index, crossovers);
  printf("  %7d  %-6s", pair->maps[side]->ranks[ranks_index], when);
  for (int i = 0; i < count; i++)
    printf("%s %s %s", i ? "," : "", tutti_size_format(crossovers[i].size, size),
           name_of(pair, crossovers[i].method, name));
  putchar('\n');
}

static bool is_same_row(const struct pair *pair, int ranks_index)
{
  size_t sizes = (size_t)pair->maps[BEFORE]->size_count, first = (size_t)ranks_index * sizes;
  return memcmp(pair->maps[BEFORE]->best + first, pair->maps[AFTER]->best + first, sizes * sizeof(int)) == 0;
}

static void print_crossovers(const struct pair *pair, tutti_crossover *crossovers)
{
  printf("\n  Crossovers: the size from which on a method is best\n  %7s\n", "ranks");
  for (int i = 0; i < pair->maps[BEFORE]->ranks_count; i++) {
    if (is_same_row(pair, i)) {
      print_crossovers_of(pair, i, "both", BEFORE, crossovers);
      continue;
    }
    print_crossovers_of(pair, i, "before", BEFORE, crossovers);
    print_crossovers_of(pair, i, "after", AFTER, crossovers);
  }
}

static void print_title(const struct whatif *whatif, const struct whatif_map *map)
{
  const tutti_decision_map *before = &map->maps[BEFORE];
  printf("\n%s", tutti_collective_name(before->collective));
  if (tutti_collective_traits(before->collective) & TUTTI_HAS_ROOT)
    printf(" from root %d", map->root);
  printf(" in %s, scheme %s (methods: %d, communicator sizes: %d, message sizes: %d)\n", whatif->experiments[0].name,
         tutti_scheme_name(whatif->experiments[0].measure.scheme), before->method_count, before->ranks_count,
         before->size_count);
}

static void print_pair(const struct whatif *whatif, const struct pair *pair, tutti_crossover *crossovers)
{
  print_title(whatif, pair->map);
  if (whatif->options->all)
    print_all_times(pair);
  else
    print_best_times(pair);
  print_speedups(pair);
  if (pair->map->comparison.points == 0)
    return;
  print_staying(&pair->map->comparison);
  print_legend(pair);
  print_grid(pair);
  if (pair->maps[BEFORE]->size_count > 1)
    print_crossovers(pair, crossovers);
}

tutti_status report_whatif_map(const struct whatif *whatif, const struct whatif_map *map, tutti_error *error)
{
  size_t methods = (size_t)map->maps[BEFORE].method_count;
  int *numbers = calloc(3 * methods, sizeof *numbers);
  tutti_crossover *crossovers = calloc((size_t)map->maps[BEFORE].size_count, sizeof *crossovers);
  if (numbers && crossovers) {
    struct pair pair = {.map = map,
                        .maps = {&map->maps[BEFORE], &map->maps[AFTER]},
                        .won = {numbers, numbers + methods},
                        .letter = numbers + 2 * methods};
    count(&pair);
    print_pair(whatif, &pair, crossovers);
  }
  bool done = numbers && crossovers;
  free(numbers);
  free(crossovers);
  return done ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a map of %zu methods", methods);
}
