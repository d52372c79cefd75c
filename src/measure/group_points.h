/* The points file of tutti-group: a tutti-points line (words.h), then one build a line:

       tutti-points v=1 repetitions_max=200 ranks_per_node=4
       shrink-hash/no-filler fraction=0.3 branching=3 seed=7 colours=1 node_ranks=1 */
#ifndef TUTTI_MEASURE_GROUP_POINTS_H
#define TUTTI_MEASURE_GROUP_POINTS_H

#include "tutti/experiment.h"
#include "tutti/group_run.h"

/* The size of each draw is that of the launch, whatever the file says. */
struct group_points {
  tutti_measure measure;
  int ranks_per_node;
  size_t count;
  tutti_group_point *items; /* owned */
};

/* Read the text of a points file for a launch of `ranks` ranks; `name` is for messages, which give NAME:LINE; NULL: the
   command line. The text is changed. Refuses what a builder cannot build. */
tutti_status group_points_parse(char *text, const char *name, int ranks, struct group_points *points,
                                tutti_error *error);
void group_points_free(struct group_points *points);

#endif
