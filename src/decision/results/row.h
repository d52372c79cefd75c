/* Rows: what is measured, one struct a row. A kind of row is a list of columns (kinds.def); records, points files,
   experiments, the tables of the store, checks and comparisons follow from it. A row is handed over as a pointer to the
   struct of its kind: tutti_measurement, tutti_group_run, tutti_parameter, and tutti_result for sort, range, map,
   penalty and comparison. Linked into the measuring programs: no allocation, small stacks. */
#ifndef TUTTI_RESULTS_ROW_H
#define TUTTI_RESULTS_ROW_H

#include <stddef.h>
#include <stdio.h>

#include "tutti/record.h"

/* Version of the tables that follow from kinds.def. */
#define VERSION(number) enum { TUTTI_SCHEMA_VERSION = number };
#define KIND(...)
#define COLUMN(...)
#define END(id)
#include "decision/results/kinds.def"
#undef VERSION
#undef KIND
#undef COLUMN
#undef END

/* Kinds of rows. */
enum tutti_row {
  TUTTI_ROW_MEASUREMENT, /* tutti_measurement */
  TUTTI_ROW_GROUP,       /* tutti_group_run */
  TUTTI_ROW_PARAMETER,   /* tutti_parameter */
  TUTTI_ROW_SORT,        /* tutti_result, as the next four, in the order of tutti_result_kind */
  TUTTI_ROW_RANGE,
  TUTTI_ROW_MAP,
  TUTTI_ROW_PENALTY,
  TUTTI_ROW_COMPARISON,
  TUTTI_ROW_LAUNCH,
  TUTTI_ROW_PROGRAM,
  TUTTI_ROW_CALL,
  TUTTI_ROW_KINDS,                 /* kinds that the store has a table of */
  TUTTI_ROW_RUN = TUTTI_ROW_KINDS, /* tutti_record: only in records, as the next one */
  TUTTI_ROW_END,
  TUTTI_ROW_RECORDS
};

/* The type of a column, and its notation. Member: of the struct; stored: class in the store. */
enum tutti_row_column_type {
  TUTTI_ROW_COLUMN_STRING,     /* char[]: one word without blanks; stored as text, as all up to UNIT */
  TUTTI_ROW_COLUMN_METHOD,     /* tutti_method */
  TUTTI_ROW_COLUMN_CODE,       /* tutti_method: hash of the plug-ins that it runs as they are loaded, or "none" */
  TUTTI_ROW_COLUMN_SCHEME,     /* tutti_scheme */
  TUTTI_ROW_COLUMN_ARRIVAL,    /* tutti_arrival */
  TUTTI_ROW_COLUMN_NOISE,      /* tutti_noise */
  TUTTI_ROW_COLUMN_BUILDER,    /* const tutti_group_builder * */
  TUTTI_ROW_COLUMN_QUANTITY,   /* tutti_quantity */
  TUTTI_ROW_COLUMN_HEX,        /* uint64_t as 16 hexadecimal digits */
  TUTTI_ROW_COLUMN_UNIT,       /* tutti_quantity: its unit */
  TUTTI_ROW_COLUMN_INT,        /* int from min to max; stored as a whole number, as all up to MESSAGES */
  TUTTI_ROW_COLUMN_INTEGER,    /* uint64_t from min to max */
  TUTTI_ROW_COLUMN_EXACT,      /* tutti_group_sample: 1 if the number of members was asked for, and not the fraction */
  TUTTI_ROW_COLUMN_MESSAGES,   /* tutti_group_counts: tutti_group_counted_messages() */
  TUTTI_ROW_COLUMN_SECONDS,    /* double, finite, >= 0; stored as a real number, as all that follow */
  TUTTI_ROW_COLUMN_DIFFERENCE, /* double, finite: seconds from which others may have been subtracted */
  TUTTI_ROW_COLUMN_REAL,       /* double, finite */
  TUTTI_ROW_COLUMN_FRACTION,   /* tutti_group_sample: 0 to 1 */
  TUTTI_ROW_COLUMN_VALUE,      /* tutti_parameter: its value if its quantity has the unit of the column, else NULL */
  TUTTI_ROW_COLUMN_TYPES
};

/* Flags of a column. */
enum {
  TUTTI_ROW_COLUMN_KEY =
      1, /* identifies the measured point; of two rows with equal keys the store keeps the later one */
  TUTTI_ROW_COLUMN_LAUNCH = 2, /* known from the launch: not in a points file */
  TUTTI_ROW_COLUMN_UNRECORDED =
      4,                          /* not in records: the preceding tutti-run record has it, or it follows from others */
  TUTTI_ROW_COLUMN_UNSTORED = 8,  /* not in the store */
  TUTTI_ROW_COLUMN_OPTIONAL = 16, /* left out of records and points files where it has its default */
  TUTTI_ROW_COLUMN_TIMED = 32,    /* NULL in the store where nothing was repeated (repetitions = 0) */
  TUTTI_ROW_COLUMN_COMPUTED = 64, /* follows from others: printed, and passed over by readers */
  TUTTI_ROW_COLUMN_MAY_BE_EMPTY = 128 /* a word; "-" in records is the empty one */
};

