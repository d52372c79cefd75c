/* Statements of the store, which are prepared once and kept: fixed ones, and for each kind of row those that its
 * columns make. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/store/private.h"

static const char *const fixed[STORE_ROW_STATEMENTS] = {
    [STORE_BEGIN_READ] = "BEGIN",
    [STORE_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [STORE_COMMIT] = "COMMIT",
    [STORE_ROLLBACK] = "ROLLBACK",
    [STORE_METHOD_FIND] = "SELECT id FROM method WHERE name = ?1",
    [STORE_METHOD_ADD] = "INSERT INTO method (name, collective) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING",
};

/* A statement on the rows of a kind. */
struct request {
  const struct tutti_row_kind *kind;
  enum store_action action;
};

/* Rows of a survey form one whole: two with the same key in it are a mistake. */
static void write_put(FILE *stream, const struct tutti_row_kind *kind)
{
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count = tutti_stored_columns(kind, columns);
  fprintf(stream, "INSERT %sINTO %s (environment", kind->survey ? "" : "OR REPLACE ", kind->table);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, ", \"%s\"", tutti_stored_name(columns[i]));
  fprintf(stream, ") VALUES (?1");
  for (size_t i = 0; i < count; i++)
    fprintf(stream, ", ?%zu", i + 2);
  fputc(')', stream);
}

static void write_has(FILE *stream, const struct request *request)
{
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count = tutti_stored_columns(request->kind, columns);
  fprintf(stream, "SELECT 1 FROM %s r WHERE environment = ?1", request->kind->table);
  for (size_t i = 0; i < count && tutti_column_is_key(columns[i]); i++) {
    fprintf(stream, " AND \"%s\"", tutti_stored_name(columns[i]));
    fprintf(stream,
            columns[i]->type == TUTTI_ROW_COLUMN_METHOD ? " = (SELECT id FROM method WHERE name = ?%zu)" : " = ?%zu",
            i + 2);
  }
}

/* The member of a selection that a column is compared with, or 0. */
static int selected_by(const struct tutti_row_kind *kind, const struct tutti_row_column *column)
{
  static const int members[TUTTI_ROW_COLUMN_TYPES] = {
      [TUTTI_ROW_COLUMN_ARRIVAL] = SELECT_ARRIVAL, [TUTTI_ROW_COLUMN_NOISE] = SELECT_NOISE};
  if (column == tutti_column_find(kind, "scheme"))
    return SELECT_SCHEME;
  return column == tutti_column_find(kind, "ranks_per_node") ? SELECT_RANKS_PER_NODE : members[column->type];
}

/* Settings are words between blanks. */
static void write_environments(FILE *stream)
{
  fprintf(stream, " WHERE (?1 IS NULL OR e.platform = ?1)"
                  " AND (?2 IS NULL OR substr(e.platform_hash, 1, length(?2)) = ?2)"
                  " AND (?3 IS NULL OR e.flavor = ?3) AND (?4 IS NULL OR e.library = ?4 COLLATE NOCASE)"
                  " AND (?5 IS NULL OR e.tutti = ?5)"
                  " AND e.id BETWEEN ifnull(?6, 0) AND ifnull(?6, 9223372036854775807)"
                  " AND (?7 IS NULL OR e.settings = ?7) AND (?8 IS NULL OR e.hosts = ?8)"
                  " AND (?9 IS NULL OR tutti_under(e.settings, ?9))");
}

/* CROSS JOIN keeps the order: the few environments first, then the index of the table. NULL matches everything. */
static void write_selected(FILE *stream, const struct request *request)
{
  const struct tutti_row_kind *kind = request->kind;
  bool methods = tutti_column_find(kind, "method"), ranks = tutti_column_find(kind, "ranks");
  fprintf(stream, " FROM environment e CROSS JOIN %s r ON r.environment = e.id%s", kind->table,
          methods ? " JOIN method d ON d.id = r.method" : "");
  write_environments(stream);
  if (methods)
    fprintf(stream, " AND (?%d IS NULL OR d.collective = ?%d)", SELECT_COLLECTIVE, SELECT_COLLECTIVE);
  for (size_t i = 0; i < kind->count; i++) {
    int member = selected_by(kind, &kind->columns[i]);
    if (member == 0)
      continue;
    fprintf(stream, " AND (?%d IS NULL OR r.\"%s\" = ?%d", member, tutti_stored_name(&kind->columns[i]), member);
    if (member == SELECT_RANKS_PER_NODE && ranks) /* all on one node */
      fprintf(stream, " OR (r.ranks_per_node = r.ranks AND r.ranks < ?%d)", member);
    fputc(')', stream);
  }
}

