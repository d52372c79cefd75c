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
static void simulate(const char *path, const struct spread *spread, bool corrected, bool unfitted,
                     struct fit_points *points)
{
  struct fit_machines machines = {.path = path};
  tutti_predictor hockney;
  fit_model_read(&machines, &hockney);
  for (size_t i = 0; i < points->count; i++) {
    struct fit_point *point = &points->items[i];
    if (!fit_point_has_schedule(point))
      continue;
    must(fit_machines_simulate(&machines, point, &failure));
    fit_model_price(&hockney, point);
    if (spread->count > 0) {
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
}

static void compare(const struct accuracy_options *chosen, const tutti_platform *platform, const struct spread *spread)
{
  struct fit_points points = {.count = 0}, fitted = {.count = 0};
  fit_points_read(&chosen->filter, platform->name, &points);
  if (chosen->fitted > 0) {
    fit_points_read(&chosen->filter, platform->name, &fitted);
    fit_points_choose(&fitted, (size_t)chosen->fitted);
  }
  const char *machine = chosen->filter.machine ? chosen->filter.machine : platform->name;
  struct placement placement = {.options = NULL};
  placement_read(&chosen->placement, platform->path, &placement);
  for (size_t i = 0; i < points.count; i++) {
    points.items[i].fitted = is_among(&fitted, &points.items[i]);
    placement_find(&placement, machine, &points.items[i]);
  }
  simulate(platform->path, spread, chosen->per_algorithm, chosen->unfitted, &points);
  note_other_machine(machine, platform, spread);
  accuracy_print(&points, chosen->format);
  fit_points_free(&points);
  fit_points_free(&fitted);
  placement_free(&placement);
}

void accuracy_run(const struct accuracy_options *chosen)
{
  tutti_platform platform;
  must(platform_load(chosen->platform, &platform, &failure));
  struct spread spread = {.count = 0};
  must(spread_read(&platform, chosen->per_algorithm || chosen->unfitted, &spread, &failure));
  compare(chosen, &platform, &spread);
  spread_free(&spread);
  tutti_platform_free(&platform);
}
