/* Collectives that all ranks of a communicator call, in formats that have a list of calls for each rank: the n-th call
   of one is the n-th of all. */
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_read.h"

struct aligner {
  struct workload *workload;
  struct workload_called *called;
  uint32_t communicator;
  size_t *first; /* [rank_count] of the calls on the communicator, in called[] */
};

void tutti_called_add(struct workload_called *called, uint32_t communicator, uint32_t op, double seconds, bool known)
{
  const double nanoseconds = seconds * 1e9 + 0.5;
  const struct workload_call_of item = {communicator, op,
                                        nanoseconds > 0 && nanoseconds < 1e18 ? (uint64_t)nanoseconds : 0, known};
  tutti_xpush(called, item);
}

static uint32_t size_of(const struct aligner *aligner)
{
  return aligner->workload->communicators.items[aligner->communicator].size;
}

/* A call of a member; NULL: it has called no more. */
static const struct workload_call_of *call_of(const struct aligner *aligner, uint32_t rank, size_t call)
{
  const uint32_t world = workload_member(aligner->workload, aligner->communicator, rank);
  const struct workload_called *called = &aligner->called[world];
  const size_t place = aligner->first[world] + call;
  return place < called->count && called->items[place].communicator == aligner->communicator ? &called->items[place]
                                                                                             : NULL;
}

static struct workload_op *op_of(const struct aligner *aligner, uint32_t rank, size_t call)
{
  return &aligner->workload->ranks[workload_member(aligner->workload, aligner->communicator, rank)]
              .graph.ops.items[call_of(aligner, rank, call)->op];
}

static struct workload_shape *shape_of(const struct aligner *aligner, uint32_t rank, size_t call)
{
  return &aligner->workload->shapes.items[op_of(aligner, rank, call)->amount];
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

static bool is_common(const struct aligner *aligner, size_t call)
{
  for (uint32_t r = 0; r < size_of(aligner); r++) {
    const struct workload_call_of *own = call_of(aligner, r, call);
    if (!own || !own->known || !is_same(shape_of(aligner, 0, call), shape_of(aligner, r, call)))
      return false;
  }
  return true;
}

/* Ranks choose one method for a call: by the mean of what they send. */
static void set_bytes(const struct aligner *aligner, size_t call)
{
  double sum = 0;
  if (!is_irregular(shape_of(aligner, 0, call)))
    return;
  for (uint32_t r = 0; r < size_of(aligner); r++)
    sum += (double)shape_of(aligner, r, call)->bytes;
  for (uint32_t r = 0; r < size_of(aligner); r++)
    shape_of(aligner, r, call)->bytes = (uint64_t)(sum / (double)size_of(aligner));
}

static void leave_out(const struct aligner *aligner, size_t call)
{
  for (uint32_t r = 0; r < size_of(aligner); r++) {
    const struct workload_call_of *own = call_of(aligner, r, call);
    if (!own)
      continue;
    struct workload_op *op = op_of(aligner, r, call);
    if (op->kind == WORKLOAD_COLLECTIVE)
      aligner->workload->shapes.items[op->amount].calls--;
    *op = (struct workload_op){.kind = WORKLOAD_WORK, .amount = aligner->workload->flops ? 0 : own->nanoseconds};
  }
}

/* By the communicator, and in their order. */
static int compare_calls(const void *a, const void *b)
{
  const struct workload_call_of *x = a, *y = b;
  if (x->communicator != y->communicator)
    return x->communicator < y->communicator ? -1 : 1;
  return x->op < y->op ? -1 : x->op > y->op;
}

static bool is_called(const struct aligner *aligner, size_t call)
{
  bool called = false;
  for (uint32_t r = 0; r < size_of(aligner) && !called; r++)
    called = call_of(aligner, r, call);
  return called;
}

static tutti_status align(const struct aligner *aligner, const char *path, tutti_passed *passed, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t call = 0; status == TUTTI_OK && is_called(aligner, call); call++)
    if (is_common(aligner, call))
      set_bytes(aligner, call);
    else {
      leave_out(aligner, call);
      status = tutti_pass_over(
          passed, path, 0, "a collective that not all ranks call alike, or that one of them passes over", error,
          aligner->communicator == 0
              ? "call %zu of collectives"
              : "call %zu of collectives of a communicator of %u ranks, the first of which is %u",
          call + 1, (unsigned)size_of(aligner), (unsigned)workload_member(aligner->workload, aligner->communicator, 0));
    }
  return status;
}

/* Pass the calls on a communicator. */
static void advance(const struct aligner *aligner)
{
  for (uint32_t r = 0; r < size_of(aligner); r++)
    for (const uint32_t world = workload_member(aligner->workload, aligner->communicator, r); call_of(aligner, r, 0);)
      aligner->first[world]++;
}

tutti_status tutti_workload_align(const char *path, struct workload *workload, struct workload_called *called,
                                  tutti_passed *passed, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  struct aligner aligner = {
      .workload = workload, .called = called, .first = tutti_xcalloc(workload->rank_count, sizeof *aligner.first)};
  for (uint32_t r = 0; r < workload->rank_count; r++)
    if (called[r].count > 0)
      qsort(called[r].items, called[r].count, sizeof *called[r].items, compare_calls);
  for (; aligner.communicator < workload->communicators.count && status == TUTTI_OK; aligner.communicator++) {
    status = align(&aligner, path, passed, error);
    advance(&aligner);
  }
  free(aligner.first);
  return status;
}
