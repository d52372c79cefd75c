/* Lists of nodes, and jobs that ran on them. */
#ifndef TUTTI_PLATFORMS_NODE_LIST_H
#define TUTTI_PLATFORMS_NODE_LIST_H

#include <stdbool.h>

#include "base/text.h"
#include "base/vector.h"
#include "base/words.h"
#include "tutti/passed.h"

struct node_list {
  TUTTI_VECTOR(int);
};

/* A line of a file with jobs: "machine run nodes", "4 nodes" or "nodes", with tabs between the fields. */
struct node_job {
  char *machine, *run; /* owned; NULL: not in the line */
  int line;
  struct node_list nodes; /* in the order of the ranks */
};

/*
 * Read the next job of an open file: lines that are empty, begin with '#' or are headings (the last one node_numbers or
 * nodes_by_rank) are skipped. Free with tutti_node_job_free() if there is one. Faults are: no nodes, a field that is
 * not a node, a number of nodes in the first field that is another one.
 * @param machine  only jobs of this machine, or without a machine; NULL: all
 * @param others   machines of the other jobs; may be NULL without @p machine
 * @param passed   takes lines with a fault; NULL: the first fault ends the reading (tutti_lines_fault())
 */
bool tutti_node_job_next(struct tutti_lines *lines, const char *machine, tutti_guess *others, tutti_passed *passed,
                         struct node_job *job);
void tutti_node_job_free(struct node_job *job);

#endif
