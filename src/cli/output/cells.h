/* Columns of what tables of the command often show. Getters find the member that TUTTI_FIELD() names. */
#ifndef TUTTI_CLI_CELLS_H
#define TUTTI_CLI_CELLS_H

#include "base/table.h"

/* A uint64_t, a number of bytes: "8KB" as text, else the number. */
void cell_size(tutti_cell *cell, const void *row, const tutti_column *column);

/* A tutti_method: "bcast/binomial/8KB"; none without an algorithm. */
void cell_method(tutti_cell *cell, const void *row, const tutti_column *column);

/* A tutti_collective: "bcast". */
void cell_collective(tutti_cell *cell, const void *row, const tutti_column *column);

/* @{ A const char *, what a map is based on: "occ, arrival sorted/1ms" is the scheme "occ" and the patterns behind the
   comma, which may be none. */
void cell_basis(tutti_cell *cell, const void *row, const tutti_column *column);
void cell_patterns(tutti_cell *cell, const void *row, const tutti_column *column);
/* @} */

/* Columns of the keys scheme and patterns, not in text. */
#define CELL_SCHEME_COLUMNS(row_type, member)                                                                          \
  {NULL, "scheme", TUTTI_FIELD(row_type, member), .get = cell_basis},                                                  \
  {                                                                                                                    \
    NULL, "patterns", TUTTI_FIELD(row_type, member), .get = cell_patterns                                              \
  }

/* @{ Lists of the axes of a tutti_decision_map, whose place in the row is .at. */
void list_map_ranks(tutti_json *json, const void *row, const tutti_column *column);
void list_map_sizes(tutti_json *json, const void *row, const tutti_column *column);
/* @} */

/* A median time in microseconds. */
#define CELL_MICROSECONDS(row_type, member) TUTTI_FIELD(row_type, member), .unit = "us", .scale = 1e6, .decimals = 3

#endif
