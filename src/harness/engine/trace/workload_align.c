/* Collectives that all ranks call, in formats that have a list of calls for each rank: the n-th call of one is the n-th
   of all. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_read.h"

void tutti_called_add(struct workload_called *called, uint32_t op, double seconds, bool known)
{
  const double nanoseconds = seconds * 1e9 + 0.5;
  const struct workload_call_of item = {op, nanoseconds > 0 && nanoseconds < 1e18 ? (uint64_t)nanoseconds : 0, known};
  tutti_xpush(called, item);
}

static struct workload_op *op_of(struct workload *workload, const struct workload_called *called, uint32_t rank,
                                 size_t call)
{
  return &workload->ranks[rank].graph.ops.items[called[rank].items[call].op];
}

static bool is_irregular(const struct workload_shape *shape)
{
  return tutti_collective_traits(shape->collective) & TUTTI_IS_IRREGULAR;
}

/* Whether two ranks make the same call. */
static bool is_same(const struct workload_shape *a, const struct workload_shape *b)
{
  return a->collective == b->collective && a->call.root == b->call.root && (is_irregular(a) || a->bytes == b->bytes);
}

static bool is_common(struct workload *workload, const struct workload_called *called, size_t call)
{
  const struct workload_shape *first = NULL;
  for (uint32_t r = 0; r < workload->rank_count; r++) {
    if (call >= called[r].count || !called[r].items[call].known)
      return false;
    const struct workload_shape *shape = &workload->shapes.items[op_of(workload, called, r, call)->amount];
    first = first ? first : shape;
    if (!is_same(first, shape))
      return false;
  }
  return true;
}

/* Ranks choose one method for a call: by the mean of what they send. */
static void set_bytes(struct workload *workload, const struct workload_called *called, size_t call)
{
  double sum = 0;
  if (!is_irregular(&workload->shapes.items[op_of(workload, called, 0, call)->amount]))
    return;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    sum += (double)workload->shapes.items[op_of(workload, called, r, call)->amount].bytes;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    workload->shapes.items[op_of(workload, called, r, call)->amount].bytes =
        (uint64_t)(sum / (double)workload->rank_count);
}

static void leave_out(struct workload *workload, const struct workload_called *called, size_t call)
{
  for (uint32_t r = 0; r < workload->rank_count; r++) {
    if (call >= called[r].count)
      continue;
    struct workload_op *op = op_of(workload, called, r, call);
    if (op->kind == WORKLOAD_COLLECTIVE)
      workload->shapes.items[op->amount].calls--;
    *op =
        (struct workload_op){.kind = WORKLOAD_WORK, .amount = workload->flops ? 0 : called[r].items[call].nanoseconds};
  }
}

static size_t most_calls(const struct workload *workload, const struct workload_called *called)
{
  size_t most = 0;
  for (uint32_t r = 0; r < workload->rank_count; r++)
    most = called[r].count > most ? called[r].count : most;
  return most;
}

tutti_status tutti_workload_align(const char *path, struct workload *workload, const struct workload_called *called,
                                  tutti_passed *passed, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  const size_t most = most_calls(workload, called);
  for (size_t call = 0; call < most && status == TUTTI_OK; call++)
    if (is_common(workload, called, call))
      set_bytes(workload, called, call);
    else {
      leave_out(workload, called, call);
      status = tutti_pass_over(passed, path, 0,
                               "a collective that not all ranks call alike, or that one of them passes over", error,
                               "call %zu of collectives", call + 1);
    }
  return status;
}
