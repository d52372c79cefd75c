/* Where the nodes of a job are on a simulated machine: hosts of its platform for the nodes that an allocation lists. */
#ifndef TUTTI_CLI_FIT_PLACEMENT_H
#define TUTTI_CLI_FIT_PLACEMENT_H

#include "base/node_table.h"
#include "base/vector.h"
#include "cli/fit/fit.h"
#include "harness/platforms/node_list.h"

/* Which files say it; rows for it are placement_table. */
struct placement_options {
  const char *allocation; /* a line a job, whose last field has its nodes; NULL: ranks are on consecutive hosts */
  const char *levels;     /* the switch, cell or group of each node (base/node_table.h) */
};

extern const struct option_row placement_table[];

struct placed_job {
  char *machine, *run; /* owned; NULL: the line says none */
  int line;
  struct node_list nodes;
  uint32_t *hosts; /* [nodes.count], owned; NULL: not asked for yet */
};

/* Zero-initialized: none, and all ranks are on consecutive hosts. */
struct placement {
  const struct placement_options *options;
  struct topology topology;
  struct node_table table;
  TUTTI_VECTOR(struct placed_job);
};

/* Read both files, if they are given, for a platform; die if its hosts are in no switches or groups. */
void placement_read(const struct placement_options *options, const char *platform_path, struct placement *placement);
void placement_free(struct placement *placement);

/*
 * Point `hosts` of a point to those of its job: of the first line with as many nodes, and of the point's machine and
 * run where both say one. Cells or groups of the platform are taken in the order in which the job has them, then
 * switches within them: they are alike. Die if no line has the job, or the platform is smaller.
 */
void placement_find(struct placement *placement, const char *machine, struct fit_point *point);

#endif