enum { TUTTI_ROW_COLUMN_LAST = 255 };

struct tutti_row_column {
  const char *name; /* in records, points files, experiments and the store; the suffix is the unit: _s, _B, _percent */
  enum tutti_row_column_type type;
  unsigned flags;
  size_t offset, size;   /* of the member; size of a word with its terminating zero */
  uint64_t min, max;     /* of whole numbers; max 0: the largest that the member and the store can hold */
  const char *standard;  /* default: of a key that a points file or an experiment does not name, and of a column that an
                            older store lacks. NULL: none */
  const char *words;     /* possible words, separated by blanks; NULL: any */
  const char *at_most;   /* name of a column whose value this one must not exceed; NULL: none */
  const char *check;     /* SQL expression that holds for every row, beyond min, words and at_most; NULL: none */
  const char *in_store;  /* its name in the store, where it is another one than in records; else NULL */
  const char *in_points; /* the same in points files */
  int record;            /* place in records: 1 first, ...; 0: after those, as listed */
  int order;             /* place in the order of rows and of keys; LAST: after all other keys */
  int since;             /* first version of the schema that has it; 0: that of its kind */
};

struct tutti_row_kind {
  const char *keyword; /* of its records: "tutti-sort" */
  const char *mixture; /* text after the number of environments that a selection spans, in messages */
  const char *table;   /* in the store; NULL: none */
  int since;           /* first version of the schema that has the table */
  bool survey;         /* rows of an environment are one whole: they replace each other together */
  size_t size;         /* of the struct */
  size_t count;
  const struct tutti_row_column *columns; /* [count] */
  /* Checks beyond the columns, with a message that names the fault; may be NULL. @{ */
  tutti_status (*check_keys)(const void *row, tutti_error *error);
  tutti_status (*check)(const void *row, tutti_error *error);
  /* @} */
  tutti_status (*derive)(void *row, tutti_error *error); /* set what is not in a record but follows from it; or NULL */
  void (*complete)(void *row); /* after all columns were read: set what needs several of them; or NULL */
  bool (*applies)(const void *row, const struct tutti_row_column *column); /* NULL: all do */
  int (*compare)(const void *left, const void *right);                     /* NULL: by keys */
};

/* The description of a kind; static storage. */
const struct tutti_row_kind *tutti_kind_of(enum tutti_row row);
const struct tutti_row_kind *tutti_kind_of_result(tutti_result_kind kind);

/* Which one it is. */
enum tutti_row tutti_row_of(const struct tutti_row_kind *kind);

/* The column of a field of such a result; NULL past the last. Fields that are keys come first. */
const struct tutti_row_column *tutti_result_column(tutti_result_kind kind, int field);

/* The row of a record, and its kind; NULL for TUTTI_RECORD_NONE. */
const struct tutti_row_kind *tutti_kind_of_record(const tutti_record *record, const void **row);

/**
 * The next field of a record that is no column of its kind: of a newer version, or misspelt. Readers ignore it.
 * @param field   NULL to begin, else the one that was returned before; receives it, and @p length the length of
 *         NAME=VALUE
 * @return the kind of the record; NULL: no more such fields, or the line is not a record
 */
const struct tutti_row_kind *tutti_record_unknown(const char *line, const char **field, size_t *length);

/* The column of this name, or NULL. */
const struct tutti_row_column *tutti_column_find(const struct tutti_row_kind *kind, const char *name);

/* "s", "B", "s/B", "%", or "" without a unit; static storage. */
const char *tutti_column_unit(const struct tutti_row_column *column);

/* For a whole number: the maximum, and whether this one is possible. */
uint64_t tutti_column_max(const struct tutti_row_column *column);
bool tutti_column_holds(const struct tutti_row_column *column, uint64_t integer);

static inline bool tutti_column_is_key(const struct tutti_row_column *column)
{
  return column->flags & TUTTI_ROW_COLUMN_KEY;
}

/* Make it the row of that kind whose numbers are 0 and whose words are empty. */
void tutti_row_clear(enum tutti_row kind, void *row);

/* ---- values ---- */

enum { TUTTI_ROW_VALUE_TEXT = TUTTI_METHOD_LENGTH };

enum tutti_row_value_class {
  TUTTI_ROW_VALUE_NULL,
  TUTTI_ROW_VALUE_STRING,
  TUTTI_ROW_VALUE_INTEGER,
  TUTTI_ROW_VALUE_REAL
};

/* The value of one column of one row. */
struct tutti_row_value {
  enum tutti_row_value_class class;
  const char *text; /* STRING: in the row, static, or in room */
  uint64_t integer; /* INTEGER */
  double real;      /* REAL */
  char room[TUTTI_ROW_VALUE_TEXT];
};

/* How values of the column are stored. */
static inline enum tutti_row_value_class tutti_column_class(const struct tutti_row_column *column)
{
  return column->type < TUTTI_ROW_COLUMN_INT       ? TUTTI_ROW_VALUE_STRING
         : column->type < TUTTI_ROW_COLUMN_SECONDS ? TUTTI_ROW_VALUE_INTEGER
                                                   : TUTTI_ROW_VALUE_REAL;
}

