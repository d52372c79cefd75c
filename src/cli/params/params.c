/* tutti params: measure the parameters of point-to-point models, show them, compare them with published ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/params/report_params.h"
#include "cli/platform/platform.h"
#include "cli/program.h"
#include "tutti/algorithm.h"
#include "tutti/job.h"

struct params_options {
  const char *name;
  const char *flavor;
  const char *library;
  struct program_options launch;
  uint64_t largest;
  double tolerance;
  int ranks;
  bool again, compare;
  tutti_format format;
};

static const struct option_row options[] = {
    OPTION_STRING("flavor", "smpi|mpich|openmpi", struct params_options, flavor,
                  "smpi: simulate PLATFORM; else measure this machine, which is stored as PLATFORM", .initial = "smpi"),
    OPTION_FLAG("compare", struct params_options, compare,
                "show measured values beside those that the platform file publishes"),
    OPTION_DB(struct params_options, launch.database),
    OPTION_FLAG("again", struct params_options, again, "measure even if the store has the parameters"),
    OPTION_NUMBER("ranks", "N", struct params_options, ranks,
                  "ranks to launch on a real machine, the first on one node and the last on another", .letter = 'P',
                  .min = 2, .max = 1 << 20, .initial = "2", .aliases = "n"),
    OPTION_SIZE("largest", "SIZE", struct params_options, largest, "largest message", .min = 1,
                .max = UINT64_C(1) << 28, .otherwise = "1MB", .aliases = "l"),
    OPTION_REAL("max-error", "FRACTION", struct params_options, tolerance,
                "measure more message sizes where interpolation misses by more", .high = 1, .open = true,
                .otherwise = "0.1, in simulation 0.01", .aliases = "tolerance t"),
    OPTION_STRING("library", "NAME", struct params_options, library,
                  "MPI library and its version, if several were measured"),
    OPTION_PROGRAM(struct params_options, launch.program),
    OPTION_BUILD_DIR(struct params_options, launch.build_dir),
    OPTION_SET("json", struct params_options, format, TUTTI_FORMAT_JSON, "print JSON", .aliases = "j"),
    OPTION_FORMAT(struct params_options, format),
    OPTION_QUIET(struct params_options, launch.quiet),
    ARGUMENT_STRING("PLATFORM", struct params_options, name),
    OPTION_END};

static bool is_simulated(const struct params_options *options)
{
  return strcmp(options->flavor, "smpi") == 0;
}

static tutti_status measure(const struct params_options *options, const tutti_platform *platform, const char *name,
                            tutti_parameters_result *result, tutti_error *error)
{
  char *program = program_find(&options->launch, options->flavor, "tutti-params");
  const tutti_parameters_request request = {.platform = is_simulated(options) ? platform : NULL,
                                            .name = name,
                                            .flavor = options->flavor,
                                            .program = program,
                                            .database = options->launch.database,
                                            .ranks = options->ranks,
                                            .largest = options->largest,
                                            .tolerance = options->tolerance,
                                            .again = options->again};
  tutti_status status = tutti_parameters_measure(&request, result, error);
  free(program);
  if (status == TUTTI_OK && !options->launch.quiet)
    fprintf(stderr,
            result->measured ? "%s: measured, stored in %s\n"
                             : "%s: as measured before, from %s (--again measures anew)\n",
            name, options->launch.database);
  if (status == TUTTI_OK && !result->apart)
    fprintf(stderr, "tutti: both processes were on one node: launch more ranks (--ranks) to measure between nodes\n");
  return status;
}

static tutti_status read_back(const struct params_options *options, const tutti_platform *platform, const char *name,
                              const char *library, tutti_parameter_set *set, tutti_error *error)
{
  tutti_store *store;
  const tutti_selection selection = {.platform = name,
                                     .platform_hash = is_simulated(options) ? platform->hash : NULL,
                                     .flavor = options->flavor,
                                     .library = options->library ? options->library
                                                : *library       ? library
                                                                 : NULL,
                                     .tutti = TUTTI_VERSION};
  tutti_status status = tutti_store_open_existing(options->launch.database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_parameters_read(store, &selection, set, error);
  tutti_store_close(store);
  return status;
}

/* ---- what the user should know beside the values, on standard error ---- */

enum { SIZE_LENGTH = 24 };

