/* Parts of the store: its connection, errors, and the check of a file before it is opened. */
#ifndef TUTTI_HARNESS_STORE_PRIVATE_H
#define TUTTI_HARNESS_STORE_PRIVATE_H

#include <sqlite3.h>

#include "store/store_sql.h"
#include "tutti/store.h"

struct tutti_store {
  sqlite3 *database;
  char *path;    /* as given, for messages */
  int version;   /* of its schema; below the newest only where we may not write */
  bool together; /* within tutti_store_begin_together(): transactions are parts of a larger one */
  sqlite3_stmt *statements[STORE_STATEMENT_COUNT]; /* NULL until first used */
};

/* How to open a file; see tutti_store_connect(). */
enum store_mode {
  STORE_INSPECT, /* as it lies on the disk: no lock, no log, nothing written */
  STORE_READ,
  STORE_WRITE, /* creates the file */
};

/* Open a connection and nothing else. On failure *database is NULL. */
tutti_status tutti_store_connect(const char *path, enum store_mode mode, sqlite3 **database, tutti_error *error);

/* Is the file absent or empty (*version 0), or a store of a version that we read? Anything else is an error. Touches
 * nothing. */
tutti_status tutti_store_inspect(const char *path, int *version, tutti_error *error);

/* Compare the marks seen through an open connection with ours. *version 0: there are none, and no table. */
tutti_status tutti_store_check_marks(sqlite3 *database, const char *path, int *version, tutti_error *error);

/* Fill in what went wrong in @p database while we tried to @p what. */
tutti_status tutti_store_fault(sqlite3 *database, const char *path, const char *what, tutti_error *error);

/* The statement, prepared, reset and without bindings. */
tutti_status tutti_store_prepare(tutti_store *store, enum store_statement which, sqlite3_stmt **statement,
                                 tutti_error *error);

/* Run a statement that takes nothing and returns nothing. */
tutti_status tutti_store_run(tutti_store *store, enum store_statement which, tutti_error *error);

/* Reset a statement that failed or ended, and return its fault. */
tutti_status tutti_store_step_fault(tutti_store *store, sqlite3_stmt *statement, const char *what, tutti_error *error);

/* Step a statement that changes something (@p what, for the message) and returns nothing. */
tutti_status tutti_store_change(tutti_store *store, sqlite3_stmt *statement, const char *what, tutti_error *error);

/* The text of a column, "" for NULL; valid until the next step. */
const char *tutti_store_text_at(sqlite3_stmt *statement, int column);

/* Bind a text, if there is one. */
void tutti_store_bind_optional(sqlite3_stmt *statement, int index, const char *text);

/* How rows of one kind become items of an array. */
struct store_reading {
  enum store_statement conditions; /* a selection -> environments in it, and schemes where there are any */
  enum store_statement rows;       /* a selection -> rows */
  const char *mixture;             /* what a person reads, after their number, if there are several conditions */
  size_t item_size;
  /* Both statements, of which the members of the selection that name an environment are bound to 1 .. 5. */
  void (*bind)(sqlite3_stmt *statement, const tutti_selection *selection);
  /* The next row; the item is not initialized. */
  tutti_status (*read)(sqlite3_stmt *row, void *context, void *item, tutti_error *error);
  void *context;
  int (*compare)(const void *left, const void *right); /* items */
};

/* Read the selected rows, in order, in one transaction. @p items receives an array owned by the caller; NULL if none.
 * TUTTI_ERR_ARGUMENT if they were taken under different conditions. */
tutti_status tutti_store_read_rows(tutti_store *store, const struct store_reading *reading,
                                   const tutti_selection *selection, void **items, size_t *count, tutti_error *error);

/* Begin a transaction that writes. */
tutti_status tutti_store_begin(tutti_store *store, tutti_error *error);

/* Begin one of which all transactions that write up to tutti_store_end_together(), whose status says whether to keep
 * it, are parts. */
tutti_status tutti_store_begin_together(tutti_store *store, tutti_error *error);
tutti_status tutti_store_end_together(tutti_store *store, tutti_status status, tutti_error *error);

/* End a transaction: commit if @p status is TUTTI_OK, else undo it. Returns the first failure. */
tutti_status tutti_store_end(tutti_store *store, tutti_status status, tutti_error *error);

/* Can this be stored? TUTTI_ERR_ARGUMENT names the point. */
tutti_status tutti_store_check_measurement(const tutti_measurement *measurement, tutti_error *error);

tutti_status tutti_store_check_build(const tutti_group_run *build, tutti_error *error);

/* Bind an arrival pattern, and behind it a noise. */
void tutti_store_bind_patterns(sqlite3_stmt *statement, int first, const tutti_arrival *arrival,
                               const tutti_noise *noise);

/* Bind the columns that say which point it is, the method as the caller has it (id or name) already bound. */
void tutti_store_bind_key(sqlite3_stmt *statement, int64_t environment, const tutti_measurement *point);

#endif
