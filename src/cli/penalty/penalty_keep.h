/* Penalties on their way into the store. */
#ifndef TUTTI_CLI_PENALTY_KEEP_H
#define TUTTI_CLI_PENALTY_KEEP_H

#include "cli/options/selection.h"
#include "tutti/classifier.h"

/* A decision, the map that it is compared with, and its penalty there. */
struct kept_penalty {
  const char *name; /* to keep it under */
  const tutti_decision *decision;
  const tutti_decision_map *map;
  const char *basis;                   /* what the map is of: a scheme */
  int root, ranks_per_node;            /* of the measurements */
  const tutti_classifier_shape *shape; /* as learnt; NULL: that of the tree that decides, if one does */
  tutti_penalty penalty;
};

/*
 * Put it into the store that the selection reads from, in the environment of the measurements, with the time of a
 * decision, measured here. TUTTI_ERR_ARGUMENT if no point was counted, or the name is no word of a result.
 */
tutti_status penalty_keep(const struct selection_options *selected, const struct kept_penalty *kept,
                          tutti_error *error);

/* The same of a result that is made already. */
tutti_status penalty_keep_result(const struct selection_options *selected, tutti_collective collective,
                                 const tutti_result *result, tutti_error *error);

#endif
