/* What tutti import prints: what was stored, what it repeats, what was passed over, and which methods it was. */
#include "cli/import/import.h"

/* ---- as JSON and CSV ---- */

struct import_row {
  const char *store;
  size_t files, measurements;
  tutti_import_stored counts;
  size_t runs; /* of programs of Tutti */
  tutti_passed passed;
};

static const tutti_column columns[] = {
    {NULL, "store", TUTTI_FIELD(struct import_row, store)},
    {NULL, "file_count", TUTTI_FIELD(struct import_row, files)},
    {NULL, "measurements", TUTTI_FIELD(struct import_row, measurements)},
    {NULL, "replaced", TUTTI_FIELD(struct import_row, counts.replaced)},
    {NULL, "repeated", TUTTI_FIELD(struct import_row, counts.repeated)},
    {NULL, "run_count", TUTTI_FIELD(struct import_row, runs)},
    {NULL, "passed_over", .at = offsetof(struct import_row, passed), .list = list_passed},
};

static void print_table(const struct import_options *options, struct import_row row)
{
  row.store = options->database;
  const tutti_table table = {.key = "imported", TUTTI_COLUMNS(columns), TUTTI_ROWS(&row, 1)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  must(tutti_document_print(&document, options->printed, stdout, &failure));
}

/* ---- as text ---- */

static void print_methods(const tutti_imported *imported)
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

/* Files of several libraries or machines look like launches of one. */
static void print_spread(const tutti_imported *imported, FILE *stream, const char *before)
{
  const tutti_import_spread spread = tutti_import_find_spread(imported);
  char method[TUTTI_METHOD_LENGTH], size[24];
  if (spread.points == 0)
    return;
  const tutti_measurement *fast = &spread.fastest->measurement, *slow = &spread.slowest->measurement;
  tutti_say(
      stream,
      "%swarning: times of %zu point%s differ by more than %d times between repeats, as if of several libraries or "
      "machines: %s, %d ranks, %s: %.6g us in %s:%zu, %.6g us in %s:%zu\n",
      before, spread.points, tutti_plural(spread.points), TUTTI_IMPORT_SPREAD,
      tutti_method_format(&fast->method, method), fast->ranks, tutti_size_format(fast->rank_bytes, size),
      1e6 * fast->median, spread.fastest->file, spread.fastest->line, 1e6 * slow->median, spread.slowest->file,
      spread.slowest->line);
}

static void print_text(const struct import_options *options, const tutti_imported *imported,
                       const tutti_import_stored *counts)
{
  tutti_say(stdout, "%zu measurement%s of %zu file%s, stored in %s\n", imported->count, tutti_plural(imported->count),
            imported->files, tutti_plural(imported->files), options->database);
  if (counts->replaced > 0)
    tutti_say(stdout, "  %zu of them %s stored before\n", counts->replaced, counts->replaced == 1 ? "was" : "were");
  if (counts->repeated > 0)
    tutti_say(stdout, "  %zu of them repeat%s points of other runs: further launches, of which the median counts\n",
              counts->repeated, counts->repeated == 1 ? "s" : "");
  print_spread(imported, stdout, "  ");
  tutti_passed_print(&imported->passed, stdout, 2);
  if (imported->own_ranks && options->how.ranks)
    printf("  --ranks %d is not used where the benchmark prints the number itself\n", options->how.ranks);
  print_methods(imported);
}

/* Lines with names of files and fields; may be NULL. */
static void print_warnings(const char *warnings)
{
  if (warnings)
    tutti_say(stderr, "%s", warnings);
}

void import_report(const struct import_options *options, const tutti_imported *imported,
                   const tutti_import_stored *counts)
{
  print_warnings(imported->warnings);
  if (options->printed != TUTTI_FORMAT_TEXT) {
    print_spread(imported, stderr, "tutti: ");
    print_table(options, (struct import_row){.files = imported->files,
                                             .measurements = imported->count,
                                             .counts = *counts,
                                             .passed = imported->passed});
  } else
    print_text(options, imported, counts);
}

void import_report_runs(const struct import_options *options, const tutti_imported_runs *runs)
{
  const size_t records = runs->count - runs->runs;
  print_warnings(runs->warnings);
  if (options->printed != TUTTI_FORMAT_TEXT)
    print_table(options,
                (struct import_row){.files = options->files.count, .measurements = records, .runs = runs->runs});
  else
    tutti_say(stdout, "%zu record%s of %zu run%s, stored in %s\n", records, tutti_plural(records), runs->runs,
              tutti_plural(runs->runs), options->database);
}
