/* Three ways to split all processes into groups, timed beside each other by split.c. */
#ifndef TUTTI_BENCH_SPLIT_H
#define TUTTI_BENCH_SPLIT_H

#include "tutti/collectives.h"
#include "tutti/group_run.h"

enum part { PART_OWN, PART_GATHER, PART_GROUP, PARTS };

enum { MAX_COLOR_COUNTS = 16 };

struct split_options {
  int colors[MAX_COLOR_COUNTS]; /* into how many groups, one after the other */
  int colors_count;
  int seed, branching, repetitions;
  double scan, compare;  /* seconds, in simulation: to look at one entry of the table, to compare two when sorting */
  bool parts[PARTS];     /* which to time */
  const char *allgather; /* NULL: as MPICH picks; else a method, such as "allgather/bruck" */
  bool help;             /* nothing is asked for but split_usage */
};

extern const char split_usage[];

/* Read the command line; TUTTI_ERR_ARGUMENT says what is wrong with it. */
tutti_status split_options_read(int argc, char **argv, struct split_options *options, tutti_error *error);

/* What a process takes away from a split. */
struct place {
  int size, rank;
  int faults; /* members in a wrong place, where each process has a list of them */
};

/* How to split by gathering. */
struct gathering {
  const tutti_view *view;
  const tutti_group_sample *sample; /* to check the members with */
  tutti_method allgather;
  double scan, compare;
};

/* The methods for so many processes; as in MPICH where none is named. */
tutti_status gathering_prepare(struct gathering *how, const struct split_options *options, tutti_error *error);

/* The split of MPICH, on schedules of our own: allgather of color and key, an agreement on a context id, a sort. */
tutti_status split_by_gathering(const struct gathering *how, int color, int key, struct place *place,
                                tutti_error *error);

/* What tells, summed over all processes, whether all have the right place. */
enum { SUM_ORDER, SUM_RANKS, SUM_SIZES, SUM_FAULTS, SPLIT_SUMS };
struct split_sums {
  uint64_t values[SPLIT_SUMS];
};

/* What the sums are if ranks ascend with the processes. */
tutti_status split_expect(const tutti_group_sample *sample, struct split_sums *expected, tutti_error *error);

/* Compare at rank 0; collective. Groups rank their members as they like: then not `ordered`. TUTTI_ERR_FAULT names the
   way it was split. */
tutti_status split_check(const tutti_view *view, const tutti_group_sample *sample, const struct split_sums *expected,
                         const struct place *place, bool ordered, const char *way, tutti_error *error);

#endif
