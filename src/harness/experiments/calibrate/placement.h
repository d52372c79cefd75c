/* Where the nodes of a job are on a simulated machine: hosts of its platform for the nodes that an allocation lists. */
#ifndef TUTTI_CALIBRATE_PLACEMENT_H
#define TUTTI_CALIBRATE_PLACEMENT_H

#include "base/node_table.h"
#include "harness/experiments/calibrate/points.h"
#include "harness/platforms/node_list.h"

/* Both paths or none. */
struct placement_files {
  const char *allocation; /* of jobs (node_list.h); NULL: ranks are on consecutive hosts */
  const char *levels;     /* the switch, cell or group of each node (base/node_table.h) */
  tutti_passed *passed;   /* takes lines that are no jobs, and jobs that have no place on the platform; NULL: the first
                             of them is a fault */
};

struct placed_job {
  struct node_job job;
  uint32_t *hosts; /* [job.nodes.count], owned; NULL: not asked for yet */
  bool unfit;      /* the platform has no such places: it is passed over */
};

/* Zero-initialized: none, and all ranks are on consecutive hosts. */
struct placement {
  const struct placement_files *files;
  struct topology topology;
  struct node_table table;
  TUTTI_VECTOR(struct placed_job);
};

/* Read both files, if they are given, for a platform. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT: one is missing or has a fault,
   no line of the allocation is a job, or the hosts of the platform are in no switches or groups. Free in any case; @p
   files must live as long. */
tutti_status tutti_placement_read(const struct placement_files *files, const char *platform_path,
                                  struct placement *placement, tutti_error *error);
void tutti_placement_free(struct placement *placement);

/*
 * Point `hosts` of a point to those of its job: of the first line with as many nodes, or of the one that its scenario
 * says, among those for which the platform has places, and of the point's machine and run where both say one. Cells or
 * groups of the platform are used in the order in which the job has them, then switches within them: they are alike.
 * TUTTI_ERR_ARGUMENT if no line has the job, there are fewer jobs than scenarios, or the platform is smaller.
 */
tutti_status tutti_placement_find(struct placement *placement, const char *machine, struct fit_point *point,
                                  tutti_error *error);

#endif