static void write_rows(FILE *stream, const struct request *request)
{
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count = tutti_stored_columns(request->kind, columns);
  bool methods = false;
  fprintf(stream, "SELECT ");
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ", " : "", stream);
    if (columns[i]->type == TUTTI_ROW_COLUMN_METHOD) {
      methods = true;
      fputs("d.name", stream);
    } else
      fprintf(stream, "r.\"%s\"", tutti_stored_name(columns[i]));
  }
  write_selected(stream, request);
  fputs(methods ? " ORDER BY r.environment, r.method" : "", stream); /* so that a name is parsed once */
}

static void write_conditions(FILE *stream, const struct request *request)
{
  bool schemes = tutti_column_find(request->kind, "scheme");
  fprintf(stream, "SELECT DISTINCT e.id");
  tutti_environment_write_columns(stream, "e.", TUTTI_SCHEMA_VERSION);
  fputs(schemes ? ", r.scheme" : "", stream);
  write_selected(stream, request);
  fprintf(stream, " ORDER BY e.platform, e.platform_hash, e.flavor, e.library, e.tutti, e.id%s",
          schemes ? ", r.scheme" : "");
}

static void write_statement(FILE *stream, const void *what)
{
  const struct request *request = what;
  switch (request->action) {
  case STORE_PUT:
    write_put(stream, request->kind);
    break;
  case STORE_CLEAR:
    fprintf(stream, "DELETE FROM %s WHERE environment = ?1", request->kind->table);
    break;
  case STORE_HAS:
    write_has(stream, request);
    break;
  case STORE_CONDITIONS:
    write_conditions(stream, request);
    break;
  case STORE_MEASURED_IN:
    fprintf(stream, "SELECT DISTINCT r.environment");
    write_selected(stream, request);
    break;
  default:
    write_rows(stream, request);
  }
}

static void write_environments_of(FILE *stream, const void *nothing)
{
  (void)nothing;
  fputs("SELECT e.id FROM environment e", stream);
  write_environments(stream);
}

static int prepare_text(tutti_store *store, char *sql, sqlite3_stmt **kept)
{
  int code = sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, kept, NULL);
  free(sql);
  return code;
}

static int prepare(tutti_store *store, int which, sqlite3_stmt **kept)
{
  static void (*const composed[STORE_ROW_STATEMENTS])(FILE *, const void *) = {
      [STORE_ENVIRONMENT_FIND] = tutti_environment_write_find,
      [STORE_ENVIRONMENT_ADD] = tutti_environment_write_add,
      [STORE_SELECTED] = write_environments_of,
  };
  if (which < STORE_ROW_STATEMENTS)
    return prepare_text(store, composed[which] ? tutti_compose(composed[which], NULL) : tutti_xstrdup(fixed[which]),
                        kept);
  int number = which - STORE_ROW_STATEMENTS;
  const struct request request = {.kind = tutti_kind_of((enum tutti_row)(number / STORE_ACTIONS)),
                                  .action = (enum store_action)(number % STORE_ACTIONS)};
  return prepare_text(store, tutti_compose(write_statement, &request), kept);
}

tutti_status tutti_store_prepare(tutti_store *store, int which, sqlite3_stmt **statement, tutti_error *error)
{
  sqlite3_stmt **kept = &store->statements[which];
  if (*kept) {
    sqlite3_reset(*kept);
    sqlite3_clear_bindings(*kept);
  } else if (prepare(store, which, kept) != SQLITE_OK)
    return tutti_store_fault(store->database, store->path, "read it", error);
  *statement = *kept;
  return TUTTI_OK;
}
