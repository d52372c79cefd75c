/* The points file of tutti-range: a tutti-points line (words.h), then one point a line, and before any of them, if they
   are not the usual ones, what things cost in simulation and how often ranges are made in one go on a real machine:

       tutti-points v=1 repetitions_max=200 ranks_per_node=16
       costs range_s=2.5e-8 entry_s=2e-9 compare_s=7e-9 inner=1000
       create way=ranges order=- size=512 count=0 uses=0 */
#ifndef TUTTI_MEASURE_RANGE_POINTS_H
#define TUTTI_MEASURE_RANGE_POINTS_H

#include "groups/mpich.h"
#include "results/range_point.h"
#include "tutti/experiment.h"

/* Making a range takes so long on a real machine: tutti-range itself, create way=ranges, mpich and openmpi
   (docs/explanation/ranges.md). */
#define RANGE_SECONDS 25e-9

/* Ranges made in one repetition on a real machine, whose clock is too coarse for one. */
enum { RANGE_INNER = 1000 };

struct range_costs {
  double range;            /* seconds of simulated time for making a range */
  struct mpich_cost mpich; /* of the ways .../mpich in simulation */
  int inner;
};

struct range_points {
  tutti_measure measure;
  int ranks_per_node;
  struct range_costs costs;
  size_t count;
  struct range_point *items; /* owned */
};

/* Read the text of a points file for a launch of `ranks` ranks; `name` is for messages, which give NAME:LINE; NULL: the
   command line. The text is changed. */
tutti_status range_points_parse(char *text, const char *name, int ranks, struct range_points *points,
                                tutti_error *error);
void range_points_free(struct range_points *points);

#endif
