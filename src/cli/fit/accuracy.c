/* tutti accuracy: measured points of a machine beside the same points simulated on a platform file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/fit/accuracy.h"
#include "cli/fit/placement.h"
#include "cli/fit/spread.h"
#include "cli/options/common.h"

struct accuracy_options {
  const char *platform;
  struct point_filter filter;
  struct placement_options placement;
  int fitted;
  bool unfitted;
  bool per_algorithm;
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_HEADING("The points:"),
    OPTION_TABLE(struct accuracy_options, filter, points_table),
    OPTION_TABLE(struct accuracy_options, placement, placement_table),
    OPTION_NUMBER("fitted", "N", struct accuracy_options, fitted,
                  "leave out of the errors the points to which tutti fit --points N fits with the same options",
                  .max = 10000, .otherwise = "none"),
    OPTION_FLAG("unfitted", struct accuracy_options, unfitted,
                "leave out of the errors the points that the platform says it was fitted to"),
    OPTION_FLAG("per-algorithm", struct accuracy_options, per_algorithm,
                "correct the times for each algorithm and size, as the points of the fit say"),
    OPTION_HEADING("Output:"),
    OPTION_FORMAT(struct accuracy_options, format),
    ARGUMENT_STRING("PLATFORM", struct accuracy_options, platform),
    OPTION_END};

/* Is the machine not the one that the platform was fitted to, or, where that is not known, has it a platform of its
   own? */
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

/* Is it one of those? Their times are in the store, so they are the same bits. */
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

static int run(void *values)
{
  const struct accuracy_options *chosen = values;
  tutti_platform platform;
  tutti_error error = {0};
  tutti_status status = platform_load(chosen->platform, &platform, &error);
  if (status != TUTTI_OK)
    return complain(&error);
  struct spread spread = {.count = 0};
  status = spread_read(&platform, chosen->per_algorithm || chosen->unfitted, &spread, &error);
  if (status == TUTTI_OK)
    status = compare(chosen, &platform, &spread, &error);
  spread_free(&spread);
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
        "costs, beside what the library chose itself, what Hockney's model chooses, and the best single method. Of a "
        "platform that tutti fit has written also how many times are inside of their intervals of 90 %.",
    .notes =
        "A choice is made where two methods or more were measured in one run, on as many ranks, with messages of "
        "one size. The penalty of a method is how much slower it was than the fastest one there, the library's own "
        "choice included. Points are simulated as by tutti fit.",
    .examples = "tutti accuracy fitted.xml --machine mycluster --from results.db --unfitted",
    .see = "tutti fit, tutti penalty; docs/how-to/fit.md",
    .options = options,
    .size = sizeof(struct accuracy_options),
    .run = run,
};
