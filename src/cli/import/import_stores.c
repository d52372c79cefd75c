/* Stores that were measured on different machines into one. */
#include "cli/import/import.h"

/* What came of a store, as JSON and CSV. */
struct store_row {
  const char *path;
  tutti_merged merged;
};

static const tutti_column columns[] = {
    {NULL, "store", TUTTI_FIELD(struct store_row, path)},
    {NULL, "added", TUTTI_FIELD(struct store_row, merged.added)},
    {NULL, "same", TUTTI_FIELD(struct store_row, merged.same)},
    {NULL, "differing", TUTTI_FIELD(struct store_row, merged.differs)},
};

static void print_table(const struct import_options *options, const tutti_merged *merged)
{
  tutti_table table = {.key = "stores", TUTTI_COLUMNS(columns), .row_size = sizeof(struct store_row)};
  const tutti_document document = {.tables = &table, .table_count = 1};
  for (size_t i = 0; i < options->files.count; i++) {
    const struct store_row row = {options->files.items[i], merged[i]};
    must(tutti_table_add(&table, &row, &failure));
  }
  must(tutti_document_print(&document, options->printed, stdout, &failure));
  tutti_table_free(&table);
}

static void print_store(const char *path, const tutti_merged *merged, bool keep)
{
  char added[64], same[32], differs[32];
  tutti_say(stdout, "%s: %s added, %s there already", path, progress_format_things(merged->added, "row", "rows", added),
            progress_format_count(merged->same, same));
  if (merged->differs)
    tutti_say(stdout, ", %s with other values, %s", progress_format_count(merged->differs, differs),
              keep ? "which were left" : "which were replaced");
  printf("\n");
}

/* Checked before the target is made, which would stay empty otherwise. */
static void try_stores(const struct option_strings *stores)
{
  for (size_t i = 0; i < stores->count; i++) {
    tutti_store *store = store_open_existing(stores->items[i]);
    store_close(store);
  }
}

static void merge(const struct import_options *options, tutti_merged *merged)
{
  const struct option_strings *stores = &options->files;
  try_stores(stores);
  tutti_store *store = store_open(options->database);
  must(tutti_store_merge(store, stores->items, stores->count, options->keep, merged, &failure));
  store_close(store);
}

void import_stores(const struct import_options *options)
{
  tutti_merged *merged = tutti_xcalloc(options->files.count, sizeof *merged);
  merge(options, merged);
  if (options->printed != TUTTI_FORMAT_TEXT)
    print_table(options, merged);
  else
    for (size_t i = 0; i < options->files.count; i++)
      print_store(options->files.items[i], &merged[i], options->keep);
  free(merged);
}
