/* Decision maps as pictures: the best method of each point, the penalty of a decision there, or where a method stands.
 */
#include <math.h>
#include <stdarg.h>

#include "cli/map/map_report.h"
#include "cli/plot/plot.h"
#include "cli/report/map_notes.h"

static const struct cell_class unmeasured = {"not measured", "", PALETTE_UNMEASURED, TUTTI_FILL_SOLID};

/* ---- best methods ---- */

static void name_method(const struct map_report *report, int method, struct cell_class *kind)
{
  const tutti_decision_map *map = &report->measured->map;
  char text[TUTTI_METHOD_LENGTH];
  size_t collective = strlen(tutti_collective_name(map->collective)) + 1; /* the title names it */
  tutti_marks_letters(&report->marks, method, kind->letters);
  snprintf(kind->text, sizeof kind->text, "%s  %s  %.1f %%", kind->letters,
           tutti_method_format(&map->methods[method], text) + collective, map_report_share(report, method));
  kind->color = tutti_mark_of(map->methods[method].algorithm).color;
  kind->fill = tutti_mark_of(map->methods[method].algorithm).fill;
}

static bool *list_ties(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  bool *tied = tutti_xcalloc(tutti_decision_map_points(map), sizeof *tied);
  for (int i = 0; i < map->ranks_count * map->size_count; i++)
    tied[i] =
        !report->decision && tutti_map_tie_at(map, i / map->size_count, i % map->size_count) != TUTTI_MAP_TIE_NONE;
  return tied;
}

enum { TITLE_LENGTH = 512 };

