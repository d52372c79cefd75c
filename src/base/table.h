/*
 * Tables: rows and described columns, printed as text, JSON or CSV by one function.
 *
 *   static const tutti_column columns[] = {
 *       {"decision", "decision", TUTTI_FIELD(struct row, name)},
 *       {"min", "min_percent", TUTTI_FIELD(struct row, penalty.min), .unit = "%", .width = 9, .decimals = 2},
 *       {"median", "median_s", TUTTI_FIELD(struct row, median), .unit = "us", .scale = 1e6, .decimals = 3},
 *       {"size", "size_B", TUTTI_FIELD(struct row, bytes), .get = get_size},
 *       {NULL, "missing", TUTTI_FIELD(struct row, missing)}, // in JSON and CSV only
 *   };
 *   tutti_table table = {.key = "penalties", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count)};
 *   status = tutti_table_print(&table, stdout, error);
 *
 * Text fits the terminal: text columns are shortened with "...", and columns that do not fit follow in another
 * block below, after the columns that identify the row; a number is never cut. A last column of sentences
 * can follow below its row, folded. libsmartcols is not used: it cuts numbers as it cuts words, has neither
 * missing numbers nor CSV, and keeps a string of every cell.
 */
#ifndef TUTTI_BASE_TABLE_H
#define TUTTI_BASE_TABLE_H

#include <stddef.h>

#include "base/json.h"
#include "tutti/error.h"

/* ---- cells ---- */

typedef enum tutti_cell_type {
  TUTTI_CELL_NONE, /* "-", null or nothing, as real numbers that are not finite and texts that are NULL */
  TUTTI_CELL_TEXT,
  TUTTI_CELL_INTEGER,
  TUTTI_CELL_COUNT,
  TUTTI_CELL_REAL,
  TUTTI_CELL_BOOLEAN,
} tutti_cell_type;

enum { TUTTI_CELL_LENGTH = 256 };

typedef struct tutti_column tutti_column;

/* A value, filled in by a column's getter or from a member of the row. */
typedef struct tutti_cell {
  const tutti_column *column; /* that it is in */
  tutti_cell_type type;
  union {
    const char *text;
    int64_t integer;
    uint64_t count;
    double real;
    bool boolean;
  };
  const char *shown;              /* the printed text, if it differs from the value: "8KB" for 8192 */
  char buffer[TUTTI_CELL_LENGTH]; /* for the getter, where `text` and `shown` may point to */
} tutti_cell;

/* ---- columns ---- */

typedef enum tutti_column_type {
  TUTTI_COLUMN_TEXT,  /* const char * */
  TUTTI_COLUMN_CHARS, /* char[] */
  TUTTI_COLUMN_INT,
  TUTTI_COLUMN_LONG,
  TUTTI_COLUMN_UNSIGNED,
  TUTTI_COLUMN_COUNT, /* uint64_t, size_t */
  TUTTI_COLUMN_REAL,  /* double */
  TUTTI_COLUMN_BOOLEAN,
} tutti_column_type;

typedef enum tutti_alignment { TUTTI_ALIGN_BY_TYPE, TUTTI_ALIGN_LEFT, TUTTI_ALIGN_RIGHT } tutti_alignment;

struct tutti_table;

struct tutti_column {
  const char *heading; /* in text; NULL: not in text */
  const char *key; /* in JSON and CSV, its unit the ending (_s, _B, _percent); NULL: in text only. Neighbors "a.x" and
                      "a.y" are in JSON the members x and y of an object a. */
  tutti_column_type type;
  size_t at;      /* of the member in the row */
  size_t through; /* offset + 1 of a pointer in the row to what has the member, and is the getter's row; 0: the row */
  void (*get)(tutti_cell *cell, const void *row);                              /* instead of the member */
  void (*list)(tutti_json *json, const void *row, const tutti_column *column); /* in JSON only: writes key and value */
  void (*nested)(struct tutti_table *table, const void *row);                  /* in JSON only: a table in each row */
  const void *context;                                                         /* for the getter */
  int index;                                                                   /* for the getter */
  const char *unit;   /* in text, after the heading: "min [%]" */
  const char *suffix; /* in text, after every number */
  const char *none;   /* in text, for a value that is not there; NULL: "-" */
  double scale;       /* in text, numbers are multiplied by it; 0: 1 */
  int decimals;       /* in text, of real numbers, */
  int significant;    /* or, if this is not 0, their significant digits as in %g */
  int digits;         /* in JSON and CSV, significant digits of real numbers; 0: 12 */
  int width;          /* in text, minimum number of columns */
  int most_width;     /* in text, longer texts are shortened even if there is room; 0: they are not */
  bool whole;         /* in text, texts are never shortened: sentences, which the terminal may wrap */
  bool fold; /* the last column in text: where it does not fit beside the others it follows below its row, broken at
                blanks */
  int gap;   /* in text, blanks before the column; 0: the table's */
  tutti_alignment alignment; /* by type: numbers right, the rest left */
};

