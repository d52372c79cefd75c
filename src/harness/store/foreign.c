/* Limits on the schema of a store of another user. A trigger, a view or a constraint that acts (ON CONFLICT, UNIQUE)
 * would change stored or read data while a command reports success. Tables are compared by SQLite's description with
 * those of a store of that version that is made in memory; constraints, which the description omits, may use only the
 * words of our own tables. */
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "harness/store/private.h"

struct examination {
  sqlite3 *database, *model; /* the opened database, and a store of its version */
  const char *path;
  int version;
  tutti_error *error;
};

/* A name in the store, on its one line; owned by the caller. */
static char *piece(const char *name)
{
  char *copy = tutti_xstrdup(name);
  tutti_utf8_clean_piece(copy);
  return copy;
}

static tutti_status refuse(const struct examination *examination, const char *what, const char *name)
{
  char *shown = piece(name);
  tutti_status status =
      tutti_fail(examination->error, TUTTI_ERR_IO,
                 "%.200s: not as Tutti makes a store of version %d: it has %s %.120s, which may change or hide "
                 "measurements",
                 examination->path, examination->version, what, shown);
  free(shown);
  return status;
}

static tutti_status prepare(const struct examination *examination, sqlite3 *database, const char *sql, const char *name,
                            sqlite3_stmt **statement)
{
  if (sqlite3_prepare_v2(database, sql, -1, statement, NULL) != SQLITE_OK)
    return tutti_store_fault(database, examination->path, "read it", examination->error);
  if (name)
    sqlite3_bind_text(*statement, 1, name, -1, SQLITE_STATIC);
  return TUTTI_OK;
}

/* Refuse an object that a statement finds in the store: its type, and its name. */
static tutti_status refuse_found(const struct examination *examination, const char *sql, const char *name)
{
  sqlite3_stmt *statement;
  tutti_status status = prepare(examination, examination->database, sql, name, &statement);
  if (status != TUTTI_OK)
    return status;
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    status = refuse(examination, tutti_store_text_at(statement, 0), tutti_store_text_at(statement, 1));
  else if (code != SQLITE_DONE)
    status = tutti_store_fault(examination->database, examination->path, "read it", examination->error);
  sqlite3_finalize(statement);
  return status;
}

/* Two tables on one page are one that is written under the name of the other. */
static const char never[] =
    "SELECT 'the ' || type, name || ' on ' || tbl_name FROM sqlite_schema WHERE type NOT IN ('table', 'index', 'view')"
    " UNION ALL SELECT 'the virtual table', name FROM sqlite_schema"
    " WHERE type = 'table' AND (coalesce(rootpage, 0) = 0 OR sql LIKE 'create virtual%')"
    " UNION ALL SELECT 'the pages of another table in', name FROM sqlite_schema WHERE type <> 'view'"
    " GROUP BY rootpage HAVING count(*) > 1";

/* Indices of a table that are more than an order of its rows. */
static const char indices[] =
    "SELECT 'the index', name FROM pragma_index_list(?1) i WHERE origin = 'c' AND (\"unique\" OR partial OR"
    " EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) WHERE cid = -2))";

/* ---- SQLite's description of a table ---- */

/* The form is what stands before the columns and after them: pragma_table_list would compile every view for it. */
static const char description[] =
    "SELECT 'the column ' || name || ' ' || type || iif(\"notnull\", ' NOT NULL', '') || iif(pk, ' KEY', '')"
    " || iif(hidden, ' AS', '') FROM pragma_table_xinfo(?1)"
    " UNION ALL SELECT 'the reference of ' || \"from\" || ' to ' || \"table\" || ' ' || coalesce(\"to\", '')"
    " || ' ON UPDATE ' || on_update || ' ON DELETE ' || on_delete FROM pragma_foreign_key_list(?1)"
    " UNION ALL SELECT 'the unique key ' || (SELECT group_concat(name || ' ' || coll) FROM"
    " (SELECT name, coll FROM pragma_index_xinfo(i.name) WHERE key ORDER BY name)) FROM pragma_index_list(?1) i"
    " WHERE origin <> 'c'"
    " UNION ALL SELECT 'the form ' || substr(sql, 1, 13) || substr(sql, length(rtrim(sql, replace(sql, ')', ''))) + 1)"
    " || iif(instr(sql, '--'), ' and a comment', '')"
    " FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE"
    " ORDER BY 1";

