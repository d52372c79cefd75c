/* A decision map as text: a legend of the winners, then a letter per point. */
#include "cli/map/report_map.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100 };

int map_report_best(const struct map_report *report, int ranks_index, int size_index)
{
  const tutti_decision_map *map = &report->measured->map;
  return map->best[(size_t)ranks_index * (size_t)map->size_count + (size_t)size_index];
}

static void count_winners(struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++) {
      int best = map_report_best(report, i, j);
      if (best < 0) {
        report->missing_points++;
        continue;
      }
      report->points[best]++;
      report->measured_points++;
    }
  for (int i = 0; i < map->method_count; i++)
    report->winner[i] = report->points[i] > 0 ? report->winner_count++ : -1;
}

tutti_status map_report_create(const struct measured_map *measured, struct map_report *report, tutti_error *error)
{
  size_t count = (size_t)measured->map.method_count;
  *report = (struct map_report){.measured = measured};
  report->points = calloc(count, sizeof *report->points);
  report->winner = calloc(count, sizeof *report->winner);
  if (!report->points || !report->winner) {
    map_report_free(report);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a map of %zu methods", count);
  }
  count_winners(report);
  return TUTTI_OK;
}

void map_report_free(struct map_report *report)
{
  free(report->points);
  free(report->winner);
}

const char *map_report_name(const struct map_report *report, int winner, char name[REPORT_NAME_LENGTH])
{
  return tutti_report_letters(winner, report->winner_count, name);
}

double map_report_share(const struct map_report *report, int method)
{
  return 100.0 * report->points[method] / report->measured_points;
}

static int longest_method(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[TUTTI_METHOD_LENGTH];
  size_t longest = strlen("not measured");
  for (int i = 0; i < map->method_count; i++) {
    size_t length = report->points[i] > 0 ? strlen(tutti_method_format(&map->methods[i], text)) : 0;
    longest = length > longest ? length : longest;
  }
  return (int)longest;
}

static void print_legend(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  char name[REPORT_NAME_LENGTH], text[TUTTI_METHOD_LENGTH];
  int width = longest_method(report);
  printf("  letter  %-*s  points    share\n", width, "method");
  for (int i = 0; i < map->method_count; i++)
    if (report->points[i] > 0)
      printf("  %-6s  %-*s  %6d  %5.1f %%\n", map_report_name(report, report->winner[i], name), width,
             tutti_method_format(&map->methods[i], text), report->points[i], map_report_share(report, i));
  if (report->missing_points > 0)
    printf("  %-6s  %-*s  %6d\n", ".", width, "not measured", report->missing_points);
}

/* Where the grid stands on the line. */
struct grid {
  int label;       /* columns of the label of a row */
  int digits;      /* of the largest number of ranks */
  int pitch;       /* columns from one cell to the next */
  const char *gap; /* between the label and the first cell, where the cells bring none along */
  bool upright;    /* numbers of ranks are written downwards, to save columns */
};

static int digits_of(int number)
{
  char text[16];
  return snprintf(text, sizeof text, "%d", number);
}

static struct grid lay_out(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct grid grid = {.label = (int)strlen("size"), .digits = digits_of(map->ranks[map->ranks_count - 1])};
  char text[24];
  for (int j = 0; j < map->size_count; j++) {
    int length = (int)strlen(tutti_size_format(map->sizes[j], text));
    grid.label = length > grid.label ? length : grid.label;
  }
  int width = tutti_report_letters_width(report->winner_count), widest = width > grid.digits ? width : grid.digits;
  long room = COLUMNS - 2 - grid.label;
  grid.upright = (long)(widest + 1) * map->ranks_count > room;
  grid.pitch = grid.upright ? width : widest;
  grid.pitch += (long)(grid.pitch + 1) * map->ranks_count <= room || !grid.upright;
  grid.gap = grid.pitch > width ? "" : " ";
  return grid;
}

static void print_ranks(const tutti_decision_map *map, const struct grid *grid)
{
  char number[16];
  int lines = grid->upright ? grid->digits : 1;
  printf("\n  %*s  ranks\n", grid->label, "");
  for (int line = 0; line < lines; line++) {
    printf("  %*s%s", grid->label, line == lines - 1 ? "size" : "", grid->gap);
    for (int i = 0; i < map->ranks_count; i++) {
      snprintf(number, sizeof number, "%*d", grid->digits, map->ranks[i]);
      if (grid->upright)
        printf("%*c", grid->pitch, number[line]);
      else
        printf("%*d", grid->pitch, map->ranks[i]);
    }
    printf("\n");
  }
}

static void print_row(const struct map_report *report, const struct grid *grid, int size_index)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[24], name[REPORT_NAME_LENGTH];
  printf("  %*s%s", grid->label, tutti_size_format(map->sizes[size_index], text), grid->gap);
  for (int i = 0; i < map->ranks_count; i++) {
    int best = map_report_best(report, i, size_index);
    printf("%*s", grid->pitch, best < 0 ? "." : map_report_name(report, report->winner[best], name));
  }
  printf("\n");
}

void report_map_print(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  struct grid grid = lay_out(report);
  printf("%s on %s, %s %s (methods: %d, communicator sizes: %d, message sizes: %d)\n\n",
         tutti_collective_name(map->collective), report->measured->platform, report->measured->basis,
         report->measured->basis_name, map->method_count, map->ranks_count, map->size_count);
  print_legend(report);
  print_ranks(map, &grid);
  for (int j = 0; j < map->size_count; j++)
    print_row(report, &grid, j);
}