/* "bcast on grig_mx, 2 to 28 ranks, " and what is shown, unless the title is given. */
__attribute__((format(printf, 3, 4))) static const char *make_title(const struct map_report *report,
                                                                    char title[TITLE_LENGTH], const char *format, ...)
{
  const tutti_decision_map *map = &report->measured->map;
  char ranks[32], shown[TITLE_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(shown, sizeof shown, format, arguments);
  va_end(arguments);
  if (map->ranks_count > 1)
    snprintf(ranks, sizeof ranks, "%d to %d", map->ranks[0], map->ranks[map->ranks_count - 1]);
  else
    snprintf(ranks, sizeof ranks, "%d", map->ranks[0]);
  const int length = snprintf(title, TITLE_LENGTH, "%s on %.*s, %s ranks, ", tutti_collective_name(map->collective),
                              TITLE_LENGTH / 2, report->measured->platform, ranks);
  snprintf(title + length, TITLE_LENGTH - (size_t)length, "%s", shown);
  return report->title ? report->title : title;
}

/* Whose methods are shown as best. */
static const char *whose(const struct map_report *report)
{
  const tutti_decision_map *map = &report->measured->map;
  for (int m = 0; m < map->method_count; m++)
    if (report->shown[m] &&
        (map->methods[m].implementation != TUTTI_IMPLEMENTATION_TUTTI || tutti_method_is_native(&map->methods[m])))
      return "all";
  return "Tutti's";
}

static const char *title_best(const struct map_report *report, char title[TITLE_LENGTH])
{
  if (report->decision)
    return make_title(report, title, "methods that %s picks", report->decision);
  if (strcmp(report->measured->basis, "model") == 0)
    return make_title(report, title, "fastest of %s methods, predicted by %s", whose(report),
                      report->measured->basis_name);
  return make_title(report, title, "fastest of %s methods", whose(report));
}

/* Class 0 is what was not measured, class m + 1 method m. */
void plot_map(const struct map_report *report, const char *path)
{
  const tutti_decision_map *map = &report->measured->map;
  char title[TITLE_LENGTH];
  int points = map->ranks_count * map->size_count, *classes = tutti_xcalloc((size_t)points, sizeof *classes);
  struct cell_class *kinds = tutti_xcalloc((size_t)map->method_count + 1, sizeof *kinds);
  kinds[0] = unmeasured;
  for (int m = 0; m < map->method_count; m++)
    name_method(report, m, &kinds[m + 1]);
  for (int i = 0; i < points; i++)
    classes[i] = map->best[i] + 1;
  bool *tied = list_ties(report);
  const struct cells cells = {.map = map,
                              .title = title_best(report, title),
                              .classes = classes,
                              .kind_count = map->method_count + 1,
                              .kinds = kinds,
                              .tied = tied};
  plot_cells(&cells, path);
  free(classes);
  free(kinds);
  free(tied);
}

/* ---- penalties: figure 6.8 ---- */

enum { OPTIMAL = TUTTI_LOSSES + 1, LOSS_KINDS }; /* TUTTI_LOSSES is what was not measured */

static void name_losses(struct cell_class kinds[LOSS_KINDS])
{
  kinds[TUTTI_LOSSES] = unmeasured;
  kinds[OPTIMAL] = (struct cell_class){"proven optimal to 1 %", "", 0xA8DDB5, TUTTI_FILL_SOLID};
  for (int i = 0; i < TUTTI_LOSSES; i++) {
    kinds[i] = (struct cell_class){.color = tutti_losses[i].color, .fill = TUTTI_FILL_SOLID};
    snprintf(kinds[i].text, sizeof kinds[i].text, "%s", tutti_losses[i].text);
  }
}

static void plot_losses(const struct map_report *report, const double *percents, const int *places,
                        const struct gap_point *gaps, const char *title, const char *path)
{
  const tutti_decision_map *map = &report->measured->map;
  size_t points = tutti_decision_map_points(map);
  int *classes = tutti_xcalloc(points, sizeof *classes);
  bool *tied = tutti_xcalloc(points, sizeof *tied); /* none */
  struct cell_class kinds[LOSS_KINDS];
  name_losses(kinds);
  for (size_t i = 0; i < points; i++)
    classes[i] = isnan(percents[i])                       ? TUTTI_LOSSES
                 : gaps && percents[i] <= MAP_GAP_OPTIMAL ? OPTIMAL
                                                          : tutti_loss_class(percents[i]);
  const struct cells cells = {.map = map,
                              .title = title,
                              .methods = map->method_count,
                              .classes = classes,
                              .kind_count = LOSS_KINDS,
                              .kinds = kinds,
                              .unmeasured = TUTTI_LOSSES,
                              .tied = tied,
                              .places = places,
                              .percents = percents,
                              .gaps = gaps};
  plot_cells(&cells, path);
  free(classes);
  free(tied);
}

void plot_map_loss(const struct map_report *report, const double *percents, const char *path)
{
  char title[TITLE_LENGTH];
  const char *shown = make_title(report, title, "time that %s loses", report->decision);
  plot_losses(report, percents, NULL, NULL, shown, path);
}

void plot_map_mine(const struct map_report *report, const char *path)
{
  const tutti_decision_map *map = &report->measured->map;
  size_t points = tutti_decision_map_points(map);
  double *percents = tutti_xcalloc(points, sizeof *percents);
  int *places = tutti_xcalloc(points, sizeof *places);
  char title[TITLE_LENGTH], name[MAP_MINE_LENGTH];
  map_mine_list(report, percents, places);
  const char *shown = make_title(report, title, "place of %s and time it loses", map_mine_format(&report->mine, name));
  plot_losses(report, percents, places, NULL, shown, path);
  free(percents);
  free(places);
}

void plot_map_gap(const struct map_report *report, const char *path)
{
  const size_t points = tutti_decision_map_points(&report->measured->map);
  double *percents = tutti_xcalloc(points, sizeof *percents);
  char title[TITLE_LENGTH];
  for (size_t i = 0; i < points; i++)
    percents[i] = report->gaps[i].percent;
  plot_losses(report, percents, NULL, report->gaps,
              make_title(report, title, "time of the fastest above the lower bound"), path);
  free(percents);
}
