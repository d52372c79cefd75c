/* Environments: the conditions of measured rows. All facts about their columns follow from one list. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "harness/store/private.h"

static const struct column {
  const char *name; /* in the table */
  const char *what; /* for messages */
  size_t offset;    /* of the member of tutti_environment */
  bool needed;      /* must not be empty */
  bool whole;       /* a number, else a text */
  int since;        /* first version of the schema that has it; older stores have the empty text, or 0 */
} columns[STORE_ENVIRONMENT_COLUMNS] = {
    {"platform", "platform", offsetof(tutti_environment, platform), .needed = true},
    {"platform_hash", "hash of the platform", offsetof(tutti_environment, platform_hash), .since = 1},
    {"flavor", "flavor", offsetof(tutti_environment, flavor), .needed = true},
    {"library", "library", offsetof(tutti_environment, library), .needed = true},
    {"tutti", "version of Tutti", offsetof(tutti_environment, tutti), .needed = true},
    {"build", "digest of the library", offsetof(tutti_environment, build), .since = 6},
    {"settings", "settings", offsetof(tutti_environment, settings), .since = 6},
    {"hosts", "digest of the hosts", offsetof(tutti_environment, hosts), .since = 6},
    {"cpu", "model of the CPU", offsetof(tutti_environment, cpu), .since = 6},
    {"cores", "number of cores", offsetof(tutti_environment, cores), .whole = true, .since = 6},
    {"binding", "binding", offsetof(tutti_environment, binding), .since = 6},
};

/* ---- SQL ---- */

void tutti_environment_write_columns(FILE *stream, const char *prefix, int version)
{
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    if (columns[i].since <= version)
      fprintf(stream, ", %s%s", prefix, columns[i].name);
    else
      fprintf(stream, ", %s", columns[i].whole ? "0" : "''");
}

static void write_names(FILE *stream, int version)
{
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    if (columns[i].since <= version)
      fprintf(stream, "%s%s", i ? ", " : "", columns[i].name);
}

void tutti_environment_write_table(FILE *stream, const char *name, int version)
{
  fprintf(stream, "CREATE TABLE %s (  id INTEGER PRIMARY KEY,", name);
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++) {
    if (columns[i].since > version)
      continue;
    fprintf(stream, "  %s %s NOT NULL", columns[i].name, columns[i].whole ? "INTEGER" : "TEXT");
    if (columns[i].needed || columns[i].whole)
      fprintf(stream, " CHECK (%s %s)", columns[i].name, columns[i].whole ? ">= 0" : "<> ''");
    fputc(',', stream);
  }
  fprintf(stream, "  UNIQUE (");
  write_names(stream, version);
  fprintf(stream, ")) STRICT;");
}

/* The key of an environment may grow, so the table is made anew; its rows keep their numbers. */
void tutti_environment_write_migration(FILE *stream, int version)
{
  static const char name[] = "environment_new";
  if (columns[STORE_ENVIRONMENT_COLUMNS - 1].since <= version)
    return;
  tutti_environment_write_table(stream, name, TUTTI_SCHEMA_VERSION);
  fprintf(stream, "INSERT INTO %s (id, ", name);
  write_names(stream, TUTTI_SCHEMA_VERSION);
  fprintf(stream, ") SELECT id");
  tutti_environment_write_columns(stream, "", version);
  fprintf(stream, " FROM environment; DROP TABLE environment; ALTER TABLE %s RENAME TO environment;", name);
}

void tutti_environment_write_find(FILE *stream, const void *what)
{
  (void)what;
  fprintf(stream, "SELECT id FROM environment WHERE ");
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    fprintf(stream, "%s%s = ?%d", i ? " AND " : "", columns[i].name, i + 1);
}

void tutti_environment_write_add(FILE *stream, const void *what)
{
  (void)what;
  fprintf(stream, "INSERT INTO environment (");
  write_names(stream, TUTTI_SCHEMA_VERSION);
  fprintf(stream, ") VALUES (");
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    fprintf(stream, "%s?%d", i ? ", " : "", i + 1);
  fprintf(stream, ") ON CONFLICT DO NOTHING");
}

/* ---- values ---- */

static const char **text_of(int column, const tutti_environment *environment)
{
  return (const char **)((char *)environment + columns[column].offset);
}

static int *number_of(int column, const tutti_environment *environment)
{
  return (int *)((char *)environment + columns[column].offset);
}

/* A text that is not set is empty. */
static const char *given_text(int column, const tutti_environment *environment)
{
  const char *text = *text_of(column, environment);
  return text ? text : "";
}

