/* Stores of every earlier version of the schema (tests/store): only read they stay as they are; opened for writing they
   become what a new store is, and keep every value of every row, bit for bit. */
#include "harness/store/rows.h"
#include "unit/harness/store/store_fixture.h"

enum { TABLES = TUTTI_ROW_KINDS + 2 };

static const char *table_name(int table)
{
  return table < TUTTI_ROW_KINDS ? tutti_kind_of((enum tutti_row)table)->table
                                 : (table == TUTTI_ROW_KINDS ? "environment" : "method");
}

static void assert_same_cell(sqlite3_stmt *before, sqlite3_stmt *after, int column)
{
  double old = sqlite3_column_double(before, column), now = sqlite3_column_double(after, column);
  assert_int_equal(sqlite3_column_type(before, column), sqlite3_column_type(after, column));
  assert_int_equal(sqlite3_column_int64(before, column), sqlite3_column_int64(after, column));
  assert_memory_equal(&old, &now, sizeof old);
  assert_int_equal(sqlite3_column_bytes(before, column), sqlite3_column_bytes(after, column));
  if (sqlite3_column_type(before, column) == SQLITE_TEXT)
    assert_string_equal((char *)sqlite3_column_text(before, column), (char *)sqlite3_column_text(after, column));
}

/* The columns that the table of the older store has. */
static char *columns_of(sqlite3 *database, const char *table)
{
  char sql[160];
  FREED_BY(end_statement) sqlite3_stmt *statement;
  snprintf(sql, sizeof sql, "SELECT group_concat('\"' || name || '\"') FROM pragma_table_xinfo('%s')", table);
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  const unsigned char *text = sqlite3_column_text(statement, 0);
  return text ? strdup((const char *)text) : NULL;
}

