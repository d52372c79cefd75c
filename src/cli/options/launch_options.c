#include "cli/options/launch_options.h"

#include <string.h>

#include "cli/command.h"

static const struct argp_option option_table[] = {
    {"launcher", OPTION_LAUNCHER, "NAME", 0,
     "'slurm': as an array of jobs in the queue of Slurm; or what starts ranks on a real machine: mpirun, srun, a "
     "path (default: mpiexec of the flavour); 'slurm:NAME': that within the jobs",
     0},
    {"launcher-args", OPTION_LAUNCHER_ARGS, "WORDS", 0, "More arguments for what starts ranks on a real machine", 0},
    {"hostfile", OPTION_HOSTFILE, "FILE", 0,
     "Hosts of a real machine, a line 'NAME:RANKS' or 'NAME slots=RANKS' each; all have as many ranks", 0},
    {"ranks-per-node", OPTION_RANKS_PER_NODE, "N", 0,
     "Ranks on a node of a real machine without a hostfile, as recorded and asked of Slurm (default: 1)", 0},
    {"slurm-args", OPTION_SLURM_ARGS, "WORDS", 0, "More options for sbatch, such as '-p short -t 30'", 0},
    {"submit-only", OPTION_SUBMIT_ONLY, NULL, 0,
     "Do not wait for the queue: the same command later takes in what has arrived and submits what is missing", 0},
    {"work-dir", OPTION_WORK_DIR, "DIR", 0,
     "Make the work directory in DIR, which all nodes see (default: beside the store)", 0},
    {0}};

/* "slurm", "slurm:srun", "mpirun". */
static void parse_launcher(const char *name, tutti_launch_options *options)
{
  options->slurm = strcmp(name, "slurm") == 0 || strncmp(name, "slurm:", 6) == 0;
  options->command = options->slurm ? (name[5] ? name + 6 : NULL) : name;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  tutti_launch_options *options = state->input;
  switch (key) {
  case OPTION_LAUNCHER:
    parse_launcher(argument, options);
    return 0;
  case OPTION_LAUNCHER_ARGS:
    options->arguments = argument;
    return 0;
  case OPTION_HOSTFILE:
    options->hostfile = argument;
    return 0;
  case OPTION_RANKS_PER_NODE:
    options->ranks_per_node = (int)parse_number(state, "ranks-per-node", argument, 1, 1 << 20);
    return 0;
  case OPTION_SLURM_ARGS:
    options->slurm_options = argument;
    return 0;
  case OPTION_SUBMIT_ONLY:
    options->submit_only = true;
    return 0;
  case OPTION_WORK_DIR:
    options->work_directory = argument;
    return 0;
  case ARGP_KEY_END:
    if (!options->slurm && (options->submit_only || options->slurm_options))
      argp_error(state, "--submit-only and --slurm-args are for --launcher slurm");
    if (options->hostfile && options->ranks_per_node)
      argp_error(state, "the hostfile says how many ranks a node has: --ranks-per-node is one too many");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp launch_argp = {.options = option_table, .parser = parse_option};

/* ---- by table ---- */

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
