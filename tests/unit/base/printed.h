/* The output of a function, as a string. */
#ifndef TUTTI_TEST_PRINTED_H
#define TUTTI_TEST_PRINTED_H

#include "unit/test.h"

struct printed {
  char *text;
  size_t length;
  FILE *stream;
};

static inline FILE *printed_begin(struct printed *printed)
{
  printed->stream = open_memstream(&printed->text, &printed->length);
  assert_non_null(printed->stream);
  return printed->stream;
}

/* Fails unless the output since printed_begin() is `expected`. */
static inline void printed_expect(struct printed *printed, const char *expected)
{
  assert_int_equal(fclose(printed->stream), 0);
  assert_string_equal(printed->text, expected);
  free(printed->text);
}

#endif
