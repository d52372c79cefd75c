/* Rabenseifner's reduce and allreduce. */
#ifndef TUTTI_DECISION_MODELS_HALVING_H
#define TUTTI_DECISION_MODELS_HALVING_H

#include "models/terms.h"

/* Table 4.8. @{ */
double tutti_rabenseifner_reduce_hockney_printed(const struct terms *t);
double tutti_rabenseifner_reduce_loggp_printed(const struct terms *t);
double tutti_rabenseifner_reduce_plogp_printed(const struct terms *t);
double tutti_rabenseifner_reduce(const struct terms *t);
/* @} */

/* Table 4.10. @{ */
double tutti_rabenseifner_allreduce_hockney_printed(const struct terms *t);
double tutti_rabenseifner_allreduce_loggp_printed(const struct terms *t);
double tutti_rabenseifner_allreduce_plogp_printed(const struct terms *t);
double tutti_rabenseifner_allreduce(const struct terms *t);
/* @} */

#endif
