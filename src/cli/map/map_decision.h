/* What a decision function picks at the points of a decision map, as a map of its own. */
#ifndef TUTTI_CLI_MAP_DECISION_H
#define TUTTI_CLI_MAP_DECISION_H

#include "cli/options/selection.h"

/*
 * Ask @p decision at every point of @p measured. @p picked gets the same axes, the methods that it picks, no times, and
 * the picks instead of the best methods; free its map. @p percents, [ranks_count][size_count], receives the penalties;
 * NaN where there is none.
 */
tutti_status map_decision_ask(const struct measured_map *measured, const tutti_decision *decision,
                              struct measured_map *picked, double *percents, tutti_error *error);

#endif
