/* The measurements of one experiment among all that a store has. */
#ifndef TUTTI_CLI_SELECTION_POINTS_H
#define TUTTI_CLI_SELECTION_POINTS_H

#include "tutti/experiment.h"
#include "tutti/store.h"

/* Keep those that @p experiment asks for, in order; returns how many. */
size_t selection_keep_points(const tutti_experiment *experiment, tutti_measurement *measurements, size_t count);

#endif
