#include <string.h>

#include "algorithms/builders.h"

static const tutti_algorithm catalogue[] = {
#define ALGORITHM(collective, ...) {TUTTI_COLL_##collective, __VA_ARGS__},
#include "algorithms/catalogue.def"
#undef ALGORITHM
};

static const char *const collective_names[TUTTI_COLL_COUNT] = {
    [TUTTI_COLL_BCAST] = "bcast",
    [TUTTI_COLL_BARRIER] = "barrier",
    [TUTTI_COLL_REDUCE] = "reduce",
};

const char *tutti_collective_name(tutti_collective collective)
{
  return (unsigned)collective < TUTTI_COLL_COUNT ? collective_names[collective] : NULL;
}

tutti_status tutti_collective_parse(const char *name, tutti_collective *collective, tutti_error *error)
{
  for (int i = 0; i < TUTTI_COLL_COUNT; i++)
    if (strcmp(name, collective_names[i]) == 0) {
      *collective = (tutti_collective)i;
      return TUTTI_OK;
    }
  char known[256] = "";
  for (int i = 0; i < TUTTI_COLL_COUNT; i++) {
    strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, collective_names[i], sizeof known - strlen(known) - 1);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown collective '%s': known are %s", name, known);
}

size_t tutti_algorithm_count(void)
{
  return sizeof catalogue / sizeof *catalogue;
}

const tutti_algorithm *tutti_algorithm_at(size_t index)
{
  return index < tutti_algorithm_count() ? &catalogue[index] : NULL;
}

const tutti_algorithm *tutti_algorithm_find(tutti_collective collective, const char *name)
{
  for (size_t i = 0; i < tutti_algorithm_count(); i++)
    if (catalogue[i].collective == collective && strcmp(catalogue[i].name, name) == 0)
      return &catalogue[i];
  return NULL;
}
