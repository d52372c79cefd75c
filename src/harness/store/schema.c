/* The schema: the measured subject (method, or the keys of a kind of row), its conditions (environment), and a table
 * for each kind of row, made from its columns (results/kinds.def). Sizes are bytes (_B), times seconds (_s).
 *
 * A store of an older version is migrated to the newest one in one step: later tables are made, and a table with later
 * columns is made anew, with the values of its rows and the defaults of the new columns. Views (views.sql) are always
 * those of the newest version. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/store/private.h"

extern const char tutti_views[]; /* views.sql */

enum { VIEWS_SINCE = 9 };

const char *tutti_stored_name(const struct tutti_row_column *column)
{
  return column->in_store ? column->in_store : column->name;
}

static int stored_place(const struct tutti_row_column *column)
{
  if (column->flags & (TUTTI_ROW_COLUMN_UNSTORED | TUTTI_ROW_COLUMN_COMPUTED))
    return -1;
  return tutti_column_is_key(column) ? 0 : 1; /* SQLite 3.40 takes a table for damaged whose key is not in front */
}

size_t tutti_stored_columns(const struct tutti_row_kind *kind,
                            const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX])
{
  return tutti_columns_select(kind, stored_place, columns);
}

/* Whether a store of that version, which has the table, has the column. */
static bool is_stored_since(const struct tutti_row_column *column, int version)
{
  return column->since <= version;
}

char *tutti_compose(void (*write)(FILE *stream, const void *what), const void *what)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  write(text.stream, what);
  return tutti_xclose_text(&text);
}

/* ---- tables ---- */

/* Type of a column: "TEXT", "INTEGER", "REAL". */
static const char *storage_of(const struct tutti_row_column *column)
{
  static const char *const names[] = {
      [TUTTI_ROW_VALUE_STRING] = "TEXT", [TUTTI_ROW_VALUE_INTEGER] = "INTEGER", [TUTTI_ROW_VALUE_REAL] = "REAL"};
  return column->type == TUTTI_ROW_COLUMN_METHOD ? "INTEGER" : names[tutti_column_class(column)];
}

/* A constraint for every value of the type. */
static void write_type_check(FILE *stream, const struct tutti_row_column *column, const char *name)
{
  switch (column->type) {
  case TUTTI_ROW_COLUMN_METHOD:
    fprintf(stream, " REFERENCES method (id)");
    break;
  case TUTTI_ROW_COLUMN_HEX:
    fprintf(stream, " CHECK (length(\"%s\") = 16)", name);
    break;
  case TUTTI_ROW_COLUMN_EXACT:
    fprintf(stream, " CHECK (\"%s\" IN (0, 1))", name);
    break;
  case TUTTI_ROW_COLUMN_FRACTION:
    fprintf(stream, " CHECK (\"%s\" BETWEEN 0 AND 1)", name);
    break;
  case TUTTI_ROW_COLUMN_SECONDS:
  case TUTTI_ROW_COLUMN_VALUE:
    fprintf(stream, " CHECK (\"%s\" >= 0)", name);
    break;
  default:
    if (tutti_column_class(column) == TUTTI_ROW_VALUE_INTEGER)
      fprintf(stream, " CHECK (\"%s\" >= %" PRIu64 ")", name, column->min);
    else if (tutti_column_class(column) == TUTTI_ROW_VALUE_STRING && !(column->flags & TUTTI_ROW_COLUMN_MAY_BE_EMPTY))
      fprintf(stream, " CHECK (\"%s\" <> '')", name);
  }
}

static void write_column(FILE *stream, const struct tutti_row_column *column)
{
  const char *name = tutti_stored_name(column);
  fprintf(stream, "  \"%s\" %s%s", name, storage_of(column), tutti_column_is_nullable(column) ? "" : " NOT NULL");
  if (column->since && column->standard)
    fprintf(stream, " DEFAULT '%s'", column->standard);
  write_type_check(stream, column, name);
  if (column->check)
    fprintf(stream, " CHECK (%s)", column->check);
  fputc(',', stream);
}

static void write_computed(FILE *stream, const struct tutti_row_kind *kind, int version)
{
  for (size_t i = 0; i < kind->count; i++)
    if (kind->columns[i].flags & TUTTI_ROW_COLUMN_COMPUTED && is_stored_since(&kind->columns[i], version))
      fprintf(stream, "  \"%s\" INTEGER NOT NULL AS (%s),", kind->columns[i].name, kind->columns[i].check);
}

/* Constraints on several columns. */
static void write_checks(FILE *stream, const struct tutti_row_kind *kind, int version)
{
  for (size_t i = 0; i < kind->count; i++) {
    const struct tutti_row_column *column = &kind->columns[i];
    if (!is_stored_since(column, version))
      continue;
    if (column->at_most)
      fprintf(stream, "  CHECK (\"%s\" <= \"%s\"),", column->name, column->at_most);
    if (column->flags & TUTTI_ROW_COLUMN_TIMED)
      fprintf(stream, "  CHECK ((repetitions = 0) = (\"%s\" IS NULL)),", column->name);
  }
}

static int key_place(const struct tutti_row_column *column)
{
  return !tutti_column_is_key(column) ? -1 : column->order == TUTTI_ROW_COLUMN_LAST;
}

