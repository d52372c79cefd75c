/* The points of tutti-range as a text, from its command line. */
#ifndef TUTTI_MEASURE_RANGE_COMPOSE_H
#define TUTTI_MEASURE_RANGE_COMPOSE_H

#include "measure/options_words.h"

/* Options; what most may be is checked where the text is read. */
enum range_word {
  RANGE_WORD_OPERATIONS, /* separated by commas, as those down to the uses */
  RANGE_WORD_WAYS,       /* not given: all that an operation has */
  RANGE_WORD_ORDERS,     /* not given: those that a way has */
  RANGE_WORD_COUNTS,
  RANGE_WORD_USES,
  RANGE_WORD_SIZE,
  RANGE_WORD_METHOD,
  RANGE_WORD_RANGE,
  RANGE_WORD_ENTRY,
  RANGE_WORD_COMPARE,
  RANGE_WORD_INNER,
  RANGE_WORD_RANKS_PER_NODE,
  RANGE_WORD_REPETITIONS,
  RANGE_WORDS
};

/* All operations in all ways as the words say. */
tutti_status range_compose(FILE *stream, const struct options_words *words, tutti_error *error);

#endif
