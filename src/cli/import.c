/* tutti import: results of OSU, Intel MPI Benchmarks and ReproMPI into the store. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/program.h"
#include "tutti/import.h"

enum { KEY_FORMAT = OPTION_OTHERS, KEY_PLATFORM, KEY_LIBRARY, KEY_FLAVOR, KEY_RANKS_PER_NODE, KEY_TYPE_SIZE };

struct import_options {
  const char *database;
  tutti_import_how how;
  tutti_import_machine machine;
  char **files; /* among the arguments */
  int count;
};

static const struct argp_option option_table[] = {
    {.doc = "Where it ran:"},
    {"platform", KEY_PLATFORM, "NAME", 0, "The name of the machine", 0},
    {"library", KEY_LIBRARY, "NAME", 0,
     "The MPI library and its version, best as tutti bench writes it: OpenMPI-4.1.4, MPICH-4.0.2", 0},
    {"flavor", KEY_FLAVOR, "mpich|openmpi", 0, "Its kind (default: guessed from its name)", 0},
    {.doc = "What files do not say:"},
    {"format", KEY_FORMAT, "osu|imb|repro", 0, "What printed them (default: guessed)", 0},
    {"ranks", 'n', "N", 0, "Number of processes, in files that do not say it: OSU never does", 0},
    {"ranks-per-node", KEY_RANKS_PER_NODE, "N", 0, "Processes on a node (default: 1)", 0},
    {"type-size", KEY_TYPE_SIZE, "BYTES", 0,
     "Bytes of an element, in files that do not say it (default: for OSU and IMB 4 where the collective reduces, else "
     "1)",
     0},
    {.doc = "Output:"},
    {"db", OPTION_DB, "FILE", 0, "The store (default: results.db)", 0},
    {0},
};

static void parse_format(struct argp_state *state, const char *text, tutti_import_format *format)
{
  tutti_error error;
  if (tutti_import_format_parse(text, format, &error) != TUTTI_OK)
    argp_error(state, "--format: %s", error.message);
}

static const char *parse_flavor(struct argp_state *state, const char *text)
{
  if (strcmp(text, "mpich") != 0 && strcmp(text, "openmpi") != 0)
    argp_error(state, "--flavor: '%s' is neither mpich nor openmpi", text);
  return text;
}

static void check(struct argp_state *state, const struct import_options *options)
{
  if (!options->machine.platform || !*options->machine.platform)
    argp_error(state, "--platform NAME must say where it ran");
  if (!options->machine.library || !*options->machine.library)
    argp_error(state, "--library NAME must say which MPI library it was");
  if (options->machine.library && !options->machine.flavor && !tutti_import_flavor(options->machine.library))
    argp_error(state, "--library: is '%s' of the kind of MPICH or of Open MPI? Say it with --flavor",
               options->machine.library);
  if (options->count == 0)
    argp_error(state, "which FILE? ('-' is standard input)");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct import_options *options = state->input;
  switch (key) {
  case KEY_FORMAT:
    parse_format(state, argument, &options->how.format);
    return 0;
  case KEY_PLATFORM:
    options->machine.platform = argument;
    return 0;
  case KEY_LIBRARY:
    options->machine.library = argument;
    return 0;
  case KEY_FLAVOR:
    options->machine.flavor = parse_flavor(state, argument);
    return 0;
  case 'n':
    options->how.ranks = (int)parse_number(state, "ranks", argument, 1, INT_MAX);
    return 0;
  case KEY_RANKS_PER_NODE:
    options->how.ranks_per_node = (int)parse_number(state, "ranks-per-node", argument, 1, INT_MAX);
    return 0;
  case KEY_TYPE_SIZE:
    options->how.type_size = parse_number(state, "type-size", argument, 1, 1 << 20);
    return 0;
  case OPTION_DB:
    options->database = argument;
    return 0;
  case ARGP_KEY_ARGS:
    options->files = state->argv + state->next;
    options->count = state->argc - state->next;
    return 0;
  case ARGP_KEY_END:
    check(state, options);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "FILE...",
    .doc =
        "Take into the store what the OSU micro-benchmarks (osu_bcast, ...), Intel MPI Benchmarks (IMB-MPI1) or "
        "ReproMPI printed, as times of COLLECTIVE/native, what the library does by itself, by the schemes osu, imb "
        "and repro.\vSizes become bytes of the message, or of one rank's block. If anything is wrong with any of the "
        "files, nothing is stored. See them with tutti map COLLECTIVE --native, or compare: tutti penalty "
        "COLLECTIVE/native. Exit status: 0 stored, 2 bad input."};

static tutti_status read_file(const char *name, const struct import_options *options, tutti_imported *imported,
                              tutti_error *error)
{
  if (strcmp(name, "-") == 0)
    return tutti_import_read(imported, &options->how, stdin, "standard input", error);
  FILE *stream = fopen(name, "r");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: cannot be opened: %s", name, strerror(errno));
  tutti_status status = tutti_import_read(imported, &options->how, stream, name, error);
  fclose(stream);
  return status;
}

static tutti_status store(const struct import_options *options, const tutti_imported *imported, size_t *replaced,
                          tutti_error *error)
{
  tutti_store *opened;
  tutti_status status = tutti_store_open(options->database, &opened, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_import_store(imported, &options->machine, opened, replaced, error);
  tutti_store_close(opened);
  return status;
}

static void report(const struct import_options *options, const tutti_imported *imported, size_t replaced)
{
  printf("%zu measurements of %d file%s, stored in %s\n", imported->count, options->count,
         options->count == 1 ? "" : "s", options->database);
  if (replaced > 0)
    printf("  %zu of them took the place of others of the same point\n", replaced);
  if (imported->unequal > 0)
    printf("  %zu rows passed over: their size is not the same number of elements for each rank\n", imported->unequal);
  if (imported->given_up > 0)
    printf("  %zu rows passed over: the benchmark gave up, or had no valid repetition\n", imported->given_up);
  if (*imported->others)
    printf("  passed over: %s\n", imported->others);
}

static int import_main(int argc, char **argv)
{
  struct import_options options = {.database = "results.db", .how = {TUTTI_IMPORT_GUESS, 0, 1, 0}};
  tutti_imported imported = {.items = NULL};
  tutti_error error = {0};
  size_t replaced = 0;
  tutti_status status = TUTTI_OK;
  parse_options(&argp, argc, argv, &options);
  for (int i = 0; i < options.count && status == TUTTI_OK; i++)
    status = read_file(options.files[i], &options, &imported, &error);
  if (status == TUTTI_OK)
    status = store(&options, &imported, &replaced, &error);
  if (status == TUTTI_OK)
    report(&options, &imported, replaced);
  tutti_imported_free(&imported);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_import = {
    .name = "import",
    .summary = "take in results of OSU, Intel MPI Benchmarks and ReproMPI",
    .main = import_main,
};
