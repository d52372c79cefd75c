/* Options of C4.5, as those of the c4.5 program where they have letters. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/learn/learn.h"

enum { KEY_GAIN = 0x780, KEY_UNPRUNED, KEY_NO_RAISING, KEY_LIMIT };

static const struct argp_option table[] = {
    {"weight", 'm', "CASES", 0, "least cases of two branches of a test (default 2)", 0},
    {"confidence", 'c', "PERCENT", 0, "confidence level of pruning: lower prunes more (default 25)", 0},
    {"grouping", 's', NULL, 0, "test groups of the values of discrete attributes", 0},
    {"gain", KEY_GAIN, NULL, 0, "choose tests by gain instead of gain ratio", 0},
    {"unpruned", KEY_UNPRUNED, NULL, 0, "leave the tree as it was grown", 0},
    {"no-raising", KEY_NO_RAISING, NULL, 0, "prune by leaves only, never by a branch", 0},
    {"limit", KEY_LIMIT, "release8|normal", 0,
     "estimate errors by the table of C4.5 Release 8 (default), or by the exact normal quantile, as WEKA's J48", 0},
    {"trials", 't', "N", 0, "windowing: grow N trees from windows and keep the best", 0},
    {"window", 'w', "CASES", 0, "cases of the first window", 0},
    {"increment", 'i', "CASES", 0, "cases that a window grows by at most", 0},
    {0},
};

double learn_parse_percent(struct argp_state *state, const char *option, const char *text, double least, double most)
{
  char *end;
  double number = strtod(text, &end);
  if (end == text || *end || !(number >= least && number <= most))
    argp_error(state, "--%s: '%s' is not a number from %g to %g", option, text, least, most);
  return number;
}

static void take_limit(struct argp_state *state, tutti_c45_options *c45, const char *text)
{
  c45->limit = strcmp(text, "normal") == 0 ? TUTTI_LIMIT_NORMAL : TUTTI_LIMIT_RELEASE8;
  if (strcmp(text, "normal") != 0 && strcmp(text, "release8") != 0)
    argp_error(state, "--limit: '%s' is neither release8 nor normal", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  tutti_c45_options *c45 = state->input;
  switch (key) {
  case 'm':
    c45->weight = learn_parse_percent(state, "weight", text, 1, 1e9);
    return 0;
  case 'c':
    c45->confidence = learn_parse_percent(state, "confidence", text, 1e-3, 100);
    return 0;
  case 's':
    c45->grouping = true;
    return 0;
  case KEY_GAIN:
    c45->gain = true;
    return 0;
  case KEY_UNPRUNED:
    c45->unpruned = true;
    return 0;
  case KEY_NO_RAISING:
    c45->no_raising = true;
    return 0;
  case KEY_LIMIT:
    take_limit(state, c45, text);
    return 0;
  case 't':
    c45->trials = (int)parse_number(state, "trials", text, 1, 1000);
    return 0;
  case 'w':
    c45->window = parse_number(state, "window", text, 1, UINT32_MAX);
    return 0;
  case 'i':
    c45->increment = parse_number(state, "increment", text, 1, UINT32_MAX);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp learn_c45_argp = {.options = table, .parser = parse};
