/* Which switch, cell or group each node of a machine is in: a file that says it, and lists of nodes. */
#ifndef TUTTI_PLATFORMS_NODE_TABLE_H
#define TUTTI_PLATFORMS_NODE_TABLE_H

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
  int level_count;                            /* 1 at least */
};

/*
 * Read a table of nodes: fields between tabs, a line of headings, then a line for nodes of consecutive numbers.
 * Headings are first_node and last_node, at least one of switch, cell and group, whose fields are whole numbers, and
 * others, which are left alone; lines that begin with '#' too. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT (nodes twice, a field
 * that is no number) name file and line. Free with tutti_vector_free() in any case.
 */
tutti_status tutti_node_table_read(const char *path, struct node_table *table, tutti_error *error);

/* The line of a node; NULL: it is in none. */
const struct node_range *tutti_node_table_find(const struct node_table *table, int node);

struct node_list {
  TUTTI_VECTOR(int);
};

/* Append the nodes of a list to @p nodes, in its order: items between commas or blanks, each a number, a range
   (1000-1003) or the name of a node, whose number are all its digits (lrdn0089: 89, as01r3b02: 1302; what follows a
   colon does not count). @p text is changed. TUTTI_ERR_ARGUMENT says what is no node; more than PLATFORM_MAX_HOSTS are
   too many. */
tutti_status tutti_node_list_parse(char *text, struct node_list *nodes, tutti_error *error);

/* Append the nodes of a job: the last field of a line with tabs between fields; a first one that is a number says how
   many there are. @p text is changed. */
tutti_status tutti_node_job_parse(char *text, struct node_list *nodes, tutti_error *error);

/* Is the line the headings of a file with jobs, whose last is node_numbers or nodes_by_rank? */
bool tutti_node_job_is_heading(const char *text);

#endif
