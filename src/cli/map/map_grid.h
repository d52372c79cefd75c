/* A table with a line for each message size and a column for each number of ranks of a decision map. */
#ifndef TUTTI_CLI_MAP_GRID_H
#define TUTTI_CLI_MAP_GRID_H

#include "base/table.h"
#include "tutti/decision_map.h"

/* A row of the table. */
struct map_line {
  const void *about; /* as given to map_grid_print() */
  uint64_t size;
  int size_index;
};

/*
 * Print it as text. @p cell describes all columns but the first: its getter finds the index of the number of ranks in
 * .index, and a struct map_line as the row. @p even: all these columns are as wide as the widest cell.
 */
void map_grid_print(const tutti_decision_map *map, const void *about, const tutti_column *cell, int indent, bool even);

#endif
