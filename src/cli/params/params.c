/* tutti params: measure the parameters of point-to-point models, show them, compare them with published ones. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/params/params_advice.h"
#include "cli/platform/platform.h"
#include "cli/program.h"
#include "cli/params/report_params.h"
#include "tutti/algorithm.h"

enum { OPTION_FLAVOR = OPTION_OTHERS, OPTION_COMPARE, OPTION_AGAIN, OPTION_LIBRARY };

struct params_options {
  const char *name;
  const char *flavor;
  const char *library;
  struct program_options launch;
  uint64_t largest;
  double tolerance;
  int ranks;
  bool again, compare, json;
};

static const struct argp_option option_table[] = {
    {"flavor", OPTION_FLAVOR, "smpi|mpich|openmpi", 0,
     "smpi (default): simulate PLATFORM; else measure this machine, which is stored as PLATFORM", 0},
    {"compare", OPTION_COMPARE, NULL, 0, "Set measured values beside those that the platform file says were published",
     0},
    {"db", OPTION_DB, "FILE", 0, "The store (default: results.db)", 0},
    {"again", OPTION_AGAIN, NULL, 0, "Measure even if the store has the parameters", 0},
    {"ranks", 'n', "N", 0,
     "Ranks to launch on a real machine, the first on one node and the last on another (default: 2)", 0},
    {"largest", 'l', "SIZE", 0, "Largest message (default: 1MB)", 0},
    {"tolerance", 't', "FRACTION", 0,
     "Measure more message sizes where interpolation misses by more (default: 0.1, in simulation 0.01)", 0},
    {"library", OPTION_LIBRARY, "NAME", 0, "MPI library and its version, if several were measured", 0},
    {"program", OPTION_PROGRAM, "PATH", 0, "The measuring program, tutti-params of the flavour", 0},
    {"build-dir", OPTION_BUILD_DIR, "DIR", 0, "Look for it in DIR/smpi, DIR/mpich, DIR/openmpi", 0},
    {"json", 'j', NULL, 0, "Print JSON, with units in the names", 0},
    {"quiet", 'q', NULL, 0, "Do not say what is under way", 0},
    {0},
};

static void take_tolerance(struct argp_state *state, struct params_options *options, const char *text)
{
  char *end;
  options->tolerance = strtod(text, &end);
  if (end == text || *end || !(options->tolerance > 0 && options->tolerance < 1))
    argp_error(state, "--tolerance: '%s' is not a number between 0 and 1", text);
}

static void take_largest(struct argp_state *state, struct params_options *options, const char *text)
{
  tutti_error error;
  if (tutti_size_parse(text, &options->largest, &error) != TUTTI_OK)
    argp_error(state, "--largest: %s", error.message);
  else if (options->largest < 1 || options->largest > UINT64_C(1) << 28)
    argp_error(state, "--largest: '%s' is not a size from 1B to 256MB", text);
}

static error_t take_value(int key, char *argument, struct argp_state *state)
{
  struct params_options *options = state->input;
  if (key == 'n')
    options->ranks = (int)parse_number(state, "ranks", argument, 2, 1 << 20);
  else if (key == 't')
    take_tolerance(state, options, argument);
  else if (key == 'l')
    take_largest(state, options, argument);
  else if (key == OPTION_FLAVOR)
    options->flavor = argument;
  else if (key == OPTION_LIBRARY)
    options->library = argument;
  else if (key == ARGP_KEY_ARG && !options->name)
    options->name = argument;
  else if (key == ARGP_KEY_ARG)
    argp_error(state, "one platform at a time: '%s' is too much", argument);
  else if (key == ARGP_KEY_END && !options->name)
    argp_error(state, "name a platform");
  else
    return program_parse(key, argument, state, &options->launch);
  return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct params_options *options = state->input;
  switch (key) {
  case OPTION_COMPARE:
    options->compare = true;
    return 0;
  case OPTION_AGAIN:
    options->again = true;
    return 0;
  case 'j':
    options->json = true;
    return 0;
  default:
    return take_value(key, argument, state);
  }
}

static const struct argp params_argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "PLATFORM",
    .doc =
        "Measure the parameters of the Hockney, LogP/LogGP and PLogP models between two nodes, and what reducing and "
        "copying cost, unless the store has them.\v"
        "Hockney is a least-squares fit to half round trips; beside it the least half round trip and the inverse of "
        "the highest bandwidth. PLogP has gap and overheads by message size; LogGP follows from it. "
        "include/tutti/parameters.h says what exactly is measured."};

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
                                            .program = program ? program : "tutti-params",
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

/* @p platform is what was simulated, or publishes values; NULL if neither. */
static int run(const struct params_options *options, const tutti_platform *platform, const char *name)
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
    params_advise_stored(name, &set, options->largest, options->tolerance);
  params_advise_contradiction(name, &set);
  if (options->json)
    report_params_json(&report);
  else
    report_params(&report);
  tutti_parameter_set_free(&set);
  return EXIT_DONE;
}

/* A real machine needs a platform file only if published values are to be compared. */
static int params_main(int argc, char **argv)
{
  struct params_options options = {.launch = {.database = "results.db"}, .flavor = "smpi", .ranks = 2};
  tutti_platform platform;
  tutti_error error;
  parse_options(&params_argp, argc, argv, &options);
  bool load = is_simulated(&options) || options.compare;
  if (load && platform_load(options.name, &platform, &error) != TUTTI_OK) {
    complain(&error);
    params_advise_real(options.name, is_simulated(&options));
    return EXIT_USAGE;
  }
  int code = run(&options, load ? &platform : NULL, load ? platform.name : options.name);
  if (load)
    tutti_platform_free(&platform);
  return code;
}

const struct command command_params = {
    .name = "params",
    .summary = "measure the parameters of point-to-point models, compare with published ones",
    .main = params_main,
};
