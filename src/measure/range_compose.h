/* The points of tutti-range as a text, from its command line. */
#ifndef TUTTI_MEASURE_RANGE_COMPOSE_H
#define TUTTI_MEASURE_RANGE_COMPOSE_H

#include "measure/options.h"

/* Values that are given once. What they may be is checked where the text is read. */
enum range_value {
  RANGE_VALUE_SIZE,
  RANGE_VALUE_METHOD,
  RANGE_VALUE_RANGE,
  RANGE_VALUE_ENTRY,
  RANGE_VALUE_COMPARE,
  RANGE_VALUE_INNER,
  RANGE_VALUE_RANKS_PER_NODE,
  RANGE_VALUE_REPETITIONS,
  RANGE_VALUES
};

/* The command line as it stands; strings are those of argv. */
struct range_words {
  const char *points;
  const char *beside; /* name of an option that says what to time, as the points file does */
  const char *operations, *ways, *orders, *counts, *uses; /* separated by commas; NULL: as usual */
  const char *values[RANGE_VALUES];                       /* NULL: as usual */
  struct common_words common;
};

/* All operations in all ways as the words say; options->text is owned by the caller. */
tutti_status range_compose(const struct range_words *words, struct options *options, tutti_error *error);

#endif
