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
  const struct argp *argp; /* of these */
};

/* Whether --help shows the option, of a command with more than OPTIONS_SHOWN. */
enum { OPTIONS_SHOWN = 14 };
bool option_is_everyday(const struct option_row *option);

/* For argp: the rows that ask for help, and what a key of them does: print it and end the program. @{ */
void options_add_help(struct parser *parser);
bool options_help(const struct parser *parser, int key, const struct argp_state *state);
/* @} */

/* The row of a key of argp; NULL: it is none of ours. */
const struct bound *option_of_key(const struct parser *parser, int key);

/* End the program with a sentence about an option that is not known, before argp, which says no more than that. */
void options_check_names(const struct parser *parser, int argc, char **argv);

#endif
