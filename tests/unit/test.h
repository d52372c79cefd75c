/* A unit test is its cases, in a file test_NAME.c or several; no list names them again:

       TEST(what_holds)
       {
         assert_int_equal(1 + 1, 2);
       }

   The cases of a file are the suite NAME. The tests of a wing are one program, whose main, test.c, runs the cases of
   one suite in the order of the source: unit-WING SUITE [CASE...], all or those named. Without arguments it lists its
   suites. Exit status: 0 if all passed, else how many failed; 2 without a case to run, or for a name that is not there.
 */
#ifndef TUTTI_TESTS_UNIT_TEST_H
#define TUTTI_TESTS_UNIT_TEST_H

/* The headers of the standard library that tests use. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tutti/error.h"

/* Why a call failed. */
static __attribute__((unused)) tutti_error error;

/* The error, emptied, as the argument of a call. */
#define REASON new_reason()

static inline tutti_error *new_reason(void)
{
  error = (tutti_error){.status = TUTTI_OK};
  return &error;
}

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A case, and what is done before and after it: int NAME(void **state), not 0 if it failed; or NULL. */
#define TEST_WITH(name, setup, teardown)                                                                               \
  static void name(void **state);                                                                                      \
  TEST_AT_START(register_##name)                                                                                       \
  {                                                                                                                    \
    test_register(TEST_SUITE, &(struct CMUnitTest){#name, name, setup, teardown, NULL});                               \
  }                                                                                                                    \
  static void name(__attribute__((unused)) void **state)

/* The same, and what setup made is a parameter. */
#define TEST_ON(name, setup, teardown, type, parameter)                                                                \
  static void name##_on(type *parameter);                                                                              \
  TEST_WITH(name, setup, teardown)                                                                                     \
  {                                                                                                                    \
    name##_on(*state);                                                                                                 \
  }                                                                                                                    \
  static void name##_on(__attribute__((unused)) type *parameter)

/* What is done once, before the first case and after the last. */
#define TEST_GROUP(setup, teardown)                                                                                    \
  TEST_AT_START(register_group)                                                                                        \
  {                                                                                                                    \
    test_register_group(TEST_SUITE, setup, teardown);                                                                  \
  }

/* The test's own arguments go into a variable, char **, NULL at the end: then none names a case. */
#define TEST_ARGUMENTS(variable)                                                                                       \
  TEST_AT_START(register_arguments)                                                                                    \
  {                                                                                                                    \
    test_register_arguments(TEST_SUITE, &(variable));                                                                  \
  }

/* The call returns TUTTI_OK; else the case fails with the message of its tutti_error. */
#define assert_ok(status, error)                                                                                       \
  do {                                                                                                                 \
    if ((status) != TUTTI_OK)                                                                                          \
      fail_msg("%s", (error).message);                                                                                 \
  } while (0)

#define assert_contains(text, part)                                                                                    \
  do {                                                                                                                 \
    if (!strstr(text, part))                                                                                           \
      fail_msg("'%s' does not say '%s'", text, part);                                                                  \
  } while (0)

/* The call returns the status of a failure, and the message of its tutti_error says what. */
#define assert_fails(call, status, error, part)                                                                        \
  do {                                                                                                                 \
    assert_int_equal(call, status);                                                                                    \
    assert_contains((error).message, part);                                                                            \
  } while (0)

#define assert_begins(text, start)                                                                                     \
  do {                                                                                                                 \
    if (strncmp(text, start, strlen(start)) != 0)                                                                      \
      fail_msg("'%s' does not begin with '%s'", text, start);                                                          \
  } while (0)

/* Before the declaration of a variable: the function frees it, by its address, at the end of its block. */
#define FREED_BY(function) __attribute__((cleanup(function)))

static inline void free_memory(void *variable)
{
  free(*(void **)variable);
}

static inline void close_stream(FILE **stream)
{
  fclose(*stream);
}

/* A compiler may reverse the order of constructors, but not that of their priorities; those below 101 are not ours. */
#define TEST_AT_START(name) __attribute__((constructor(101 + __LINE__))) static void name(void)

void test_register(const char *suite, const struct CMUnitTest *test);
void test_register_group(const char *suite, CMFixtureFunction setup, CMFixtureFunction teardown);
void test_register_arguments(const char *suite, char ***arguments);

#endif
