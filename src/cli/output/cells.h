/* Getters of columns for what tables of the command often show; the column names the member with TUTTI_FIELD(). */
#ifndef TUTTI_CLI_CELLS_H
#define TUTTI_CLI_CELLS_H

#include "base/table.h"

/* A uint64_t, a number of bytes: "8KB" as text, else the number. */
void cell_size(tutti_cell *cell, const void *row, const tutti_column *column);

/* A tutti_method: "bcast/binomial/8KB"; none without an algorithm. */
void cell_method(tutti_cell *cell, const void *row, const tutti_column *column);

/* A tutti_collective: "bcast". */
void cell_collective(tutti_cell *cell, const void *row, const tutti_column *column);

#endif
