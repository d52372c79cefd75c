/* tutti take: into the store what measuring programs printed when they were run by hand. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/program.h"
#include "tutti/take.h"

enum { OPTION_PLATFORM = OPTION_OTHERS };

struct take_options {
  const char *database;
  const char *platform;
  char **files; /* among the arguments; count 0: standard input */
  int count;
};

static const struct argp_option option_table[] = {
    {"platform", OPTION_PLATFORM, "NAME", 0,
     "Where it ran: for simulated runs the platform by its name or file, for others the name of the machine", 0},
    {"db", OPTION_DB, "FILE", 0, "The store (default: results.db)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct take_options *options = state->input;
  switch (key) {
  case OPTION_PLATFORM:
    options->platform = argument;
    return 0;
  case OPTION_DB:
    options->database = argument;
    return 0;
  case ARGP_KEY_ARGS:
    options->files = state->argv + state->next;
    options->count = state->argc - state->next;
    return 0;
  case ARGP_KEY_END:
    if (!options->platform || !*options->platform)
      argp_error(state, "--platform NAME must say where it ran");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[FILE...]",
    .doc = "Take into the store what tutti-bench, tutti-group, tutti-sort or tutti-range printed under smpirun or "
           "mpiexec; without FILE, or for '-', what is on standard input.\v"
           "A run is believed only if its closing record came, with the right number of records. If anything is "
           "wrong with any of the files, nothing is stored."};

static tutti_status read_file(const char *name, tutti_taken *taken, tutti_error *error)
{
  if (strcmp(name, "-") == 0)
    return tutti_taken_read(taken, stdin, "standard input", error);
  FILE *stream = fopen(name, "r");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be opened: %s", name, strerror(errno));
  tutti_status status = tutti_taken_read(taken, stream, name, error);
  fclose(stream);
  return status;
}

static tutti_status read_all(const struct take_options *options, tutti_taken *taken, tutti_error *error)
{
  tutti_status status = options->count == 0 ? read_file("-", taken, error) : TUTTI_OK;
  for (int i = 0; i < options->count && status == TUTTI_OK; i++)
    status = read_file(options->files[i], taken, error);
  return status;
}

static tutti_status store(const struct take_options *options, const tutti_taken *taken, tutti_error *error)
{
  tutti_store *opened;
  tutti_status status = tutti_store_open(options->database, &opened, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_taken_store(taken, options->platform, opened, error);
  tutti_store_close(opened);
  return status;
}

static int take_main(int argc, char **argv)
{
  struct take_options options = {.database = "results.db"};
  tutti_taken taken = {.count = 0};
  tutti_error error = {0};
  parse_options(&argp, argc, argv, &options);
  tutti_status status = read_all(&options, &taken, &error);
  if (status == TUTTI_OK)
    status = store(&options, &taken, &error);
  if (status == TUTTI_OK)
    printf("%zu records of %zu runs, stored in %s\n", taken.count - taken.runs, taken.runs, options.database);
  tutti_taken_free(&taken);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_take = {
    .name = "take",
    .summary = "take into the store what programs printed that were run by hand",
    .main = take_main,
};