/* Type and place of a member: .type and .at of a column. A member of any other type is an error of the compiler. */
#define TUTTI_FIELD(row_type, member)                                                                                  \
  .type = _Generic(((row_type *)0)->member,                                                                            \
      char *: _Generic(&((row_type *)0)->member, char **: TUTTI_COLUMN_TEXT, default: TUTTI_COLUMN_CHARS),             \
      const char *: TUTTI_COLUMN_TEXT,                                                                                 \
      int: TUTTI_COLUMN_INT,                                                                                           \
      long: TUTTI_COLUMN_LONG,                                                                                         \
      unsigned: TUTTI_COLUMN_UNSIGNED,                                                                                 \
      unsigned long: TUTTI_COLUMN_COUNT,                                                                               \
      double: TUTTI_COLUMN_REAL,                                                                                       \
      bool: TUTTI_COLUMN_BOOLEAN),                                                                                     \
  .at = offsetof(row_type, member)

/* The same of what a pointer of the row points to; none where it is NULL. */
#define TUTTI_FIELD_THROUGH(row_type, pointer, of_type, member)                                                        \
  TUTTI_FIELD(of_type, member), .through = offsetof(row_type, pointer) + 1

/* The member that a column is about. */
#define TUTTI_FIELD_OF(row, column) ((const void *)((const char *)(row) + (column)->at))

/* A getter of one value, an expression of `row`, or of a formatted text. @{ */
#define TUTTI_GETTER(name, row_type, value)                                                                            \
  static void name(tutti_cell *cell, const void *item)                                                                 \
  {                                                                                                                    \
    const row_type *row = item;                                                                                        \
    tutti_cell_set(cell, value);                                                                                       \
  }
#define TUTTI_GETTER_FORMAT(name, row_type, ...)                                                                       \
  static void name(tutti_cell *cell, const void *item)                                                                 \
  {                                                                                                                    \
    const row_type *row = item;                                                                                        \
    tutti_cell_format(cell, __VA_ARGS__);                                                                              \
  }
/* @} */

/* ---- tables ---- */

typedef struct tutti_table {
  const char *key;   /* of the table in a JSON document; NULL: the document is the array of rows */
  const char *title; /* in text, a line above; NULL: none */
  const char *notes; /* in text, lines below; NULL: none */
  const tutti_column *columns;
  const void *rows;
  size_t row_count, row_size;
  void (*below)(FILE *stream, const void *row); /* in text, what more is printed below a row; NULL: nothing */
  int column_count;
  int indent;  /* in text, blanks before the first column */
  int gap;     /* in text, blanks between columns; 0: 2 */
  int keys;    /* in text, the number of first columns that identify the row; 0: 1 */
  bool bare;   /* in text, without headings */
  void *owned; /* rows that tutti_table_add() copied */
  size_t capacity;
} tutti_table;

#define TUTTI_COLUMNS(array)     .columns = (array), .column_count = (int)(sizeof(array) / sizeof *(array))
#define TUTTI_ROWS(array, count) .rows = (array), .row_count = (size_t)(count), .row_size = sizeof *(array)

/* Append a copy of a row of row_size bytes to a table whose rows were all added so; tutti_table_free() in the end. */
tutti_status tutti_table_add(tutti_table *table, const void *row, tutti_error *error);
void tutti_table_free(tutti_table *table);

/* The value in a column of a row. */
void tutti_cell_get(tutti_cell *cell, const tutti_column *column, const void *row);

