/* All SQL of the store: its schema and its statements, which are prepared once and kept. */
#ifndef TUTTI_HARNESS_STORE_SQL_H
#define TUTTI_HARNESS_STORE_SQL_H

#include "tutti/result.h"

/* Version 1 had no table of groups, version 2 none of parameters, version 3 none of results,
 * version 4 none of penalties, and neither arrival nor noise. */
enum { STORE_SCHEMA_VERSION = 5, STORE_APPLICATION_ID = 0x54757474 /* "Tutt" */ };

/* Columns of a measurement, in the order in which STORE_PUT binds them (from 1) and STORE_ROWS returns them (from 0).
 */
enum store_column {
  COLUMN_ENVIRONMENT,
  COLUMN_METHOD,
  COLUMN_SCHEME,
  COLUMN_RANKS,
  COLUMN_RANKS_PER_NODE,
  COLUMN_ROOT,
  COLUMN_COUNT,
  COLUMN_TYPE,
  COLUMN_ARRIVAL,
  COLUMN_NOISE,
  COLUMN_KEY_END, /* the columns before it say which point it is */
  COLUMN_RANK_BYTES = COLUMN_KEY_END,
  COLUMN_TOTAL_BYTES,
  COLUMN_REPETITIONS,
  COLUMN_MINIMUM,
  COLUMN_MEDIAN,
  COLUMN_MEAN,
  COLUMN_MAXIMUM,
  COLUMN_METHOD_NAME, /* STORE_ROWS only */
};

/* Columns of a build, in the order in which STORE_BUILD_PUT binds them (from 1) and STORE_BUILD_ROWS returns them (from
 * 0): the key, the times, then sums and maxima of tutti_group_counts in their order. */
enum store_build_column {
  BUILD_ENVIRONMENT,
  BUILD_BUILDER,
  BUILD_RANKS,
  BUILD_RANKS_PER_NODE,
  BUILD_BRANCHING,
  BUILD_FRACTION,
  BUILD_EXACT,
  BUILD_SEED,
  BUILD_COLORS,
  BUILD_NODE_RANKS,
  BUILD_REPETITIONS,
  BUILD_MINIMUM,
  BUILD_MEDIAN,
  BUILD_MEAN,
  BUILD_MAXIMUM,
  BUILD_COUNTS,
};

/* Columns of a parameter, in the order in which STORE_PARAMETER_PUT binds them (from 1) and STORE_PARAMETER_ROWS
 * returns them (from 0). The value is in the one column of its unit. */
enum store_parameter_column {
  PARAMETER_ENVIRONMENT,
  PARAMETER_QUANTITY,
  PARAMETER_OF,
  PARAMETER_BYTES,
  PARAMETER_SECONDS,
  PARAMETER_SECONDS_PER_BYTE,
  PARAMETER_LIBRARY, /* STORE_PARAMETER_ROWS only */
};

enum store_statement {
  STORE_BEGIN_READ,
  STORE_BEGIN_WRITE,
  STORE_COMMIT,
  STORE_ROLLBACK,
  STORE_ENVIRONMENT_FIND,     /* platform, hash, flavor, library, tutti -> id */
  STORE_ENVIRONMENT_ADD,      /* the same */
  STORE_METHOD_FIND,          /* name -> id */
  STORE_METHOD_ADD,           /* name, collective */
  STORE_PUT,                  /* all columns of a measurement */
  STORE_HAS,                  /* key columns, the method by its name -> 0 or 1 */
  STORE_CONDITIONS,           /* a selection -> environments and schemes in it */
  STORE_MEASURED_IN,          /* a selection -> ids of environments in it */
  STORE_ROWS,                 /* a selection -> measurements with the names of their methods, grouped by method */
  STORE_BUILD_PUT,            /* all columns of a build */
  STORE_BUILD_CONDITIONS,     /* a selection -> environments in it */
  STORE_BUILD_ROWS,           /* a selection -> builds */
  STORE_PARAMETER_CLEAR,      /* an environment */
  STORE_PARAMETER_PUT,        /* all columns of a parameter */
  STORE_PARAMETER_CONDITIONS, /* a selection -> environments in it */
  STORE_PARAMETER_ROWS,       /* a selection -> parameters */
  STORE_RESULT_STATEMENTS,    /* from here on those of tutti_store_result_statement() */
  STORE_STATEMENT_COUNT = STORE_RESULT_STATEMENTS + 3 * TUTTI_RESULT_KINDS
};

/* The text of a statement before STORE_RESULT_STATEMENTS, for a store of that version. */
const char *tutti_store_sql(enum store_statement statement, int version);

/* Columns of a result, in the order in which its statements bind them (from 1) and return them (from 0): the
 * environment, the ranks per node, then its fields. */
enum { RESULT_ENVIRONMENT, RESULT_RANKS_PER_NODE, RESULT_FIELDS };

/* What is done with the results of a kind. */
enum store_result_action {
  RESULT_PUT,        /* all columns */
  RESULT_CONDITIONS, /* a selection -> environments in it */
  RESULT_ROWS,       /* a selection -> results */
};

enum store_statement tutti_store_result_statement(tutti_result_kind kind, enum store_result_action action);

/* The text of a statement from STORE_RESULT_STATEMENTS on, and that which creates the table of a kind if it is missing;
 * owned by the caller (free()), NULL if there is no memory. */
char *tutti_store_result_sql(enum store_statement statement);
char *tutti_store_result_table(tutti_result_kind kind);

/* Of a statement with an environment e: where it is in a selection, whose members are bound to 1 .. 5. */
extern const char tutti_store_of_environment[];

/* Creates the tables but those of results, and marks the file as a store, in one transaction that the caller began. */
extern const char tutti_store_schema[];

/* Brings a store of an older version up to date but for the tables of results, likewise. */
const char *tutti_store_migration(int version);

/* Settings of a connection. */
extern const char tutti_store_settings[];

#endif
