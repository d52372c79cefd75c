/* What a store holds: environments, and how many rows of each kind they have. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_private.h"

/* What a query is for, and what its rows are added to. */
struct listing {
  tutti_store *store;
  tutti_store_contents *contents;
  tutti_holding_kind kind;
  tutti_result_kind result;
};

/* ---- queries ---- */

typedef tutti_status take_row(const struct listing *listing, sqlite3_stmt *row, tutti_error *error);

static tutti_status for_each_row(const struct listing *listing, const char *sql, take_row *take, tutti_error *error)
{
  tutti_store *store = listing->store;
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
  tutti_status status =
      code == SQLITE_OK ? TUTTI_OK : tutti_store_fault(store->database, store->path, "read what it holds", error);
  while (status == TUTTI_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
    status = take(listing, statement, error);
  if (status == TUTTI_OK && code != SQLITE_DONE)
    status = tutti_store_fault(store->database, store->path, "read what it holds", error);
  sqlite3_finalize(statement);
  return status;
}

static tutti_status no_memory(const struct listing *listing, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for what it holds", listing->store->path);
}

/* One more item at the end of an array; NULL: out of memory. */
static void *append(void *array, int *count, size_t size)
{
  void **items = array;
  void *grown = reallocarray(*items, (size_t)*count + 1, size);
  if (!grown)
    return NULL;
  *items = grown;
  void *item = (char *)grown + (size_t)*count * size;
  memset(item, 0, size);
  (*count)++;
  return item;
}

/* ---- environments ---- */

static void free_environment(tutti_environment *environment)
{
  free((char *)environment->platform);
  free((char *)environment->platform_hash);
  free((char *)environment->flavor);
  free((char *)environment->library);
  free((char *)environment->tutti);
}

static tutti_status take_environment(const struct listing *listing, sqlite3_stmt *row, tutti_error *error)
{
  tutti_store_contents *contents = listing->contents;
  int id_count = contents->environment_count;
  int64_t *id = append(&contents->ids, &id_count, sizeof *id);
  tutti_environment *environment =
      id ? append(&contents->environments, &contents->environment_count, sizeof *environment) : NULL;
  if (!environment)
    return no_memory(listing, error);
  *id = sqlite3_column_int64(row, 0);
  const char **const members[] = {&environment->platform, &environment->platform_hash, &environment->flavor,
                                  &environment->library, &environment->tutti};
  for (int i = 0; i < 5; i++)
    if (!(*members[i] = strdup(tutti_store_text_at(row, 1 + i))))
      return no_memory(listing, error);
  return TUTTI_OK;
}

static tutti_status list_environments(const struct listing *listing, tutti_error *error)
{
  static const char sql[] = "SELECT id, platform, platform_hash, flavor, library, tutti FROM environment"
                            " ORDER BY platform, flavor, library, platform_hash, tutti, id";
  return for_each_row(listing, sql, take_environment, error);
}

/* ---- holdings ---- */

static int environment_index(const tutti_store_contents *contents, int64_t id)
{
  int index = contents->environment_count - 1;
  while (index >= 0 && contents->ids[index] != id)
    index--;
  return index;
}

static tutti_status take_holding(const struct listing *listing, sqlite3_stmt *row, tutti_error *error)
{
  tutti_store_contents *contents = listing->contents;
  tutti_holding *holding = append(&contents->holdings, &contents->holding_count, sizeof *holding);
  if (!holding)
    return no_memory(listing, error);
  holding->kind = listing->kind;
  holding->result = listing->result;
  holding->environment = environment_index(contents, sqlite3_column_int64(row, 0));
  holding->rows = (size_t)sqlite3_column_int64(row, 1);
  if (holding->environment < 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: rows of an environment that it does not have", listing->store->path);
  if (listing->kind != TUTTI_HOLDS_MEASUREMENTS)
    return TUTTI_OK;
  holding->ranks_per_node = sqlite3_column_int(row, 4);
  tutti_status status = tutti_collective_parse(tutti_store_text_at(row, 2), &holding->collective, error);
  return status == TUTTI_OK ? tutti_scheme_parse(tutti_store_text_at(row, 3), &holding->scheme, error) : status;
}

/* Stores of older versions do not have all tables. */
static bool has_table(tutti_store *store, const char *table)
{
  return sqlite3_table_column_metadata(store->database, "main", table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

static tutti_status list_table(const struct listing *listing, const char *table, tutti_error *error)
{
  char sql[160];
  if (!has_table(listing->store, table))
    return TUTTI_OK;
  snprintf(sql, sizeof sql, "SELECT environment, count(*) FROM %s GROUP BY environment", table);
  return for_each_row(listing, sql, take_holding, error);
}

static tutti_status list_results(struct listing *listing, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  listing->kind = TUTTI_HOLDS_RESULTS;
  for (int kind = 0; kind < TUTTI_RESULT_KINDS && status == TUTTI_OK; kind++) {
    listing->result = (tutti_result_kind)kind;
    status = list_table(listing, tutti_result_layout_of(listing->result)->table, error);
  }
  return status;
}

static tutti_status list_holdings(struct listing *listing, tutti_error *error)
{
  static const char measurements[] = "SELECT m.environment, count(*), d.collective, m.scheme, m.ranks_per_node"
                                     " FROM measurement m JOIN method d ON d.id = m.method GROUP BY 1, 3, 4, 5";
  listing->kind = TUTTI_HOLDS_MEASUREMENTS;
  tutti_status status = for_each_row(listing, measurements, take_holding, error);
  listing->kind = TUTTI_HOLDS_BUILDS;
  if (status == TUTTI_OK)
    status = list_table(listing, "group_build", error);
  listing->kind = TUTTI_HOLDS_PARAMETERS;
  if (status == TUTTI_OK)
    status = list_table(listing, "parameter", error);
  return status == TUTTI_OK ? list_results(listing, error) : status;
}

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

static int compare(const void *left_item, const void *right_item)
{
  const tutti_holding *left = left_item, *right = right_item;
  if (left->kind != right->kind)
    return THREE_WAY(left->kind, right->kind);
  if (left->environment != right->environment)
    return THREE_WAY(left->environment, right->environment);
  if (left->collective != right->collective)
    return THREE_WAY(left->collective, right->collective);
  if (left->scheme != right->scheme)
    return THREE_WAY(left->scheme, right->scheme);
  if (left->ranks_per_node != right->ranks_per_node)
    return THREE_WAY(left->ranks_per_node, right->ranks_per_node);
  return THREE_WAY(left->result, right->result);
}

tutti_status tutti_store_contents_read(tutti_store *store, tutti_store_contents *contents, tutti_error *error)
{
  struct listing listing = {.store = store, .contents = contents};
  *contents = (tutti_store_contents){0};
  tutti_status status = tutti_store_run(store, STORE_BEGIN_READ, error);
  if (status != TUTTI_OK)
    return status;
  status = list_environments(&listing, error);
  if (status == TUTTI_OK)
    status = list_holdings(&listing, error);
  status = tutti_store_end(store, status, error);
  if (status != TUTTI_OK)
    tutti_store_contents_free(contents);
  else if (contents->holding_count > 0)
    qsort(contents->holdings, (size_t)contents->holding_count, sizeof *contents->holdings, compare);
  return status;
}

void tutti_store_contents_free(tutti_store_contents *contents)
{
  for (int i = 0; i < contents->environment_count; i++)
    free_environment(&contents->environments[i]);
  free(contents->environments);
  free(contents->ids);
  free(contents->holdings);
  *contents = (tutti_store_contents){0};
}

tutti_selection tutti_holding_selection(const tutti_store_contents *contents, const tutti_holding *holding)
{
  const tutti_environment *environment = &contents->environments[holding->environment];
  bool measured = holding->kind == TUTTI_HOLDS_MEASUREMENTS;
  return (tutti_selection){.platform = environment->platform,
                           .platform_hash = environment->platform_hash,
                           .flavor = environment->flavor,
                           .library = environment->library,
                           .tutti = environment->tutti,
                           .collective = holding->collective,
                           .scheme = measured ? (int)holding->scheme : -1,
                           .ranks_per_node = holding->ranks_per_node,
                           .any_pattern = measured};
}
