/* Merging stores, all in one transaction. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store/store_merge.h"

static tutti_status merge_table(const struct merging *merging, const struct merge_table *table)
{
  bool survey = strcmp(table->name, "parameter") == 0;
  int code = SQLITE_DONE;
  sqlite3_stmt *statement;
  tutti_status status = tutti_merge_prepare(
      merging->from, strdup("SELECT platform, platform_hash, flavor, library, tutti, id FROM environment"), &statement,
      merging->error);
  if (status != TUTTI_OK)
    return status;
  while (status == TUTTI_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    int64_t from = sqlite3_column_int64(statement, 5), to;
    const tutti_environment environment = {tutti_store_text_at(statement, 0), tutti_store_text_at(statement, 1),
                                           tutti_store_text_at(statement, 2), tutti_store_text_at(statement, 3),
                                           tutti_store_text_at(statement, 4)};
    status = tutti_store_environment(merging->to, &environment, &to, merging->error);
    if (status == TUTTI_OK)
      status = survey ? tutti_merge_survey(merging, table, from, to) : tutti_merge_rows(merging, table, from, to);
  }
  if (status == TUTTI_OK && code != SQLITE_DONE)
    status = tutti_merge_fault(merging->from, "read it", merging->error);
  sqlite3_finalize(statement);
  return status;
}

static tutti_status merge_named(const struct merging *merging, const char *name)
{
  struct merge_table table = {.name = strdup(name)};
  tutti_status status = table.name ? tutti_merge_open_table(merging, &table)
                                   : tutti_fail(merging->error, TUTTI_ERR_MEMORY, "out of memory for a table");
  if (status == TUTTI_OK && table.environment >= 0)
    status = merge_table(merging, &table);
  tutti_merge_close_table(&table);
  return status;
}

/* The tables that the store has which is read. */
static tutti_status merge_tables(const struct merging *merging)
{
  int code = SQLITE_DONE;
  sqlite3_stmt *statement;
  tutti_status status = tutti_merge_prepare(
      merging->from,
      strdup("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"),
      &statement, merging->error);
  if (status != TUTTI_OK)
    return status;
  while (status == TUTTI_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
    status = merge_named(merging, tutti_store_text_at(statement, 0));
  if (status == TUTTI_OK && code != SQLITE_DONE)
    status = tutti_merge_fault(merging->from, "read it", merging->error);
  sqlite3_finalize(statement);
  return status;
}

static bool is_same_file(const char *left, const char *right)
{
  struct stat a, b;
  return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static tutti_status merge_one(tutti_store *store, const char *path, bool keep, tutti_merged *merged, tutti_error *error)
{
  struct merging merging = {.to = store, .keep = keep, .merged = merged, .error = error};
  if (is_same_file(store->path, path))
    return tutti_fail(error, TUTTI_ERR_IO, "%s: is the store that others are merged into", path);
  tutti_status status = tutti_store_open_existing(path, &merging.from, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_store_run(merging.from, STORE_BEGIN_READ, error);
  if (status == TUTTI_OK)
    status = merge_tables(&merging);
  tutti_store_close(merging.from);
  return status;
}

tutti_status tutti_store_merge(tutti_store *store, const char *const *paths, size_t count, bool keep,
                               tutti_merged *merged, tutti_error *error)
{
  tutti_status status = tutti_store_begin_together(store, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    merged[i] = (tutti_merged){0};
    status = merge_one(store, paths[i], keep, &merged[i], error);
  }
  return tutti_store_end_together(store, status, error);
}
