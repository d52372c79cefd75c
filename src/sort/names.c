#include "tutti/sort_type.h"

#include <stdio.h>
#include <string.h>

static const char *const algorithms[] = {"janus", "sample", "hypercube"};
static const char *const layers[] = {"ranges", "create-group", "split", "create-group/mpich", "split/mpich"};
static const char *const orders[] = {"alternating", "cascaded"};
static const char *const assignments[] = {"greedy", "deterministic"};

_Static_assert(sizeof algorithms / sizeof *algorithms == TUTTI_SORT_ALGORITHMS, "an algorithm without a name");
_Static_assert(sizeof layers / sizeof *layers == TUTTI_SORT_LAYERS, "a layer without a name");
_Static_assert(sizeof orders / sizeof *orders == TUTTI_SORT_ORDERS, "an order without a name");
_Static_assert(sizeof assignments / sizeof *assignments == TUTTI_SORT_ASSIGNMENTS, "an assignment without a name");

static const char *name_of(const char *const *names, int count, int value)
{
  return value >= 0 && value < count ? names[value] : NULL;
}

const char *tutti_sort_algorithm_name(tutti_sort_algorithm algorithm)
{
  return name_of(algorithms, TUTTI_SORT_ALGORITHMS, (int)algorithm);
}

const char *tutti_sort_layer_name(tutti_sort_layer layer)
{
  return name_of(layers, TUTTI_SORT_LAYERS, (int)layer);
}

const char *tutti_sort_order_name(tutti_sort_order order)
{
  return name_of(orders, TUTTI_SORT_ORDERS, (int)order);
}

const char *tutti_sort_assignment_name(tutti_sort_assignment assignment)
{
  return name_of(assignments, TUTTI_SORT_ASSIGNMENTS, (int)assignment);
}

enum { KNOWN_LENGTH = 120 };

/* The number of `name` among the names. */
static tutti_status parse(const char *what, const char *const *names, int count, const char *name, int *value,
                          tutti_error *error)
{
  char known[KNOWN_LENGTH];
  int length = 0;
  for (int i = 0; i < count; i++) {
    if (strcmp(names[i], name) == 0) {
      *value = i;
      return TUTTI_OK;
    }
    length += snprintf(known + length, sizeof known - (size_t)length, "%s%s", i ? ", " : "", names[i]);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s '%s' is none of %s", what, name, known);
}

tutti_status tutti_sort_algorithm_parse(const char *name, tutti_sort_algorithm *algorithm, tutti_error *error)
{
  int value = 0;
  tutti_status status = parse("algorithm", algorithms, TUTTI_SORT_ALGORITHMS, name, &value, error);
  if (status == TUTTI_OK)
    *algorithm = (tutti_sort_algorithm)value;
  return status;
}

tutti_status tutti_sort_layer_parse(const char *name, tutti_sort_layer *layer, tutti_error *error)
{
  int value = 0;
  tutti_status status = parse("layer", layers, TUTTI_SORT_LAYERS, name, &value, error);
  if (status == TUTTI_OK)
    *layer = (tutti_sort_layer)value;
  return status;
}

tutti_status tutti_sort_order_parse(const char *name, tutti_sort_order *order, tutti_error *error)
{
  int value = 0;
  tutti_status status = parse("order", orders, TUTTI_SORT_ORDERS, name, &value, error);
  if (status == TUTTI_OK)
    *order = (tutti_sort_order)value;
  return status;
}

tutti_status tutti_sort_assignment_parse(const char *name, tutti_sort_assignment *assignment, tutti_error *error)
{
  int value = 0;
  tutti_status status = parse("assignment", assignments, TUTTI_SORT_ASSIGNMENTS, name, &value, error);
  if (status == TUTTI_OK)
    *assignment = (tutti_sort_assignment)value;
  return status;
}
