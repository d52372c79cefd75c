/* Options about where the jobs of an experiment run: here, on hosts of a file, in the queue of Slurm. */
#ifndef TUTTI_CLI_LAUNCH_OPTIONS_H
#define TUTTI_CLI_LAUNCH_OPTIONS_H

#include <argp.h>

#include "cli/options/option.h"
#include "cli/program.h"
#include "tutti/job.h"

/* Keys of the subcommand's own options follow. */
enum {
  OPTION_LAUNCHER = OPTION_OTHERS,
  OPTION_LAUNCHER_ARGS,
  OPTION_HOSTFILE,
  OPTION_RANKS_PER_NODE,
  OPTION_SLURM_ARGS,
  OPTION_SUBMIT_ONLY,
  OPTION_WORK_DIR,
  OPTION_BENCH
};

/* A child parser, whose input is a tutti_launch_options, zero-initialized. */
extern const struct argp launch_argp;

/* Rows for a tutti_launch_options. */
extern const struct option_row launch_table[];

#endif
