/* The points of one launch of a measuring program: a points file, which docs/reference/points-files.md describes, or
   options. All points files are read here; a program defines its keys in a struct points_kind, and reads its own lines.
   Independent of MPI, so that tests run without it. */
#ifndef TUTTI_MEASURE_POINTS_H
#define TUTTI_MEASURE_POINTS_H

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#include "tutti/arrival.h"
#include "tutti/measurement.h"

struct points_kind;

/* Content of a points file. Members that a program does not use keep the values of its kind. */
struct points {
  const struct points_kind *kind;
  int ranks; /* of the launch */
  int version, ranks_per_node;
  tutti_measure measure;
  struct {
    double element, entry, compare, range; /* seconds of simulated time (tutti-sort, tutti-range) */
    int inner;                             /* ranges made in one repetition on a real machine */
  } costs;
  uint64_t largest; /* message in bytes (tutti-params) */
  double tolerance; /* by which interpolation between message sizes may miss (tutti-params) */
  size_t count;
  void *items; /* [count] of the kind; owned */
  size_t trace_count;
  tutti_trace *traces; /* arrival patterns (tutti-bench); owned */
};

/* A key of the first line or of the line "costs": KEY=VALUE is kept in the member at `offset`. */
struct points_key {
  const char *name;
  enum { KEY_INTEGER, KEY_NATURAL, KEY_SIZE, KEY_REAL, KEY_POSITIVE, KEY_SECONDS, KEY_SCHEME } type;
  size_t offset; /* of an int, int >= 1, uint64_t from "8KB", double, double > 0, double in [0, 1), tutti_scheme */
};

/* The format of the points files of a program. */
struct points_kind {
  struct points defaults;          /* for members that a file does not set */
  size_t item_size;                /* of one point; 0: the first line is all */
  const struct points_key *header; /* more keys of the first line, ended by a zeroed one; NULL: none */
  const struct points_key *costs;  /* keys of the line "costs", which precedes all points; NULL: no such line */
  /* Read another line, which is not empty and may be changed. Points are added by tutti_points_add(). The message needs
     no place. */
  tutti_status (*parse_line)(struct points *points, char *line, tutti_error *error);
  /* After the last line: are the values of the first one possible? What they must be otherwise; NULL: anything. */
  const char *(*refuse)(const struct points *points);
};

/* The text of a points file, owned by the caller in any case. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT if it is empty. */
tutti_status tutti_points_load(const char *path, char **text, tutti_error *error);

/*
 * Read the text of a points file, which is changed, for a launch of `ranks` ranks. `name` is for messages, which begin
 * with NAME:LINE; NULL: the command line. Free with tutti_points_free() after success.
 */
tutti_status tutti_points_parse(const struct points_kind *kind, char *text, const char *name, int ranks,
                                struct points *points, tutti_error *error);
void tutti_points_free(struct points *points);

/* The next point, zeroed: no more of them than there are lines. */
void *tutti_points_add(struct points *points);

/* True if the word is "key=N", with *target set to N. */
bool tutti_word_set_int(const char *word, const char *key, int *target);
bool tutti_word_set_whole(const char *word, const char *key, uint64_t max, uint64_t *target);

/* True if the word is "key=X", a decimal number, with *target set to X. */
bool tutti_word_set_real(const char *word, const char *key, double *target);

/* TUTTI_ERR_ARGUMENT: cannot use 'WORD'. */
tutti_status tutti_word_refuse(const char *word, tutti_error *error);

/* ---- options.c: the command line of a measuring program, read by rank 0 alone: a table of options, and the program
   writes the points that they ask for as a text, as in a points file ---- */

/* An option, which takes a word. --points, --help, --usage and --version are in no table. */
struct program_option {
  const char *name;       /* "count" */
  int letter;             /* 'c'; 0: none */
  const char *argument;   /* "NUMBERS" */
  const char *help;       /* the default is appended, unless it names one */
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

/* The command line of a program. */
struct option_table {
  const char *name;        /* of the program: "tutti-sort" */
  const char *doc;         /* for --help, as in struct argp */
  const char *points_help; /* of --points */
  int count;               /* of options, MAX_OPTIONS at most */
  const struct program_option *options;
  const char *done; /* to the points: "sorted"; then no other option goes with --points. NULL: any does */

  /* Write the lines of points without --points; TUTTI_ERR_ARGUMENT without points. The first line and that of the costs
     are written already. NULL: the first line is enough. */
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
