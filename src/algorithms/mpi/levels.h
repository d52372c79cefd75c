/* Levels of a machine above its nodes, in calls of MPI. */
#ifndef TUTTI_MPI_LEVELS_H
#define TUTTI_MPI_LEVELS_H

#include "base/node_table.h"
#include "tutti/view.h"

/* The groups of the calling process at the levels of a table, into parts[table->level_count]; all of them are -1 if its
   node is not in the table, or has no number. */
void tutti_own_parts(const struct node_table *table, int *parts);

/* "node 'x', of rank 3, is not in FILE" */
tutti_status tutti_node_is_missing(const char *path, int rank, tutti_error *error);

#endif