/* The cell as text, or "" if the column's `none` equals it; `buffer` has TUTTI_CELL_LENGTH bytes. */
const char *tutti_cell_show(const tutti_cell *cell, const tutti_column *column, char *buffer);

/* For getters: a value of a type that columns have, or a formatted text. @{ */
#define tutti_cell_set(cell, value)                                                                                    \
  _Generic((value),                                                                                                    \
      char *: tutti_cell_text,                                                                                         \
      const char *: tutti_cell_text,                                                                                   \
      bool: tutti_cell_boolean,                                                                                        \
      int: tutti_cell_integer,                                                                                         \
      long: tutti_cell_integer,                                                                                        \
      unsigned: tutti_cell_count,                                                                                      \
      unsigned long: tutti_cell_count,                                                                                 \
      double: tutti_cell_real)(cell, value)
void tutti_cell_text(tutti_cell *cell, const char *text);
void tutti_cell_boolean(tutti_cell *cell, bool boolean);
void tutti_cell_integer(tutti_cell *cell, int64_t integer);
void tutti_cell_count(tutti_cell *cell, uint64_t count);
void tutti_cell_real(tutti_cell *cell, double real);
void tutti_cell_format(tutti_cell *cell, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* @} */

/* Text, fitted to the terminal that `stream` may be. */
tutti_status tutti_table_print(const tutti_table *table, FILE *stream, tutti_error *error);

/* Text of at most `width` columns, if it can be broken up so; 0: of any width. */
tutti_status tutti_table_print_width(const tutti_table *table, FILE *stream, int width, tutti_error *error);

/* A table of Markdown as GitHub reads it, of any width, without title and notes. */
tutti_status tutti_table_print_markdown(const tutti_table *table, FILE *stream, tutti_error *error);

/* A tabular of LaTeX, which needs no package, of any width, without title and notes. */
tutti_status tutti_table_print_latex(const tutti_table *table, FILE *stream, tutti_error *error);

/* A text that Markdown shows as it is, on one line: no markup, link, picture or HTML of it. */
void tutti_print_markdown(FILE *stream, const char *text);

/* Columns of the terminal `stream`, from the variable COLUMNS or the terminal itself; 0 if it is not a terminal. */
int tutti_terminal_width(FILE *stream);

/* Print a text at column @p begin of a line, which is broken at blanks at the width of the terminal, if `stream` is
   one, and continues below its beginning; then end the line. */
void tutti_print_folded(FILE *stream, int begin, const char *text);

/* The same on lines of @p width columns; 0: one as wide as the text is. */
void tutti_print_folded_width(FILE *stream, int begin, int width, const char *text);

/* ---- documents ---- */

typedef enum tutti_format { TUTTI_FORMAT_TEXT, TUTTI_FORMAT_JSON, TUTTI_FORMAT_CSV, TUTTI_FORMAT_LATEX } tutti_format;

/* The output of a command: facts, which are the columns of one row, and tables. */
typedef struct tutti_document {
  const tutti_column *facts;
  int fact_count;
  const void *about; /* the row of the facts */
  const tutti_table *tables;
  int table_count;
  int line_depth; /* of its JSON (json.h); 0: 2 */
} tutti_document;

#define TUTTI_FACTS(array, row) .facts = (array), .fact_count = (int)(sizeof(array) / sizeof *(array)), .about = (row)
#define TUTTI_TABLES(array)     .tables = (array), .table_count = (int)(sizeof(array) / sizeof *(array))

/*
 * JSON: an object of the facts and, by their keys, the tables. CSV (RFC 4180): of each table a header, which is the
 * keys, and the rows, with an empty line between two tables; the facts are the first columns of each, except facts
 * whose key the table has. Lists and nested tables are in JSON only. Text: the tables one below the other; the caller
 * prints everything else. LaTeX: the same tables, each a tabular.
 */
tutti_status tutti_document_print(const tutti_document *document, tutti_format format, FILE *stream,
                                  tutti_error *error);

/* For content outside of a document: the columns of a row as members of the open object; a table as a member, or as an
   item if its key is NULL. */
void tutti_row_write_json(const tutti_column *columns, int count, const void *row, tutti_json *json);
void tutti_table_write_json(const tutti_table *table, tutti_json *json);

#endif
