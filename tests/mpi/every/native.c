#include "native_bugs.h"

static bool scatters(const struct call_case *call)
{
  return call->collective == TUTTI_COLL_SCATTER || call->collective == TUTTI_COLL_SCATTERV;
}

void *case_input(const struct call_case *call, const struct case_memory *memory, int rank)
{
  bool rooted = tutti_collective_traits(call->collective) & TUTTI_HAS_ROOT;
  bool in_place = call->in_place && !scatters(call) && (!rooted || rank == call->root);
  return in_place ? MPI_IN_PLACE : memory->input + memory->offset;
}

void *case_output(const struct call_case *call, const struct case_memory *memory, int rank)
{
  bool in_place = call->in_place && scatters(call) && rank == call->root;
  return in_place ? MPI_IN_PLACE : memory->output + memory->offset;
}

void case_native(const struct call_case *c, const struct case_memory *memory)
{
  const MPI_Comm comm = MPI_COMM_WORLD;
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (native_bug_avoided(c, memory))
    return;
  void *in = case_input(c, memory, rank), *out = case_output(c, memory, rank);
  switch (c->collective) {
  case TUTTI_COLL_BCAST:
    MPI_Bcast(out, c->count, c->type, c->root, comm);
    break;
  case TUTTI_COLL_BARRIER:
    MPI_Barrier(comm);
    break;
  case TUTTI_COLL_SCATTER:
    MPI_Scatter(in, c->count, c->type, out, c->count, c->type, c->root, comm);
    break;
  case TUTTI_COLL_SCATTERV:
    MPI_Scatterv(in, c->output_counts, c->output_places, c->type, out, c->output_counts[rank], c->type, c->root, comm);
    break;
  case TUTTI_COLL_GATHER:
    MPI_Gather(in, c->count, c->type, out, c->count, c->type, c->root, comm);
    break;
  case TUTTI_COLL_GATHERV:
    MPI_Gatherv(in, c->output_counts[rank], c->type, out, c->output_counts, c->output_places, c->type, c->root, comm);
    break;
  case TUTTI_COLL_ALLGATHER:
    MPI_Allgather(in, c->count, c->type, out, c->count, c->type, comm);
    break;
  case TUTTI_COLL_ALLGATHERV:
    MPI_Allgatherv(in, c->output_counts[rank], c->type, out, c->output_counts, c->output_places, c->type, comm);
    break;
  case TUTTI_COLL_ALLTOALL:
    MPI_Alltoall(in, c->count, c->type, out, c->count, c->type, comm);
    break;
  case TUTTI_COLL_ALLTOALLV:
    MPI_Alltoallv(in, c->input_counts, c->input_places, c->type, out, c->output_counts, c->output_places, c->type,
                  comm);
    break;
  case TUTTI_COLL_ALLTOALLW:
    MPI_Alltoallw(in, c->input_counts, c->input_places, c->input_types, out, c->output_counts, c->output_places,
                  c->output_types, comm);
    break;
  case TUTTI_COLL_REDUCE:
    MPI_Reduce(in, out, c->count, c->type, c->op, c->root, comm);
    break;
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    MPI_Reduce_scatter_block(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_REDUCE_SCATTER:
    MPI_Reduce_scatter(in, out, c->output_counts, c->type, c->op, comm);
    break;
  case TUTTI_COLL_ALLREDUCE:
    MPI_Allreduce(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_SCAN:
    MPI_Scan(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_EXSCAN:
    MPI_Exscan(in, out, c->count, c->type, c->op, comm);
    break;
  case TUTTI_COLL_COUNT:
    break;
  }
}
