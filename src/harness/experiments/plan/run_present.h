/* What a store has of an experiment already. */
#ifndef TUTTI_EXPERIMENTS_RUN_PRESENT_H
#define TUTTI_EXPERIMENTS_RUN_PRESENT_H

#include "harness/experiments/jobs/job.h"

/* What the store has of all environments that the manifest allows: jobs in a queue may turn out to measure in any. */
tutti_status tutti_run_read_allowed(struct run *run, tutti_selection *selection, tutti_present *present);

/* Does a store that cannot be written have all points of a simulation already? Then nothing is opened, or to be run. */
bool tutti_run_has_all(struct run *run);

#endif
