/* Methods by their names. */
#ifndef TUTTI_TESTS_METHOD_FIXTURE_H
#define TUTTI_TESTS_METHOD_FIXTURE_H

#include "tutti/algorithm.h"
#include "unit/test.h"

static inline tutti_method parsed(const char *text)
{
  tutti_method method;
  assert_ok(tutti_method_parse(text, &method, &error), error);
  return method;
}

#endif
