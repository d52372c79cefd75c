/* Parts of merging stores: row after row of each table, found by the table's own key. Tables and columns are those that
 * the store to be added to has; what an older store lacks has no rows. */
#ifndef TUTTI_HARNESS_STORE_MERGE_H
#define TUTTI_HARNESS_STORE_MERGE_H

#include "store/store_private.h"
#include "tutti/merge.h"

enum { MOST_COLUMNS = 128 };

/* One table of both stores. */
struct merge_table {
  char *name;
  int count;
  char *columns[MOST_COLUMNS];
  char *
      defaults[MOST_COLUMNS]; /* SQL, of columns that the store which is read, an older one, does not have; else NULL */
  bool key[MOST_COLUMNS];
  int environment, method; /* columns; method -1: none */
  sqlite3_stmt *rows;      /* of the store that is read, of one environment: its columns, then the method's name */
  sqlite3_stmt *equal;     /* of the other: is the row with this key the same? No row: there is none */
  sqlite3_stmt *put;
};

/* One store being merged into another. */
struct merging {
  tutti_store *to, *from;
  bool keep;
  bool look; /* count, and put nothing */
  tutti_merged *merged;
  tutti_error *error;
};

tutti_status tutti_merge_fault(const tutti_store *store, const char *what, tutti_error *error);

/* Prepare what was composed, which is freed; NULL: there was no memory for it. */
tutti_status tutti_merge_prepare(const tutti_store *store, char *sql, sqlite3_stmt **statement, tutti_error *error);

/* Columns and statements of table->name. A table without environments has none. */
tutti_status tutti_merge_open_table(const struct merging *merging, struct merge_table *table);

void tutti_merge_close_table(struct merge_table *table);

/* Merge the rows of one environment, whose number is @p from in the one store and @p to in the other. */
tutti_status tutti_merge_rows(const struct merging *merging, const struct merge_table *table, int64_t from, int64_t to);

/* The same of measured parameters, which are taken or left as a whole. */
tutti_status tutti_merge_survey(const struct merging *merging, const struct merge_table *table, int64_t from,
                                int64_t to);

#endif
