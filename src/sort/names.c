#include "tutti/sort.h"

#include <stdio.h>
#include <string.h>

/* Words of one kind, by their numbers. */
struct words {
  const char *kind;
  const char *const *names; /* [count] */
  int count;
};

static const char *const algorithm_names[] = {"janus", "sample", "hypercube"};
static const char *const layer_names[] = {"ranges", "create-group", "split", "create-group/mpich", "split/mpich"};
static const char *const order_names[] = {"alternating", "cascaded"};
static const char *const assignment_names[] = {"greedy", "deterministic"};

_Static_assert(sizeof algorithm_names / sizeof *algorithm_names == TUTTI_SORT_ALGORITHMS,
               "an algorithm without a name");
_Static_assert(sizeof layer_names / sizeof *layer_names == TUTTI_SORT_LAYERS, "a layer without a name");
_Static_assert(sizeof order_names / sizeof *order_names == TUTTI_SORT_ORDERS, "an order without a name");
_Static_assert(sizeof assignment_names / sizeof *assignment_names == TUTTI_SORT_ASSIGNMENTS,
               "an assignment without a name");

static const struct words algorithms = {"algorithm", algorithm_names, TUTTI_SORT_ALGORITHMS};
static const struct words layers = {"layer", layer_names, TUTTI_SORT_LAYERS};
static const struct words orders = {"order", order_names, TUTTI_SORT_ORDERS};
static const struct words assignments = {"assignment", assignment_names, TUTTI_SORT_ASSIGNMENTS};

static const char *name_of(const struct words *words, int value)
{
  return value >= 0 && value < words->count ? words->names[value] : NULL;
}

const char *tutti_sort_algorithm_name(tutti_sort_algorithm algorithm)
{
  return name_of(&algorithms, (int)algorithm);
}

const char *tutti_sort_layer_name(tutti_sort_layer layer)
{
  return name_of(&layers, (int)layer);
}

const char *tutti_sort_order_name(tutti_sort_order order)
{
  return name_of(&orders, (int)order);
}

const char *tutti_sort_assignment_name(tutti_sort_assignment assignment)
{
  return name_of(&assignments, (int)assignment);
}

enum { KNOWN_LENGTH = 120 };

/* The number of `name` among the words; -1: it is none of them. */
static int parse(const struct words *words, const char *name, tutti_error *error)
{
  char known[KNOWN_LENGTH];
  int length = 0;
  for (int i = 0; i < words->count; i++) {
    if (strcmp(words->names[i], name) == 0)
      return i;
    length += snprintf(known + length, sizeof known - (size_t)length, "%s%s", i ? ", " : "", words->names[i]);
  }
  tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s '%s' is none of %s", words->kind, name, known);
  return -1;
}

tutti_status tutti_sort_algorithm_parse(const char *name, tutti_sort_algorithm *algorithm, tutti_error *error)
{
  int value = parse(&algorithms, name, error);
  if (value >= 0)
    *algorithm = (tutti_sort_algorithm)value;
  return value >= 0 ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}

tutti_status tutti_sort_layer_parse(const char *name, tutti_sort_layer *layer, tutti_error *error)
{
  int value = parse(&layers, name, error);
  if (value >= 0)
    *layer = (tutti_sort_layer)value;
  return value >= 0 ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}

tutti_status tutti_sort_order_parse(const char *name, tutti_sort_order *order, tutti_error *error)
{
  int value = parse(&orders, name, error);
  if (value >= 0)
    *order = (tutti_sort_order)value;
  return value >= 0 ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}

tutti_status tutti_sort_assignment_parse(const char *name, tutti_sort_assignment *assignment, tutti_error *error)
{
  int value = parse(&assignments, name, error);
  if (value >= 0)
    *assignment = (tutti_sort_assignment)value;
  return value >= 0 ? TUTTI_OK : TUTTI_ERR_ARGUMENT;
}
