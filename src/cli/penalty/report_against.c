/* What decisions gain over one of them, one line each for each number of ranks (as in table 6.9). */
#include "cli/penalty/report_against.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/report_json.h"

void against_best_times(const tutti_decision_map *map, double *times)
{
  for (int r = 0; r < map->ranks_count; r++)
    for (int s = 0; s < map->size_count; s++) {
      int best = map->best[(size_t)r * (size_t)map->size_count + (size_t)s];
      *times++ = best < 0 ? NAN : tutti_decision_map_time(map, r, s, best);
    }
}

/* Some rows of a map: those of one number of ranks, or all; label "24", "all". */
struct part {
  char label[16];
  size_t first, count;
};

static int parts_of(const struct against *against)
{
  return against->ranks_count > 0 ? against->ranks_count : 1;
}

/* A number of ranks that was not measured has no points. */
static struct part part_at(const struct against *against, int index)
{
  const tutti_decision_map *map = against->map;
  size_t sizes = (size_t)map->size_count;
  struct part part = {"all", 0, (size_t)map->ranks_count * sizes};
  if (against->ranks_count == 0)
    return part;
  snprintf(part.label, sizeof part.label, "%" PRIu64, against->ranks[index]);
  part.count = 0;
  for (int r = 0; r < map->ranks_count; r++)
    if ((uint64_t)map->ranks[r] == against->ranks[index])
      part = (struct part){.first = (size_t)r * sizes, .count = sizes};
  snprintf(part.label, sizeof part.label, "%" PRIu64, against->ranks[index]);
  return part;
}

static tutti_improvement improvement_in(const struct against *against, const struct against_row *row,
                                        const struct part *part)
{
  return tutti_improvement_over(row->times + part->first, against->reference + part->first, part->count);
}

static int longest_name(const struct against *against)
{
  size_t longest = strlen("decision");
  for (int i = 0; i < against->count; i++)
    longest = strlen(against->rows[i].name) > longest ? strlen(against->rows[i].name) : longest;
  return (int)longest;
}

/* ---- times ---- */

static void print_microseconds(double seconds, int width)
{
  if (isnan(seconds))
    printf(" %*s", width, "-");
  else
    printf(" %*.3f", width, 1e6 * seconds);
}

static int column(const char *name)
{
  return strlen(name) > 12 ? (int)strlen(name) : 12;
}

static void print_point(const struct against *against, size_t point)
{
  const tutti_decision_map *map = against->map;
  size_t sizes = (size_t)map->size_count;
  char size[24];
  printf("  %6d %8s", map->ranks[point / sizes], tutti_size_format(map->sizes[point % sizes], size));
  print_microseconds(against->reference[point], column(against->name));
  for (int i = 0; i < against->count; i++)
    print_microseconds(against->rows[i].times[point], column(against->rows[i].name));
  putchar('\n');
}

static void print_times(const struct against *against)
{
  printf("\n  Times [us]\n  %6s %8s %*s", "ranks", "size", column(against->name), against->name);
  for (int i = 0; i < against->count; i++)
    printf(" %*s", column(against->rows[i].name), against->rows[i].name);
  putchar('\n');
  for (int p = 0; p < parts_of(against); p++) {
    struct part part = part_at(against, p);
    for (size_t i = 0; i < part.count; i++)
      print_point(against, part.first + i);
  }
}

/* ---- improvements ---- */

static void print_improvement(double percent)
{
  if (isnan(percent))
    printf(" %9s", "-");
  else
    printf(" %9.2f", percent);
}

static void print_row(const struct against *against, const struct against_row *row, int width)
{
  for (int p = 0; p < parts_of(against); p++) {
    struct part part = part_at(against, p);
    tutti_improvement improvement = improvement_in(against, row, &part);
    printf("  %-*s %6s", width, row->name, part.label);
    print_improvement(improvement.minimum);
    print_improvement(improvement.maximum);
    print_improvement(improvement.mean);
    printf(" %7d %8d\n", improvement.points, improvement.missing);
  }
}

void report_against_print(const struct against *against)
{
  int width = longest_name(against);
  printf("Improvement over %s on %s, scheme %s: 100 (t(%s) - t) / t(%s)\n\n", against->name, against->platform,
         against->scheme, against->name, against->name);
  printf("  %-*s %6s %9s %9s %9s %7s %8s\n", width, "decision", "ranks", "min [%]", "max [%]", "mean [%]", "points",
         "missing");
  for (int i = 0; i < against->count; i++)
    print_row(against, &against->rows[i], width);
  if (against->times)
    print_times(against);
}

/* ---- JSON ---- */

static void print_percent(const char *name, double percent)
{
  printf(", \"%s\": ", name);
  json_number(stdout, percent, 12);
}

static void print_json_part(const struct against *against, const struct against_row *row, int index)
{
  struct part part = part_at(against, index);
  tutti_improvement improvement = improvement_in(against, row, &part);
  printf("  {\"decision\": ");
  json_string(stdout, row->name);
  printf(", \"ranks\": ");
  if (against->ranks_count > 0)
    printf("%s", part.label);
  else
    printf("null");
  print_percent("minimum_percent", improvement.minimum);
  print_percent("maximum_percent", improvement.maximum);
  print_percent("mean_percent", improvement.mean);
  printf(", \"points\": %d, \"missing\": %d", improvement.points, improvement.missing);
  for (size_t i = 0; against->times && i < part.count; i++) {
    fputs(i ? ", " : ", \"time_s\": [", stdout);
    json_number(stdout, row->times[part.first + i], 12);
  }
  fputs(against->times && part.count ? "]}" : "}", stdout);
}

static void print_json_against(const struct against *against)
{
  printf("{\"platform\": ");
  json_string(stdout, against->platform);
  printf(", ");
  json_basis("scheme", against->scheme);
  printf(", \"against\": ");
  json_string(stdout, against->name);
  printf(", \"ranks\": [");
  for (int r = 0; r < against->map->ranks_count; r++)
    printf("%s%d", r ? ", " : "", against->map->ranks[r]);
  printf("], \"sizes_B\": [");
  for (int s = 0; s < against->map->size_count; s++)
    printf("%s%" PRIu64, s ? ", " : "", against->map->sizes[s]);
  printf("], \"improvements\": [\n");
}

void report_against_print_json(const struct against *against)
{
  print_json_against(against);
  for (int i = 0; i < against->count; i++)
    for (int p = 0; p < parts_of(against); p++) {
      print_json_part(against, &against->rows[i], p);
      puts(i + 1 < against->count || p + 1 < parts_of(against) ? "," : "");
    }
  puts("]}");
}
