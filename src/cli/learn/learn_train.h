/* Training on decision maps, and testing on points that were not seen. */
#ifndef TUTTI_CLI_LEARN_TRAIN_H
#define TUTTI_CLI_LEARN_TRAIN_H

#include "cli/learn/learn.h"

struct maps {
  int count;
  tutti_decision_map items[TUTTI_COLL_COUNT];
  int roots[TUTTI_COLL_COUNT], per_node[TUTTI_COLL_COUNT]; /* of their measurements */
};

struct trained {
  tutti_decision decision;
  int report_count; /* 1 for a combined tree, else one for each collective */
  tutti_learn_report reports[TUTTI_COLL_COUNT];
};

/* Learn from maps, restricted to what a target knows and smoothed if that was asked for. */
tutti_status learn_train(const struct learn_command *command, const struct maps *maps, struct trained *trained,
                         tutti_error *error);

/* How to choose the points that are not learnt from. */
enum held_out { HELD_OUT_FOLDS, HELD_OUT_SHARE, HELD_OUT_RANKS };

/*
 * Learn without some points, as often as it takes, and compute the penalty of each map at these; for a share of the
 * points, at that share only. penalties[maps->count].
 */
tutti_status learn_test(const struct learn_command *command, const struct maps *maps, enum held_out how,
                        tutti_penalty *penalties, tutti_error *error);

#endif
