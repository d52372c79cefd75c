/* Tables of options, as they are handed to argp. */
#ifndef TUTTI_CLI_OPTION_PARSER_H
#define TUTTI_CLI_OPTION_PARSER_H

#include <argp.h>

#include "cli/options/option.h"

enum { OPTION_LETTERS = 128 };

/* A row of any of the tables, and the struct that it is for. */
struct bound {
  const struct option_row *option;
  char *values;
};

struct parser {
  TUTTI_VECTOR(struct bound);     /* the rows in order; row i has the key FIRST_KEY + i, and its letters */
  size_t letters[OPTION_LETTERS]; /* the row of a letter, + 1 */
  struct {
    TUTTI_VECTOR(struct argp_option);
  } shown;
  struct option_strings texts; /* that belong to the parser */
  int group;
};

/* End the program with a sentence about an option that is not known, before argp, which says no more than that. */
void options_check_names(const struct parser *parser, int argc, char **argv);

#endif
