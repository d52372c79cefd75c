/* tutti predict of a fitted platform: times by the engine, with intervals by the spread of the fit. */
#ifndef TUTTI_CLI_PREDICT_SIMULATED_H
#define TUTTI_CLI_PREDICT_SIMULATED_H

#include "cli/fit/fit.h"
#include "cli/predict/predict.h"

struct simulated {
  struct fit_point point;
  char *nodes;    /* "256", or the sides of a torus, "8x8x8"; owned */
  char *name;     /* of the method in the table that asks for it; NULL: there is none; owned */
  int line;       /* of the table */
  uint64_t bytes; /* of the message or of all blocks, as asked for */
  bool hopeless;  /* not worth simulating */
  const char *verdict;
};

struct simulated_points {
  TUTTI_VECTOR(struct simulated);
  size_t unknown, unfit, large, slow; /* left out: no method of ours, no call of it, more messages than
                                         --most-messages, far behind */
  tutti_error reason;                 /* of the first one that is unfit */
  bool rounds_apart;                  /* methods whose ranks round apart can be the best */
  const tutti_method *faster_apart;   /* one of those that cannot, at the first of the places */
  size_t faster_count;                /* where one is faster than the best */
};

/* Read the points that a table has: fields between tabs, and headings, of which collective, nodes, ranks_per_node,
   bytes and method must be there, and machine and settings may be; methods are named as in PICO's tables, or as
   everywhere. Only those of the collective. */
void simulated_read(const char *path, tutti_collective collective, const char *machine,
                    struct simulated_points *points);

/* Add a point: on so many nodes, with so many bytes of the message or of all blocks. Counts it as left out if it is no
   call of the method. */
void simulated_add(struct simulated_points *points, const tutti_method *method, const char *nodes, int ranks,
                   int ranks_per_node, uint64_t element, uint64_t bytes);

/* A place: the same nodes and bytes. */
bool simulated_is_same_place(const struct simulated *left, const struct simulated *right);

/* Which is the best method of a place, the same nodes and bytes, and which are too close to it to call: whose intervals
   overlap its own. Those that would be but cannot be the best "rounds apart". */
void simulated_judge(struct simulated_points *points);

void simulated_free_point(struct simulated *point);
void simulated_free(struct simulated_points *points);

/* Whether the options ask for a simulation. */
bool simulated_is_asked(const struct predict_options *options, const tutti_platform *platform);

/* Predict and print. */
void predict_simulated(const struct predict_options *options, const tutti_platform *platform);

#endif
