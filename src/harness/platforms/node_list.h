/* Lists of nodes, and jobs that ran on them. */
#ifndef TUTTI_PLATFORMS_NODE_LIST_H
#define TUTTI_PLATFORMS_NODE_LIST_H

#include <stdbool.h>

#include "base/vector.h"
#include "tutti/error.h"

struct node_list {
  TUTTI_VECTOR(int);
};

/* Append the nodes of a list to @p nodes, in its order: items between commas or blanks, each a number, a range
   (1000-1003) or the name of a node (tutti_node_number()). @p text is changed. TUTTI_ERR_ARGUMENT names an item that is
   not a node; more than PLATFORM_MAX_HOSTS are too many. */
tutti_status tutti_node_list_parse(char *text, struct node_list *nodes, tutti_error *error);

/* Append the nodes of a job: the last field of a line with tabs between fields; a first one that is a number is their
   number. @p text is changed. */
tutti_status tutti_node_job_parse(char *text, struct node_list *nodes, tutti_error *error);

/* The machine and the run from the fields before the nodes, in a line of three; NULL: none. Owned by the caller. */
void tutti_node_job_origin(const char *text, char **machine, char **run);

/* Whether the line has the headings of a file with jobs; the last heading is node_numbers or nodes_by_rank. */
bool tutti_node_job_is_heading(const char *text);

#endif
