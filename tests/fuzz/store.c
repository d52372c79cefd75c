/* A store with a row of every kind, in which another program has replaced values, whatever is checked of them, or has
   run statements of its own and changed bytes. What is read can be used, and what is said to be stored is stored; or it
   is refused with a message that names the store. */
#include <sqlite3.h>

#include "kinds.h"
#include "tutti/decision_map.h"
#include "tutti/record.h"
#include "tutti/store.h"

/* ---- the store ---- */

static const char *const records[] = {"measurement.record", "patterns.record", "group.record",    "map.record",
                                      "range.record",       "sort.record",     "parameter.record"};

static tutti_status add(tutti_store *store, int64_t environment, const tutti_record *record, tutti_error *error)
{
  switch (record->kind) {
  case TUTTI_RECORD_MEASUREMENT:
    return tutti_store_add(store, environment, &record->measurement, 1, error);
  case TUTTI_RECORD_GROUP:
    return tutti_store_add_group_runs(store, environment, &record->build, 1, error);
  case TUTTI_RECORD_PARAMETER:
    return tutti_store_put_parameters(store, environment, &record->parameter, 1, error);
  default:
    return tutti_store_add_results(store, environment, &record->result, 1, error);
  }
}

static void read_record(const fuzz_trial *trial, const char *name, tutti_record *record)
{
  tutti_error error = {0};
  fuzz_text text = fuzz_text_create();
  char *path;
  if (asprintf(&path, "%s/tests/fuzz/seeds/%s", TUTTI_SOURCE_DIR, name) < 0 || !fuzz_text_read(&text, path))
    abort();
  fuzz_good(trial, name, tutti_record_parse(text.bytes, record, &error), &error);
  if (record->kind == TUTTI_RECORD_MEASUREMENT)
    record->measurement.ranks_per_node = 1;
  if (record->kind == TUTTI_RECORD_GROUP)
    record->build.ranks_per_node = 1;
  if (record->kind == TUTTI_RECORD_RESULT)
    record->result.ranks_per_node = 1;
  fuzz_text_free(&text);
  free(path);
}

static void add_record(const fuzz_trial *trial, tutti_store *store, int64_t environment, const char *name)
{
  tutti_record record;
  tutti_error error = {0};
  read_record(trial, name, &record);
  fuzz_good(trial, name, add(store, environment, &record, &error), &error);
}

static const tutti_environment environment = {"bgp", "0123abcd", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};

static void make_store(const fuzz_trial *trial, const char *path)
{
  tutti_store *store;
  tutti_error error = {0};
  int64_t id;
  fuzz_good(trial, "a new store", tutti_store_open(path, &store, &error), &error);
  fuzz_good(trial, "an environment", tutti_store_environment(store, &environment, &id, &error), &error);
  for (size_t i = 0; i < sizeof records / sizeof *records; i++)
    add_record(trial, store, id, records[i]);
  tutti_store_close(store);
  sqlite3 *database;
  if (sqlite3_open(path, &database) != SQLITE_OK ||
      sqlite3_exec(database, "PRAGMA journal_mode = DELETE; VACUUM", NULL, NULL, NULL) != SQLITE_OK)
    abort();
  sqlite3_close(database);
}

/* The bytes of the store, made once. */
static const fuzz_text *store_bytes(const fuzz_trial *trial)
{
  enum { MAX_BYTES = 1 << 20 };
  static char bytes[MAX_BYTES];
  static fuzz_text text;
  if (text.length == 0) {
    char *path = fuzz_path(trial, "made.db");
    make_store(trial, path);
    FILE *stream = fopen(path, "r");
    if (!stream)
      abort();
    text = (fuzz_text){bytes, fread(bytes, 1, sizeof bytes, stream)};
    fclose(stream);
    free(path);
  }
  return &text;
}

/* ---- another program ---- */