/* Rows of both tables, in the order of all columns of the older one; returns how many. */
static int compare_tables(sqlite3 *before, sqlite3 *after, const char *table)
{
  char *columns = columns_of(before, table), *sql;
  sqlite3_stmt *old, *now;
  int rows = 0, code;
  if (!columns) /* which came later */
    return 0;
  assert_true(asprintf(&sql, "SELECT %s FROM %s ORDER BY %s", columns, table, columns) > 0);
  assert_int_equal(sqlite3_prepare_v2(before, sql, -1, &old, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(after, sql, -1, &now, NULL), SQLITE_OK);
  for (; (code = sqlite3_step(old)) == SQLITE_ROW; rows++) {
    assert_int_equal(sqlite3_step(now), SQLITE_ROW);
    for (int column = 0; column < sqlite3_column_count(old); column++)
      assert_same_cell(old, now, column);
  }
  assert_int_equal(code, SQLITE_DONE);
  assert_int_equal(sqlite3_step(now), SQLITE_DONE);
  sqlite3_finalize(old);
  sqlite3_finalize(now);
  free(columns);
  free(sql);
  return rows;
}

STORE_TEST(test_migration_keeps_every_bit)
{
  char old[128];
  for (int version = 1; version <= TUTTI_SCHEMA_VERSION; version++) {
    sqlite3 *before, *after;
    int rows = 0;
    snprintf(old, sizeof old, "%s/version_%d.db", place->directory, version);
    snprintf(place->path, sizeof place->path, "%s/migrated_%d.db", place->directory, version);
    make_version(old, version);
    make_version(place->path, version);
    tutti_store_close(open_store(place->path));
    assert_newest(place->path);
    assert_int_equal(sqlite3_open(old, &before), SQLITE_OK);
    assert_int_equal(sqlite3_open(place->path, &after), SQLITE_OK);
    for (int table = 0; table < TABLES; table++)
      rows += compare_tables(before, after, table_name(table));
    assert_true(rows > 20 + 20 * (version > 3));
    sqlite3_close(before);
    sqlite3_close(after);
    assert_int_equal(query(place->path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_int_equal(query(place->path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
                     0);
    assert_int_equal(query(place->path, "SELECT count(*) FROM measurement WHERE arrival = '' OR noise = ''"), 0);
  }
}

/* ---- the tables of a migrated store and of a new one ---- */

static char *describe(const char *path)
{
  static const char sql[] = "SELECT group_concat(description, char(10)) FROM (SELECT t.name || ' ' || c.name || ' ' ||"
                            " c.type || ' ' || c.\"notnull\" || ' ' || coalesce(c.dflt_value, '-') || ' ' || c.pk ||"
                            " ' ' || c.hidden AS description FROM sqlite_schema t, pragma_table_xinfo(t.name) c"
                            " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid)";
  FREED_BY(close_database) sqlite3 *database;
  FREED_BY(end_statement) sqlite3_stmt *statement;
  assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  return strdup((const char *)sqlite3_column_text(statement, 0));
}

STORE_TEST(test_migrated_stores_are_as_new_ones)
{
  char path[128];
  tutti_store_close(open_store(place->path));
  FREED_BY(free_memory) char *expected = describe(place->path);
  for (int version = 1; version <= TUTTI_SCHEMA_VERSION; version++) {
    snprintf(path, sizeof path, "%s/version_%d.db", place->directory, version);
    make_version(path, version);
    tutti_store_close(open_store(path));
    char *migrated = describe(path);
    assert_string_equal(migrated, expected);
    free(migrated);
  }
}

/* A store of every earlier version takes all rows of a newer one, of whatever kind. */
STORE_TEST(test_migrated_stores_take_new_rows)
{
  char path[128], newest[128], sql[256];
  const char *paths[] = {newest};
  snprintf(newest, sizeof newest, "%s/newest.db", place->directory);
  make_version(newest, TUTTI_SCHEMA_VERSION);
  for (int version = 1; version < TUTTI_SCHEMA_VERSION; version++) {
    tutti_merged merged;
    snprintf(path, sizeof path, "%s/version_%d.db", place->directory, version);
    make_version(path, version);
    tutti_store *store = open_store(path);
    assert_ok(tutti_store_merge(store, paths, 1, false, &merged, REASON), error);
    tutti_store_close(store);
    for (int kind = 0; kind < TUTTI_ROW_KINDS; kind++) {
      snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table_name(kind));
      assert_true(query(path, sql) >= query(newest, sql));
    }
    assert_true(merged.added + merged.same > 20);
    assert_int_equal(query(path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
  }
}

static size_t read_kind(tutti_store *store, enum tutti_row kind, const char *platform, void **rows)
{
  const tutti_selection some = {
      .platform = platform, .collective = TUTTI_COLL_COUNT, .scheme = -1, .any_pattern = true, .flavor = "smpi"};
  size_t count;
  assert_ok(tutti_store_read_rows(store, kind, &some, rows, &count, NULL, REASON), error);
  return count;
}

/* What an old store has is read the same before and after; returns how many rows. */
static size_t compare_readings(tutti_store *before, tutti_store *after, enum tutti_row kind)
{
  void *old, *now;
  const struct tutti_row_kind *described = tutti_kind_of(kind);
  size_t count = read_kind(before, kind, "fast_ethernet", &old);
  assert_int_equal(read_kind(after, kind, "fast_ethernet", &now), count);
  for (size_t i = 0; i < count; i++)
    for (size_t c = 0; c < described->count; c++) {
      char left[TUTTI_ROW_VALUE_TEXT], right[TUTTI_ROW_VALUE_TEXT];
      assert_string_equal(tutti_row_format(&described->columns[c], (char *)old + i * described->size, left),
                          tutti_row_format(&described->columns[c], (char *)now + i * described->size, right));
    }
  free(old);
  free(now);
  return count;
}

/* Returns how many rows there are. */
static size_t compare_contents(tutti_store *before, tutti_store *after)
{
  tutti_store_contents old, now;
  size_t rows = 0;
  assert_int_equal(tutti_store_contents_read(before, &old, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_contents_read(after, &now, NULL), TUTTI_OK);
  assert_int_equal(old.entry_count, now.entry_count);
  for (int i = 0; i < old.entry_count; i++) {
    assert_int_equal(old.entries[i].kind, now.entries[i].kind);
    assert_int_equal(old.entries[i].rows, now.entries[i].rows);
    rows += old.entries[i].rows;
  }
  tutti_store_contents_free(&old);
  tutti_store_contents_free(&now);
  return rows;
}

STORE_TEST(test_old_stores_are_read_as_they_are)
{
  char path[128];
  for (int version = 1; version <= TUTTI_SCHEMA_VERSION; version++) {
    tutti_store *before, *after;
    size_t rows = 0;
    snprintf(path, sizeof path, "%s/version_%d.db", place->directory, version);
    snprintf(place->path, sizeof place->path, "%s/migrated_%d.db", place->directory, version);
    make_version(path, version);
    make_version(place->path, version);
    after = open_store(place->path);
    assert_int_equal(tutti_store_open_existing(path, &before, NULL), TUTTI_OK);
    for (int kind = 0; kind < TUTTI_ROW_KINDS; kind++)
      rows += compare_readings(before, after, (enum tutti_row)kind);
    assert_true(rows >= 20);
    assert_true(compare_contents(before, after) >= rows);
    tutti_store_close(before);
    tutti_store_close(after);
    assert_int_equal(query(path, "PRAGMA user_version"), version);
  }
}
