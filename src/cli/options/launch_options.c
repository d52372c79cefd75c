#include "cli/options/launch_options.h"

#include <string.h>

#include "cli/command.h"

/* "slurm", "slurm:srun", "mpirun". */
static void parse_launcher(const char *name, tutti_launch_options *options)
{
  options->slurm = strcmp(name, "slurm") == 0 || strncmp(name, "slurm:", 6) == 0;
  options->command = options->slurm ? (name[5] ? name + 6 : NULL) : name;
}

static tutti_status read_launcher(void *member, const char *text, tutti_error *error)
{
  (void)error;
  parse_launcher(text, member);
  return TUTTI_OK;
}

static tutti_status check(void *values, tutti_error *error)
{
  const tutti_launch_options *options = values;
  if (!options->slurm && (options->submit_only || options->slurm_options))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--submit-only and --slurm-args are for --launcher slurm");
  if (options->hostfile && options->ranks_per_node)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "--ranks-per-node cannot be combined with --hostfile, which has the number of ranks per node");
  return TUTTI_OK;
}

const struct option_row launch_table[] = {
    OPTION_PARSE_ALL("launcher", "NAME", read_launcher,
                     "'slurm': as an array of jobs in the queue of Slurm; or what starts ranks on a real machine: "
                     "mpirun, srun, a path; 'slurm:NAME': that within the jobs",
                     .otherwise = "mpiexec of the flavor"),
    OPTION_STRING("launcher-args", "WORDS", tutti_launch_options, arguments,
                  "more arguments for what starts ranks on a real machine"),
    OPTION_STRING("hostfile", "FILE", tutti_launch_options, hostfile,
                  "hosts of a real machine, a line 'NAME:RANKS' or 'NAME slots=RANKS' each; all have as many ranks"),
    OPTION_NUMBER("ranks-per-node", "N", tutti_launch_options, ranks_per_node,
                  "ranks on a node of a real machine without a hostfile, as recorded and asked of Slurm", .min = 1,
                  .max = 1 << 20, .otherwise = "1"),
    OPTION_STRING("slurm-args", "WORDS", tutti_launch_options, slurm_options,
                  "more options for sbatch, such as '-p short -t 30'"),
    OPTION_FLAG("submit-only", tutti_launch_options, submit_only,
                "do not wait for the queue: the same command later takes in what has arrived and submits what is "
                "missing"),
    OPTION_STRING("work-dir", "DIR", tutti_launch_options, work_directory,
                  "make the work directory in DIR, which all nodes see", .otherwise = "beside the store"),
    OPTION_CHECK(check),
    OPTION_END};
