#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 200, WRONG_USAGE = 2 };

static struct {
  struct CMUnitTest cases[MOST_CASES];
  size_t count;
  CMFixtureFunction setup, teardown;
  char ***arguments;
} all;

static void refuse(const char *what, const char *name)
{
  fprintf(stderr, "%s%s\n", what, name);
  exit(WRONG_USAGE);
}

void test_register(const struct CMUnitTest *test)
{
  if (all.count == MOST_CASES)
    refuse("too many cases: raise MOST_CASES, for ", test->name);
  all.cases[all.count++] = *test;
}

void test_register_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
  all.setup = setup;
  all.teardown = teardown;
}

void test_register_arguments(char ***arguments)
{
  all.arguments = arguments;
}

/* Move the case of a name to the place, before those that are not named. */
static void choose(const char *name, size_t place)
{
  for (size_t i = place; i < all.count; i++)
    if (strcmp(all.cases[i].name, name) == 0) {
      const struct CMUnitTest chosen = all.cases[i];
      all.cases[i] = all.cases[place];
      all.cases[place] = chosen;
      return;
    }
  refuse("no such case, or named twice: ", name);
}

int main(int argc, char **argv)
{
  size_t named = 0;
  if (all.count == 0)
    refuse("no case is registered in ", argv[0]);
  if (all.arguments)
    *all.arguments = argv + 1;
  else
    for (; named + 1 < (size_t)argc; named++)
      choose(argv[named + 1], named);
  return _cmocka_run_group_tests("tests", all.cases, named ? named : all.count, all.setup, all.teardown);
}
