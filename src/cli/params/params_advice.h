/* What the user of tutti params should know beside the values; all of it goes to standard error. */
#ifndef TUTTI_CLI_PARAMS_ADVICE_H
#define TUTTI_CLI_PARAMS_ADVICE_H

#include "tutti/job.h"

/* A platform could not be loaded: if it is a name without a file, what to do if a real machine was meant. */
void params_advise_real(const char *name, bool simulated);

/* A stored set, where @p largest (0: any) or @p tolerance (0: any) was asked for: measured to less, or by what is not
   known. */
void params_advise_stored(const char *name, const tutti_parameter_set *set, uint64_t largest, double tolerance);

/* Models that contradict each other (parameters.h). */
void params_advise_contradiction(const char *name, const tutti_parameter_set *set);

#endif
