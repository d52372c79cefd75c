#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SUITES = 100, MAX_CASES = 50, WRONG_USAGE = 2 };

struct suite {
  const char *name;
  struct CMUnitTest cases[MAX_CASES];
  size_t count;
  CMFixtureFunction setup, teardown;
  char ***arguments;
};

static struct suite suites[MAX_SUITES];

static void refuse(const char *what, const char *name)
{
  fprintf(stderr, "%s%s\n", what, name);
  exit(WRONG_USAGE);
}

/* The suite of the name, or the first free place. */
static struct suite *find_suite(const char *name)
{
  for (struct suite *suite = suites; suite < suites + MAX_SUITES; suite++)
    if (!suite->name || strcmp(suite->name, name) == 0)
      return suite;
  refuse("too many suites: raise MAX_SUITES, for ", name);
  return NULL;
}

static struct suite *add_suite(const char *name)
{
  struct suite *suite = find_suite(name);
  suite->name = name;
  return suite;
}

void test_register(const char *name, const struct CMUnitTest *test)
{
  struct suite *suite = add_suite(name);
  if (suite->count == MAX_CASES)
    refuse("too many cases: raise MAX_CASES, for ", test->name);
  suite->cases[suite->count++] = *test;
}

void test_register_group(const char *name, CMFixtureFunction setup, CMFixtureFunction teardown)
{
  struct suite *suite = add_suite(name);
  suite->setup = setup;
  suite->teardown = teardown;
}

void test_register_arguments(const char *name, char ***arguments)
{
  add_suite(name)->arguments = arguments;
}

/* Move the case of a name to the place, before those that are not named. */
static void choose(struct suite *suite, const char *name, size_t place)
{
  for (size_t i = place; i < suite->count; i++)
    if (strcmp(suite->cases[i].name, name) == 0) {
      const struct CMUnitTest chosen = suite->cases[i];
      suite->cases[i] = suite->cases[place];
      suite->cases[place] = chosen;
      return;
    }
  refuse("no such case, or named twice: ", name);
}

static int run(struct suite *suite, char **arguments)
{
  size_t named = 0;
  if (suite->count == 0)
    refuse("no case is registered in the suite ", suite->name);
  if (suite->arguments)
    *suite->arguments = arguments;
  else
    for (; arguments[named]; named++)
      choose(suite, arguments[named], named);
  return _cmocka_run_group_tests("tests", suite->cases, named ? named : suite->count, suite->setup, suite->teardown);
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    for (const struct suite *suite = suites; suite < suites + MAX_SUITES && suite->name; suite++)
      puts(suite->name);
    refuse("usage: SUITE [CASE...], of ", argv[0]);
  }
  struct suite *suite = find_suite(argv[1]);
  if (!suite->name)
    refuse("no such suite: ", argv[1]);
  return run(suite, argv + 2);
}
