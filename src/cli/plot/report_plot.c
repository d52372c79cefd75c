/* Decision maps as pictures: who won where, and what a decision loses where. */
#include "cli/plot/report_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot_cells.h"
#include "report/color.h"

enum { UNMEASURED = 0xEEEEEE };

/* ---- best methods ---- */

static void name_method(const struct map_report *report, int method, struct cell_class *kind)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[TUTTI_METHOD_LENGTH];
  size_t collective = strlen(tutti_collective_name(map->collective)) + 1; /* the title names it */
  snprintf(kind->text, sizeof kind->text, "%s  %.1f %%", tutti_method_format(&map->methods[method], text) + collective,
           map_report_share(report, method));
  kind->color = tutti_report_color(map, method);
}

/* Class 0 is what was not measured, class m + 1 method m. */
static void tutti_classify(const struct map_report *report, int *classes, struct cell_class *kinds)
{
  const tutti_decision_map *map = &report->measured->map;
  kinds[0] = (struct cell_class){"not measured", UNMEASURED};
  for (int m = 0; m < map->method_count; m++)
    name_method(report, m, &kinds[m + 1]);
  for (int i = 0; i < map->ranks_count * map->size_count; i++)
    classes[i] = map->best[i] + 1;
}

tutti_status report_plot(const struct map_report *report, const char *path, tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  char title[512];
  int *classes = calloc((size_t)map->ranks_count * (size_t)map->size_count, sizeof *classes);
  struct cell_class *kinds = calloc((size_t)map->method_count + 1, sizeof *kinds);
  tutti_status status = TUTTI_OK;
  snprintf(title, sizeof title, "%s%s %s on %s (%s %s)", report->decision ? report->decision : "Best",
           report->decision ? ":" : "", tutti_collective_name(map->collective), report->measured->platform,
           report->measured->basis, report->measured->basis_name);
  if (classes && kinds) {
    tutti_classify(report, classes, kinds);
    const struct cells cells = {map, title, classes, map->method_count + 1, kinds};
    status = plot_cells(&cells, path, error);
  } else {
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the picture %s", path);
  }
  free(classes);
  free(kinds);
  return status;
}

/* ---- penalties: figure 6.8 ---- */

static const struct cell_class losses[] = {
    {"below 5 %", 0xFFFFFF},  {"5 to 10 %", 0xFFF3B0},     {"10 to 25 %", 0xFFD23F},
    {"25 to 50 %", 0xF28C28}, {"50 % and more", 0xC1121F}, {"not measured", UNMEASURED},
};

enum { LOSSES = sizeof losses / sizeof *losses };

static int class_of(double percent)
{
  static const double bounds[] = {5, 10, 25, 50};
  int kind = 0;
  while (kind < 4 && percent >= bounds[kind])
    kind++;
  return isnan(percent) ? LOSSES - 1 : kind;
}

tutti_status report_plot_loss(const struct map_report *report, const double *percents, const char *path,
                              tutti_error *error)
{
  const tutti_decision_map *map = &report->measured->map;
  char title[512];
  int points = map->ranks_count * map->size_count, *classes = calloc((size_t)points, sizeof *classes);
  if (!classes)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the picture %s", path);
  for (int i = 0; i < points; i++)
    classes[i] = class_of(percents[i]);
  snprintf(title, sizeof title, "Penalty of %s, %s on %s (%s %s)", report->decision,
           tutti_collective_name(map->collective), report->measured->platform, report->measured->basis,
           report->measured->basis_name);
  const struct cells cells = {map, title, classes, LOSSES, losses};
  tutti_status status = plot_cells(&cells, path, error);
  free(classes);
  return status;
}
