/* tutti import: into the store what other benchmarks printed, programs of Tutti that were run by hand, or other stores.
 */
#include <limits.h>

#include "base/words.h"
#include "cli/command.h"
#include "cli/import/import.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "decision/results/rank_file.h"

static void begin(void *values)
{
  struct import_options *options = values;
  options->how = (tutti_import_how){.format = TUTTI_IMPORT_GUESS};
}

static void read_format(void *values, const char *text)
{
  struct import_options *options = values;
  options->own = strcmp(text, "tutti") == 0;
  options->stores = strcmp(text, "store") == 0;
  if (!options->own && !options->stores)
    must(tutti_import_format_parse(text, &options->how.format, &failure));
}

static void read_flavor(void *member, const char *text)
{
  const char **flavor = member;
  option_flavor(flavor, text);
  if (tutti_flavor_is_simulated(*flavor))
    die("'%s' is none of mpich, openmpi, other", text);
}

static void read_map(void *values, const char *text)
{
  struct import_options *options = values;
  must(tutti_import_map_check(text, &failure));
  options->how.map = text;
  options->how.format = TUTTI_IMPORT_CSV;
}

static void read_collective(void *member, const char *text)
{
  tutti_collective collective;
  must(tutti_collective_parse(text, &collective, &failure));
  *(int *)member = 1 + (int)collective;
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

/* All that is missing, in one message. */
static void check_missing(const struct import_options *options, bool measured)
{
  const tutti_import_machine *machine = &options->machine;
  char missing[200] = "";
  if (!options->own && options->files.count == 0)
    text_append(missing, sizeof missing, "; which file? ('-' is standard input)");
  if (!measured && (!machine->platform || !*machine->platform))
    text_append(missing, sizeof missing, "; --platform NAME is missing: where it ran");
  if (!measured && !options->own && (!machine->library || !*machine->library))
    text_append(missing, sizeof missing, "; --library NAME is missing: which MPI library it was");
  if (*missing)
    die("%s", missing + strlen("; "));
}

/* Whether one of the options says what the files themselves have. */
static bool says_what_files_have(const struct import_options *options, bool of_platform)
{
  const tutti_import_machine *machine = &options->machine;
  const tutti_import_how *how = &options->how;
  return machine->library || machine->flavor || how->ranks || how->ranks_per_node || how->type_size ||
         options->told.count || how->collective || (of_platform && machine->platform);
}

/* Stores are known by their content. */
static void check_stores(struct import_options *options)
{
  size_t stores = 0;
  for (size_t i = 0; i < options->files.count; i++)
    stores += tutti_output_is_database(options->files.items[i]);
  if (!options->stores && stores > 0 && stores < options->files.count)
    die("stores and other files are imported apart: of %zu files %zu are stores", options->files.count, stores);
  options->stores = options->stores || stores > 0;
  if (options->keep && !options->stores)
    die("--keep-earlier is for stores");
  if (options->stores && (says_what_files_have(options, true) || options->own ||
                          options->how.format != TUTTI_IMPORT_GUESS || options->how.map))
    die("stores have all that the other options say: only --keep-earlier, --db, --json and --csv go with them");
  if (options->stores && options->files.count == 0)
    die("which store?");
}

static void check(void *values)
{
  struct import_options *options = values;
  const tutti_import_machine *machine = &options->machine;
  tutti_import_how *how = &options->how;
  const bool measured = how->format == TUTTI_IMPORT_PICO;
  check_stores(options);
  if (options->stores)
    return;
  if ((options->own || measured) && says_what_files_have(options, measured))
    die("%s--library, --flavor, --ranks, --ranks-per-node, --type-size, --collective and --as cannot be combined with "
        "--format %s, "
        "whose files have them",
        measured ? "--platform, " : "", measured ? "pico" : "tutti");
  if ((how->format == TUTTI_IMPORT_CSV) != (how->map != NULL) || (how->map && options->own))
    die("--map and --format csv belong together: --map ranks=np,bytes=size,us=latency, with the headings of the file");
  check_missing(options, measured);
  if (measured || options->own)
    return;
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
    OPTION_PARSE("library", "NAME", struct import_options, machine.library, option_library,
                 "the MPI library and its version, best as tutti bench writes it: OpenMPI-4.1.4, MPICH-4.0.2",
                 .everyday = true),
    OPTION_PARSE("flavor", "mpich|openmpi|other", struct import_options, machine.flavor, read_flavor, "its kind",
                 .otherwise = "guessed from its name"),
    OPTION_HEADING("What the files are:"),
    OPTION_PARSE_ALL(
        "format", "osu|imb|repro|nccl|ompi|pico|csv|tutti|store", read_format,
        "what printed them: OSU, Intel MPI Benchmarks, ReproMPI, nccl-tests or rccl-tests, Open MPI's tuning scripts "
        "(best.out, detail.out), PICO (tables, or folders of results), any table (--map), tutti-bench, tutti-group, "
        "tutti-sort, tutti-range and tutti-rank-maps, or other stores of Tutti, which become part of this one",
        .otherwise = "guessed among the first five, and stores"),
    OPTION_PARSE_ALL("map", "COLUMN=HEADING,...", read_map,
                     "read any table whose first line has these headings: ranks=np,bytes=size,us=latency; columns are "
                     "collective, method, ranks, ranks_per_node, nodes, root, bytes, count, type_size, repetitions, "
                     "minimum, maximum, setting:NAME, and seconds, ms, us or ns"),
    OPTION_PARSE("collective", "NAME", struct import_options, how.collective, read_collective,
                 "the collective, where files do not record it",
                 .otherwise = "that of --as, or what follows from their algorithms, or from the form of their rows"),
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
                   "environment; else COLLECTIVE/native)",
                   .everyday = true),
    OPTION_HEADING("Output:"),
    OPTION_DB(struct import_options, database),
    OPTION_FLAG("keep-earlier", struct import_options, keep,
                "of stores: where values differ, keep the earlier ones instead of taking the later ones",
                .aliases = "keep"),
    OPTION_FLAG("strict", struct import_options, strict,
                "store nothing if a line, a table or a file is not understood; else it is passed over and named"),
    OPTION_FLAG("verbose", struct import_options, verbose, "name all that is passed over", .letter = 'v'),
    OPTION_FORMAT(struct import_options, printed),
    ARGUMENT_STRINGS("FILE", struct import_options, files, .optional = true),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- files ---- */

/* Reads one open file and appends what it has to what was collected before. */
typedef void read_function(void *collected, const struct import_options *options, FILE *stream, const char *name);

static void read_file(const char *name, const struct import_options *options, read_function *read, void *collected)
{
  if (!options->own && tutti_folder_is(name)) {
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

/* ---- other benchmarks ---- */

/* What comes through a pipe was run in our environment. */
static void read_imported(void *collected, const struct import_options *options, FILE *stream, const char *name)
{
  tutti_import_how how = options->how;
  tutti_imported *imported = collected;
  how.environment = stream == stdin;
  imported->files++;
  must(tutti_import_read(imported, &how, stream, name, &failure));
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

static void import(const struct import_options *options)
{
  tutti_imported imported = {.passed = {.strict = options->strict, .all = options->verbose}};
  tutti_import_stored counts = {0};
  read_files(options, read_imported, &imported);
  if (imported.count + imported.allocations.count == 0) {
    tutti_passed_print(&imported.passed, stderr, 0);
    die("%s: nothing in it is understood", options->files.count == 1 ? options->files.items[0] : "these files");
  }
  check_told(options, &imported);
  tutti_store *store = store_open(options->database);
  must(tutti_import_store(&imported, &options->machine, store, &counts, &failure));
  store_close(store);
  import_report(options, &imported, &counts);
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
  import_report_runs(options, &runs);
  tutti_imported_runs_free(&runs);
}

static int run(void *values)
{
  const struct import_options *options = values;
  if (options->stores)
    import_stores(options);
  else if (options->own)
    import_own(options);
  else
    import(options);
  return EXIT_DONE;
}

DEFINE_COMMAND(import, "import", options, struct import_options, run);
