/* Points files: what one launch of a measuring program measures. docs/reference/points-files.md describes them. All of
   them are read here; a program says in a struct points_kind which keys it has, and reads its own lines. Knows no MPI,
   so that it is tested without it. */
#ifndef TUTTI_MEASURE_POINTS_H
#define TUTTI_MEASURE_POINTS_H

#include <stddef.h>

#include "tutti/arrival.h"
#include "tutti/experiment.h"

struct points_kind;

/* What a points file says. Members that a program does not use keep the values of its kind. */
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
  void *items; /* [count] as the kind says; owned */
  size_t trace_count;
  tutti_trace *traces; /* arrival patterns (tutti-bench); owned */
};

/* A key of the first line or of the line "costs": KEY=VALUE is kept in the member at `offset`. */
struct points_key {
  const char *name;
  enum { KEY_INTEGER, KEY_NATURAL, KEY_SIZE, KEY_REAL, KEY_POSITIVE, KEY_SECONDS, KEY_SCHEME } type;
  size_t offset; /* of an int, int >= 1, uint64_t from "8KB", double, double > 0, double in [0, 1), tutti_scheme */
};

/* What the points files of a program have. */
struct points_kind {
  struct points defaults;          /* of what a file does not say */
  size_t item_size;                /* of one point; 0: the first line is all */
  const struct points_key *header; /* more keys of the first line, ended by a zeroed one; NULL: none */
  const struct points_key *costs;  /* keys of the line "costs", which stands before all points; NULL: no such line */
  /* Read another line, which is not empty and may be changed. Points are added by tutti_points_add(). The message needs
     no place. */
  tutti_status (*parse_line)(struct points *points, char *line, tutti_error *error);
  /* After the last line: are the values of the first one possible? What they must be otherwise; NULL: anything. */
  const char *(*refuse)(const struct points *points);
};

/*
 * Read the text of a points file, which is changed, for a launch of `ranks` ranks. `name` is for messages, which begin
 * with NAME:LINE; NULL: the command line. Free with tutti_points_free() after success.
 */
tutti_status tutti_points_parse(const struct points_kind *kind, char *text, const char *name, int ranks,
                                struct points *points, tutti_error *error);
void tutti_points_free(struct points *points);

/* The next point, zeroed: no more of them than there are lines. */
void *tutti_points_add(struct points *points);

/* The value of "key=value" if the word has that key, else NULL. */
const char *tutti_word_value(const char *word, const char *key);

/* Is the word "key=N"? Then *target becomes N. */
bool tutti_word_set_int(const char *word, const char *key, int *target);
bool tutti_word_set_whole(const char *word, const char *key, uint64_t max, uint64_t *target);

/* Is the word "key=X", a decimal number? Then *target becomes X. */
bool tutti_word_set_real(const char *word, const char *key, double *target);

/* TUTTI_ERR_ARGUMENT: cannot use 'WORD'. */
tutti_status tutti_word_refuse(const char *word, tutti_error *error);

#endif