/* The first line that one of them has and the other has not. */
static tutti_status compare_lines(const struct examination *examination, const char *table, sqlite3_stmt *theirs,
                                  sqlite3_stmt *ours)
{
  int found, expected, order = 0;
  do {
    found = sqlite3_step(theirs);
    expected = sqlite3_step(ours);
    order = strcmp(tutti_store_text_at(theirs, 0), tutti_store_text_at(ours, 0));
  } while (found == SQLITE_ROW && expected == SQLITE_ROW && order == 0);
  if (found != SQLITE_ROW && found != SQLITE_DONE)
    return tutti_store_fault(examination->database, examination->path, "read it", examination->error);
  if (found == SQLITE_DONE && expected == SQLITE_DONE)
    return TUTTI_OK;
  bool more = found == SQLITE_ROW && (expected != SQLITE_ROW || order < 0);
  char *shown = piece(tutti_store_text_at(more ? theirs : ours, 0));
  tutti_status status = tutti_fail(examination->error, TUTTI_ERR_IO,
                                   "%.200s: not as Tutti makes a store of version %d: table %s %s %.120s",
                                   examination->path, examination->version, table, more ? "has" : "lacks", shown);
  free(shown);
  return status;
}

static tutti_status compare(const struct examination *examination, const char *table)
{
  sqlite3_stmt *theirs = NULL, *ours = NULL;
  tutti_status status = prepare(examination, examination->database, description, table, &theirs);
  if (status == TUTTI_OK)
    status = prepare(examination, examination->model, description, table, &ours);
  if (status == TUTTI_OK)
    status = compare_lines(examination, table, theirs, ours);
  sqlite3_finalize(theirs);
  sqlite3_finalize(ours);
  return status;
}

/* ---- words ---- */

