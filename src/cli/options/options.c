/* What all subcommands share: options, usage errors, complaints. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "platforms/platform_private.h"

void parse_options(const struct argp *argp, int argc, char **argv, void *input)
{
  argp_err_exit_status = EXIT_USAGE;
  int code = argp_parse(argp, argc, argv, 0, NULL, input);
  if (code == 0)
    return;
  fprintf(stderr, "%s: %s\n", argv[0], strerror(code));
  exit(EXIT_USAGE);
}

uint64_t parse_number(struct argp_state *state, const char *option, const char *text, uint64_t least, uint64_t most)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (end == text || *end || *text == '-' || errno || number < least || number > most)
    argp_error(state, "--%s: '%s' is not a whole number from %llu to %llu", option, text, (unsigned long long)least,
               (unsigned long long)most);
  return number;
}

static char *blanks_for_commas(char *text)
{
  for (char *c = text; (c = strchr(c, ','));)
    *c = ' ';
  return text;
}

void parse_list(struct argp_state *state, const char *option, char *text, experiment_number *parse, uint64_t **values,
                int *count)
{
  tutti_error error;
  free(*values);
  *values = NULL;
  if (tutti_experiment_parse_list(blanks_for_commas(text), parse, values, count, &error) != TUTTI_OK)
    argp_error(state, "--%s: %s", option, error.message);
}

void parse_time(struct argp_state *state, const char *option, const char *text, double *seconds)
{
  tutti_error error;
  if (tutti_platform_parse_time(text, seconds, &error) != TUTTI_OK)
    argp_error(state, "--%s: %s", option, error.message);
}
