/* The subcommands of tutti: one small file each, listed in main.c. */
#ifndef TUTTI_CLI_COMMAND_H
#define TUTTI_CLI_COMMAND_H

#include <argp.h>
#include <stdint.h>

#include "experiments/experiment_list.h"

/* Exit statuses of the command (design: exit 1 is a check that found something). */
enum { EXIT_DONE = 0, EXIT_FOUND = 1, EXIT_USAGE = 2 };

struct command {
  const char *name;
  const char *summary;
  int (*run)(int argc, char **argv); /* argv[0] is "tutti NAME"; returns an exit status */
};

/* Parse with argp; usage errors exit with EXIT_USAGE, --help and --version with 0. */
void parse_options(const struct argp *argp, int argc, char **argv, void *input);

/* A whole number from least to most given to the option --OPTION; anything else is a usage error. */
uint64_t parse_number(struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most);

/* A list of numbers ("24,64", "2..28", "16..1024*2") given to the option --OPTION, in which commas become blanks. @p
   values, which was NULL or a list before, is ascending and unique and owned by the caller. */
void parse_list(struct argp_state *state, const char *option, char *text, experiment_number *parse, uint64_t **values,
                int *count);

/* A time with its unit ("3.2ns") given to the option --OPTION; anything else is a usage error. */
void parse_time(struct argp_state *state, const char *option, const char *text, double *seconds);

/* Print "tutti: MESSAGE" on standard error and return EXIT_USAGE. */
int complain(const tutti_error *error);

int command_algorithms(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_check(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_export(int argc, char **argv);
int command_group(int argc, char **argv);
int command_guidelines(int argc, char **argv);
int command_import(int argc, char **argv);
int command_learn(int argc, char **argv);
int command_lint(int argc, char **argv);
int command_map(int argc, char **argv);
int command_maps(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_params(int argc, char **argv);
int command_penalty(int argc, char **argv);
int command_platform(int argc, char **argv);
int command_predict(int argc, char **argv);
int command_report(int argc, char **argv);
int command_schedule(int argc, char **argv);
int command_take(int argc, char **argv);
int command_whatif(int argc, char **argv);

#endif
