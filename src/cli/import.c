/* tutti import: into the store what other benchmarks printed, or programs of Tutti that were run by hand. */
#include <limits.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "decision/results/rank_file.h"
#include "tutti/import.h"

struct import_options {
  const char *database;
  tutti_import_how how;
  tutti_import_machine machine;
  struct option_strings files, told;
  tutti_method methods[TUTTI_COLL_COUNT]; /* those of --as */
  bool own;                               /* printed by programs of Tutti */
  bool verbose;
  tutti_format printed;
};

static void begin(void *values)
{
  struct import_options *options = values;
  options->how = (tutti_import_how){.format = TUTTI_IMPORT_GUESS};
}

static void read_format(void *values, const char *text)
{
  struct import_options *options = values;
  options->own = strcmp(text, "tutti") == 0;
  if (!options->own)
    must(tutti_import_format_parse(text, &options->how.format, &failure));
}

static void read_flavor(void *member, const char *text)
{
  if (strcmp(text, "mpich") != 0 && strcmp(text, "openmpi") != 0)
    die("'%s' is neither mpich nor openmpi", text);
  *(const char **)member = text;
}

static const tutti_method *find_told(const tutti_import_how *how, tutti_collective collective)
{
  for (size_t i = 0; i < how->method_count; i++)
    if (how->methods[i].algorithm->collective == collective)
      return &how->methods[i];
  return NULL;
}

/* Methods of the library that it was, of ours, or native ones; one a collective. */
static void read_told(struct import_options *options, const char *flavor)
{
  tutti_import_how *how = &options->how;
  how->methods = options->methods;
  for (size_t i = 0; i < options->told.count; i++) {
    tutti_method method;
    must(tutti_method_parse(options->told.items[i], &method, &failure));
    const char *library = tutti_implementation_name(method.implementation);
    if (library && strcmp(library, flavor) != 0)
      die("--as %s: the library is of the kind %s", options->told.items[i], flavor);
    if (find_told(how, method.algorithm->collective))
      die("--as %s: one method a collective was measured at a time", options->told.items[i]);
    options->methods[how->method_count++] = method;
  }
}

static tutti_implementation implementation_of(const char *flavor)
{
  int found = TUTTI_IMPLEMENTATION_COUNT - 1;
  while (found > TUTTI_IMPLEMENTATION_TUTTI &&
         strcmp(tutti_implementation_name((tutti_implementation)found), flavor) != 0)
    found--;
  return (tutti_implementation)found;
}

static void check(void *values)
{
  struct import_options *options = values;
  const tutti_import_machine *machine = &options->machine;
  tutti_import_how *how = &options->how;
  const bool measured = how->format == TUTTI_IMPORT_PICO;
  if ((options->own || measured) && (machine->library || machine->flavor || how->ranks || how->ranks_per_node ||
                                     how->type_size || options->told.count || (measured && machine->platform)))
    die("%s--library, --flavor, --ranks, --ranks-per-node, --type-size and --as cannot be combined with --format %s, "
        "whose files have them",
        measured ? "--platform, " : "", measured ? "pico" : "tutti");
  if (!options->own && options->files.count == 0)
    die("which file? ('-' is standard input)");
  if (measured)
    return;
  if (!machine->platform || !*machine->platform)
    die("--platform NAME is missing: where it ran");
  if (options->own)
    return;
  if (!machine->library || !*machine->library)
    die("--library NAME is missing: which MPI library it was");
  if (!machine->flavor && !tutti_import_flavor(machine->library))
    die("--library: is '%s' of the kind of MPICH or of Open MPI? Name it with --flavor", machine->library);
  const char *flavor = machine->flavor ? machine->flavor : tutti_import_flavor(machine->library);
  how->implementation = implementation_of(flavor);
  how->library = machine->library;
  read_told(options, flavor);
}

