/* Learning on the command line: options, from maps or from files of cases, and what is said about it. */
#ifndef TUTTI_CLI_LEARN_H
#define TUTTI_CLI_LEARN_H

#include "cli/options/selection.h"
#include "tutti/learn.h"
#include "tutti/target.h"

struct learn_command {
  struct selection_options selection;
  tutti_learn_options options;
  const char *attributes[TUTTI_MOST_ATTRIBUTES];
  const char *file; /* of cases, instead of collectives */
  const char *test; /* file of further cases */
  const char *data; /* where to write the cases */
  const char *output;
  int collective_count;
  tutti_collective collectives[TUTTI_COLL_COUNT];
  int per_node_count; /* 0: the one that was measured */
  int per_node[TUTTI_COLL_COUNT];
  const tutti_target *target; /* NULL: all methods are candidates */
  double smooth;              /* percent within which a method counts as best */
  bool fill;                  /* missing points */
  int folds;
  double share; /* of the points that are tested */
  bool leave_out;
  uint64_t seed;
  bool json, print;
  bool keep;           /* penalties, in the store */
  const char *keep_as; /* their name there; NULL: one of the learner and its options */
};

/* A child of its argp; the input is a tutti_c45_options. */
extern const struct argp learn_c45_argp;

/* A number from least to most given to the option --OPTION; anything else is a usage error. */
double learn_parse_percent(struct argp_state *state, const char *option, const char *text, double least, double most);

/* Fills a struct learn_command; ends the program after a usage error. */
void learn_parse(int argc, char **argv, struct learn_command *command);

/* Learn from a file of cases, or from measurements; print what came of it. */
tutti_status learn_from_file(const struct learn_command *command, tutti_error *error);
tutti_status learn_from_maps(const struct learn_command *command, tutti_error *error);

/* Write cases: FILE.arff, or STEM.names and STEM.data. */
tutti_status learn_write_cases(const char *path, const tutti_cases *cases, tutti_error *error);

#endif
