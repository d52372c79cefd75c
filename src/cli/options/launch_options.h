/* Options about where the jobs of an experiment run: here, on hosts of a file, in the queue of Slurm. */
#ifndef TUTTI_CLI_LAUNCH_OPTIONS_H
#define TUTTI_CLI_LAUNCH_OPTIONS_H

#include "cli/options/option.h"
#include "cli/program.h"
#include "tutti/job.h"

/* Rows for a tutti_launch_options. */
extern const struct option_row launch_table[];

#endif
