/* Calls to be predicted by the engine, of a table or one by one: their times with intervals, and verdicts. */
#ifndef TUTTI_CALIBRATE_CALLS_H
#define TUTTI_CALIBRATE_CALLS_H

#include "harness/experiments/calibrate/placement.h"
#include "harness/experiments/calibrate/spread.h"

struct simulated {
  struct fit_point point;
  char *nodes;         /* "256", or the sides of a torus, "8x8x8"; owned */
  char *name;          /* of the method in the table that asks for it; NULL: there is none; owned */
  const char *table;   /* the path of the table, the caller's; NULL: none */
  int line;            /* of the table */
  char *run;           /* of the call; NULL: not said; owned */
  double messages;     /* about how many are sent; 0: not counted */
  size_t row;          /* a number of the caller's */
  uint64_t bytes;      /* of the message or of all blocks, as asked for */
  bool left_out;       /* while they are simulated */
  const char *verdict; /* static */
};

/* Zero-initialize; tutti_simulated_free(). */
struct simulated_points {
  TUTTI_VECTOR(struct simulated);
  size_t unknown, unfit, large, slow; /* left out: no method of ours, no call of it, more messages than wanted, far
                                         slower than others */
  tutti_error reason;                 /* of the first one that is unfit */
  bool rounds_apart;                  /* methods whose ranks round apart can be the best */
  const tutti_method *faster_apart;   /* one of those that cannot, at the first of the places */
  size_t faster_count;                /* where one is faster than the best */
};

/* Read the points that a table has (call_table.h), of a collective or, TUTTI_COLL_COUNT, of all; only those of the
   machine unless that is NULL. The path must live as long as the points. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT name file and
   line. */
tutti_status tutti_simulated_read(const char *path, tutti_collective collective, const char *machine,
                                  struct simulated_points *points, tutti_error *error);

/* Add a point: on so many nodes, with so many bytes of the message or of all blocks. Counts it as left out if it is no
   call of the method. */
void tutti_simulated_add(struct simulated_points *points, const tutti_method *method, const char *nodes, int ranks,
                         int ranks_per_node, uint64_t element, uint64_t bytes);

struct simulation_request {
  const char *platform_path;
  double tolerance; /* of the engine `flow` (tutti_flavor_tolerance()); 0: the engine is `fast` */
  struct placement_files placement;
  const char *machine;            /* whose jobs are those of the points; NULL: any */
  bool all;                       /* leave out methods that Hockney's model has far behind the best one */
  uint64_t most_messages;         /* leave out calls with about more; 0: none */
  bool model_large;               /* price them by Hockney's model instead, as far as that is fast */
  void (*progress)(double share); /* called before each point */
  /* called before the first one with what the engine has to do at most; NULL: it is not counted */
  void (*announce)(const struct simulation_request *request, size_t calls, double messages);
};

/* Simulate the points, apply the spread, and judge: the best method of each call, the same nodes, bytes and run, and
   those that are too close to it to call, as their intervals overlap its own. Methods that would be but cannot be the
   best are "rounds apart". */
tutti_status tutti_simulated_run(const struct simulation_request *request, const struct spread *spread, bool corrected,
                                 struct simulated_points *points, tutti_error *error);

void tutti_simulated_free(struct simulated_points *points);

/* What calls of one place have in common and no others have, with @p more of them; owned by the caller. */
char *tutti_simulated_place(const struct simulated *each, const char *more);

/* calls_judge.c: fill in the verdicts, as above. */
void tutti_simulated_judge(struct simulated_points *points);

#endif
