/* Collectives of SimGrid's time-independent traces. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_ti.h"

#define MAX_COUNT (double)(UINT64_C(1) << 36)

/* What the arguments of an action are, one letter each: s, r: elements sent and received; S, R: such a number for each
   rank; f: flop after it; o: the root, t: datatype of what is sent, u: of what is received, where they are given; b: of
   a buffer, not needed. */
struct action {
  const char *name;
  tutti_collective collective;
  const char *arguments;
};

static const struct action actions[] = {
    {"barrier", TUTTI_COLL_BARRIER, ""},
    {"bcast", TUTTI_COLL_BCAST, "sot"},
    {"reduce", TUTTI_COLL_REDUCE, "sfot"},
    {"allreduce", TUTTI_COLL_ALLREDUCE, "sft"},
    {"scan", TUTTI_COLL_SCAN, "sft"},
    {"exscan", TUTTI_COLL_EXSCAN, "sft"},
    {"alltoall", TUTTI_COLL_ALLTOALL, "sbtu"},
    {"gather", TUTTI_COLL_GATHER, "sbotu"},
    {"allgather", TUTTI_COLL_ALLGATHER, "sbtu"},
    {"scatter", TUTTI_COLL_SCATTER, "brotu"},
    {"alltoallv", TUTTI_COLL_ALLTOALLV, "bSbRtu"},
    {"gatherv", TUTTI_COLL_GATHERV, "sRotu"},
    {"allgatherv", TUTTI_COLL_ALLGATHERV, "sRtu"},
    {"scatterv", TUTTI_COLL_SCATTERV, "Srotu"},
    {"reducescatter", TUTTI_COLL_REDUCE_SCATTER, "Rft"},
};

/* The arguments of a call. */
struct values {
  uint64_t sent, received, flops, root, sent_bytes, received_bytes;
  struct workload_vector out, in; /* elements for each rank; owned */
};

static bool read_vector(struct ti *ti, size_t at, struct workload_vector *vector)
{
  const uint32_t ranks = ti->workload->rank_count;
  if (at + ranks > tutti_ti_arguments(ti))
    return tutti_ti_pass(ti, "an action with too few arguments", ""), false;
  vector->items = tutti_xcalloc(ranks, sizeof *vector->items);
  vector->count = ranks;
  for (uint32_t r = 0; r < ranks; r++)
    if (!tutti_ti_number(ti, at + r, MAX_COUNT, &vector->items[r]))
      return false;
  return true;
}

static bool read_value(struct ti *ti, char argument, size_t *at, struct values *values)
{
  uint64_t ignored;
  const size_t here = (*at)++;
  switch (argument) {
  case 's':
    return tutti_ti_number(ti, here, MAX_COUNT, &values->sent);
  case 'r':
    return tutti_ti_number(ti, here, MAX_COUNT, &values->received);
  case 'b':
    return tutti_ti_number(ti, here, MAX_COUNT, &ignored);
  case 'f':
    return tutti_ti_number(ti, here, (double)(UINT64_C(1) << 58), &values->flops);
  case 'o':
    return here >= tutti_ti_arguments(ti) || tutti_ti_rank(ti, here, &values->root);
  case 't':
    return tutti_ti_type(ti, here, &values->sent_bytes);
  case 'u':
    return tutti_ti_type(ti, here, &values->received_bytes);
  default:
    *at += ti->workload->rank_count - 1;
    return read_vector(ti, here, argument == 'S' ? &values->out : &values->in);
  }
}

static bool read_values(struct ti *ti, const struct action *action, struct values *values)
{
  size_t at = 0;
  bool read = true;
  values->sent_bytes = values->received_bytes = ti->ranks[ti->rank].type_size;
  for (const char *argument = action->arguments; *argument && read; argument++)
    read = read_value(ti, *argument, &at, values);
  return read;
}

static void scale(struct workload_vector *vector, uint64_t bytes)
{
  for (size_t i = 0; i < vector->count; i++)
    vector->items[i] *= bytes;
}

static uint64_t sum_of(const struct workload_vector *vector)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < vector->count; i++)
    sum += vector->items[i];
  return sum;
}

/* Sizes in bytes; of reduce_scatter in elements. */
static void set_sizes(const struct action *action, struct values *values, struct workload_shape *shape)
{
  const uint64_t sent = values->sent * values->sent_bytes, received = values->received * values->received_bytes;
  const bool sums = action->collective == TUTTI_COLL_REDUCE_SCATTER;
  shape->bytes = action->collective == TUTTI_COLL_SCATTER ? received : sent;
  scale(&values->out, values->sent_bytes);
  if (!sums)
    scale(&values->in, values->received_bytes);
  if (values->out.items || values->in.items)
    shape->bytes =
        sums ? sum_of(&values->in) * values->sent_bytes : sum_of(values->out.items ? &values->out : &values->in);
}

static const char *complete(const struct ti *ti, const struct action *action, struct values *values,
                            struct workload_shape *shape)
{
  uint64_t own[2] = {values->sent * values->sent_bytes, values->received * values->received_bytes};
  const struct workload_vector sent = {&own[0], 1}, received = {&own[1], 1};
  const bool reduces = tutti_collective_traits(action->collective) & TUTTI_REDUCES;
  *shape = (struct workload_shape){.collective = action->collective,
                                   .rank = ti->rank,
                                   .call = {.root = (int)values->root, .type_size = reduces ? values->sent_bytes : 1}};
  tutti_workload_shape_begin(ti->workload, shape);
  set_sizes(action, values, shape);
  return tutti_workload_shape_complete(shape, values->out.items ? &values->out : &sent,
                                       values->in.items ? &values->in : &received);
}

bool tutti_ti_read_collective(struct ti *ti)
{
  const struct action *action = NULL;
  struct workload_shape shape;
  struct values values = {.sent = 0};
  for (size_t a = 0; a < sizeof actions / sizeof *actions && !action; a++)
    action = tutti_ti_is(ti, actions[a].name) ? &actions[a] : NULL;
  if (!action)
    return false;
  bool known = read_values(ti, action, &values);
  const char *wrong = known ? complete(ti, action, &values, &shape) : NULL;
  if (wrong)
    tutti_ti_pass(ti, wrong, "");
  known = known && !wrong;
  tutti_workload_add_collective(ti->workload, &ti->ranks[ti->rank].writer, &ti->called[ti->rank], 0,
                                known ? &shape : NULL, 0);
  if (known)
    tutti_ti_compute(ti, values.flops);
  free(values.out.items);
  free(values.in.items);
  return true;
}
