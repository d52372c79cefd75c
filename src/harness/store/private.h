/* Parts of the store: its connection, statements and errors, and the check of a file before it is opened. */
#ifndef TUTTI_STORE_PRIVATE_H
#define TUTTI_STORE_PRIVATE_H

#include <sqlite3.h>

#include "base/vector.h"
#include "decision/results/row.h"
#include "tutti/store.h"

enum { STORE_APPLICATION_ID = 0x54757474 /* "Tutt" */ };
enum { STORE_BUSY_MILLISECONDS = 10000 }; /* how long another process is waited for */

/* ---- SQL ---- */

/* The name of a column in the store. */
const char *tutti_stored_name(const struct tutti_row_column *column);

/* The stored columns of a kind, in the order in which statements bind them (from 2, after the environment) and return
   them (from 0): keys first. Returns how many. */
size_t tutti_stored_columns(const struct tutti_row_kind *kind,
                            const struct tutti_row_column *columns[TUTTI_ROW_COLUMNS_MAX]);

/* A text that is written by a function; owned by the caller. */
char *tutti_compose(void (*write)(FILE *stream, const void *what), const void *what);

/* Makes the tables of a store of that version, or its views. Owned by the caller. */
char *tutti_store_tables(int version);
char *tutti_store_views(int version);

/* Brings a store of that version up to date, 0: one without tables, in one transaction that the caller began. Owned by
   the caller. */
char *tutti_store_migration(int version);

/* ---- environments: columns of their table ---- */

enum store_environment_column {
  STORE_ENVIRONMENT_PLATFORM,
  STORE_ENVIRONMENT_HASH,
  STORE_ENVIRONMENT_FLAVOR,
  STORE_ENVIRONMENT_LIBRARY,
  STORE_ENVIRONMENT_TUTTI,
  STORE_ENVIRONMENT_BUILD,
  STORE_ENVIRONMENT_SETTINGS,
  STORE_ENVIRONMENT_HOSTS,
  STORE_ENVIRONMENT_CPU,
  STORE_ENVIRONMENT_CORES,
  STORE_ENVIRONMENT_BINDING,
  STORE_ENVIRONMENT_COLUMNS
};

/* The columns of a store of that version, each as ", " and its name after @p prefix. */
void tutti_environment_write_columns(FILE *stream, const char *prefix, int version);

/* The table under that name, as a store of that version has it. */
void tutti_environment_write_table(FILE *stream, const char *name, int version);

/* Statements that migrate the table of that version. */
void tutti_environment_write_migration(FILE *stream, int version);

/* The statements STORE_ENVIRONMENT_FIND and STORE_ENVIRONMENT_ADD; for tutti_compose(). */
void tutti_environment_write_find(FILE *stream, const void *what);
void tutti_environment_write_add(FILE *stream, const void *what);

/* Check that all environments of an opened store can be added. The error names the row. */
tutti_status tutti_environment_check_all(sqlite3 *database, const char *path, tutti_error *error);

/* Check that an opened store has the environments and the methods of its rows. The error names the table. */
tutti_status tutti_store_check_references(sqlite3 *database, const char *path, tutti_error *error);

/* The environment in the columns of a statement from @p first on; its texts are gone with the next step. */
tutti_environment tutti_environment_at(sqlite3_stmt *statement, int first);

/* Whether they are the same in that column. */
bool tutti_environment_is_same(const tutti_environment *left, const tutti_environment *right,
                               enum store_environment_column column);

/* A copy that owns its texts. */
tutti_environment tutti_environment_copy(const tutti_environment *environment);
void tutti_environment_free(tutti_environment *environment);

/* Settings of a connection. */
extern const char tutti_store_settings[];

/* Statements. */
enum store_statement {
  STORE_BEGIN_READ,
  STORE_BEGIN_WRITE,
  STORE_COMMIT,
  STORE_ROLLBACK,
  STORE_ENVIRONMENT_FIND, /* columns of an environment -> id */
  STORE_ENVIRONMENT_ADD,  /* the same */
  STORE_SELECTED,         /* the environment of a selection -> ids */
  STORE_METHOD_FIND,      /* name -> id */
  STORE_METHOD_ADD,       /* name, collective */
  STORE_ROW_STATEMENTS    /* from here on those of kinds of rows */
};

