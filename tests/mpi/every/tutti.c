#include <string.h>

#include "case.h"

/* Begin a call, or make it if it blocks, by the function of the public interface. */
#define CALL(name, ...)                                                                                                \
  (form == BLOCKING      ? tutti_##name(method, __VA_ARGS__ view, error)                                               \
   : form == NONBLOCKING ? tutti_i##name(method, __VA_ARGS__ view, request, error)                                     \
                         : tutti_##name##_init(method, __VA_ARGS__ view, request, error))

static tutti_status begin(const struct call_case *c, void *in, void *out, const tutti_method *method, enum form form,
                          tutti_view *view, tutti_request **request, tutti_error *error)
{
  uint64_t count = (uint64_t)c->count, own = c->output_counts ? (uint64_t)c->output_counts[view->rank] : 0;
  switch (c->collective) {
  case TUTTI_COLL_BCAST:
    return CALL(bcast, out, count, c->type, c->root, );
  case TUTTI_COLL_BARRIER:
    return CALL(barrier, );
  case TUTTI_COLL_SCATTER:
    return CALL(scatter, in, count, c->type, out, count, c->type, c->root, );
  case TUTTI_COLL_SCATTERV:
    return CALL(scatterv, in, c->output_counts, c->output_places, c->type, out, own, c->type, c->root, );
  case TUTTI_COLL_GATHER:
    return CALL(gather, in, count, c->type, out, count, c->type, c->root, );
  case TUTTI_COLL_GATHERV:
    return CALL(gatherv, in, own, c->type, out, c->output_counts, c->output_places, c->type, c->root, );
  case TUTTI_COLL_ALLGATHER:
    return CALL(allgather, in, count, c->type, out, count, c->type, );
  case TUTTI_COLL_ALLGATHERV:
    return CALL(allgatherv, in, own, c->type, out, c->output_counts, c->output_places, c->type, );
  case TUTTI_COLL_ALLTOALL:
    return CALL(alltoall, in, count, c->type, out, count, c->type, );
  case TUTTI_COLL_ALLTOALLV:
    return CALL(alltoallv, in, c->input_counts, c->input_places, c->type, out, c->output_counts, c->output_places,
                c->type, );
  case TUTTI_COLL_ALLTOALLW:
    return CALL(alltoallw, in, c->input_counts, c->input_places, c->input_types, out, c->output_counts,
                c->output_places, c->output_types, );
  case TUTTI_COLL_REDUCE:
    return CALL(reduce, in, out, count, c->type, c->op, c->root, );
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return CALL(reduce_scatter_block, in, out, count, c->type, c->op, );
  case TUTTI_COLL_REDUCE_SCATTER:
    return CALL(reduce_scatter, in, out, c->output_counts, c->type, c->op, );
  case TUTTI_COLL_ALLREDUCE:
    return CALL(allreduce, in, out, count, c->type, c->op, );
  case TUTTI_COLL_SCAN:
    return CALL(scan, in, out, count, c->type, c->op, );
  case TUTTI_COLL_EXSCAN:
    return CALL(exscan, in, out, count, c->type, c->op, );
  case TUTTI_COLL_COUNT:
    break;
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no such collective");
}

static tutti_status start_twice(const struct case_memory *memory, const unsigned char *again, tutti_request **request,
                                tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < 2 && status == TUTTI_OK; i++) {
    memcpy(memory->output, again, memory->bytes);
    status = tutti_start(*request, error);
    if (status == TUTTI_OK)
      status = tutti_wait(request, error);
  }
  return status == TUTTI_OK ? tutti_request_free(request, error) : status;
}

tutti_status case_tutti(const struct call_case *call, const struct case_memory *memory, const tutti_method *method,
                        enum form form, tutti_view *view, const unsigned char *again, tutti_error *error)
{
  tutti_request *request = NULL;
  void *in = case_input(call, memory, view->rank), *out = case_output(call, memory, view->rank);
  tutti_status status = begin(call, in, out, method, form, view, &request, error);
  if (status == TUTTI_OK && form == NONBLOCKING)
    status = tutti_wait(&request, error);
  if (status == TUTTI_OK && form == PERSISTENT)
    status = start_twice(memory, again, &request, error);
  if (status == TUTTI_OK && request)
    status = tutti_fail(error, TUTTI_ERR_FAULT, "a completed request was not freed");
  return status;
}
