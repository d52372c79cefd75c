/* tutti accuracy: measured points of a machine beside the same points simulated on a platform file. */
#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/fit/accuracy.h"
#include "cli/options/common.h"

struct accuracy_options {
  const char *platform;
  struct point_filter filter;
  int fitted;
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_HEADING("The points:"),
    OPTION_TABLE(struct accuracy_options, filter, points_table),
    OPTION_NUMBER("fitted", "N", struct accuracy_options, fitted,
                  "leave out of the errors the points to which tutti fit --points N fits with the same options",
                  .max = 10000, .otherwise = "none"),
    OPTION_HEADING("Output:"),
    OPTION_FORMAT(struct accuracy_options, format),
    ARGUMENT_STRING("PLATFORM", struct accuracy_options, platform),
    OPTION_END};

/* Is it one of those? Their times are in the store, so they are the same bits. */
static bool is_among(const struct fit_points *points, const struct fit_point *point)
{
  for (size_t i = 0; i < points->count; i++)
    if (fit_point_compare(&points->items[i], point) == 0)
      return true;
  return false;
}

static tutti_status simulate(const char *path, const struct fit_points *fitted, struct fit_points *points,
                             tutti_error *error)
{
  struct fit_machines machines = {.path = path};
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    struct fit_point *point = &points->items[i];
    point->fitted = is_among(fitted, point);
    if (fit_point_has_schedule(point))
      status = fit_machines_simulate(&machines, point, error);
  }
  fit_machines_free(&machines);
  return status;
}

static tutti_status compare(const struct accuracy_options *chosen, const tutti_platform *platform, tutti_error *error)
{
  struct fit_points points = {.count = 0}, fitted = {.count = 0};
  tutti_status status = fit_points_read(&chosen->filter, platform->name, &points, error);
  if (status == TUTTI_OK && chosen->fitted > 0) {
    status = fit_points_read(&chosen->filter, platform->name, &fitted, error);
    fit_points_choose(&fitted, (size_t)chosen->fitted);
  }
  if (status == TUTTI_OK)
    status = simulate(platform->path, &fitted, &points, error);
  if (status == TUTTI_OK)
    status = accuracy_print(&points, chosen->format, error);
  fit_points_free(&points);
  fit_points_free(&fitted);
  return status;
}

static int run(void *values)
{
  const struct accuracy_options *chosen = values;
  tutti_platform platform;
  tutti_error error = {0};
  tutti_status status = platform_load(chosen->platform, &platform, &error);
  if (status != TUTTI_OK)
    return complain(&error);
  status = compare(chosen, &platform, &error);
  tutti_platform_free(&platform);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_accuracy = {
    .name = "accuracy",
    .summary = "how near simulated times are to measured ones",
    .help =
        "Simulate the points that were measured on a machine by Tutti's own engine on the PLATFORM, and print for "
        "each collective the median error of the times, Spearman's rank correlation, how often the method that is "
        "fastest in the simulation is the fastest on the machine, or within 5 % and 10 % of it, and what that choice "
        "costs, beside what the library chose itself and the best single method.",
    .notes =
        "A choice is made where two methods or more were measured in one run, on as many ranks, with messages of "
        "one size. The penalty of a method is how much slower it was than the fastest one there, the library's own "
        "choice included. Points are simulated as by tutti fit.",
    .examples = "tutti accuracy fitted.xml --machine mycluster --from results.db --fitted 20",
    .see = "tutti fit, tutti penalty; docs/how-to/fit.md",
    .options = options,
    .size = sizeof(struct accuracy_options),
    .run = run,
};
