#include "decision/results/range_point.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"

enum {
  MAKES = 1u << WAY_RANGES | 1u << WAY_CREATE_GROUP | 1u << WAY_SPLIT | 1u << WAY_CREATE_GROUP_MPICH |
          1u << WAY_SPLIT_MPICH,
  MOVES = 1u << WAY_RANGES | 1u << WAY_VIEW | 1u << WAY_NATIVE,
};

static const struct operation {
  const char *name;
  unsigned ways;
  bool moves; /* data: it has a count and a method */
  tutti_collective collective;
} operations[RANGE_OPERATIONS] = {
    [RANGE_CREATE] = {"create", MAKES, false, TUTTI_COLL_BARRIER},
    [RANGE_OVERLAPPING] = {"overlapping", MAKES, false, TUTTI_COLL_BARRIER},
    [RANGE_BCAST] = {"bcast", MOVES, true, TUTTI_COLL_BCAST},
    [RANGE_REDUCE] = {"reduce", MOVES, true, TUTTI_COLL_REDUCE},
    [RANGE_SCAN] = {"scan", MOVES, true, TUTTI_COLL_SCAN},
    [RANGE_GATHER] = {"gather", MOVES, true, TUTTI_COLL_GATHER},
    [RANGE_SUBRANGE_BCAST] = {"subrange-bcast", MAKES, true, TUTTI_COLL_BCAST},
};

/* A name that begins with another one comes after it. */
static const char *const way_names[RANGE_WAYS] = {
    [WAY_RANGES] = "ranges",
    [WAY_VIEW] = "view",
    [WAY_NATIVE] = "native",
    [WAY_CREATE_GROUP] = "create-group",
    [WAY_SPLIT] = "split",
    [WAY_CREATE_GROUP_MPICH] = "create-group/mpich",
    [WAY_SPLIT_MPICH] = "split/mpich",
};

static const char *const order_names[RANGE_ORDERS] = {"-", "cascaded", "alternating"};

const char *tutti_range_operation_name(enum range_operation operation)
{
  return operation < RANGE_OPERATIONS ? operations[operation].name : NULL;
}

const char *tutti_range_way_name(enum range_way way)
{
  return way < RANGE_WAYS ? way_names[way] : NULL;
}

const char *tutti_range_order_name(enum range_order order)
{
  return order < RANGE_ORDERS ? order_names[order] : NULL;
}

bool tutti_range_has_way(enum range_operation operation, enum range_way way)
{
  return operations[operation].ways >> way & 1;
}

bool tutti_range_takes_method(enum range_operation operation, enum range_way way)
{
  return operations[operation].moves && tutti_range_is_scheduled(way);
}

bool tutti_range_is_scheduled(enum range_way way)
{
  return way != WAY_NATIVE && way != WAY_CREATE_GROUP && way != WAY_SPLIT;
}

/* ---- reading ---- */

tutti_status tutti_range_operation_parse(const char *name, enum range_operation *operation, tutti_error *error)
{
  for (int o = 0; o < RANGE_OPERATIONS; o++)
    if (strcmp(name, operations[o].name) == 0) {
      *operation = (enum range_operation)o;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "unknown operation '%s': known are create, overlapping, bcast, reduce, scan, gather, "
                    "subrange-bcast",
                    name);
}

tutti_status tutti_range_order_parse(const char *name, enum range_order *order, tutti_error *error)
{
  for (int o = 0; o < RANGE_ORDERS; o++)
    if (strcmp(name, order_names[o]) == 0) {
      *order = (enum range_order)o;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown order '%s': known are cascaded, alternating and -", name);
}

/* The longest way that the name equals, or begins with before a slash, or RANGE_WAYS. */
static int find_way(const char *name, const char **rest)
{
  for (int w = RANGE_WAYS - 1; w >= 0; w--) {
    size_t length = strlen(way_names[w]);
    *rest = name + length;
    if (strncmp(name, way_names[w], length) == 0 && (**rest == '\0' || **rest == '/'))
      return w;
  }
  return RANGE_WAYS;
}

static tutti_status reject_way(const struct range_point *point, const char *name, tutti_error *error)
{
  char known[128];
  tutti_word_list list = {.text = known, .length = sizeof known};
  for (int w = 0; w < RANGE_WAYS; w++)
    if (tutti_range_has_way(point->operation, (enum range_way)w))
      tutti_word_list_add(&list, way_names[w]);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no way '%s': it has %s", operations[point->operation].name, name,
                    tutti_word_list_end(&list));
}