/* Whether it can be NULL in the store. */
static inline bool tutti_column_is_nullable(const struct tutti_row_column *column)
{
  return column->flags & TUTTI_ROW_COLUMN_TIMED || column->type == TUTTI_ROW_COLUMN_VALUE;
}

/* Get the value. A method, a scheme or the like that is not set is the empty text. */
void tutti_row_get(const struct tutti_row_column *column, const void *row, struct tutti_row_value *cell);

/* Set the value: NULL is 0. TUTTI_ERR_ARGUMENT for a word that is not known or too long; numbers are not checked. */
tutti_status tutti_row_set(const struct tutti_row_column *column, void *row, const struct tutti_row_value *cell,
                           tutti_error *error);

/* The value as a number, for tables and plots; NaN for a word and for NULL. */
double tutti_row_number(const struct tutti_row_column *column, const void *row);

/* The whole number in the column of this name, as "ranks"; @p otherwise if the kind has no such column. */
int64_t tutti_row_integer(const struct tutti_row_kind *kind, const void *row, const char *name, int64_t otherwise);

/* Set it, or a real number, if the kind has the column. */
void tutti_row_set_integer(const struct tutti_row_kind *kind, void *row, const char *name, int64_t value);
void tutti_row_set_real(const struct tutti_row_kind *kind, void *row, const char *name, double value);

/* The value as in records; room for TUTTI_ROW_VALUE_TEXT bytes. Returns @p text. */
char *tutti_row_format(const struct tutti_row_column *column, const void *row, char *text);

/* Set a value from its text of @p length bytes. TUTTI_ERR_ARGUMENT names kind and column, the text and what it can be:
   "tutti-sort: field 'ranks' is '0', not a whole number from 1 to 2147483647". */
tutti_status tutti_row_parse(const struct tutti_row_kind *kind, const struct tutti_row_column *column, const char *text,
                             size_t length, void *row, tutti_error *error);

/* ---- rows ---- */

/* Whether the column has a meaning beside the keys before it. Only janus sorts have a layer. */
bool tutti_row_applies(const struct tutti_row_kind *kind, const struct tutti_row_column *column, const void *row);

/* Check that the row can be stored. TUTTI_ERR_ARGUMENT names kind, column and value. */
tutti_status tutti_row_validate(const struct tutti_row_kind *kind, const void *row, tutti_error *error);

/* Check that its keys can be measured together. The rest is not read. */
tutti_status tutti_row_validate_keys(const struct tutti_row_kind *kind, const void *row, tutti_error *error);

/* Order of rows by their keys; 0 for rows of the same point. */
int tutti_row_compare(const struct tutti_row_kind *kind, const void *left, const void *right);

/* Sort an array of rows into that order. */
void tutti_rows_sort(const struct tutti_row_kind *kind, void *rows, size_t count);

/* ---- text ---- */

/* Longest text of tutti_row_format_point(), terminating zero included. */
enum { TUTTI_ROW_POINT = TUTTI_RESULT_POINT_LENGTH };

/* The keys as in points files: the first one as it is, others as NAME=VALUE, without those of the launch. Returns @p
   text. */
char *tutti_row_format_point(const struct tutti_row_kind *kind, const void *row, char *text);

/**
 * Read such a line into @p row, which is zeroed except for the members that define its kind.
 * @param ranks  of the launch
 * @return TUTTI_ERR_ARGUMENT naming the faulty word, or the missing key
 */
tutti_status tutti_row_parse_point(const struct tutti_row_kind *kind, const char *line, int ranks, void *row,
                                   tutti_error *error);

/* ---- columns in another order ---- */

enum { TUTTI_ROW_COLUMNS_MAX = 48 };

/* Select the columns whose @p place is not negative, by place, equal ones as listed. Returns how many. */
size_t tutti_columns_select(const struct tutti_row_kind *kind, int (*place)(const struct tutti_row_column *column),
                            const struct tutti_row_column *selected[TUTTI_ROW_COLUMNS_MAX]);

/* ---- within this room: columns one by one, and what kinds check beyond them (kinds.def) ---- */

/* Check that the value of a column can be stored. */
tutti_status tutti_column_check(const struct tutti_row_kind *kind, const struct tutti_row_column *column,
                                const void *row, tutti_error *error);

/* Order of rows by one column. */
int tutti_column_compare(const struct tutti_row_column *column, const void *left, const void *right);

tutti_status tutti_measurement_check_keys(const void *row, tutti_error *error);
tutti_status tutti_measurement_check(const void *row, tutti_error *error);
tutti_status tutti_measurement_derive(void *row, tutti_error *error);

tutti_status tutti_sort_check_keys(const void *row, tutti_error *error);
tutti_status tutti_sort_check(const void *row, tutti_error *error);
bool tutti_sort_applies(const void *row, const struct tutti_row_column *column);

tutti_status tutti_range_check(const void *row, tutti_error *error);
bool tutti_range_applies(const void *row, const struct tutti_row_column *column);

#endif
