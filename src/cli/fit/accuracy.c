/* tutti fit --check: measured points of a machine beside the same points simulated on a platform file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/fit/accuracy.h"
#include "cli/fit/spread.h"
#include "cli/options/common.h"

/* Print a note if the platform was not fitted to this machine or, if unknown, the machine has its own platform. */
static void note_other_machine(const char *machine, const tutti_platform *platform, const struct spread *spread)
{
  char *path = NULL;
  if (spread->machine && strcmp(machine, spread->machine) != 0)
    tutti_say(stderr, "tutti: note: the points are of %s, but %s was fitted to %s", machine, platform->name,
              spread->machine);
  else if (!spread->machine && strcmp(machine, platform->name) != 0 &&
           tutti_platform_find(machine, &path, NULL) == TUTTI_OK)
    tutti_say(stderr, "tutti: note: the points are of %s, whose platform is %s, but %s is simulated", machine, path,
              platform->name);
  else
    return;
  fputs(": the errors are also those between two machines\n", stderr);
  free(path);
}

/* Whether it is one of those. Their times are in the store, so they are the same bits. */
static bool is_among(const struct fit_points *points, const struct fit_point *point)
{
  for (size_t i = 0; i < points->count; i++)
    if (fit_point_compare(&points->items[i], point) == 0)
      return true;
  return false;
}

/* The points simulated, with what the fit says about their spread, if anything, and priced by Hockney's model.
   unfitted: those that it names are marked as fitted. */
static tutti_status simulate(const char *path, const struct spread *spread, bool corrected, bool unfitted,
                             struct fit_points *points, tutti_error *error)
{
  struct fit_machines machines = {.path = path};
  tutti_predictor hockney;
  tutti_status status = fit_model_read(&machines, &hockney, error);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    struct fit_point *point = &points->items[i];
    if (!fit_point_has_schedule(point))
      continue;
    status = fit_machines_simulate(&machines, point, error);
    fit_model_price(&hockney, point);
    if (status == TUTTI_OK && spread->count > 0) {
      const tutti_measurement *measured = &point->measured;
      point->fitted |= unfitted && spread_has(spread, &measured->method, measured->total_bytes,
                                              log(measured->median / point->seconds));
      const struct spread_interval interval =
          spread_predict(spread, &measured->method, measured->total_bytes, point->seconds, corrected);
      point->seconds = interval.seconds;
      point->lower = interval.lower;
      point->upper = interval.upper;
    }
  }
  fit_machines_free(&machines);
  return status;
}

static tutti_status compare(const struct accuracy_options *chosen, const tutti_platform *platform,
                            const struct spread *spread, tutti_error *error)
{
  struct fit_points points = {.count = 0}, fitted = {.count = 0};
  tutti_status status = fit_points_read(&chosen->filter, platform->name, &points, error);
  if (status == TUTTI_OK && chosen->fitted > 0) {
    status = fit_points_read(&chosen->filter, platform->name, &fitted, error);
    fit_points_choose(&fitted, (size_t)chosen->fitted);
  }
  const char *machine = chosen->filter.machine ? chosen->filter.machine : platform->name;
  struct placement placement = {.options = NULL};
  if (status == TUTTI_OK)
    status = placement_read(&chosen->placement, platform->path, &placement, error);
  for (size_t i = 0; i < points.count && status == TUTTI_OK; i++) {
    points.items[i].fitted = is_among(&fitted, &points.items[i]);
    status = placement_find(&placement, machine, &points.items[i], error);
  }
  if (status == TUTTI_OK)
    status = simulate(platform->path, spread, chosen->per_algorithm, chosen->unfitted, &points, error);
  if (status == TUTTI_OK) {
    note_other_machine(machine, platform, spread);
    status = accuracy_print(&points, chosen->format, error);
  }
  fit_points_free(&points);
  fit_points_free(&fitted);
  placement_free(&placement);
  return status;
}

tutti_status accuracy_run(const struct accuracy_options *chosen, tutti_error *error)
{
  tutti_platform platform;
  tutti_status status = platform_load(chosen->platform, &platform, error);
  if (status != TUTTI_OK)
    return status;
  struct spread spread = {.count = 0};
  status = spread_read(&platform, chosen->per_algorithm || chosen->unfitted, &spread, error);
  if (status == TUTTI_OK)
    status = compare(chosen, &platform, &spread, error);
  spread_free(&spread);
  tutti_platform_free(&platform);
  return status;
}