/* A platform could not be loaded: if it is a name without a file, what to do if a real machine was meant. */
static void advise_real(const char *name, bool simulated)
{
  char *path;
  tutti_error error;
  bool found = tutti_platform_find(name, &path, &error) == TUTTI_OK;
  free(path);
  if (found || strchr(name, '/'))
    return;
  fputs(simulated ? "tutti: a real machine has no platform file: name its flavor with --flavor (mpich, openmpi)\n"
                  : "tutti: a real machine has no platform file to compare with: leave out --compare\n",
        stderr);
}

/* Round trips go a little beyond what was asked for, gaps do not. */
static uint64_t largest_of(const tutti_parameter_set *set)
{
  uint64_t largest = 0;
  for (size_t i = 0; i < set->parameter_count; i++)
    if (set->parameters[i].quantity == TUTTI_QUANTITY_GAP && set->parameters[i].bytes > largest)
      largest = set->parameters[i].bytes;
  return largest;
}

/* A stored set, where @p largest (0: any) or @p tolerance (0: any) was asked for: measured to less, or by what is not
   known. */
static void advise_stored(const char *name, const tutti_parameter_set *set, uint64_t largest, double tolerance)
{
  char stored[SIZE_LENGTH], asked[SIZE_LENGTH];
  if (largest_of(set) < largest)
    fprintf(stderr, "tutti: %s: measured to %s; --again measures to %s\n", name,
            tutti_size_format(largest_of(set), stored), tutti_size_format(largest, asked));
  if (tolerance > 0)
    fprintf(stderr, "tutti: %s: the store does not record --max-error; --again measures with %g\n", name, tolerance);
}

/* Models that contradict each other (parameters.h). */
static void advise_contradiction(const char *name, const tutti_parameter_set *set)
{
  char size[SIZE_LENGTH];
  tutti_parameter_contradiction worst;
  if (!tutti_parameter_set_contradicts(set, &worst))
    return;
  fprintf(stderr,
          "tutti: %s: warning: at %s the gap is %.3g us but half a round trip %.3g us: PLogP and LogGP contradict "
          "Hockney (--again measures anew)\n",
          name, tutti_size_format(worst.bytes, size), 1e6 * worst.gap, 1e6 * worst.half_trip);
}

/* ---- all of it ---- */

/* @p platform is what was simulated, or publishes values; NULL if neither. */
static int measure_and_report(const struct params_options *options, const tutti_platform *platform, const char *name)
{
  tutti_parameters_result result;
  tutti_parameter_set set;
  tutti_error error;
  if (measure(options, platform, name, &result, &error) != TUTTI_OK ||
      read_back(options, platform, name, result.library, &set, &error) != TUTTI_OK)
    return complain(&error);
  const struct params_report report = {
      .name = name, .flavor = options->flavor, .set = &set, .published = options->compare ? platform : NULL};
  if (!result.measured)
    advise_stored(name, &set, options->largest, options->tolerance);
  advise_contradiction(name, &set);
  tutti_status status = report_params(&report, options->format, &error);
  tutti_parameter_set_free(&set);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

/* A real machine needs a platform file only if published values are to be compared. */
static int run(void *values)
{
  const struct params_options *options = values;
  tutti_platform platform;
  tutti_error error;
  bool load = is_simulated(options) || options->compare;
  if (load && platform_load(options->name, &platform, &error) != TUTTI_OK) {
    complain(&error);
    advise_real(options->name, is_simulated(options));
    return EXIT_USAGE;
  }
  int code = measure_and_report(options, load ? &platform : NULL, load ? platform.name : options->name);
  if (load)
    tutti_platform_free(&platform);
  return code;
}

const struct command command_params = {
    .name = "params",
    .summary = "measure the parameters of point-to-point models, compare with published ones",
    .help = "Measure the parameters of the Hockney, LogP/LogGP and PLogP models between two nodes, and what reducing "
            "and copying cost, unless the store has them.",
    .notes = "Hockney is a least-squares fit to half round trips; beside it the least half round trip and the inverse "
             "of the highest bandwidth. PLogP has gap and overheads by message size; LogGP follows from it. "
             "include/tutti/parameters.h defines exactly what is measured.",
    .options = options,
    .size = sizeof(struct params_options),
    .run = run,
};
