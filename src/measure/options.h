/* The command line of a measuring program, read by rank 0 alone: a table says which options there are, and the program
   writes the points that they ask for as a text, as in a points file. */
#ifndef TUTTI_MEASURE_OPTIONS_H
#define TUTTI_MEASURE_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tutti/error.h"

/* An option, which takes a word. --points, --help and --version are in no table. */
struct program_option {
  const char *name;       /* "count" */
  int letter;             /* 'c'; 0: none */
  const char *argument;   /* "NUMBERS" */
  const char *help;       /* to which the default is added, unless it tells it itself */
  const char *by_default; /* NULL: none */
  uint64_t min, max;      /* of the whole number that it must be; max = 0: any word, which is checked with the points */
  /* Its place in a points file as KEY=VALUE: HEADER in the first line, COSTS in the line "costs" if it is given. OTHER:
     the program writes it. */
  enum { OPTION_OTHER, OPTION_HEADER, OPTION_COSTS } place;
  const char *key;
  bool adds; /* given several times, its values make one list, separated by commas */
};

/* A word, a whole number, costs in the line "costs". @{ */
#define OPTION_WORD(n, l, a, d, h)                                                                                     \
  {                                                                                                                    \
    .name = n, .letter = l, .argument = a, .by_default = d, .help = h                                                  \
  }
#define OPTION_NUMBER(n, l, a, d, low, high, h)                                                                        \
  {                                                                                                                    \
    .name = n, .letter = l, .argument = a, .by_default = d, .min = low, .max = high, .help = h                         \
  }
#define OPTION_LIST(n, l, a, h)                                                                                        \
  {                                                                                                                    \
    .name = n, .letter = l, .argument = a, .help = h, .adds = true                                                     \
  }
#define OPTION_KEY(n, l, a, d, k, h)                                                                                   \
  {                                                                                                                    \
    .name = n, .letter = l, .argument = a, .by_default = d, .help = h, .place = OPTION_HEADER, .key = k                \
  }
#define OPTION_COST(n, a, k, h)                                                                                        \
  {                                                                                                                    \
    .name = n, .argument = a, .help = h, .place = OPTION_COSTS, .key = k                                               \
  }
/** @} */

/* The options that all programs with points have. @{ */
#define OPTION_RANKS_PER_NODE(h)                                                                                       \
  {                                                                                                                    \
    .name = "ranks-per-node", .argument = "N", .by_default = "1", .min = 1, .max = INT_MAX, .help = h,                 \
    .place = OPTION_HEADER, .key = "ranks_per_node"                                                                    \
  }
#define OPTION_REPETITIONS                                                                                             \
  {                                                                                                                    \
    .name = "repetitions", .argument = "N", .by_default = "200", .min = 1, .max = INT_MAX,                             \
    .help = "Most repetitions on a real machine", .place = OPTION_HEADER, .key = "repetitions_max"                     \
  }
/** @} */

enum { MAX_OPTIONS = 16 };

struct options;

/* What a program's command line is like. */
struct option_table {
  const char *name;        /* of the program: "tutti-sort" */
  const char *doc;         /* for --help, as in struct argp */
  const char *points_help; /* of --points */
  int count;               /* of options, MAX_OPTIONS at most */
  const struct program_option *options;
  const char *done; /* to the points: "sorted"; then no other option goes with --points. NULL: any does */

  /* Write the lines of points that are asked for without --points; TUTTI_ERR_ARGUMENT if none are. The first line and
     that of the costs are written already. NULL: the first line says all. */
  tutti_status (*write)(FILE *stream, const struct options *options, tutti_error *error);
};

/* A command line. */
struct options {
  const struct option_table *table;
  char *given[MAX_OPTIONS]; /* by the number of the option; NULL: not given; owned */
  const char *beside;       /* the last option that is not --points; NULL: none */
  const char *points;       /* the points file; NULL: none */
  bool handled;             /* --help or --version has been answered */
  char *text;               /* of the points, as in a points file; NULL: there is nothing to do; owned */
};

/* Read a command line, and the points file if it names one, or else write the points. Free with options_free() in any
   case. */
tutti_status options_read(const struct option_table *table, int argc, char **argv, struct options *options,
                          tutti_error *error);
void options_free(struct options *options);

/* The word of an option, or its default. */
const char *option_word(const struct options *options, int number);

/* Words of a list that is separated by commas: the next one, of *length letters; NULL at the end. */
const char *option_next(const char **list, int *length);

#endif
