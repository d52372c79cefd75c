/* Words of a points file: KEY=VALUE, and the line that each such file begins with:

       tutti-points v=1 scheme=occ warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=1 */
#ifndef TUTTI_MEASURE_WORDS_H
#define TUTTI_MEASURE_WORDS_H

#include "tutti/experiment.h"

/* Where a word stands. */
struct position {
  const char *name; /* NULL: the command line, whose lines nobody has seen */
  int line;
};

/* NAME:LINE: MESSAGE. */
tutti_status tutti_position_complain(const struct position *at, tutti_status status, const char *message,
                                     tutti_error *error);

/* NAME:LINE: WHAT 'WORD'. */
tutti_status tutti_word_complain(const struct position *at, const char *what, const char *word, tutti_error *error);

/* The value of "key=value" if the word has that key, else NULL. */
const char *tutti_word_value(const char *word, const char *key);

/* A whole number from 0 to `most`, and nothing behind it. */
bool tutti_word_number(const char *text, uint64_t most, uint64_t *value);

/* Is the word "key=N"? Then *target becomes N. */
bool tutti_word_take_int(const char *word, const char *key, int *target);

/* Is the word "key=X", a decimal number? Then *target becomes X. */
bool tutti_word_take_real(const char *word, const char *key, double *target);

/* The same of seconds: less than one, and not negative. */
bool tutti_word_take_seconds(const char *word, const char *key, double *target);

/* What to read a text into. What its first line does not say keeps its value. */
struct lines {
  tutti_measure *measure;
  int *ranks_per_node;
  /* Any other line that is not empty; it may be changed. */
  tutti_status (*take)(void *points, char *line, const struct position *at, tutti_error *error);
  void *points;
};

/* Read a text, which is changed, up to the first fault. */
tutti_status tutti_lines_parse(char *text, const char *name, const struct lines *lines, tutti_error *error);

/* Lines of a text, the last one without a newline included: no fewer than its points. */
size_t tutti_count_lines(const char *text);

#endif
