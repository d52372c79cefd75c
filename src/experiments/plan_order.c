/* Lists of points: their order, what starts them together, what they cost. */
#include <math.h>
#include <stdlib.h>

#include "experiments/plan_private.h"

static int compare_unsigned(uint64_t left, uint64_t right)
{
  return (left > right) - (left < right);
}

int tutti_point_compare(const void *left, const void *right)
{
  const tutti_point *a = left, *b = right;
  if (a->ranks != b->ranks)
    return a->ranks < b->ranks ? -1 : 1;
  if (a->result)
    return tutti_result_compare(a->result, b->result);
  if (a->build.builder)
    return tutti_group_point_compare(&a->build, &b->build);
  if (a->root != b->root)
    return a->root < b->root ? -1 : 1;
  int order = tutti_method_compare(&a->method, &b->method);
  if (order == 0)
    order = compare_unsigned(a->count, b->count);
  if (order == 0)
    order = compare_unsigned(a->type_size, b->type_size);
  if (order == 0)
    order = tutti_arrival_compare(&a->arrival, &b->arrival);
  return order ? order : tutti_noise_compare(&a->noise, &b->noise);
}

int tutti_point_launch(const tutti_point *point)
{
  return !point->result && !point->build.builder && tutti_method_is_native(&point->method)
             ? 1 + point->method.parameters.k
             : 0;
}

int tutti_point_compare_cost(const void *left, const void *right)
{
  const tutti_point *a = left, *b = right;
  if (a->ranks != b->ranks)
    return a->ranks > b->ranks ? -1 : 1;
  if (tutti_point_launch(a) != tutti_point_launch(b))
    return tutti_point_launch(a) < tutti_point_launch(b) ? -1 : 1;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  return tutti_point_compare(left, right);
}

/* Up and down the original tree for the construction and around it, and five messages a member. */
static double build_cost(const tutti_group_point *point)
{
  double members = point->sample.members >= 0 ? point->sample.members : point->sample.fraction * point->sample.size;
  return 4.0 * point->sample.size + 5 * members;
}

/* A few messages to each process on each of log p levels, and what is moved. */
static double result_cost(const tutti_result *result)
{
  int count = result->kind == TUTTI_RESULT_SORT ? TUTTI_SORT_FIELD_COUNT : TUTTI_RANGE_FIELD_COUNT;
  double ranks = tutti_result_ranks(result, 1);
  return ranks * (1 + log2(ranks)) * (8 + (double)result->values[count].whole / 64);
}

double tutti_point_cost(const tutti_point *point)
{
  if (point->result)
    return result_cost(point->result);
  if (point->build.builder)
    return build_cost(&point->build);
  uint64_t bytes = point->count * point->type_size;
  uint64_t segment = point->method.parameters.segment_bytes;
  uint64_t segments = segment ? bytes / segment + (bytes % segment != 0) : 1;
  unsigned traits = tutti_collective_traits(point->method.algorithm->collective);
  double peers = traits & TUTTI_HAS_BLOCKS && !(traits & TUTTI_HAS_ROOT) ? point->ranks : 1;
  return (double)point->ranks * peers * (double)(segments ? segments : 1);
}
