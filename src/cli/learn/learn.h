/* tutti learn: its options, what it learns from, and what came of it. */
#ifndef TUTTI_CLI_LEARN_H
#define TUTTI_CLI_LEARN_H

#include "base/table.h"
#include "cli/options/selection.h"
#include "tutti/learn.h"

enum { LEARN_MAX_OPTIONS = 64, LEARN_MAX_LEARNERS = 32, LEARN_SETTINGS_SIZE = 256 };

struct learn_command {
  struct selection_options selection;
  const tutti_learner *learner;
  struct option_strings subjects; /* collectives */
  struct option_strings attributes;
  struct option_numbers per_node; /* numbers of ranks per node; none: the one that was measured */
  const tutti_target *target;     /* NULL: all methods are candidates */
  double margin;                  /* percent by which a method has to be faster than the library's own choice */
  double smooth;                  /* percent within which a method counts as best */
  bool fill;                      /* missing points */
  int folds;
  double share; /* of the points that are tested */
  bool leave_out;
  uint64_t seed;
  const char *data;   /* where to write the cases */
  const char *output; /* decision file */
  tutti_format format;
  bool print;
  bool store;           /* penalties, in the store */
  const char *store_as; /* their name there; NULL: one of the learner and its options */

  /* Settings of each learner of the table, and which of the options of all of them were given. */
  _Alignas(max_align_t) char settings[LEARN_MAX_LEARNERS][LEARN_SETTINGS_SIZE];
  bool given[LEARN_MAX_OPTIONS];

  /* From the options above. */
  int collective_count;
  tutti_collective collectives[TUTTI_COLL_COUNT];
};

/* Rows for a struct learn_command. */
extern const struct option_row learn_table[];

/* The settings of the chosen learner, and how to learn. @{ */
const void *learn_settings(const struct learn_command *command);
tutti_learn_options learn_options(const struct learn_command *command);
/* @} */

struct learn_maps {
  int count;
  tutti_decision_map items[TUTTI_COLL_COUNT];
  int64_t environments[TUTTI_COLL_COUNT]; /* of their measurements */
  int roots[TUTTI_COLL_COUNT], per_node[TUTTI_COLL_COUNT];
  const char *scheme; /* and patterns */
};

void learn_maps_free(struct learn_maps *maps);

struct trained {
  tutti_decision decision;
  int report_count; /* 1 for a combined tree, else one for each collective */
  tutti_learn_report reports[TUTTI_COLL_COUNT];
};

/* Learn from maps, restricted to what a target knows and smoothed if that was asked for. */
void learn_train(const struct learn_command *command, const struct learn_maps *maps, struct trained *trained);

/* How to choose the points that are not learnt from. */
enum held_out { HELD_OUT_FOLDS, HELD_OUT_SHARE, HELD_OUT_RANKS };

/*
 * Learn once for each set of points that is held out, without these, and compute the penalty of each map at these; for
 * a share of the points, at that share only. penalties[maps->count].
 */
void learn_test(const struct learn_command *command, const struct learn_maps *maps, enum held_out how,
                tutti_penalty *penalties);

/* Print what came of learning from maps, and put the penalties over all points into the store if that was
   asked for. Each test asked for learns again. */
void learn_report(const struct learn_command *command, const struct learn_maps *maps, const struct trained *trained);

#endif
