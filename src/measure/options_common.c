/* What the command lines of measuring programs have in common. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>

#include "measure/options.h"

static const struct argp_option option_table[] = {
    {"help", 'h', NULL, 0, "Print this help", 0}, {"version", 'V', NULL, 0, "Print the version", 0}, {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
  struct common_words *words = state->input;
  switch (key) {
  case 'h':
    words->handled = true;
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
    return 0;
  case 'V':
    words->handled = true;
    printf("%s " TUTTI_VERSION "\n", words->program);
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "unexpected argument '%s'", argument);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {.options = option_table, .parser = parse_option};

const struct argp_child options_common[] = {{&argp, 0, NULL, 0}, {0}};

tutti_status options_parse(const struct argp *program, int argc, char **argv, void *words, tutti_error *error)
{
  if (argp_parse(program, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, words) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the command line is wrong: see --help");
  return TUTTI_OK;
}
