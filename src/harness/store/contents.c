/* Contents of a store: environments, and their number of rows of each kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/store/private.h"

/* Entries that are read. */
struct listing {
  const tutti_store *store;
  TUTTI_VECTOR(tutti_store_entry);
  tutti_store_contents *contents;
};

/* ---- environments ---- */

static tutti_status take_environment(void *context, sqlite3_stmt *row, tutti_error *error)
{
  tutti_store_contents *contents = context;
  size_t count = (size_t)contents->environment_count++;
  (void)error;
  contents->ids = tutti_xroom(contents->ids, count, sizeof *contents->ids);
  contents->ids[count] = sqlite3_column_int64(row, 0);
  contents->environments = tutti_xroom(contents->environments, count, sizeof *contents->environments);
  const tutti_environment environment = tutti_environment_at(row, 1);
  contents->environments[count] = tutti_environment_copy(&environment);
  return TUTTI_OK;
}

/* ---- entries ---- */

static int environment_index(const tutti_store_contents *contents, int64_t id)
{
  int index = contents->environment_count - 1;
  while (index >= 0 && contents->ids[index] != id)
    index--;
  return index;
}

static enum tutti_row kind_of_table(const char *table)
{
  int row = 0;
  while (row < TUTTI_ROW_KINDS - 1 && strcmp(tutti_kind_of((enum tutti_row)row)->table, table) != 0)
    row++;
  return (enum tutti_row)row;
}

static tutti_store_entry_kind entry_kind(enum tutti_row row)
{
  return row == TUTTI_ROW_MEASUREMENT ? TUTTI_ENTRY_MEASUREMENTS
         : row == TUTTI_ROW_GROUP     ? TUTTI_ENTRY_GROUP_RUNS
         : row == TUTTI_ROW_PARAMETER ? TUTTI_ENTRY_PARAMETERS
                                      : TUTTI_ENTRY_RESULTS;
}

/* A row of the view `counts`. */
static tutti_status append_entry(void *context, sqlite3_stmt *row, tutti_error *error)
{
  struct listing *listing = context;
  const enum tutti_row kind = kind_of_table(tutti_store_text_at(row, 1));
  tutti_store_entry entry = {.kind = entry_kind(kind),
                             .environment = environment_index(listing->contents, sqlite3_column_int64(row, 0)),
                             .ranks_per_node = sqlite3_column_int(row, 4),
                             .one_node = sqlite3_column_int(row, 5),
                             .rows = (size_t)sqlite3_column_int64(row, 6)};
  tutti_status status = TUTTI_OK;
  if (entry.environment < 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: rows of an environment that it does not have", listing->store->path);
  if (entry.kind == TUTTI_ENTRY_RESULTS)
    entry.result = (tutti_result_kind)(kind - TUTTI_ROW_SORT);
  if (entry.kind == TUTTI_ENTRY_MEASUREMENTS) {
    status = tutti_collective_parse(tutti_store_text_at(row, 2), &entry.collective, error);
    if (status == TUTTI_OK)
      status = tutti_scheme_parse(tutti_store_text_at(row, 3), &entry.scheme, error);
  }
  if (status == TUTTI_OK)
    tutti_xpush(listing, entry);
  return status;
}

static int compare(const void *left, const void *right)
{
  const tutti_store_entry *l = left, *r = right;
  const int keys[][2] = {{(int)l->kind, (int)r->kind},
                         {l->environment, r->environment},
                         {(int)l->collective, (int)r->collective},
                         {(int)l->scheme, (int)r->scheme},
                         {l->ranks_per_node, r->ranks_per_node},
                         {(int)l->result, (int)r->result}};
  int order = 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys && order == 0; i++)
    order = THREE_WAY(keys[i][0], keys[i][1]);
  return order;
}

static bool is_joined(const tutti_store_entry *small, const tutti_store_entry *large)
{
  return small->kind == TUTTI_ENTRY_MEASUREMENTS && large->kind == small->kind && small->one_node &&
         large->environment == small->environment && large->collective == small->collective &&
         large->scheme == small->scheme;
}

/* Measurements of launches that are on one node belong to those of more ranks per node. Returns how many are left. */
static size_t join_entries(tutti_store_entry *entries, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (i + 1 < count && is_joined(&entries[i], &entries[i + 1]))
      entries[i + 1].rows += entries[i].rows;
    else
      entries[kept++] = entries[i];
  return kept;
}

