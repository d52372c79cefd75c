/* Importing: tables, and what the reader of each format knows of its file. */
#ifndef TUTTI_STORE_IMPORT_STATES_H
#define TUTTI_STORE_IMPORT_STATES_H

#include "base/vector.h"
#include "tutti/import.h"

enum { IMPORT_WORDS = 64, IMPORT_SETTINGS = 128, IMPORT_TYPE = 40 };

/* What separates the cells of a line: blanks, tabs, or commas or semicolons outside quotes. */
enum import_cut { CUT_BLANKS, CUT_TABS, CUT_COMMAS, CUT_SEMICOLONS };

/* What a column of a table can be, in the words of --map; of times the first is that of a repetition. */
enum {
  CSV_COLLECTIVE,
  CSV_METHOD,
  CSV_RANKS,
  CSV_RANKS_PER_NODE,
  CSV_NODES,
  CSV_ROOT,
  CSV_BYTES,
  CSV_COUNT,
  CSV_TYPE_SIZE,
  CSV_REPETITIONS,
  CSV_MINIMUM,
  CSV_MAXIMUM,
  CSV_SECONDS,
  CSV_MILLISECONDS,
  CSV_MICROSECONDS,
  CSV_NANOSECONDS,
  CSV_SETTING, /* setting:NAME, of which there are several */
  CSV_COLUMNS
};

/* Settings that columns are: how many at most, and room for a name. */
enum { CSV_SETTINGS = 8, CSV_NAME = 32 };

/* What a column holds, in the order in which it is read. */
enum import_field {
  FIELD_IGNORED,
  FIELD_SIZE,  /* bytes */
  FIELD_COUNT, /* elements */
  FIELD_REPETITIONS,
  FIELD_VALID,   /* repetitions; of 0 the times are not read */
  FIELD_VERDICT, /* "Pass" */
  FIELD_WRONG,   /* of the result; 0: it is right */
  FIELD_MINIMUM,
  FIELD_MEDIAN,
  FIELD_MEAN,
  FIELD_MAXIMUM,
  FIELD_RUNTIME, /* of one repetition, read as the mean */
  /* text for the reader of the format: */
  FIELD_ERROR_CODE,
  FIELD_TEST,
  FIELD_MACHINE,
  FIELD_TIME,
  FIELD_NUMBER,
  FIELD_NODES,
  FIELD_RANKS_PER_NODE,
  FIELD_COLLECTIVE,
  FIELD_LIBRARY,
  FIELD_VERSION,
  FIELD_SETTINGS,
  FIELD_METHOD,
  FIELD_RUN,
  FIELD_TYPE,
  FIELD_GPU, /* library of the buffers on GPUs, and its version */
  FIELD_GPU_VERSION,
  FIELDS
};

/* The columns of a format: headings, with '|' between those of the same meaning and '*' for digits. */
struct import_columns {
  enum import_cut cut;
  double unit; /* of its times, in seconds */
  struct {
    const char *headings; /* NULL after the last */
    enum import_field field;
  } items[24];
};

/* A table on its way. */
struct import_table {
  const struct import_columns *known;
  int count; /* of its columns; 0: no headings yet */
  bool open; /* more cells follow, under headings that are not known */
  enum import_field fields[IMPORT_WORDS];
  int seen[FIELDS];
  const char *cells[FIELDS]; /* of the last line; NULL: missing */
};

/* A benchmark of OSU or IMB: a table of times by size. Without headings its rows are passed over. */
struct import_benchmark {
  bool known; /* it is of a collective */
  tutti_collective collective;
  bool total; /* its sizes are those of all blocks together */
  int ranks;
  uint64_t type_size;
  struct import_table table;
};

struct osu_state {
  struct import_benchmark benchmark;
  uint64_t type_size; /* 0: not said */
  bool unknown_type;  /* it is said, and not known */
  const char *form;   /* "form=persistent"; "": blocking */
};

struct imb_state {
  struct import_benchmark benchmark;
  int year; /* of the version; 0: not known, small: of the versions before 2017 */
  uint64_t type_size, reduction_type_size;
  char type[IMPORT_TYPE]; /* of reductions, as a setting */
};

struct import_series; /* the raw times of one point */

struct import_points {
  TUTTI_VECTOR(struct import_series *); /* owned */
  void *index;                          /* 1 + the place of a point: tutti_import_points_add() */
};

struct repro_state {
  int ranks, root; /* ranks 0: unknown */
  uint64_t type_size;
  struct import_table table;
  struct import_points points;
};

/* Columns of nccl-tests; of times and wrong elements the second is in-place. */
enum {
  NCCL_SIZE,
  NCCL_COUNT,
  NCCL_TYPE,
  NCCL_OPERATION,
  NCCL_ROOT,
  NCCL_ALGBW, /* out-of-place */
  NCCL_BUSBW,
  NCCL_TIME,
  NCCL_WRONG = NCCL_TIME + 2,
  NCCL_COLUMNS = NCCL_WRONG + 2
};

struct nccl_state {
  int ranks, ranks_per_node, repetitions;
  int listed, largest; /* lines of ranks, which people shorten, and the largest rank + 1 in them */
  int per_process;     /* ranks of a process */
  size_t list;         /* line of the last of these */
  bool groups;         /* several at once */
  bool errors, timed;  /* columns: the errors of elements, not how many are wrong; when the row was printed */
  bool named, other;   /* a line names the benchmark, which is one of no collective */
  tutti_collective collective;
  void *nodes;                      /* ranks by name of the node */
  int count, columns[NCCL_COLUMNS]; /* of the table: how many, and 1 + the place; 0: not there */
  size_t first;                     /* the item that its first time became */
  uint64_t rows;                    /* so far */
};

/* A time of Open MPI's tuning scripts, of which the collective is known at the end. */
struct ompi_row {
  uint64_t nodes, bytes;
  double time;
  size_t algorithm; /* its place among the names */
  size_t line;
};

struct ompi_state {
  struct {
    TUTTI_VECTOR(char *);
  } names;                      /* owned */
  void *index;                  /* 1 + the place of a name */
  int count;                    /* of columns; 0: no headings yet */
  bool best;                    /* the best and the default algorithm alone */
  size_t columns[IMPORT_WORDS]; /* of the others: places of their names */
  struct {
    TUTTI_VECTOR(struct ompi_row);
  } rows;
};

struct csv_group; /* points under the same settings */

/* Columns of a table whose headings are the caller's. */
struct csv_state {
  enum import_cut cut;
  int count;                    /* 0: no headings yet */
  uint64_t mapped;              /* a bit a column @{ */
  uint64_t measured, differing; /* not mapped, and with fractions, or not the same in all lines of a point @} */
  char *headings[IMPORT_WORDS]; /* of columns that are not mapped; owned */
  struct csv_setting {
    char name[CSV_NAME];
    int column;             /* 1 + the place */
  } settings[CSV_SETTINGS]; /* by name */
  int setting_count;
  bool whole; /* lines are no repetitions, but have their number, or minimum and maximum */
  struct {
    TUTTI_VECTOR(struct csv_group *);
  } groups;                 /* owned */
  void *index;              /* 1 + the place of a group, by its settings */
  int needed;               /* cells, up to the last one of the map */
  int columns[CSV_COLUMNS]; /* 1 + the place; 0: not there */
  int found;                /* headings of the line that lacks the fewest */
  char *lacking;            /* what it lacks and has; owned, or NULL */
  size_t line;              /* of it, or of the headings */
  double unit;              /* of times, in seconds */
};

#endif