/* A value that begins with a letter for its type: "i-1", "rinf", "ttext", "bbytes", "n". */
static void bind(sqlite3_stmt *statement, const char *value)
{
  if (*value == 'i')
    sqlite3_bind_int64(statement, 1, strtoll(value + 1, NULL, 10));
  else if (*value == 'r')
    sqlite3_bind_double(statement, 1, strtod(value + 1, NULL));
  else if (*value == 't')
    sqlite3_bind_text(statement, 1, value + 1, -1, SQLITE_TRANSIENT);
  else if (*value == 'b')
    sqlite3_bind_blob(statement, 1, value + 1, (int)strlen(value + 1), SQLITE_TRANSIENT);
}

/* TABLE COLUMN VALUE; what is none of these is passed over. */
static void replace(sqlite3 *database, char *line)
{
  char *value = line, *sql;
  sqlite3_stmt *statement;
  const char *table = strsep(&value, " "), *column = value ? strsep(&value, " ") : NULL;
  if (!value)
    return;
  sql = sqlite3_mprintf("UPDATE OR IGNORE \"%w\" SET \"%w\" = ?", table, column);
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
    bind(statement, value);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  sqlite3_free(sql);
}

static void replace_values(const fuzz_trial *trial, const char *path)
{
  sqlite3 *database;
  char *copy = strdup(trial->text->bytes), *rest = NULL;
  if (sqlite3_open(path, &database) != SQLITE_OK)
    abort();
  sqlite3_exec(database,
               "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN", NULL,
               NULL, NULL);
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (strncmp(line, "sqlite_", 7) != 0)
      replace(database, line);
  sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(database);
  free(copy);
}

/* ---- reading ---- */

static void use_measurements(const fuzz_trial *trial, const tutti_measurement *measurements, size_t count)
{
  tutti_decision_map map;
  tutti_error error = {0};
  if (count > 0 && fuzz_taken(trial, tutti_decision_map_create(measurements, count, &map, &error), &error, NULL))
    tutti_decision_map_free(&map);
}

static bool read_entry(const fuzz_trial *trial, tutti_store *store, const tutti_store_contents *contents,
                       const tutti_store_entry *entry, const char *path)
{
  tutti_selection selection = tutti_store_entry_selection(contents, entry);
  tutti_error error = {0};
  void *rows = NULL;
  size_t count = 0;
  tutti_status status;
  switch (entry->kind) {
  case TUTTI_ENTRY_MEASUREMENTS:
    status = tutti_store_read(store, &selection, (tutti_measurement **)&rows, &count, &error);
    break;
  case TUTTI_ENTRY_GROUP_RUNS:
    status = tutti_store_read_group_runs(store, &selection, (tutti_group_run **)&rows, &count, &error);
    break;
  case TUTTI_ENTRY_PARAMETERS:
    status = tutti_store_read_parameters(store, &selection, (tutti_parameter **)&rows, &count, NULL, &error);
    break;
  default:
    status = tutti_store_read_results(store, &selection, entry->result, (tutti_result **)&rows, &count, &error);
  }
  bool taken = fuzz_taken(trial, status, &error, path);
  if (taken && entry->kind == TUTTI_ENTRY_MEASUREMENTS)
    use_measurements(trial, rows, count);
  free(rows);
  return taken;
}

static bool read_all(const fuzz_trial *trial, tutti_store *store, const char *path)
{
  tutti_store_contents contents = {0};
  tutti_error error = {0};
  if (!fuzz_taken(trial, tutti_store_contents_read(store, &contents, &error), &error, path))
    return false;
  bool taken = true;
  for (int e = 0; e < contents.entry_count; e++)
    taken = read_entry(trial, store, &contents, &contents.entries[e], path) && taken;
  tutti_store_contents_free(&contents);
  return taken;
}

/* ---- statements and bytes of another program ---- */

/* A statement that takes long is no store that takes long. */
static int give_up(void *steps)
{
  return ++*(int *)steps > 100;
}

