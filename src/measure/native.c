#include "measure/bench.h"

#include <limits.h>

static int move(const struct subject *o, MPI_Comm comm)
{
  MPI_Datatype type = o->element;
  char *in = o->buffers->input, *out = o->buffers->output;
  int count = (int)o->point->count, root = o->point->root;
  switch (o->point->method.algorithm->collective) {
  case TUTTI_COLL_BCAST:
    return MPI_Bcast(out, count, type, root, comm);
  case TUTTI_COLL_SCATTER:
    return MPI_Scatter(in, count, type, out, count, type, root, comm);
  case TUTTI_COLL_SCATTERV:
    return MPI_Scatterv(in, o->counts, o->places, type, out, count, type, root, comm);
  case TUTTI_COLL_GATHER:
    return MPI_Gather(in, count, type, out, count, type, root, comm);
  case TUTTI_COLL_GATHERV:
    return MPI_Gatherv(in, count, type, out, o->counts, o->places, type, root, comm);
  case TUTTI_COLL_ALLGATHER:
    return MPI_Allgather(in, count, type, out, count, type, comm);
  case TUTTI_COLL_ALLGATHERV:
    return MPI_Allgatherv(in, count, type, out, o->counts, o->places, type, comm);
  case TUTTI_COLL_ALLTOALL:
    return MPI_Alltoall(in, count, type, out, count, type, comm);
  case TUTTI_COLL_ALLTOALLV:
    return MPI_Alltoallv(in, o->counts, o->places, type, out, o->counts, o->places, type, comm);
  case TUTTI_COLL_ALLTOALLW:
    return MPI_Alltoallw(in, o->counts, o->places, o->types, out, o->counts, o->places, o->types, comm);
  default:
    return MPI_Barrier(comm);
  }
}

static int reduce(const struct subject *o, MPI_Comm comm)
{
  MPI_Datatype type = o->element;
  char *in = o->buffers->input, *out = o->buffers->output;
  int count = (int)o->point->count;
  switch (o->point->method.algorithm->collective) {
  case TUTTI_COLL_REDUCE:
    return MPI_Reduce(in, out, count, type, o->op, o->point->root, comm);
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return MPI_Reduce_scatter_block(in, out, count, type, o->op, comm);
  case TUTTI_COLL_REDUCE_SCATTER:
    return MPI_Reduce_scatter(in, out, o->counts, type, o->op, comm);
  case TUTTI_COLL_SCAN:
    return MPI_Scan(in, out, count, type, o->op, comm);
  case TUTTI_COLL_EXSCAN:
    return MPI_Exscan(in, out, count, type, o->op, comm);
  default:
    return MPI_Allreduce(in, out, count, type, o->op, comm);
  }
}

tutti_status tutti_perform_native(const struct subject *subject, const tutti_view *view, tutti_error *error)
{
  tutti_collective collective = subject->point->method.algorithm->collective;
  const char *name = tutti_collective_name(collective);
  if (subject->point->count > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/native: more elements than the int of an MPI call holds", name);
  bool reduces = tutti_collective_traits(collective) & TUTTI_REDUCES;
  int code = reduces ? reduce(subject, view->comm) : move(subject, view->comm);
  return code == MPI_SUCCESS ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MPI, "%s/native: MPI returned %d", name, code);
}