/* Actions on the rows of a kind. */
enum store_action {
  STORE_PUT,         /* an environment, all columns, the method by its id */
  STORE_CLEAR,       /* an environment */
  STORE_HAS,         /* an environment, key columns, the method by its name -> a row if there is one */
  STORE_CONDITIONS,  /* a selection -> environments in it, by number and columns, and schemes where there are any */
  STORE_MEASURED_IN, /* a selection -> ids of environments in it */
  STORE_ROWS,        /* a selection -> all columns, the method by its name, grouped by method */
  STORE_ACTIONS
};

enum { STORE_STATEMENT_COUNT = STORE_ROW_STATEMENTS + STORE_ACTIONS * TUTTI_ROW_KINDS };

static inline int store_row_statement(enum tutti_row kind, enum store_action action)
{
  return STORE_ROW_STATEMENTS + STORE_ACTIONS * (int)kind + (int)action;
}

/* Bind the parameters that a statement has of a selection, which must stay. An unbound one is NULL and matches
   everything. */
void tutti_store_bind_selection(sqlite3_stmt *statement, const tutti_selection *selection);

/* Make the functions of SQL known that statements use: tutti_under(settings, words). Returns a code of SQLite. */
int tutti_store_add_functions(sqlite3 *database);

enum {
  SELECT_PLATFORM = 1,
  SELECT_HASH,
  SELECT_FLAVOR,
  SELECT_LIBRARY,
  SELECT_TUTTI,
  SELECT_ENVIRONMENT, /* its number */
  SELECT_SETTINGS,
  SELECT_HOSTS,
  SELECT_SETTING, /* words of its settings, or beginnings NAME= that none has */
  SELECT_RANKS_PER_NODE,
  SELECT_COLLECTIVE,
  SELECT_SCHEME,
  SELECT_ARRIVAL,
  SELECT_NOISE
};

/* ---- the connection ---- */

struct tutti_store {
  sqlite3 *database;
  char *path;      /* as given, for messages */
  bool together;   /* within tutti_store_begin_together(): transactions are parts of a larger one */
  size_t outdated; /* tutti_store_outdated() */
  sqlite3_stmt *statements[STORE_STATEMENT_COUNT]; /* NULL until first used */
};

/* How to open a file; see tutti_store_connect(). */
enum store_mode {
  STORE_INSPECT, /* as it is on the disk: no lock, no log, nothing written */
  STORE_READ,
  STORE_WRITE, /* creates the file */
};

/* Open a connection and nothing else. On failure *database is NULL. */
tutti_status tutti_store_connect(const char *path, enum store_mode mode, sqlite3 **database, tutti_error *error);

/* Connect to a private copy of an open database, in a file without a name where it is large. */
tutti_status tutti_store_connect_copy(const char *path, sqlite3 *database, sqlite3 **copy, tutti_error *error);

/* Check that the file is absent or empty (*version 0), or a store of a supported version. Touches nothing. */
tutti_status tutti_store_inspect(const char *path, int *version, tutti_error *error);

/* Compare the marks seen through an open connection with ours. *version 0: neither marks nor tables. */
tutti_status tutti_store_check_marks(sqlite3 *database, const char *path, int *version, tutti_error *error);

/* Check that the schema is that of a store of that version. A store may have more as long as no command of Tutti ever
 * uses it: tables under other names, indices of plain columns that allow every row, the statistics of ANALYZE. All else
 * is an error that names it: triggers, virtual tables, missing or different views and tables, and foreign views. Writes
 * nothing. */
tutti_status tutti_store_check_schema(sqlite3 *database, const char *path, int version, tutti_error *error);

/* TUTTI_ERR_IO if a journal beside the store names a file, which SQLite would delete after a rollback. */
tutti_status tutti_store_check_journal(const char *path, tutti_error *error);

/* Fill in what went wrong in @p database while we tried to @p what. */
tutti_status tutti_store_fault(sqlite3 *database, const char *path, const char *what, tutti_error *error);

/* ---- statements ---- */

/* The statement, prepared, reset and without bindings. */
tutti_status tutti_store_prepare(tutti_store *store, int which, sqlite3_stmt **statement, tutti_error *error);

/* A row of a query. The status of one that is not TUTTI_OK ends it. */
typedef tutti_status tutti_store_take(void *context, sqlite3_stmt *row, tutti_error *error);