/* Statements, one a line, but for "byte AT VALUE"; they may write no other file. */
static void run_statements(const fuzz_trial *trial, const char *path)
{
  sqlite3 *database;
  char *copy = strdup(trial->text->bytes), *rest = NULL;
  int steps = 0;
  if (sqlite3_open(path, &database) != SQLITE_OK)
    abort();
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1 << 20);
  sqlite3_progress_handler(database, 10000, give_up, &steps);
  sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA max_page_count = 1000", NULL, NULL, NULL);
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    sqlite3_exec(database, line, NULL, NULL, NULL);
  sqlite3_close(database);
  free(copy);
}

static void change_bytes(const fuzz_trial *trial, const char *path)
{
  unsigned long at;
  unsigned value;
  FILE *stream = fopen(path, "r+");
  if (!stream)
    return;
  fseek(stream, 0, SEEK_END);
  const unsigned long length = (unsigned long)ftell(stream);
  for (const char *line = trial->text->bytes; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (length > 0 && sscanf(line, "byte %lu %u", &at, &value) == 2 &&
        fseek(stream, (long)(at % length), SEEK_SET) == 0)
      fputc((int)(value & 0xff), stream);
  fclose(stream);
}

/* Add a point that is not in it yet. */
static bool add_another(const fuzz_trial *trial, tutti_store *store, const char *path)
{
  static const tutti_environment other = {"grig", "4567cdef", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};
  tutti_record record;
  tutti_error error = {0};
  int64_t id;
  size_t count = 0;
  tutti_measurement *found = NULL;
  read_record(trial, records[0], &record);
  if (!fuzz_taken(trial, tutti_store_environment(store, &other, &id, &error), &error, path) ||
      !fuzz_taken(trial, add(store, id, &record, &error), &error, path))
    return false;
  const tutti_selection selection = {
      .platform = other.platform, .collective = record.measurement.method.algorithm->collective, .scheme = -1};
  const bool taken = fuzz_taken(trial, tutti_store_read(store, &selection, &found, &count, &error), &error, path);
  if (taken && (count != 1 || found->median != record.measurement.median))
    fuzz_fail(trial, "a measurement was stored, and %zu are there", count);
  free(found);
  return taken;
}

static bool merge_into(const fuzz_trial *trial, const char *path)
{
  char *into = fuzz_path(trial, "into.db");
  tutti_store *store;
  tutti_merged merged;
  tutti_error error = {0};
  remove(into);
  fuzz_good(trial, "a new store", tutti_store_open(into, &store, &error), &error);
  const bool taken = fuzz_taken(trial, tutti_store_merge(store, &path, 1, false, &merged, &error), &error, path);
  if (taken && !read_all(trial, store, into))
    fuzz_fail(trial, "merged, it cannot be read");
  tutti_store_close(store);
  free(into);
  return taken;
}

static bool use_store(const fuzz_trial *trial, const char *path,
                      bool (*use)(const fuzz_trial *, tutti_store *, const char *),
                      tutti_status (*open)(const char *, tutti_store **, tutti_error *))
{
  tutti_store *store;
  tutti_error error = {0};
  if (!fuzz_taken(trial, open(path, &store, &error), &error, path))
    return false;
  const bool taken = use(trial, store, path);
  tutti_store_close(store);
  return taken;
}

bool fuzz_feed_foreign(const fuzz_trial *trial)
{
  const fuzz_text *bytes = store_bytes(trial);
  char *path = fuzz_file(trial, "input.db", bytes->bytes, bytes->length);
  run_statements(trial, path);
  change_bytes(trial, path);
  const bool taken = use_store(trial, path, read_all, tutti_store_open_existing) && merge_into(trial, path) &&
                     use_store(trial, path, add_another, tutti_store_open);
  free(path);
  return taken;
}

/* ---- values ---- */

bool fuzz_feed_store(const fuzz_trial *trial)
{
  const fuzz_text *bytes = store_bytes(trial);
  char *path = fuzz_file(trial, "input.db", bytes->bytes, bytes->length);
  replace_values(trial, path);
  const bool taken = use_store(trial, path, read_all, tutti_store_open_existing);
  free(path);
  return taken;
}
