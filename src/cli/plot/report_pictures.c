#include "cli/plot/report_pictures.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/plot/report_chart.h"
#include "cli/plot/report_plot.h"
#include "tutti/decision_map.h"
#include "report/tables.h"

enum { PATH_LENGTH = 1024 };

/* Draws one picture to a path. */
typedef tutti_status draw_picture(const void *what, const char *path, tutti_error *error);

static tutti_status draw_both(draw_picture *draw, const void *what, const char *directory, const char *name,
                              tutti_error *error)
{
  static const char *const formats[] = {"svg", "pdf"};
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < 2 && status == TUTTI_OK; i++) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s.%s", directory, name, formats[i]) < 0)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the pictures in %s", directory);
    status = draw(what, path, error);
    free(path);
  }
  return status;
}

/* ---- maps ---- */

struct map_picture {
  struct map_report report;
  const double *percents; /* NULL: who is best, or picked */
};

static tutti_status draw_map(const void *what, const char *path, tutti_error *error)
{
  const struct map_picture *picture = what;
  return picture->percents ? report_plot_loss(&picture->report, picture->percents, path, error)
                           : report_plot(&picture->report, path, error);
}

/* A name of a decision as part of the name of a file. */
static void make_slug(const char *name, char slug[TUTTI_METHOD_LENGTH])
{
  size_t length = 0;
  for (; *name && length < TUTTI_METHOD_LENGTH - 1; name++)
    slug[length++] = isalnum((unsigned char)*name) || strchr(".-_", *name) ? *name : '-';
  slug[length] = '\0';
}

static tutti_status draw_measured(const struct measured_map *measured, const tutti_report_layer *layer,
                                  const double *percents, const char *directory, const char *name, tutti_error *error)
{
  struct map_picture picture = {.report = map_report_create(measured), .percents = percents};
  picture.report.decision = layer ? layer->name : NULL;
  tutti_status status = draw_both(draw_map, &picture, directory, name, error);
  map_report_free(&picture.report);
  return status;
}

/* The picks of a layer as a map: its methods are the shown ones, of which those after the measured have no color of
   their own kind. */
static tutti_status draw_layer(const struct measured_map *measured, const tutti_report_map *map,
                               const tutti_report_layer *layer, const char *directory, const char *name,
                               tutti_error *error)
{
  struct measured_map picked = *measured;
  char slug[TUTTI_METHOD_LENGTH], file[PATH_LENGTH];
  picked.map.best = layer->picks;
  picked.map.methods = map->shown;
  picked.map.method_count = map->shown_count;
  make_slug(layer->name, slug);
  snprintf(file, sizeof file, "%s-%s-picks", name, slug);
  tutti_status status = draw_measured(&picked, layer, NULL, directory, file, error);
  snprintf(file, sizeof file, "%s-%s-loss", name, slug);
  return status == TUTTI_OK ? draw_measured(&picked, layer, layer->percents, directory, file, error) : status;
}

static tutti_status draw_map_and_layers(const tutti_report *report, int index, const char *directory,
                                        tutti_error *error)
{
  const tutti_report_map *map = &report->maps[index];
  const struct measured_map measured = {.map = map->map,
                                        .scheme = map->scheme,
                                        .platform = report->contents.environments[map->environment].platform,
                                        .basis = "scheme",
                                        .basis_name = tutti_scheme_name(map->scheme)};
  char name[32];
  snprintf(name, sizeof name, "map-%d", index + 1);
  tutti_status status = draw_measured(&measured, NULL, NULL, directory, name, error);
  for (int i = 0; i < map->layer_count && status == TUTTI_OK; i++)
    status = draw_layer(&measured, map, &map->layers[i], directory, name, error);
  return status;
}

/* ---- charts ---- */

struct charts {
  const char *directory;
  int number; /* of the next one */
};

static tutti_status draw_chart(const void *what, const char *path, tutti_error *error)
{
  return report_chart_draw(what, path, error);
}

static tutti_status draw_pivot(const struct pivot *pivot, void *context, tutti_error *error)
{
  struct charts *charts = context;
  tutti_status status = TUTTI_OK;
  for (int table = 0; table < pivot->tables.count && status == TUTTI_OK; table++) {
    struct report_chart chart = {.pivot = pivot, .table = table};
    char name[64];
    if (!tutti_pivot_grid_create(pivot, table, &chart.grid))
      status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the pictures in %s", charts->directory);
    else if (tutti_pivot_has_chart(&chart.grid)) {
      snprintf(name, sizeof name, "%s-%d", pivot->slug, ++charts->number);
      status = draw_both(draw_chart, &chart, charts->directory, name, error);
    }
    tutti_pivot_grid_free(&chart.grid);
  }
  return status;
}

static tutti_status draw_charts(const tutti_report *report, const char *directory, tutti_error *error)
{
  struct charts charts = {.directory = directory};
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < report->contents.holding_count && status == TUTTI_OK; i++) {
    const tutti_holding *holding = &report->contents.holdings[i];
    if (holding->kind == TUTTI_HOLDS_BUILDS)
      status = tutti_report_tables_of_builds(report, holding, draw_pivot, &charts, error);
    else if (tutti_report_shows(holding))
      status = tutti_report_tables_of_results(report, holding, draw_pivot, &charts, error);
  }
  return status;
}

tutti_status report_pictures(const tutti_report *report, const char *path, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  for (int i = 0; i < report->map_count && status == TUTTI_OK; i++)
    status = draw_map_and_layers(report, i, path, error);
  return status == TUTTI_OK ? draw_charts(report, path, error) : status;
}