/* The table as a store of that version has it. */
static void write_table(FILE *stream, const struct tutti_row_kind *kind, const char *name, int version)
{
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count = tutti_stored_columns(kind, columns);
  fprintf(stream, "CREATE TABLE %s (  environment INTEGER NOT NULL REFERENCES environment (id),", name);
  for (size_t i = 0; i < count; i++)
    if (is_stored_since(columns[i], version))
      write_column(stream, columns[i]);
  write_computed(stream, kind, version);
  write_checks(stream, kind, version);
  fprintf(stream, "  PRIMARY KEY (environment");
  count = tutti_columns_select(kind, key_place, columns);
  for (size_t i = 0; i < count; i++)
    if (is_stored_since(columns[i], version))
      fprintf(stream, ", \"%s\"", tutti_stored_name(columns[i]));
  fprintf(stream, ")) STRICT, WITHOUT ROWID;");
}

static void write_tables(FILE *stream, const void *what)
{
  int version = *(const int *)what;
  tutti_environment_write_table(stream, "environment", version);
  fprintf(stream, "CREATE TABLE method ("
                  "  id INTEGER PRIMARY KEY,"
                  "  name TEXT NOT NULL UNIQUE,"
                  "  collective TEXT NOT NULL CHECK (name GLOB collective || '/?*')"
                  ") STRICT;");
  for (int row = 0; row < TUTTI_ROW_KINDS; row++) {
    const struct tutti_row_kind *kind = tutti_kind_of((enum tutti_row)row);
    if (kind->since <= version)
      write_table(stream, kind, kind->table, version);
  }
}

static void write_views(FILE *stream, const void *what)
{
  (void)what;
  fprintf(stream, "%s CREATE VIEW counts AS SELECT * FROM measurement_counts", tutti_views);
  for (int row = TUTTI_ROW_MEASUREMENT + 1; row < TUTTI_ROW_KINDS; row++) {
    const char *table = tutti_kind_of((enum tutti_row)row)->table;
    fprintf(stream, " UNION ALL SELECT environment, '%s', NULL, NULL, NULL, NULL, count(*) FROM %s GROUP BY 1", table,
            table);
  }
  fputc(';', stream);
}

char *tutti_store_tables(int version)
{
  return tutti_compose(write_tables, &version);
}

char *tutti_store_views(int version)
{
  return version < VIEWS_SINCE ? tutti_xstrdup("") : tutti_compose(write_views, NULL);
}

/* ---- migration ---- */

static void write_columns_of(FILE *stream, const struct tutti_row_kind *kind, int version)
{
  const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX];
  size_t count = tutti_stored_columns(kind, columns);
  fprintf(stream, "environment");
  for (size_t i = 0; i < count; i++)
    if (is_stored_since(columns[i], version))
      fprintf(stream, ", \"%s\"", tutti_stored_name(columns[i]));
}

/* The key may grow, so the table is made anew. */
static void write_rebuild(FILE *stream, const struct tutti_row_kind *kind, int version)
{
  char name[64];
  snprintf(name, sizeof name, "%s_%d", kind->table, TUTTI_SCHEMA_VERSION);
  write_table(stream, kind, name, TUTTI_SCHEMA_VERSION);
  fprintf(stream, "INSERT INTO %s (", name);
  write_columns_of(stream, kind, version);
  fprintf(stream, ") SELECT ");
  write_columns_of(stream, kind, version);
  fprintf(stream, " FROM %s; DROP TABLE %s; ALTER TABLE %s RENAME TO %s;", kind->table, kind->table, name, kind->table);
}

static bool has_later_columns(const struct tutti_row_kind *kind, int version)
{
  for (size_t i = 0; i < kind->count; i++)
    if (!is_stored_since(&kind->columns[i], version))
      return true;
  return false;
}

static void write_kind_migration(FILE *stream, const struct tutti_row_kind *kind, int version)
{
  if (kind->since > version)
    write_table(stream, kind, kind->table, TUTTI_SCHEMA_VERSION);
  else if (has_later_columns(kind, version))
    write_rebuild(stream, kind, version);
}

/* Or else a table could not be made anew, which they name. */
static void write_drops(FILE *stream)
{
  static const char begin[] = "CREATE VIEW ";
  char *views = tutti_store_views(TUTTI_SCHEMA_VERSION);
  for (const char *at = views; (at = strstr(at, begin)); at += sizeof begin)
    fprintf(stream, "DROP VIEW IF EXISTS %.*s;", (int)strcspn(at + sizeof begin - 1, " "), at + sizeof begin - 1);
  free(views);
}

static void write_migration(FILE *stream, const void *from)
{
  int version = *(const int *)from, newest = TUTTI_SCHEMA_VERSION;
  if (version >= VIEWS_SINCE)
    write_drops(stream);
  if (version == 0) {
    write_tables(stream, &newest);
    fprintf(stream, "PRAGMA application_id = %d;", STORE_APPLICATION_ID);
  } else {
    tutti_environment_write_migration(stream, version);
    for (int row = 0; row < TUTTI_ROW_KINDS; row++)
      write_kind_migration(stream, tutti_kind_of((enum tutti_row)row), version);
  }
  write_views(stream, NULL);
  fprintf(stream, "PRAGMA user_version = %d;", TUTTI_SCHEMA_VERSION);
}

char *tutti_store_migration(int version)
{
  return tutti_compose(write_migration, &version);
}

/* In WAL a commit survives the end of the process without a sync each; a sync is what only a power failure needs. */
const char tutti_store_settings[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;";
