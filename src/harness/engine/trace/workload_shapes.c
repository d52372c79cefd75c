/* From the sizes that a rank recorded of a call to the call that its schedule is built for. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/engine/trace/workload_read.h"

/* Sums of bytes stay below this. */
#define MAX_BYTES (UINT64_C(1) << 60)

/* Lay out blocks one after the other; false: they are too large. */
static bool lay_out(const struct workload_vector *vector, tutti_layout *layout)
{
  uint64_t *offsets = tutti_xmalloc((vector->count + 1) * sizeof *offsets);
  offsets[0] = 0;
  for (size_t r = 0; r < vector->count; r++)
    offsets[r + 1] = vector->items[r] > MAX_BYTES - offsets[r] ? MAX_BYTES : offsets[r] + vector->items[r];
  *layout = (tutti_layout){offsets};
  return offsets[vector->count] < MAX_BYTES;
}

void tutti_workload_shape_free(struct workload_shape *shape)
{
  tutti_call *call = &shape->call;
  free((void *)(uintptr_t)call->input.offsets);
  if (call->output.offsets != call->input.offsets)
    free((void *)(uintptr_t)call->output.offsets);
  call->input = call->output = (tutti_layout){NULL};
}

static const char too_large[] = "more bytes than a call can have",
                  missing[] = "a call without the counts that it needs";

/* The own block is what was recorded of one buffer, or, in place, that of the other. */
static uint64_t own_block(const tutti_call *call, const struct workload_vector *alone, const tutti_layout *layout)
{
  if (alone->count == 1 && call->size > 1)
    return alone->items[0];
  return layout->offsets ? tutti_layout_count(layout, call->rank) : 0;
}

static const char *complete_scatterv(tutti_call *call, const struct workload_vector *blocks,
                                     const struct workload_vector *own, tutti_layout *layout)
{
  if (call->rank == call->root) {
    if (blocks->count != (size_t)call->size)
      return missing;
    if (!lay_out(blocks, layout))
      return too_large;
  }
  call->count = own_block(call, own, layout);
  return call->count < MAX_BYTES ? NULL : too_large;
}

static const char *complete_alltoallv(tutti_call *call, const struct workload_vector *input,
                                      const struct workload_vector *output)
{
  const bool in_place = input->count != (size_t)call->size;
  if (output->count != (size_t)call->size)
    return missing;
  if (!in_place && input->items[call->rank] != output->items[call->rank])
    return "a rank sends itself another number of bytes than it receives";
  if (!lay_out(output, &call->output))
    return too_large;
  if (in_place)
    call->input = call->output;
  else if (!lay_out(input, &call->input))
    return too_large;
  call->count = tutti_layout_count(&call->output, call->rank);
  return NULL;
}

static const char *complete_all(tutti_call *call, const struct workload_vector *output, tutti_layout *layout)
{
  if (output->count != (size_t)call->size)
    return missing;
  if (!lay_out(output, layout))
    return too_large;
  call->count = tutti_layout_count(layout, call->rank);
  return NULL;
}

static const char *complete_regular(struct workload_shape *shape)
{
  tutti_call *call = &shape->call;
  if (shape->bytes >= MAX_BYTES / (uint64_t)call->size)
    return too_large;
  if (call->type_size > 0 && shape->bytes % call->type_size != 0)
    return "bytes that are not whole elements";
  call->count = call->type_size > 0 ? shape->bytes / call->type_size : 0;
  return NULL;
}

static const char *complete(struct workload_shape *shape, const struct workload_vector *input,
                            const struct workload_vector *output)
{
  tutti_call *call = &shape->call;
  if (call->type_size > MAX_BYTES / (uint64_t)call->size || (call->type_size == 0 && shape->bytes > 0))
    return "elements of a size that none has";
  switch (shape->collective) {
  case TUTTI_COLL_SCATTERV:
    return complete_scatterv(call, input, output, &call->input);
  case TUTTI_COLL_GATHERV:
    return complete_scatterv(call, output, input, &call->output);
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return complete_alltoallv(call, input, output);
  case TUTTI_COLL_ALLGATHERV:
    return complete_all(call, output, &call->output);
  case TUTTI_COLL_REDUCE_SCATTER: {
    const char *fault = complete_all(call, output, &call->input);
    if (!fault && call->type_size > 0 && tutti_layout_sum(&call->input, call->size) > MAX_BYTES / call->type_size)
      return too_large;
    return fault;
  }
  default:
    return complete_regular(shape);
  }
}

const char *tutti_workload_shape_complete(struct workload_shape *shape, const struct workload_vector *input,
                                          const struct workload_vector *output)
{
  const char *fault = complete(shape, input, output);
  if (fault)
    tutti_workload_shape_free(shape);
  return fault;
}

uint64_t tutti_workload_shape_number(struct workload *workload, const struct workload_shape *shape)
{
  const size_t count = workload->shapes.count;
  for (size_t s = count < 16 ? 0 : count - 16; s < count && !shape->call.input.offsets; s++) {
    const struct workload_shape *known = &workload->shapes.items[s];
    if (known->collective == shape->collective && known->communicator == shape->communicator &&
        known->bytes == shape->bytes && !known->call.output.offsets && !shape->call.output.offsets &&
        known->call.type_size == shape->call.type_size && known->call.rank == shape->call.rank &&
        known->call.root == shape->call.root)
      return s;
  }
  tutti_xpush(&workload->shapes, *shape);
  return count;
}

void tutti_workload_shape_begin(const struct workload *workload, struct workload_shape *shape)
{
  shape->method = tutti_method_default(tutti_algorithm_find(shape->collective, "native"));
  shape->call.size = (int)workload->communicators.items[shape->communicator].size;
  shape->call.rank = (int)shape->rank;
  shape->call.commutative = true;
  shape->call.type_size = shape->call.type_size > 0 ? shape->call.type_size : 1;
}

void tutti_workload_add_collective(struct workload *workload, struct workload_writer *writer,
                                   struct workload_called *called, uint32_t communicator,
                                   const struct workload_shape *shape, double seconds)
{
  struct workload_op op = {.kind = WORKLOAD_WORK};
  tutti_writer_end(writer);
  if (shape) {
    op.kind = WORKLOAD_COLLECTIVE;
    op.amount = tutti_workload_shape_number(workload, shape);
    workload->shapes.items[op.amount].calls++;
  }
  tutti_called_add(called, communicator, tutti_writer_add(writer, op), seconds, shape);
  tutti_writer_end(writer);
}
