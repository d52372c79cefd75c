/* All SQL of the store: its schema and its statements, which are prepared once and kept. */
#ifndef TUTTI_HARNESS_STORE_SQL_H
#define TUTTI_HARNESS_STORE_SQL_H

/* Version 1 had no table of groups, version 2 none of parameters. */
enum { STORE_SCHEMA_VERSION = 3, STORE_APPLICATION_ID = 0x54757474 /* "Tutt" */ };

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
 * 0): the key, the times, then sums and maxima of tutti_build_counts in their order. */
enum store_build_column {
  BUILD_ENVIRONMENT,
  BUILD_BUILDER,
  BUILD_RANKS,
  BUILD_RANKS_PER_NODE,
  BUILD_BRANCHING,
  BUILD_FRACTION,
  BUILD_EXACT,
  BUILD_SEED,
  BUILD_COLOURS,
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
  STORE_ROWS,                 /* a selection -> measurements with the names of their methods, grouped by method */
  STORE_BUILD_PUT,            /* all columns of a build */
  STORE_BUILD_CONDITIONS,     /* a selection -> environments in it */
  STORE_BUILD_ROWS,           /* a selection -> builds */
  STORE_PARAMETER_CLEAR,      /* an environment */
  STORE_PARAMETER_PUT,        /* all columns of a parameter */
  STORE_PARAMETER_CONDITIONS, /* a selection -> environments in it */
  STORE_PARAMETER_ROWS,       /* a selection -> parameters */
  STORE_STATEMENT_COUNT
};

/* The text of a statement. */
const char *store_sql(enum store_statement statement);

/* Creates the tables and marks the file as a store, in one transaction that the caller began. */
extern const char store_schema[];

/* Brings a store of an older version up to date, in one transaction that the caller began. */
const char *store_migration(int version);

/* Settings of a connection. */
extern const char store_settings[];

#endif
