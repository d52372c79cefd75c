/* The switch, cell or group of each node of a machine, from a file. */
#ifndef TUTTI_BASE_NODE_TABLE_H
#define TUTTI_BASE_NODE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "tutti/error.h"

enum { NODE_TABLE_LEVELS = 3 };

struct node_range {
  int first, last;
  int line; /* of the file */
  uint32_t parts[NODE_TABLE_LEVELS];
};

/* Zero-initialized: no node at all. */
struct node_table {
  TUTTI_VECTOR(struct node_range);            /* in ascending order */
  const char *level_names[NODE_TABLE_LEVELS]; /* "switch", "cell" or "group", from the nodes up; static */
  int level_count;                            /* at least 1 */
};

/*
 * Read a table of nodes: fields between tabs, a line of headings, then a line for nodes of consecutive numbers.
 * Headings are first_node and last_node, at least one of switch, cell and group, whose fields are whole numbers, and
 * others, which are ignored, as are lines that begin with '#'. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT (nodes twice, a field
 * that is not a number) name file and line. Free with tutti_vector_free() in any case.
 */
tutti_status tutti_node_table_read(const char *path, struct node_table *table, tutti_error *error);

/* The same of a text, which messages call @p name. */
tutti_status tutti_node_table_parse(const char *text, size_t length, const char *name, struct node_table *table,
                                    tutti_error *error);

/* The line of a node; NULL: it is in none. */
const struct node_range *tutti_node_table_find(const struct node_table *table, int node);

/* The number of a node from its name: all digits before a dot or a colon (lrdn0089: 89, as01r3b02: 1302,
   nid001000.cluster7: 1000). False: it has none, or a larger one than an int, or begins with a digit. */
bool tutti_node_number(const char *name, int *number);

#endif
