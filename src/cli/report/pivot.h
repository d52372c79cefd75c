/* Numbers set out as tables: rows and columns that are found in what is added. */
#ifndef TUTTI_CLI_REPORT_PIVOT_H
#define TUTTI_CLI_REPORT_PIVOT_H

#include "cli/report/report.h"

/* A list of different texts in order of first use. */
struct pivot_names {
  char **items;
  int count;
};

struct pivot_cell {
  int table, row, column; /* names */
  double position;        /* of the row on a number line; NAN: it is a word */
  double value;           /* NAN: none */
};

/* One number as a set of tables, one below the other. Zero-initialize, then set what it is. */
struct pivot {
  const char *quantity; /* "Time", for captions and axes */
  const char *unit;     /* "µs"; "" */
  const char *row;      /* what rows are: "fraction" */
  const char *slug;     /* "group-time", in names of files */
  int environment;
  bool lower_is_better; /* the least number of a row is bold */
  struct pivot_names tables, rows, columns;
  struct pivot_cell *cells;
  int cell_count;
};

/* Add a number; texts are copied. */
void pivot_add(struct pivot *pivot, const char *table, const char *row, double position, const char *column,
               double value);

void pivot_free(struct pivot *pivot);

/* The rows and columns of one table, rows by position, else in order of first use. */
struct pivot_grid {
  int row_count, column_count;
  int *rows, *columns; /* [count] names */
  double *positions;   /* [row_count] */
  double *values;      /* [row_count][column_count] NAN: none */
};

void pivot_grid_create(const struct pivot *pivot, int table, struct pivot_grid *grid);
void pivot_grid_free(struct pivot_grid *grid);

/* All tables to the FILE @p out, each with a chart beside it where its rows are at least three numbers: a take_pivot.
 */
void pivot_print(const struct pivot *pivot, void *out);

/* Can a table be drawn: three rows or more at positions above 0, and a value above 0? */
bool pivot_has_chart(const struct pivot_grid *grid);

/* The chart of a table as SVG, both axes logarithmic, a line a column. */
void pivot_print_chart(const struct pivot *pivot, int table, const struct pivot_grid *grid, FILE *out);

/* ---- the pivots of a report ---- */

/* Receives one pivot after another; it lives during the call only. */
typedef void take_pivot(const struct pivot *pivot, void *context);

/* Those of an entry: of groups time and messages over the fraction, and over the number of processes where
   there are three or more; of sorts, operations on ranges and group maps what was measured. None of other kinds. */
void report_pivots(const struct report *report, const tutti_store_entry *entry, take_pivot *take, void *context);

#endif