/* Pass each row of a query without parameters to @p take. @p path is for messages. */
tutti_status tutti_store_query(sqlite3 *database, const char *path, const char *sql, tutti_store_take *take,
                               void *context, tutti_error *error);

/* Pass the number and the columns of each environment to @p take. */
tutti_status tutti_environment_each(sqlite3 *database, const char *path, tutti_store_take *take, void *context,
                                    tutti_error *error);

/* Run a statement that takes nothing and returns nothing. */
tutti_status tutti_store_run(tutti_store *store, enum store_statement which, tutti_error *error);

/* Reset a statement that failed or ended, and return its fault. */
tutti_status tutti_store_step_fault(tutti_store *store, sqlite3_stmt *statement, const char *what, tutti_error *error);

/* Step a statement that changes something (@p what, for the message) and returns nothing. */
tutti_status tutti_store_change(tutti_store *store, sqlite3_stmt *statement, const char *what, tutti_error *error);

/* Step a statement that returns a number, if there is one (*found), and reset it. */
tutti_status tutti_store_step_number(tutti_store *store, sqlite3_stmt *statement, bool *found, int64_t *number,
                                     tutti_error *error);

/* The text of a column, "" for NULL; valid until the next step. */
const char *tutti_store_text_at(sqlite3_stmt *statement, int column);

/* Whether all of the text is UTF-8 that a line may show, without a zero inside. */
bool tutti_store_is_shown(sqlite3_stmt *statement, int column);

/* Whether the cell is a value of the column (that of a method: its name), and of which class. A file that another
 * program wrote may hold anything in any cell, whatever its tables say. */
bool tutti_store_is_value(sqlite3_stmt *statement, int index, const struct tutti_row_column *column,
                          enum tutti_row_value_class *class);

/* ---- transactions ---- */

/* Begin a transaction that writes. */
tutti_status tutti_store_begin(tutti_store *store, tutti_error *error);

/* Begin a transaction that includes all writing transactions up to tutti_store_end_together(), whose status says
 * whether to keep it. */
tutti_status tutti_store_begin_together(tutti_store *store, tutti_error *error);
tutti_status tutti_store_end_together(tutti_store *store, tutti_status status, tutti_error *error);

/* End a transaction: commit if @p status is TUTTI_OK, else undo it. Returns the first failure. */
tutti_status tutti_store_end(tutti_store *store, tutti_status status, tutti_error *error);

/* ---- rows ---- */

/* The id of a method, made if missing. */
tutti_status tutti_store_method(tutti_store *store, const char *name, const char *collective, int64_t *id,
                                tutti_error *error);

/* Check that the row can be stored. The message ends with its point. */
tutti_status tutti_store_check_row(const struct tutti_row_kind *kind, const void *row, tutti_error *error);

/* Remove the rows of an environment. */
tutti_status tutti_store_clear(tutti_store *store, enum tutti_row kind, int64_t environment, tutti_error *error);

/* Whether a row with the keys of this one exists. */
tutti_status tutti_store_has_row(tutti_store *store, enum tutti_row kind, int64_t environment, const void *row,
                                 bool *present, tutti_error *error);

/* ---- launches.c ---- */

/* Whether both are of one point, in any launch. */
bool tutti_store_is_same_point(const tutti_measurement *left, const tutti_measurement *right);

/* Join the rows of a point that was measured in several launches: the median of their medians, the minimum and the
   maximum of all times, the mean of the means, and the larger spread, within the launches (its median) or of their
   medians. [count] in the order of keys; the joined rows come first, with launch 0. Returns their number. */
size_t tutti_store_join_launches(tutti_measurement *measurements, size_t count);

/* ---- conditions.c: conditions that a selection spans, for the message that it is more than one ---- */

/* Texts are owned. */
struct condition {
  int64_t number; /* of the environment */
  tutti_environment environment;
  char *scheme; /* "": the rows have no scheme */
};

struct conditions {
  TUTTI_VECTOR(struct condition);
};

/* Add that of a row of STORE_CONDITIONS. */
void tutti_conditions_add(struct conditions *conditions, sqlite3_stmt *row);

void tutti_conditions_free(struct conditions *conditions);

/* TUTTI_ERR_ARGUMENT: several of @p what in the store @p path. A line each, to be pasted after a command: the options
   that choose it and, as a comment, the other differences. */
tutti_status tutti_conditions_fail(const struct conditions *conditions, const char *path, const char *what,
                                   tutti_error *error);

#endif