static bool is_of_word(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Past a literal, whose quotes are doubled inside. */
static const char *behind_literal(const char *sql)
{
  const char *end = strchr(sql + 1, '\'');
  return end ? end + 1 : sql + strlen(sql);
}

/* The next word of a definition, or a character not allowed in one (comments, other quotes), at *word; 0: its end. */
static size_t next_word(const char **word)
{
  const char *at = *word;
  while (*at && !is_of_word(*at) && (strchr(" \t\n(),.=<>|+*-\"", *at) || *at == '\'') && strncmp(at, "--", 2) != 0)
    at = *at == '\'' ? behind_literal(at) : at + 1;
  *word = at;
  size_t length = 0;
  while (is_of_word(at[length]))
    length++;
  return length > 0 || !*at ? length : 1;
}

struct word {
  const char *text;
  size_t length;
};

/* In order, so that a definition of many words is looked at in little time. */
struct words {
  TUTTI_VECTOR(struct word);
  const char *definitions; /* that they are of */
};

static int compare_words(const void *left, const void *right)
{
  const struct word *a = left, *b = right;
  const size_t length = a->length < b->length ? a->length : b->length;
  const int order = sqlite3_strnicmp(a->text, b->text, (int)length);
  return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static void cut_words(const char *sql, struct words *words)
{
  for (size_t length; (length = next_word(&sql)) > 0; sql += length)
    tutti_xpush(words, (struct word){sql, length});
  tutti_vector_sort(words, compare_words);
}

typedef bool is_ours(const struct words *known, const char *text, size_t length);

static bool is_known(const struct words *known, const char *text, size_t length)
{
  return isdigit((unsigned char)*text) ||
         bsearch(&(struct word){text, length}, known->items, known->count, sizeof *known->items, compare_words);
}

/* SQLite does not say what computes a column, and the same words may be put together to another number. */
static bool is_our_computation(const struct words *known, const char *text, size_t length)
{
  const char *end = strstr(text, "),");
  if (length != 2 || sqlite3_strnicmp(text, "AS", 2) != 0)
    return true;
  return end && memmem(known->definitions, strlen(known->definitions), text, (size_t)(end + 2 - text));
}

static tutti_status check_words(const struct examination *examination, const char *table, const char *sql,
                                const struct words *known, is_ours *is_ours)
{
  for (size_t length; (length = next_word(&sql)) > 0; sql += length)
    if (!is_ours(known, sql, length))
      return tutti_fail(examination->error, TUTTI_ERR_IO,
                        "%.200s: not as Tutti makes a store of version %d: '%.*s' in the definition of table %s",
                        examination->path, examination->version, length > 64 ? 64 : (int)length, sql, table);
  return TUTTI_OK;
}

static tutti_status check_definition(const struct examination *examination, const char *table,
                                     const struct words *known)
{
  sqlite3_stmt *statement;
  tutti_status status =
      prepare(examination, examination->database,
              "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE", table, &statement);
  if (status == TUTTI_OK && sqlite3_step(statement) == SQLITE_ROW)
    status = check_words(examination, table, tutti_store_text_at(statement, 0), known, is_known);
  if (status == TUTTI_OK)
    status = check_words(examination, table, tutti_store_text_at(statement, 0), known, is_our_computation);
  sqlite3_finalize(statement);
  return status;
}

/* ---- views ---- */

/* Check that the other store has the view, with identical text. Views of an older version are removed in any case. */
static tutti_status check_view(const struct examination *examination, sqlite3_stmt *view, sqlite3 *other)
{
  const char *name = tutti_store_text_at(view, 0), *text = tutti_store_text_at(view, 1);
  sqlite3_stmt *found;
  tutti_status status =
      prepare(examination, other, "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?1", name, &found);
  if (status == TUTTI_OK && (sqlite3_step(found) != SQLITE_ROW || (examination->version == TUTTI_SCHEMA_VERSION &&
                                                                   strcmp(tutti_store_text_at(found, 0), text) != 0)))
    status = other == examination->model
                 ? refuse(examination, "the view", name)
                 : tutti_fail(examination->error, TUTTI_ERR_IO,
                              "%.200s: not as Tutti makes a store of version %d: it lacks the view %s",
                              examination->path, examination->version, name);
  sqlite3_finalize(found);
  return status;
}

static tutti_status check_views(const struct examination *examination, sqlite3 *database, sqlite3 *other)
{
  sqlite3_stmt *views;
  tutti_status status = prepare(examination, database,
                                "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'view'", NULL, &views);
  while (status == TUTTI_OK && sqlite3_step(views) == SQLITE_ROW)
    status = check_view(examination, views, other);
  sqlite3_finalize(views);
  return status;
}

/* ---- all ---- */

static tutti_status check_tables(const struct examination *examination, const struct words *known)
{
  sqlite3_stmt *tables;
  tutti_status status =
      prepare(examination, examination->model, "SELECT name FROM sqlite_schema WHERE type = 'table'", NULL, &tables);
  while (status == TUTTI_OK && sqlite3_step(tables) == SQLITE_ROW) {
    const char *table = tutti_store_text_at(tables, 0);
    status = compare(examination, table);
    if (status == TUTTI_OK)
      status = refuse_found(examination, indices, table);
    if (status == TUTTI_OK)
      status = check_definition(examination, table, known);
  }
  sqlite3_finalize(tables);
  return status;
}

tutti_status tutti_store_check_schema(sqlite3 *database, const char *path, int version, tutti_error *error)
{
  struct examination examination = {.database = database, .path = path, .version = version, .error = error};
  char *all = tutti_store_tables(TUTTI_SCHEMA_VERSION), *views = tutti_store_views(version);
  char *tables = tutti_store_tables(version), *sql = tutti_xprintf("%s%s", tables, views);
  struct words known = {.definitions = all};
  cut_words(all, &known);
  tutti_status status = refuse_found(&examination, never, NULL);
  if (status == TUTTI_OK && (sqlite3_open(":memory:", &examination.model) != SQLITE_OK ||
                             sqlite3_exec(examination.model, sql, NULL, NULL, NULL) != SQLITE_OK))
    status = tutti_store_fault(examination.model, path, "compare its tables", error);
  if (status == TUTTI_OK)
    status = check_views(&examination, database, examination.model);
  if (status == TUTTI_OK && version == TUTTI_SCHEMA_VERSION)
    status = check_views(&examination, examination.model, database);
  if (status == TUTTI_OK)
    status = check_tables(&examination, &known);
  sqlite3_close(examination.model);
  tutti_vector_free(&known);
  free(sql);
  free(tables);
  free(views);
  free(all);
  return status;
}

/* ---- the file beside it ---- */

static bool names_file(const char *journal)
{
  static const unsigned char magic[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  unsigned char end[sizeof magic];
  struct stat about;
  int file = open(journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  bool names = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > (off_t)sizeof end &&
               pread(file, end, sizeof end, about.st_size - (off_t)sizeof end) == (ssize_t)sizeof end &&
               memcmp(end, magic, sizeof end) == 0;
  if (file >= 0)
    close(file);
  return names;
}

/* sqlite.org/atomiccommit.html, section 5: of transactions on several databases, which Tutti never makes. */
tutti_status tutti_store_check_journal(const char *path, tutti_error *error)
{
  char *place = realpath(path, NULL), *journal = tutti_xprintf("%s-journal", place ? place : path);
  tutti_status status = TUTTI_OK;
  if (names_file(journal))
    status = tutti_fail(error, TUTTI_ERR_IO,
                        "%.200s: %.200s beside it is of several databases: SQLite would delete the "
                        "file that it names",
                        path, journal);
  free(journal);
  free(place);
  return status;
}