static const struct option_row options[] = {
    OPTION_BEGIN(begin),
    OPTION_HEADING("Where it ran:"),
    OPTION_STRING("platform", "NAME", struct import_options, machine.platform,
                  "the name of the machine; of simulated runs the platform, by its name or file"),
    OPTION_STRING("library", "NAME", struct import_options, machine.library,
                  "the MPI library and its version, best as tutti bench writes it: OpenMPI-4.1.4, MPICH-4.0.2"),
    OPTION_PARSE("flavor", "mpich|openmpi", struct import_options, machine.flavor, read_flavor, "its kind",
                 .otherwise = "guessed from its name"),
    OPTION_HEADING("What the files are:"),
    OPTION_PARSE_ALL(
        "format", "osu|imb|repro|pico|tutti", read_format,
        "what printed them: OSU, Intel MPI Benchmarks, ReproMPI, PICO (tables, or folders of results), or tutti-bench, "
        "tutti-group, tutti-sort, tutti-range and tutti-rank-maps",
        .otherwise = "guessed among the first three"),
    OPTION_NUMBER("ranks", "N", struct import_options, how.ranks,
                  "number of ranks, for OSU output, which does not record it", .letter = 'P', .min = 1, .aliases = "n",
                  .otherwise = "what the launcher's line above the times says"),
    OPTION_NUMBER("ranks-per-node", "N", struct import_options, how.ranks_per_node, "ranks on a node", .min = 1,
                  .otherwise = "what that line says, else 1"),
    OPTION_SIZE("type-size", "BYTES", struct import_options, how.type_size,
                "bytes of an element, where files do not record it", .letter = 't', .min = 1, .max = 1 << 20,
                .otherwise = "for OSU and IMB 4 where the collective reduces, else 1"),
    OPTION_STRINGS("as", "METHOD", struct import_options, told,
                   "the library was told to run this method (bcast/binomial@openmpi) for its collective; again for "
                   "others (default: what settings above the times in the file say, or of a pipe those of the "
                   "environment; else COLLECTIVE/native)"),
    OPTION_HEADING("Output:"),
    OPTION_DB(struct import_options, database),
    OPTION_FLAG("verbose", struct import_options, verbose, "name all methods that are passed over", .letter = 'v'),
    OPTION_FORMAT(struct import_options, printed),
    ARGUMENT_STRINGS("FILE", struct import_options, files, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- files ---- */

/* Reads one open file and appends what it has to what was collected before. */
typedef void read_function(void *collected, const struct import_options *options, FILE *stream, const char *name);

static bool is_folder(const char *name)
{
  struct stat status;
  return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

static void read_file(const char *name, const struct import_options *options, read_function *read, void *collected)
{
  if (!options->own && is_folder(name)) {
    must(tutti_import_read_folder(collected, &options->how, name, &failure));
    return;
  }
  if (strcmp(name, "-") == 0) {
    read(collected, options, stdin, "standard input");
    return;
  }
  char *cut = options->own && tutti_rank_files_are_left(name, "profile")
                  ? tutti_rank_files_describe(name, "profile", &failure)
                  : NULL;
  if (cut)
    tutti_say(stderr, "tutti: warning: %s: %s\n", name, cut);
  FILE *stream = cut ? tutti_rank_files_profile(name, &failure) : tutti_input_open(name, TUTTI_INPUT_RECORDS, &failure);
  must(stream ? TUTTI_OK : TUTTI_ERR_IO);
  free(cut);
  read(collected, options, stream, name);
  fclose(stream);
}

/* Without a file: standard input. */
static void read_files(const struct import_options *options, read_function *read, void *collected)
{
  const struct option_strings *files = &options->files;
  if (files->count == 0)
    read_file("-", options, read, collected);
  for (size_t i = 0; i < files->count; i++)
    read_file(files->items[i], options, read, collected);
}

/* ---- what was stored, as JSON and CSV ---- */

struct import_row {
  const char *store;
  size_t measurements;
  tutti_import_stored counts;
  size_t runs; /* of programs of Tutti */
};

static const tutti_column columns[] = {
    {NULL, "store", TUTTI_FIELD(struct import_row, store)},
    {NULL, "measurements", TUTTI_FIELD(struct import_row, measurements)},
    {NULL, "replaced", TUTTI_FIELD(struct import_row, counts.replaced)},
    {NULL, "repeated", TUTTI_FIELD(struct import_row, counts.repeated)},
    {NULL, "run_count", TUTTI_FIELD(struct import_row, runs)},
};

static void print_table(const struct import_options *options, struct import_row row)
{
  row.store = options->database;
  const tutti_table table = {.key = "imported", TUTTI_COLUMNS(columns), TUTTI_ROWS(&row, 1)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, options->printed, stdout, &failure));
}

/* ---- other benchmarks ---- */

/* What comes through a pipe was run in our environment. */
static void read_imported(void *collected, const struct import_options *options, FILE *stream, const char *name)
{
  tutti_import_how how = options->how;
  how.environment = stream == stdin;
  must(tutti_import_read(collected, &how, stream, name, &failure));
}

static bool has_any(const tutti_imported *imported, tutti_collective collective)
{
  for (size_t i = 0; i < imported->count; i++)
    if (imported->items[i].measurement.method.algorithm->collective == collective)
      return true;
  return false;
}

static void check_told(const struct import_options *options, const tutti_imported *imported)
{
  for (size_t i = 0; i < options->how.method_count; i++)
    if (!has_any(imported, options->methods[i].algorithm->collective))
      die("--as %s: no times of %s in these files", options->told.items[i],
          tutti_collective_name(options->methods[i].algorithm->collective));
}

static void report_methods(const tutti_imported *imported)
{
  bool native = imported->count > 0;
  for (size_t i = 0; i < imported->count; i++)
    native = native && tutti_method_is_native(&imported->items[i].measurement.method) && !imported->items[i].settings;
  for (char *line = imported->told; line && *line; line = strchr(line, '\n') + 1)
    tutti_say(stdout, "  %.*s\n", (int)strcspn(line, "\n"), line);
  if (native)
    puts("  all are native, what the library chooses itself, and leave nothing to choose\n"
         "  from: import runs under forced algorithms (--as METHOD), or use tutti bench");
}

static void report_passed(size_t rows, const char *why)
{
  if (rows > 0)
    tutti_say(stdout, "  %zu row%s passed over%s\n", rows, tutti_plural(rows), why);
}

static void report(const struct import_options *options, const tutti_imported *imported,
                   const tutti_import_stored *counts)
{
  tutti_say(stdout, "%zu measurement%s of %zu file%s, stored in %s\n", imported->count, tutti_plural(imported->count),
            options->files.count, tutti_plural(options->files.count), options->database);
  if (counts->replaced > 0)
    tutti_say(stdout, "  %zu of them %s stored before\n", counts->replaced, counts->replaced == 1 ? "was" : "were");
  if (counts->repeated > 0)
    tutti_say(stdout, "  %zu of them repeat%s points of other runs: further launches, of which the median counts\n",
              counts->repeated, counts->repeated == 1 ? "s" : "");
  report_passed(imported->unequal, ": the size is not the same number of elements for each rank");
  report_passed(imported->given_up, ": the benchmark gave up, or had no valid repetition");
  report_passed(imported->unmapped, " of methods that Tutti does not have:");
  print_method_list(4, imported->unknown, options->verbose);
  if (*imported->others)
    print_sentence(2, "passed over: %s", imported->others);
  if (imported->own_ranks && options->how.ranks)
    printf("  --ranks %d is not used where the benchmark prints the number itself\n", options->how.ranks);
  report_methods(imported);
}

/* Lines with names of files and fields; may be NULL. */
static void print_warnings(const char *warnings)
{
  if (warnings)
    tutti_say(stderr, "%s", warnings);
}

static void import(const struct import_options *options)
{
  tutti_imported imported = {.items = NULL};
  tutti_import_stored counts = {0};
  read_files(options, read_imported, &imported);
  check_told(options, &imported);
  tutti_store *store = store_open(options->database);
  must(tutti_import_store(&imported, &options->machine, store, &counts, &failure));
  store_close(store);
  print_warnings(imported.warnings);
  if (options->printed != TUTTI_FORMAT_TEXT)
    print_table(options, (struct import_row){.measurements = imported.count, .counts = counts});
  else
    report(options, &imported, &counts);
  tutti_imported_free(&imported);
}

/* ---- programs of Tutti ---- */

static void read_own(void *collected, const struct import_options *options, FILE *stream, const char *name)
{
  (void)options;
  must(tutti_import_runs_read(collected, stream, name, &failure));
}

static void import_own(const struct import_options *options)
{
  tutti_imported_runs runs = {.count = 0};
  read_files(options, read_own, &runs);
  tutti_store *store = store_open(options->database);
  must(tutti_import_runs_store(&runs, options->machine.platform, store, &failure));
  store_close(store);
  print_warnings(runs.warnings);
  if (options->printed != TUTTI_FORMAT_TEXT)
    print_table(options, (struct import_row){.measurements = runs.count - runs.runs, .runs = runs.runs});
  else
    tutti_say(stdout, "%zu record%s of %zu run%s, stored in %s\n", runs.count - runs.runs,
              tutti_plural(runs.count - runs.runs), runs.runs, tutti_plural(runs.runs), options->database);
  tutti_imported_runs_free(&runs);
}

static int run(void *values)
{
  const struct import_options *options = values;
  if (options->own)
    import_own(options);
  else
    import(options);
  return EXIT_DONE;
}

DEFINE_COMMAND(import, "import", options, struct import_options, run);