tutti_environment tutti_environment_at(sqlite3_stmt *statement, int first)
{
  tutti_environment environment = {0};
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    if (columns[i].whole)
      *number_of(i, &environment) = sqlite3_column_int(statement, first + i);
    else
      *text_of(i, &environment) = tutti_store_text_at(statement, first + i);
  return environment;
}

bool tutti_environment_is_same(const tutti_environment *left, const tutti_environment *right,
                               enum store_environment_column column)
{
  return columns[column].whole ? *number_of(column, left) == *number_of(column, right)
                               : strcmp(given_text(column, left), given_text(column, right)) == 0;
}

tutti_environment tutti_environment_copy(const tutti_environment *environment)
{
  tutti_environment copy = *environment;
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    if (!columns[i].whole)
      *text_of(i, &copy) = tutti_xstrdup(given_text(i, environment));
  return copy;
}

void tutti_environment_free(tutti_environment *environment)
{
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    if (!columns[i].whole)
      free((char *)*text_of(i, environment));
}

/* ---- adding ---- */

static void bind(sqlite3_stmt *statement, const tutti_environment *environment)
{
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    if (columns[i].whole)
      sqlite3_bind_int(statement, i + 1, *number_of(i, environment));
    else
      sqlite3_bind_text(statement, i + 1, given_text(i, environment), -1, SQLITE_STATIC);
}

static tutti_status find(tutti_store *store, const tutti_environment *environment, bool *found, int64_t *id,
                         tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_ENVIRONMENT_FIND, &statement, error);
  if (status != TUTTI_OK)
    return status;
  bind(statement, environment);
  return tutti_store_step_number(store, statement, found, id, error);
}

static tutti_status insert_environment(tutti_store *store, const tutti_environment *environment, tutti_error *error)
{
  sqlite3_stmt *statement;
  tutti_status status = tutti_store_prepare(store, STORE_ENVIRONMENT_ADD, &statement, error);
  if (status != TUTTI_OK)
    return status;
  bind(statement, environment);
  return tutti_store_change(store, statement, "add an environment", error);
}

/* Names from options, launchers, the environment and the names of files. */
static tutti_status check_environment(const tutti_environment *environment, tutti_error *error)
{
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++) {
    const char *text = columns[i].whole ? "" : given_text(i, environment);
    if (!tutti_utf8_is_line(text))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s': the %s is not UTF-8, or has control characters", text,
                        columns[i].what);
  }
  return TUTTI_OK;
}

/* A row of tutti_environment_each(). */
static tutti_status check_row(void *path, sqlite3_stmt *row, tutti_error *error)
{
  for (int i = 0; i < STORE_ENVIRONMENT_COLUMNS; i++)
    if (sqlite3_column_type(row, i + 1) != (columns[i].whole ? SQLITE_INTEGER : SQLITE_TEXT) ||
        (!columns[i].whole && !tutti_store_is_shown(row, i + 1)))
      return tutti_fail(error, TUTTI_ERR_IO, "%.200s: table environment, row %lld: '%.80s' is no %s", (char *)path,
                        (long long)sqlite3_column_int64(row, 0), tutti_store_text_at(row, i + 1), columns[i].what);
  return TUTTI_OK;
}

static void write_list(FILE *stream, const void *what)
{
  (void)what;
  fprintf(stream, "SELECT id, ");
  write_names(stream, TUTTI_SCHEMA_VERSION);
  fprintf(stream, " FROM environment ORDER BY platform, flavor, library, platform_hash, tutti, id");
}

tutti_status tutti_environment_each(sqlite3 *database, const char *path, tutti_store_take *take, void *context,
                                    tutti_error *error)
{
  char *sql = tutti_compose(write_list, NULL);
  tutti_status status = tutti_store_query(database, path, sql, take, context, error);
  free(sql);
  return status;
}

tutti_status tutti_environment_check_all(sqlite3 *database, const char *path, tutti_error *error)
{
  return tutti_environment_each(database, path, check_row, (char *)path, error);
}

tutti_status tutti_store_environment(tutti_store *store, const tutti_environment *environment, int64_t *id,
                                     tutti_error *error)
{
  bool found = false;
  tutti_status status = check_environment(environment, error);
  if (status == TUTTI_OK)
    status = find(store, environment, &found, id, error);
  if (status != TUTTI_OK || found)
    return status;
  status = insert_environment(store, environment, error);
  return status == TUTTI_OK ? find(store, environment, &found, id, error) : status;
}