/* "chain/8KB" of a broadcast: bcast/chain/8KB. */
static tutti_status parse_method(const char *text, struct range_point *point, tutti_error *error)
{
  char full[TUTTI_METHOD_LENGTH];
  const char *collective = tutti_collective_name(operations[point->operation].collective);
  if (snprintf(full, sizeof full, "%s/%s", collective, text) >= (int)sizeof full)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no method has as long a name as '%s'", text);
  tutti_status status = tutti_method_parse(full, &point->method, error);
  if (status == TUTTI_OK && tutti_method_is_library(&point->method))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is run by the MPI library, whose way is 'native'", full);
  return status;
}

tutti_status tutti_range_way_parse(const char *name, struct range_point *point, tutti_error *error)
{
  const char *rest;
  int way = find_way(name, &rest);
  if (way == RANGE_WAYS || !tutti_range_has_way(point->operation, (enum range_way)way))
    return reject_way(point, name, error);
  if (strlen(name) >= sizeof point->way_name)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the name '%s' is longer than %zu letters", name,
                      sizeof point->way_name - 1);
  point->way = (enum range_way)way;
  strcpy(point->way_name, name);
  if (tutti_range_takes_method(point->operation, point->way))
    return parse_method(*rest == '/' ? rest + 1 : "binomial", point, error);
  if (*rest == '/')
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s by %s takes no method: '%s'", operations[point->operation].name,
                      way_names[way], rest + 1);
  return TUTTI_OK;
}

/* ---- checking ---- */

int tutti_range_point_size(const struct range_point *point, int ranks)
{
  static const int overlapping = 4;
  if (point->size > 0)
    return point->size;
  if (point->operation == RANGE_OVERLAPPING)
    return overlapping;
  return tutti_range_has_way(point->operation, WAY_NATIVE) ? ranks : ranks / 2;
}

static tutti_status check_size(const struct range_point *point, int ranks, tutti_error *error)
{
  const char *name = operations[point->operation].name;
  int size = tutti_range_point_size(point, ranks);
  int least = point->operation == RANGE_OVERLAPPING ? 2 : 1, most = ranks - (point->operation == RANGE_CREATE);
  if (tutti_range_has_way(point->operation, WAY_NATIVE) && size != ranks)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is an operation of all %d ranks, not of %d", name, ranks, size);
  if (size < least || size > most)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: no group of %d of %d ranks", name, size, ranks);
  return TUTTI_OK;
}

static tutti_status check_order(const struct range_point *point, tutti_error *error)
{
  const char *name = operations[point->operation].name;
  bool splits = point->way == WAY_SPLIT || point->way == WAY_SPLIT_MPICH;
  if ((point->order != ORDER_NONE) != (point->operation == RANGE_OVERLAPPING))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has %s, not '%s'", name,
                      point->order == ORDER_NONE ? "the order cascaded or alternating" : "no order",
                      order_names[point->order]);
  if (splits && point->order == ORDER_CASCADED)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s: overlapping groups take two splits, every other group by the first one: the order is "
                      "alternating",
                      name);
  return TUTTI_OK;
}

tutti_status tutti_range_point_check(const struct range_point *point, int ranks, tutti_error *error)
{
  const struct operation *operation = &operations[point->operation];
  tutti_status status = check_order(point, error);
  if (status == TUTTI_OK)
    status = check_size(point, ranks, error);
  if (status != TUTTI_OK)
    return status;
  if (!operation->moves && point->count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s moves no data: count=%llu", operation->name,
                      (unsigned long long)point->count);
  if (point->count > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: count=%llu is more than an MPI call takes", operation->name,
                      (unsigned long long)point->count);
  bool needs_uses = point->operation == RANGE_SUBRANGE_BCAST;
  if ((point->uses > 0) != needs_uses)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s with uses=%d: it %s", operation->name, point->uses,
                      needs_uses ? "needs one or more" : "has none");
  return TUTTI_OK;
}

char *tutti_range_point_format(const struct range_point *point, char *text)
{
  snprintf(text, RANGE_POINT_LENGTH, "%s way=%s order=%s size=%d count=%llu uses=%d", operations[point->operation].name,
           point->way_name, order_names[point->order], point->size, (unsigned long long)point->count, point->uses);
  return text;
}