tutti_status tutti_store_contents_read(tutti_store *store, tutti_store_contents *contents, tutti_error *error)
{
  struct listing listing = {.store = store, .contents = contents};
  *contents = (tutti_store_contents){0};
  tutti_status status = tutti_store_run(store, STORE_BEGIN_READ, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_environment_each(store->database, store->path, take_environment, contents, error);
  if (status == TUTTI_OK)
    status = tutti_store_query(store->database, store->path, "SELECT * FROM counts", append_entry, &listing, error);
  status = tutti_store_end(store, status, error);
  contents->entries = listing.items;
  contents->entry_count = (int)listing.count;
  if (status != TUTTI_OK)
    tutti_store_contents_free(contents);
  else if (listing.count > 0) {
    tutti_vector_sort(&listing, compare);
    contents->entry_count = (int)join_entries(listing.items, listing.count);
  }
  return status;
}

tutti_status tutti_store_number(tutti_store *store, const char *sql, const char *const *texts, size_t count,
                                int64_t *number, tutti_error *error)
{
  sqlite3_stmt *statement;
  bool found;
  *number = 0;
  if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
    return tutti_store_fault(store->database, store->path, "read it", error);
  for (size_t i = 0; i < count; i++)
    sqlite3_bind_text(statement, (int)i + 1, texts[i], -1, SQLITE_STATIC);
  tutti_status status = tutti_store_step_number(store, statement, &found, number, error);
  sqlite3_finalize(statement);
  return status;
}

bool tutti_store_contents_has_rows(const tutti_store_contents *contents, int environment)
{
  for (int i = 0; i < contents->entry_count; i++)
    if (contents->entries[i].environment == environment)
      return true;
  return false;
}

char *tutti_store_contents_platforms(const tutti_store_contents *contents, char *text, size_t length)
{
  const char *last = NULL;
  size_t used = 0;
  for (int i = 0; i < contents->environment_count && used < length; i++) {
    const char *name = contents->environments[i].platform;
    if ((last && strcmp(name, last) == 0) || !tutti_store_contents_has_rows(contents, i))
      continue;
    used += (size_t)snprintf(text + used, length - used, "%s%s", last ? ", " : "", name);
    last = name;
  }
  if (!last)
    snprintf(text, length, "none");
  return text;
}

void tutti_store_contents_free(tutti_store_contents *contents)
{
  for (int i = 0; i < contents->environment_count; i++)
    tutti_environment_free(&contents->environments[i]);
  free(contents->environments);
  free(contents->ids);
  free(contents->entries);
  *contents = (tutti_store_contents){0};
}

tutti_selection tutti_store_entry_selection(const tutti_store_contents *contents, const tutti_store_entry *entry)
{
  const tutti_environment *environment = &contents->environments[entry->environment];
  bool measured = entry->kind == TUTTI_ENTRY_MEASUREMENTS;
  return (tutti_selection){.platform = environment->platform,
                           .platform_hash = environment->platform_hash,
                           .flavor = environment->flavor,
                           .library = environment->library,
                           .tutti = environment->tutti,
                           .environment = contents->ids[entry->environment],
                           .collective = entry->collective,
                           .scheme = measured ? (int)entry->scheme : -1,
                           .ranks_per_node = entry->ranks_per_node,
                           .any_pattern = measured};
}

/* ---- what a selection is about ---- */

static bool is_measured_so(const tutti_store_entry *entry, const tutti_selection *selection)
{
  const int wanted = selection->ranks_per_node;
  return entry->kind != TUTTI_ENTRY_MEASUREMENTS ||
         ((selection->scheme < 0 || selection->scheme == (int)entry->scheme) &&
          (wanted == 0 || wanted == entry->ranks_per_node || (entry->one_node && entry->ranks_per_node < wanted)));
}

/* Mark the environments of a selection. */
static tutti_status mark_selected(tutti_store *store, const tutti_selection *selection,
                                  const tutti_store_contents *contents, bool *selected, tutti_error *error)
{
  sqlite3_stmt *statement;
  int code;
  tutti_status status = tutti_store_prepare(store, STORE_SELECTED, &statement, error);
  if (status != TUTTI_OK)
    return status;
  tutti_store_bind_selection(statement, selection);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    const int index = environment_index(contents, sqlite3_column_int64(statement, 0));
    if (index >= 0)
      selected[index] = true;
  }
  if (code != SQLITE_DONE)
    status = tutti_store_step_fault(store, statement, "read it", error);
  sqlite3_reset(statement);
  return status;
}

tutti_status tutti_store_contents_keep(tutti_store *store, const tutti_selection *selection,
                                       tutti_store_contents *contents, tutti_error *error)
{
  bool *selected = tutti_xcalloc((size_t)contents->environment_count + 1, sizeof *selected);
  tutti_status status = mark_selected(store, selection, contents, selected, error);
  int kept = 0;
  for (int i = 0; i < contents->entry_count && status == TUTTI_OK; i++)
    if (selected[contents->entries[i].environment] && is_measured_so(&contents->entries[i], selection))
      contents->entries[kept++] = contents->entries[i];
  if (status == TUTTI_OK)
    contents->entry_count = kept;
  free(selected);
  return status;
}
