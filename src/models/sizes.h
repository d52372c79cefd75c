/* Tables 5.1 and 5.2: how broadcast and reduce on trees can be improved upon by segments. */
#ifndef TUTTI_DECISION_MODELS_SIZES_H
#define TUTTI_DECISION_MODELS_SIZES_H

#include "models/terms.h"

extern const struct segmented tutti_bcast_no_size; /* linear, binomial */
extern const struct segmented tutti_bcast_pipeline_sizes;
extern const struct segmented tutti_bcast_binary_sizes;
extern const struct segmented tutti_bcast_split_sizes;

extern const struct segmented tutti_reduce_linear_sizes;
extern const struct segmented tutti_reduce_pipeline_sizes;
extern const struct segmented tutti_reduce_binomial_sizes;
extern const struct segmented tutti_reduce_binary_sizes;

#endif
