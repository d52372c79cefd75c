/* The points file of tutti-sort: a tutti-points line (words.h), then one way to sort a line (result.h), what is not
   named being as usual:

       tutti-points v=1 repetitions_max=20 ranks_per_node=16
       costs element_s=1e-9 entry_s=1.7e-9 compare_s=7.4e-9
       janus layer=ranges order=alternating assignment=greedy distribution=uniform type=double count=16 seed=1
       sample layer=- order=- assignment=- distribution=uniform type=double count=16 seed=1

   The line of costs may be left out; it matters in simulation only (sort_type.h). */
#ifndef TUTTI_MEASURE_SORT_POINTS_H
#define TUTTI_MEASURE_SORT_POINTS_H

#include "measure/sort_input.h"
#include "tutti/experiment.h"
#include "tutti/result.h"

/* Seconds. */
struct sort_costs {
  double element, entry, compare;
};

/* Small: every rank of a simulation has all of them. */
struct sort_point {
  unsigned char algorithm, distribution, kind;
  signed char layer, order, assignment; /* -1: "-" */
  uint64_t count, seed;
};

struct sort_points {
  tutti_measure measure;
  int ranks_per_node;
  struct sort_costs costs;
  size_t count;
  struct sort_point *items; /* owned */
};

/* Read the text of a points file for a launch of `ranks` ranks; `name` is for messages, which give NAME:LINE; NULL: the
   command line. The text is changed. Refuses what an algorithm cannot sort. */
tutti_status sort_points_parse(char *text, const char *name, int ranks, struct sort_points *points, tutti_error *error);
void sort_points_free(struct sort_points *points);

/* How to sort. */
tutti_sort_how sort_point_how(const struct sort_point *point, const struct sort_costs *costs);

/* The result of the point, of which the keys are set. */
void sort_point_keys(const struct sort_point *point, int ranks, tutti_result *result);

#endif
